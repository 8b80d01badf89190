"""What runs were trained with, where they differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_OF_EACH = ("name", "job", "start")


def settings_table(facts: Mapping[str, Mapping[str, object]]) -> pd.DataFrame:
    """Return the settings that are not the same in all runs.

    Parameters
    ----------
    facts
        By run: what ``run.json`` and the begin of the training say.

    Returns
    -------
    DataFrame
        Index ``setting``, such as ``optimizer.type``; a column for each run, None
        where it does not say.
    """
    # pandas takes a second to import, and a rank's script never needs it.
    import pandas as pd  # noqa: PLC0415

    by_run = {run: dict(_settings(of_run)) for run, of_run in facts.items()}
    names = dict.fromkeys(name for of_run in by_run.values() for name in of_run)
    rows = {n: [of_run.get(n) for of_run in by_run.values()] for n in names}
    differing = {n: row for n, row in rows.items() if len(set(map(_text, row))) > 1}
    index = pd.Index([*differing], dtype="object", name="setting")
    columns = {
        run: pd.Series([row[at] for row in differing.values()], index, dtype="object")
        for at, run in enumerate(by_run)
    }
    table: pd.DataFrame = pd.DataFrame(columns, index=index)
    return table


def _settings(facts: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    said = {name: value for name, value in facts.items() if name not in _OF_EACH}
    config = said.pop("config", {})
    yield from _flat(said, "")
    yield from _flat(config, "")


def _flat(value: object, name: str) -> Iterator[tuple[str, object]]:
    inner: Mapping[object, object]
    if isinstance(value, Mapping):
        inner = value
    elif isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
        inner = dict(enumerate(value))
    else:
        yield name, value
        return
    for key, held in inner.items():
        yield from _flat(held, f"{name}.{key}" if name else str(key))


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
