"""Why a table is not there, and what would make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mswidget.profiler.files.file_names import ending
from mswidget.profiler.files.locate import PACKED, RankProfile, files_of, relative
from mswidget.profiler.report import Missing
from mswidget.profiler.tables.catalog import TABLES
from mswidget.profiler.tables.spec import Layout, Need, Table

_COPIES = "left out, since of each table one export counts; load it by its own path"
_MINDINSIGHT = (
    "not read: MindSpore up to 2.2 wrote them for MindInsight, which opens them"
)
_DATABASES = (
    "databases are not read; export with export_type text",
    "databases are not read; what is shown is of the text beside them",
)
_NAMED = 5  # files in one note
_ANALYSE: dict[Layout, str] = {
    "mindspore": "from mindspore.profiler.profiler import analyse; analyse({path!r})",
    "pytorch": "from torch_npu.profiler.profiler import analyse; analyse({path!r})",
    "msprof": "msprof --export=on --output={path!r}",
}
_WORDS = {
    "profiler_level": "profiler_level=ProfilerLevel.{}",
    "activities": "activities=[..., ProfilerActivity.{}]",
    "schedule": "no schedule",
    "data_simplification": "data_simplification={}, which keeps PROF_*",
}


def missing_tables(source: RankProfile) -> dict[str, tuple[Table, ...]]:
    """Return what a profile of this layout could hold and does not, by reason."""
    if not source.files:
        return {}
    reasons: dict[str, tuple[Table, ...]] = {}
    for table in TABLES:
        stems = {table.stem, *table.aliases}
        if source.layout in table.layouts and stems.isdisjoint(source.files):
            reason = why_missing(table, source)
            reasons[reason] = (*reasons.get(reason, ()), table)
    return reasons


def missing_everywhere(sources: Sequence[RankProfile]) -> Iterator[Missing]:
    """Yield each reason once, however many ranks and tables share it."""
    reasons: dict[str, dict[str, None]] = {}
    there = {stem for source in sources for stem in source.files}
    for source in sources:
        for reason, tables in missing_tables(source).items():
            for table in tables:
                label = _label(table, source, there)
                reasons.setdefault(reason, {}).update(dict.fromkeys(label))
    for reason, labels in reasons.items():
        if labels:
            yield Missing(", ".join(labels), reason)


def why_missing(table: Table, source: RankProfile) -> str:
    """Return one sentence: the reason, and the switch that makes the table."""
    if command := how_to_parse(source):
        return _never_parsed_yet(command)
    if source.layout == "mindinsight":
        return "MindSpore up to 2.2 wrote no such table"
    if source.layout == "msprof":
        option = f"collect with `msprof {table.msprof}`" if table.msprof else ""
        return f"not in this export: {'; '.join(filter(None, (option, table.note)))}"
    wrong = [need for need in table.needs if source.info.meets(need) is False]
    unknown = [need for need in table.needs if source.info.meets(need) is None]
    note = f"; {table.note}" if table.note else ""
    reasons = [_correction(need, source) for need in wrong]
    if unknown:
        reasons.append(f"needs {', '.join(map(advice, unknown))}")
    said = "; ".join(reasons) or "the switches were on, yet no such file is here"
    on_npu = "only runs on an NPU have it; " if source.layout == "cpu" else ""
    return f"{on_npu}{said}{note}"


def how_to_parse(source: RankProfile) -> str:
    """Return the command for data that was collected and never parsed, or empty."""
    # What msprof alone made of it lacks the tables of the framework.
    by_msprof = "mindstudio_profiler_output"
    parsed = [
        file
        for files in source.files.values()
        for file in files
        if source.layout == "msprof" or file.parent.name != by_msprof
    ]
    if parsed or source.databases or not source.is_raw:
        return ""
    return _ANALYSE.get(source.layout, "").format(path=str(source.folder))


def advice(need: Need) -> str:
    """Return the switch as one writes it."""
    words = _WORDS.get(need.switch, f"{need.switch}={{}}")
    return words.format(need.values[0])


def _correction(need: Need, source: RankProfile) -> str:
    was = ", ".join(source.info.switches[need.switch])
    return f"{need.switch} was {was}: profile again with {advice(need)}"


def source_notes(source: RankProfile, path: Path) -> Iterator[str]:
    """Yield what of a profile is no table, and what to do about it."""
    for file in source.others:
        yield f"{relative(file, path)}: {_what_else(file)}"
    for older in source.older:
        yield _never_parsed(older) or (
            f"{older.folder}: left out, since of each rank one profile counts, the "
            "newest by the names of their folders; load it by its own path"
        )
    for files, note in (
        (source.unread, _COPIES),
        (source.for_mindinsight, _MINDINSIGHT),
        (source.databases, _DATABASES[bool(source.files)]),
    ):
        if files:
            yield f"{_names(files)}: {note}"
    yield from _of_whole(source, path)


def _of_whole(source: RankProfile, path: Path) -> Iterator[str]:
    if source.files and not any(files_of(source, table) for table in TABLES):
        yield f"{relative(source.folder, path)}: a timeline, and no table beside it"
    if source.layout == "cpu":
        yield "a run on the CPU: only runs on an NPU have the tables of a device"
    if path.is_dir() and (note := _never_parsed(source)):
        yield note


def _names(files: Sequence[Path]) -> str:
    shown = ", ".join(file.name for file in files[:_NAMED])
    return f"{shown} and {len(files) - _NAMED} more" if files[_NAMED:] else shown


def _what_else(file: Path) -> str:
    if file.is_dir():
        return "cannot be entered: its permissions do not let you"
    if ending(file) in PACKED:
        return "is packed: unpack it"
    return "is no table of the profiler that is known"


def _never_parsed(source: RankProfile) -> str:
    command = how_to_parse(source)
    if command:
        return f"{source.folder}: {_never_parsed_yet(command)}"
    nothing = (
        f"{source.folder}: nothing was collected; the profiler has to be started and "
        "stopped within the run, and the steps of its schedule have to come"
    )
    return nothing if source.is_empty else ""


def _never_parsed_yet(command: str) -> str:
    return f"collected but never parsed; run: {command}"


def _label(table: Table, source: RankProfile, there: set[str]) -> list[str]:
    """Name the rank where only some ranks miss the table."""
    if there.isdisjoint({table.stem, *table.aliases}):
        return [table.stem]
    return [] if source.rank is None else [f"{table.stem} (rank {source.rank})"]
