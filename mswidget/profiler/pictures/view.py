"""A profile in a cell's output: findings, pictures, tables, report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from mswidget.profiler.files.locate import total_size, trace_files
from mswidget.profiler.pictures.canvas import rank_label
from mswidget.profiler.pictures.figure_svg import picture_html
from mswidget.profiler.pictures.profile_like import ProfileLike
from mswidget.profiler.pictures.profile_pictures import Pictures
from mswidget.profiler.pictures.table_page import page_of
from mswidget.widget.surroundings import in_kernel

if TYPE_CHECKING:
    import pandas as pd
    from plotly import graph_objects as go

    from mswidget.profiler.files.locate import RankProfile
    from mswidget.widget.profile_protocol import Overview, Remark

_DERIVED = ("step_times", "op_times", "task_times")
_SUMMARY_ROWS = 10
_NOTES = 3  # of the report, that stand above it
_BARS = 3_000  # of the timeline: the page gets it as one message
_STILL_BARS = 600  # of the timeline that stays in the notebook: about 50 kB


def show(profile: ProfileLike) -> None:
    """Display a profile below the cell: it answers while the kernel runs.

    A saved notebook keeps `summary_html`. Where there is no cell, print the report and
    the findings.
    """
    if not in_kernel():
        sys.stdout.write(f"{as_text(profile)}\n")
        return
    # Only a notebook pays for Jupyter's widgets.
    from mswidget.widget.profile_widget import display_profile  # noqa: PLC0415

    display_profile(overview(profile), Answers(profile), summary_html(profile))


def as_text(profile: ProfileLike) -> str:
    """Return the report, and the findings or why there are none."""
    remarks = ["{level}: {title}. {advice}".format(**r) for r in _remarks(profile)]
    return "\n".join([str(profile.report), "", *(remarks or ["No findings."])])


def overview(profile: ProfileLike) -> Overview:
    """Return what the page shows at once, and what it may ask for."""
    steps = profile.step_times["step"].dropna().unique()
    return {
        "path": str(profile.path),
        "report": str(profile.report),
        "findings": list(_remarks(profile)),
        "pictures": {
            name: str(figure.to_json()) for name, figure in _still(profile).items()
        },
        "tables": [*(n for n in _DERIVED if len(_table(profile, n))), *profile.tables],
        "ranks": list(profile.ranks),
        "steps": sorted(int(step) for step in steps),
        "trace_mb": max(map(_trace_mb, profile.sources), default=0.0),
    }


class Answers:
    """Answers what the page asks of a profile (``profile_protocol.ProfileUp``)."""

    def __init__(self, profile: ProfileLike) -> None:
        self._profile = profile
        self._answer = {"ask_table": self._table, "ask_timeline": self._timeline}

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer, without the id."""
        given = {k: v for k, v in request.items() if k not in {"kind", "id"}}
        return self._answer[request["kind"]](**given)

    def _table(self, *, name: str, **how: Any) -> dict[str, Any]:  # noqa: ANN401
        page = page_of(_table(self._profile, name), **how)
        return {"kind": "table", "page": page}

    def _timeline(self, **which: Any) -> dict[str, Any]:  # noqa: ANN401
        window = {k: int(v) for k, v in which.items()}
        figure = Pictures(self._profile).timeline(**window, limit=_BARS)
        return {"kind": "timeline", "figure": figure.to_json()}


def summary_html(profile: ProfileLike) -> str:
    """Return the profile as plain HTML: what a notebook shows without a kernel."""
    findings = "".join(
        f"<li>{escape('{level}: {title}. {advice}'.format(**remark))}</li>"
        for remark in _remarks(profile)
    )
    parts = [
        ("Findings", f"<ul>{findings}</ul>" if findings else "<p>none</p>"),
        ("Steps", _with_picture(Pictures(profile).steps(), profile.step_times)),
        ("Operators", _with_picture(Pictures(profile).ops(), profile.op_times)),
        (f"Timeline {rank_label(next(iter(profile.ranks), None))}", _lanes(profile)),
    ]
    body = "".join(f"<h4>{title}</h4>{html}" for title, html in parts if html)
    return f"{body}{profile.report._repr_html_()}"


def _remarks(profile: ProfileLike) -> Iterator[Remark]:
    """Yield the findings, or why there is nothing to judge and what to do about it."""
    for finding in profile.findings:
        yield {
            "level": finding.level,
            "title": finding.title,
            "advice": finding.advice,
        }
    if not (len(profile.step_times) or len(profile.op_times)):
        notes = "; ".join(profile.report.notes[:_NOTES])
        yield {
            "level": "info",
            "title": "Nothing here tells where the time of a device went",
            "advice": notes or "The report says which switches of the profiler do",
        }


def _still(profile: ProfileLike) -> dict[str, go.Figure]:
    """Return the pictures that need no trace, in their order."""
    drawn = Pictures(profile)
    return {"steps": drawn.steps(), "ops": drawn.ops(), "memory": drawn.memory()}


def _table(profile: ProfileLike, name: str) -> pd.DataFrame:
    return getattr(profile, name) if name in _DERIVED else profile[name]


def _trace_mb(source: RankProfile) -> float:
    return total_size(trace_files(source)) / 1e6


def _lanes(profile: ProfileLike) -> str:
    if not profile.traces.may_be_read:
        return ""
    figure = Pictures(profile).timeline(limit=_STILL_BARS)
    return picture_html(figure) if figure.data else ""


def _with_picture(figure: go.Figure, frame: pd.DataFrame) -> str:
    if frame.empty:
        return ""
    shown = frame.head(_SUMMARY_ROWS).dropna(axis="columns", how="all")
    more = f"<p>and {len(frame) - len(shown):,} more rows</p>"
    table = str(shown.to_html(index=False, border=0, float_format="{:,.10g}".format))
    return f"{picture_html(figure)}{table}" + (more if len(frame) > len(shown) else "")
