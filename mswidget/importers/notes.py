"""What a reader of imported numbers has to know."""

from __future__ import annotations

from collections.abc import Iterator

from mswidget.importers.sheet import Sheet
from mswidget.records.loss_ranks import why_unknown

_SHOWN = 8


def notes_of(sheet: Sheet) -> Iterator[str]:
    """Yield it, a sentence each."""
    rounding = sheet.printed.rounding()
    if rounding:
        known = [f"{name} {how}" for name, how in list(rounding.items())[:_SHOWN]]
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
    yield from sheet.set_back.look(sheet.history)
    yield from _of_pipeline(sheet)


def _of_pipeline(sheet: Sheet) -> Iterator[str]:
    if why := sheet.why_no_loss():
        yield f"no loss on this rank: {why}"
    elif unknown := why_unknown(sheet.size, sheet.stages or 1):
        yield (
            f"whether this rank has the loss is not known: {unknown}; give a folder "
            "with the logs of all ranks"
        )
