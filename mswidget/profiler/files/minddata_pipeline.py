"""minddata_pipeline_summary -> rows of text, one a dataset operator."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

_OF_OPS = {
    "op_ids": "op_id",
    "op_names": "op_name",
    "pipeline_ops": "pipeline_op",
}
_ADVICE = (
    "cpu_analysis_details",
    "queue_analysis_details",
    "bottleneck_warning",
    "bottleneck_suggestion",
)


def csv_summary(text: str) -> dict[str, Any]:
    """Return the CSV as the JSON beside it: each line is a key and its values."""
    lines = csv.reader(io.StringIO(text))
    return {line[0]: line[1:] for line in lines if line}


def summary_rows(content: Any) -> Iterator[dict[str, str]]:  # noqa: ANN401 - JSON
    """Yield a row an operator; what holds for the whole pipeline stands in each."""
    ops = content["pipeline_ops"]
    values = {key: v for key, v in content.items() if key not in _ADVICE}
    for at, op in enumerate(ops):
        row = {
            _OF_OPS.get(key, key): _text(v[0] if len(v) == 1 else v[at])
            for key, v in values.items()
            if len(v) in {1, len(ops)}
        }
        yield row | {key: _said_of(op, content.get(key, ())) for key in _ADVICE}


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


def _said_of(op: str, sentences: Any) -> str:  # noqa: ANN401 - JSON
    return " ".join(s for s in sentences if str(s).startswith(op))
