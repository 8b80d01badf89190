"""A table with the columns that a derivation needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pandas as pd


class Tables(Protocol):
    """Tables by name, such as a whole profile."""

    def __getitem__(self, name: str, /) -> pd.DataFrame:
        """Return a table; ``KeyError`` says why it is not there."""

    def __contains__(self, name: object, /) -> bool:
        """Say whether there is such a table."""


def table_with_columns(
    tables: Tables, name: str, columns: Sequence[str]
) -> pd.DataFrame:
    """Return a table, also where a version or a broken file lacks some of it.

    Columns that are not there are empty; a table that is not there has no rows.
    """
    table = tables[name] if name in tables else pd.DataFrame()
    return table.reindex(columns=[*dict.fromkeys([*table.columns, *columns])])
