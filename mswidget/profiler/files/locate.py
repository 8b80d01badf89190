"""A path -> the profiles in it: layout, rank, settings, the files of each table."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mswidget.profiler.files.file_names import (
    ending,
    last_export,
    name_parts,
    rank_in,
)
from mswidget.profiler.files.groups import Groups, read_groups
from mswidget.profiler.files.profiler_info import Info, read_info
from mswidget.profiler.files.stems import TRACES, is_named, stem_of, stem_of_json
from mswidget.profiler.tables.spec import Layout, Table

_DEPTH = 6
_RUN = re.compile(r"_ascend_(ms|pt)$")
_PROF = re.compile(r"^PROF_\d+_\d+_\w+$")
# MindSpore up to 2.2 wrote them for MindInsight.
_MINDINSIGHT = re.compile(
    r"^(step_trace_raw|aicore_intermediate|framework_raw|aicpu_intermediate|hccl_raw"
    r"|ascend_timeline_(display|summary)|ascend_cluster_analyse|flops)_"
)
_OUTPUTS = {"ASCEND_PROFILER_OUTPUT", "mindstudio_profiler_output"}
_ENDINGS = {".csv", ".json", ".db"}
PACKED = {".gz", ".zip", ".xz", ".bz2"}
_STAMP = re.compile(r"_(\d{14,17})(?=_)")


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
    for_mindinsight
        Files that MindInsight reads, and mswidget does not.
    unread
        Files of tables of which another export counts, or another copy.
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
    for_mindinsight: tuple[Path, ...] = ()
    unread: tuple[Path, ...] = ()
    is_raw: bool = False
    older: tuple[RankProfile, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was collected."""
        kinds = self.files, self.databases, self.others, self.for_mindinsight
        return not (any(kinds) or self.is_raw)


def find_sources(path: Path) -> list[RankProfile]:
    """Return the newest profile of every rank at or below a path, by rank."""
    if path.is_file():
        return list(_sources(_owner(path.parent), [path]))
    owned: dict[Path, list[Path]] = defaultdict(list)
    for folder, files in _walk(path, _DEPTH, set()):
        owner = _owner(folder)
        if files or _RUN.search(folder.name) or _PROF.match(folder.name):
            owned[owner].extend(files)
    sources = [
        source
        for owner, files in sorted(owned.items())
        for source in _sources(owner, files)
    ]
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
    return next((source.files[s] for s in TRACES if s in source.files), ())


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
    unpacked = Path(file.stem) if ending(file) in PACKED else file
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


def _sources(owner: Path, files: list[Path]) -> Iterator[RankProfile]:
    """Yield the profile of each rank whose files lie in a folder."""
    infos = _infos(owner)
    of_ranks: dict[int | None, list[Path]] = defaultdict(list)
    for file in files:
        of_ranks[_rank_of_file(file)].append(file)
    named = [rank for rank in of_ranks if rank is not None]
    folder = _rank_of_folder(owner, infos)
    if len(named) < 2:  # noqa: PLR2004 - they are all of one rank
        rank = folder if folder is not None else next(iter(named), None)
        yield _source(owner, files, rank, infos)
        return
    of_ranks[folder].extend(of_ranks.pop(None, ()))
    for rank, own in of_ranks.items():
        if own:
            yield _source(owner, own, rank, infos)


def _source(
    owner: Path, files: list[Path], rank: int | None, infos: Mapping[int | None, Info]
) -> RankProfile:
    info = infos.get(rank) or next(iter(infos.values()), Info())
    tables: dict[str, list[Path]] = defaultdict(list)
    others, for_mindinsight = [], []
    # Of two alike the first counts: that with a name of Ascend's, without "(1)".
    for file in sorted(files, key=lambda file: (not is_named(file), len(file.name))):
        if _MINDINSIGHT.match(file.name):
            for_mindinsight.append(file)
        elif stem := _stem(file, files):
            tables[stem].append(file)
        elif file.is_dir() or not _may_be_foreign(file, files):
            others.append(file)
    kept = {stem: last_export(of_stem) for stem, of_stem in tables.items()}
    devices = {int(folder.name[7:]) for folder in _device_folders(owner)}
    return RankProfile(
        folder=owner,
        layout=_layout(owner, info, tables) if not for_mindinsight else "mindinsight",
        rank=rank,
        device=devices.pop() if len(devices) == 1 else None,
        info=info,
        groups=read_groups(owner),
        files=kept,
        databases=tuple(filter(_is_export, files)),
        others=tuple(others),
        for_mindinsight=tuple(for_mindinsight),
        unread=tuple(_unread(tables, kept)),
        is_raw=bool(devices or _PROF.match(owner.name) or any(owner.glob("PROF_*"))),
    )


def _may_be_foreign(file: Path, files: list[Path]) -> bool:
    """Whether a file that is no table is not worth a word."""
    is_settings = file.name.startswith("profiler_")
    is_alone = files == [file] and not is_settings
    return ending(file) == ".db" or (ending(file) == ".json" and not is_alone)


def _stem(file: Path, files: list[Path]) -> str:
    is_json_alone = files == [file] and ending(file) == ".json"
    return stem_of(file) or (stem_of_json(file) if is_json_alone else "")


def _is_export(file: Path) -> bool:
    """Whether it is a database that is meant for users, not one of msprof's own."""
    return ending(file) == ".db" and file.parent.name != "sqlite"


def _unread(
    tables: Mapping[str, list[Path]], kept: Mapping[str, tuple[Path, ...]]
) -> Iterator[Path]:
    """Yield the files beside those that count; other endings say the same again."""
    for stem, files in tables.items():
        places = {(file.parent, ending(file)) for file in kept[stem]}
        for file in files:
            if file not in kept[stem] and (file.parent, ending(file)) in places:
                yield file


def _infos(owner: Path) -> dict[int | None, Info]:
    """Return the settings by rank."""
    infos = {}
    for file in sorted(owner.glob("profiler_info*.json")):
        info = _read_info(file)
        named = re.search(r"_(\d{1,6})$", file.stem)
        rank = int(named[1]) if named else info.rank
        infos[rank] = replace(info, rank=rank)
    return infos


def _read_info(file: Path) -> Info:
    try:
        return read_info(json.loads(file.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, AttributeError, RecursionError):
        return Info()


def _rank_of_folder(owner: Path, infos: Mapping[int | None, Info]) -> int | None:
    """Return the rank that the whole folder is of, if there is one."""
    if len(infos) > 1:
        return None
    told = next(iter(infos), None)
    if told is None:
        told = rank_in(owner.name)
    ranks = (
        _read_info(file).rank
        for folder in _device_folders(owner)
        for file in folder.glob("info.json.*[0-9]")
    )
    return next((r for r in ranks if r is not None), None) if told is None else told


def _rank_of_file(file: Path) -> int | None:
    """Return the rank that a name tells: a bare number only behind a known stem."""
    spelled = rank_in(file.stem)
    if spelled is None and is_named(file) and ending(file) != ".db":
        number = name_parts(file)["number"]
        return int(number) if number else None
    return spelled


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
    """Keep the newest profile of each rank; one that nobody knows hides no other."""
    groups: dict[object, list[RankProfile]] = defaultdict(list)
    for source in sources:
        place = source.rank, source.device
        groups[source.folder if source.rank is None else place].append(source)
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
