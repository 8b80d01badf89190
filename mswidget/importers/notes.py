"""What a reader of imported numbers has to know."""

from __future__ import annotations

from collections.abc import Iterator

from mswidget.importers.sheet import Sheet

_SHOWN = 8


def notes_of(sheet: Sheet) -> Iterator[str]:
    """Yield it, a sentence each."""
    rounding = sheet.printed.rounding()
    if rounding:
        known = [f"{n} ± {half:.0e}" for n, half in list(rounding.items())[:_SHOWN]]
        more = len(rounding) - len(known)
        known += [f"{more} more"] if more else []
        yield f"values as printed, not the full numbers: {', '.join(known)}"
    if sheet.untimed:
        yield "it says no times: they are those at which its file was last written"
    if sheet.repeated:
        yield (
            f"{sheet.repeated} values of steps that were printed more than once, as "
            "when several processes share a log: the first of each is kept"
        )
    yield from _of_pipeline(sheet)


def _of_pipeline(sheet: Sheet) -> Iterator[str]:
    stages = sheet.facts.get("pipeline_stages")
    if why := sheet.why_no_loss():
        yield f"no loss on this rank: {why}"
    elif isinstance(stages, int) and sheet.size < stages:
        yield (
            "a log of a pipeline, without those of the other ranks: whether its rank "
            "has the loss is not known; give their folder"
        )
