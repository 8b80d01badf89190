"""What was found in a profile, and what was not: text and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from mswidget.profiler.files.locate import RankProfile

_NAMES = {
    "mindspore": "MindSpore profile",
    "mindinsight": "profile of MindSpore up to 2.2, for MindInsight",
    "pytorch": "torch_npu profile",
    "ascend": "Ascend profile",
    "msprof": "msprof profile",
    "cpu": "MindSpore CPU profile",
}


@dataclass(frozen=True)
class Found:
    """A table or a timeline: how much it is, in words, and from which files."""

    table: str
    size: str
    files: str


@dataclass(frozen=True)
class Missing:
    """Tables that are not there for one reason."""

    tables: str
    reason: str


@dataclass(frozen=True)
class Report:
    """What `load_profile` found.

    Parameters
    ----------
    path
        As it was given.
    profiles
        A line for each rank: layout, versions, level, folder.
    found, missing
        The tables, and the timeline that is found.
    notes
        What could not be read or was left out, and what to do about it.
    """

    path: str
    profiles: tuple[str, ...]
    found: tuple[Found, ...]
    missing: tuple[Missing, ...]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        found = [(f.table, f.size, f.files) for f in self.found]
        missing = [(m.tables, m.reason) for m in self.missing]
        parts = [
            [f"Profile {self.path}", *(f"  {line}" for line in self.profiles)],
            ["Tables", *_aligned(found)] if found else [],
            ["Missing", *(f"  {names}\n      {why}" for names, why in missing)],
            ["Notes", *(f"  {note}" for note in self.notes)],
        ]
        return "\n".join("\n".join(part) for part in parts if len(part) > 1)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        found = _table([(f.table, f.size, f.files) for f in self.found])
        missing = _table([(m.tables, m.reason) for m in self.missing])
        parts = [
            f"<b>Profile {escape(self.path)}</b>{_list(self.profiles)}",
            f"<b>Tables</b>{found}" if self.found else "",
            f"<details><summary>Missing</summary>{missing}</details>"
            if self.missing
            else "",
            f"<b>Notes</b>{_list(self.notes)}" if self.notes else "",
        ]
        return "".join(parts)


def describe(source: RankProfile) -> str:
    """Return one line: rank, who wrote the profile, versions, level, folder."""
    rank = "rank unknown" if source.rank is None else f"rank {source.rank}"
    versions = [f"{name} {version}" for name, version in source.info.versions.items()]
    facts = [_NAMES[source.layout], *versions, source.info.level]
    return f"{rank}: {', '.join(filter(None, facts))}, in {source.folder}"


def _aligned(lines: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  "
        + "  ".join(f"{c:<{w}}" for c, w in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def _table(lines: Sequence[tuple[str, ...]]) -> str:
    # JupyterLab's own style of cells puts text to the right.
    rows = (
        "".join(f'<td style="text-align: left">{escape(cell)}</td>' for cell in line)
        for line in lines
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
