"""Which of Ascend's files one is: by its name, else by what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import polars as pl

from mswidget.profiler.files.csv_file import CsvFile
from mswidget.profiler.files.file_names import ending, name_parts
from mswidget.profiler.files.rows import own_columns
from mswidget.profiler.tables.catalog import BY_STEM, TABLES
from mswidget.profiler.tables.spec import Table

# Read elsewhere, event by event; where both are, the first holds all of the second.
TRACES = ("trace_view", "msprof")

_LEAST = 3  # headers that a table must share: any two may be another's
_OF_FILE, _OF_TABLE = 0.7, 0.7  # or that many of the file's, of the table's own
_HEAD = 1 << 16  # characters of a JSON that tell what it is
# The first that stands in it counts.
_BY_WORD = {
    '"Communication Time Info"': "communication",
    '"Transport Type"': "communication_matrix",
    '"pipeline_ops"': "minddata_pipeline_summary",
    '"ph"': "trace_view",
}


def is_named(file: Path) -> bool:
    """Whether a file has a name that Ascend's tools give."""
    stem = name_parts(file)["stem"]
    return stem in BY_STEM or stem in TRACES


def stem_of(file: Path) -> str:
    """Return the stem that Ascend gives files of this kind, empty if it is none.

    What has another name is known by its header; a JSON only where it is alone, since
    tools that sum up write the same words: see `stem_of_json`.
    """
    if ending(file) == ".db":
        return ""
    if is_named(file):
        return name_parts(file)["stem"]
    return _by_header(file) if ending(file) == ".csv" else ""


def stem_of_json(file: Path) -> str:
    """Return the stem of a JSON by what it holds, empty if that is not known."""
    with suppress(OSError), file.open(encoding="utf-8-sig", errors="replace") as text:
        head = text.read(_HEAD)
        return next((stem for word, stem in _BY_WORD.items() if word in head), "")
    return ""


def _by_header(file: Path) -> str:
    try:
        headers = CsvFile(file).header
    except (OSError, pl.exceptions.PolarsError):
        return ""
    shared = {table.stem: _shared(headers, table) for table in TABLES}
    stem = max(shared, key=shared.__getitem__)
    return stem if shared[stem] else ""


def _shared(headers: Sequence[str], table: Table) -> int:
    """Return how many headers are a table's own, 0 if these are too few to tell."""
    if table.form != "csv":
        return 0
    count = len(own_columns(headers, table))
    most = min(_OF_FILE * len(headers), _OF_TABLE * len(table.own))
    return count if count >= max(_LEAST, most) else 0
