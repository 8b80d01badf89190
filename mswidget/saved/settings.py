"""What runs were trained with, and where they differ."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_OF_EACH = ("name", "job", "start")
_RATES = "learning_rate."
_RATE = re.compile(r"value|max|(\w+_)?(lr|learning_rate)(_\w+)?")
_LARGEST = 2**53
_RATES_GIVEN = ("lr", "learning_rate", "base_lr")


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
    differing = {name: row for name, row in rows.items() if differ(row)}
    index = pd.Index([*differing], dtype="object", name="setting")
    columns = {
        run: pd.Series([row[at] for row in differing.values()], index, dtype="object")
        for at, run in enumerate(by_run)
    }
    table: pd.DataFrame = pd.DataFrame(columns, index=index)
    return table


def differ(values: Iterable[object]) -> bool:
    """Say whether what runs say of a setting is not the same."""
    return len(set(map(_text, values))) > 1


def config_of(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the config in ``run.json``, by names such as ``optimizer.type``."""
    config = facts.get("config")
    return dict(_flat(config, "")) if isinstance(config, Mapping) else {}


def learning_rate(config: Mapping[str, object]) -> float:
    """Return the highest learning rate in a config; NaN when there is none.

    What the optimizer has counts before what the user gave.

    Parameters
    ----------
    config
        As `config_of` returns it.
    """
    held = [v for n, v in config.items() if n.startswith(_RATES) and _is_rate(n)]
    given = [v for n, v in config.items() if _last(n) in _RATES_GIVEN]
    return max([*_numbers(held)] or [*_numbers(given)], default=math.nan)


def batch_size(config: Mapping[str, object]) -> float:
    """Return the batch size in a config; NaN when there is none.

    What the data have counts before what the user gave.

    Parameters
    ----------
    config
        As `config_of` returns it.
    """
    given = (value for name, value in config.items() if _last(name) == "batch_size")
    sizes = _numbers([config.get("data.batch_size"), *given])
    return next((n for n in sizes if n.is_integer() and 0 < n < _LARGEST), math.nan)


def _is_rate(name: str) -> bool:
    return _RATE.fullmatch(_last(name)) is not None


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _numbers(values: Iterable[object]) -> Iterator[float]:
    """Yield those that are numbers, also in text: YAML takes 1e-4 for text."""
    for value in values:
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            with contextlib.suppress(ValueError, OverflowError):
                number = float(value)
                if math.isfinite(number):
                    yield number


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
