"""A path -> the profiles in it: layout, rank, settings, the files of each table."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mswidget.profiler.files.file_names import ending, last_export, name_parts
from mswidget.profiler.files.groups import Groups, read_groups
from mswidget.profiler.files.profiler_info import Info, read_info
from mswidget.profiler.tables.catalog import BY_STEM
from mswidget.profiler.tables.spec import Layout, Table

_DEPTH = 6
_RUN = re.compile(r"_ascend_(ms|pt)$")
_PROF = re.compile(r"^PROF_\d+_\d+_\w+$")
_OUTPUTS = {"ASCEND_PROFILER_OUTPUT", "mindstudio_profiler_output"}
_ENDINGS = {".csv", ".json", ".db"}
_PACKED = {".gz", ".zip", ".xz", ".bz2"}
# Read elsewhere, event by event; where both are, the first holds all of the second.
_TRACES = ("trace_view", "msprof")
_STAMP = re.compile(r"_(\d{14,17})(?=_)")
_RANK = re.compile(r"rank[-_]?(\d{1,6})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True)
class RankProfile:
    """One profile: of one rank, taken at one time.

    Parameters
    ----------
    folder
        The folder that holds all of it.
    layout
        Who wrote it; ``ascend`` when only file names tell.
    rank, device
        None when nothing says them.
    groups
        The ranks of each communication group, where the profile tells them.
    files
        The files of each stem that counts, in order.
    databases
        What an export to databases wrote.
    others
        Files that look like tables and are none that can be read, and folders that
        cannot be entered.
    is_raw
        Whether msprof's own data is there, from which the tables are made.
    older
        Other profiles of the same rank, which do not count.
    """

    folder: Path
    layout: Layout
    rank: int | None = None
    device: int | None = None
    info: Info = field(default_factory=Info)
    groups: Groups = field(default_factory=dict)
    files: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    databases: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    is_raw: bool = False
    older: tuple[RankProfile, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was collected."""
        return not (self.files or self.databases or self.others or self.is_raw)


def find_sources(path: Path) -> list[RankProfile]:
    """Return the newest profile of every rank at or below a path, by rank."""
    if path.is_file():
        return [_source(_owner(path.parent), [path])]
    owned: dict[Path, list[Path]] = defaultdict(list)
    for folder, files in _walk(path, _DEPTH, set()):
        owner = _owner(folder)
        if files or _RUN.search(folder.name) or _PROF.match(folder.name):
            owned[owner].extend(files)
    sources = [_source(owner, files) for owner, files in sorted(owned.items())]
    useful = [
        source
        for source in sources
        # Empty runs are worth a word, not folders of runs that are called like one.
        if not source.is_empty
        or (_RUN.search(source.folder.name) and not _holds(source.folder, owned))
    ]
    return sorted(_newest(useful), key=_order)


def _holds(folder: Path, others: Iterable[Path]) -> bool:
    return any(folder in other.parents for other in others)


def relative(file: Path, path: Path) -> str:
    """Return a file's place below the path that was given."""
    if file == path:
        return file.name
    return str(file.relative_to(path)) if file.is_relative_to(path) else str(file)


def files_of(source: RankProfile, table: Table) -> tuple[Path, ...]:
    """Return the files of a table in a profile."""
    stems = (table.stem, *table.aliases)
    return next((source.files[stem] for stem in stems if stem in source.files), ())


def trace_files(source: RankProfile) -> tuple[Path, ...]:
    """Return the files that hold the trace of a profile."""
    return next((source.files[s] for s in _TRACES if s in source.files), ())


def total_size(files: Iterable[Path]) -> int:
    """Return how many bytes files have together."""
    return sum(file.stat().st_size for file in files)


def _walk(
    folder: Path, depth: int, seen: set[Path]
) -> Iterator[tuple[Path, list[Path]]]:
    seen.add(folder.resolve())  # a link may lead back up
    try:
        inside = sorted(folder.iterdir())
        files = [p for p in inside if _is_ours(p) and p.is_file()]
        folders = [p for p in inside if depth and p.is_dir()]
    except OSError:  # not ours to read
        yield folder, [folder]
        return
    yield folder, files
    for child in folders:
        if child.resolve() not in seen:
            yield from _walk(child, depth - 1, seen)


def _is_ours(file: Path) -> bool:
    unpacked = Path(file.stem) if ending(file) in _PACKED else file
    return ending(unpacked) in _ENDINGS


def _owner(folder: Path) -> Path:
    """Return the folder of the whole profile that ``folder`` is a part of."""
    above = [folder, *folder.parents][: _DEPTH - 1]
    for parent in above:
        if _RUN.search(parent.name) or any(parent.glob("profiler_info*.json")):
            return parent
    for parent in above:
        if _PROF.match(parent.name):
            return parent
    return folder.parent if folder.name in _OUTPUTS else folder


def _source(owner: Path, files: list[Path]) -> RankProfile:
    info = _info(owner)
    tables: dict[str, list[Path]] = defaultdict(list)
    others = []
    for file in files:
        stem = name_parts(file)["stem"]
        if ending(file) != ".db" and (stem in BY_STEM or stem in _TRACES):
            tables[stem].append(file)
        elif ending(file) not in {".db", ".json"}:
            others.append(file)
    devices = {int(folder.name[7:]) for folder in _device_folders(owner)}
    return RankProfile(
        folder=owner,
        layout=_layout(owner, info, tables),
        rank=info.rank if info.rank is not None else _rank(owner, files),
        device=devices.pop() if len(devices) == 1 else None,
        info=info,
        groups=read_groups(owner),
        files={stem: last_export(of_stem) for stem, of_stem in tables.items()},
        databases=tuple(file for file in files if ending(file) == ".db"),
        others=tuple(others),
        is_raw=bool(devices or _PROF.match(owner.name) or any(owner.glob("PROF_*"))),
    )


def _info(owner: Path) -> Info:
    for file in sorted(owner.glob("profiler_info*.json")):
        info = _read_info(file)
        named = re.search(r"_(\d{1,6})$", file.stem)
        return replace(info, rank=int(named[1])) if named else info
    return Info()


def _read_info(file: Path) -> Info:
    try:
        return read_info(json.loads(file.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, AttributeError, RecursionError):
        return Info()


def _rank(owner: Path, files: list[Path]) -> int | None:
    named = _RANK.search(owner.name)
    if named:
        return int(named[1])
    for folder in _device_folders(owner):
        for file in folder.glob("info.json.*[0-9]"):
            rank = _read_info(file).rank
            if rank is not None:
                return rank
    ranks = {part["rank"] for part in map(name_parts, files) if part["rank"]}
    return int(ranks.pop()) if len(ranks) == 1 else None


def _device_folders(owner: Path) -> list[Path]:
    folders = [*owner.glob("device_*"), *owner.glob("PROF_*/device_*")]
    return [folder for folder in folders if re.fullmatch(r"\d{1,6}", folder.name[7:])]


def _layout(owner: Path, info: Info, tables: dict[str, list[Path]]) -> Layout:
    run = _RUN.search(owner.name)
    named: Layout = "mindspore" if run and run[1] == "ms" else "pytorch"
    if "cpu_op_detail_info" in tables and "kernel_details" not in tables:
        return "cpu"
    if info.layout or run:
        return info.layout or named
    folders = {file.parent.name for of_stem in tables.values() for file in of_stem}
    if _PROF.match(owner.name) or folders == {"mindstudio_profiler_output"}:
        return "msprof"
    return "ascend"


def _newest(sources: list[RankProfile]) -> list[RankProfile]:
    """Keep the newest profile of each rank; a rank nobody knows is its own."""
    groups: dict[object, list[RankProfile]] = defaultdict(list)
    for source in sources:
        key = source.rank, source.device
        groups[key if any(k is not None for k in key) else source.folder].append(source)
    kept = []
    for group in groups.values():
        *older, newest = sorted(group, key=lambda s: (bool(s.files), _stamp(s.folder)))
        kept.append(replace(newest, older=tuple(older)))
    return kept


def _stamp(folder: Path) -> str:
    stamp = _STAMP.search(folder.name)
    return stamp[1] if stamp else ""


def _order(source: RankProfile) -> tuple[int, int, str]:
    rank, device = (1 << 30 if n is None else n for n in (source.rank, source.device))
    return rank, device, str(source.folder)
