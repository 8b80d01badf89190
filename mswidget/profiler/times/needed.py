"""A table with the columns that a derivation needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd


def needed(
    tables: Mapping[str, pd.DataFrame], name: str, columns: Sequence[str]
) -> pd.DataFrame:
    """Return a table, also where a version or a broken file lacks some of it.

    Columns that are not there are empty; a table that is not there has no rows.
    """
    found = tables[name] if name in tables else pd.DataFrame()
    return found.reindex(columns=[*dict.fromkeys([*found.columns, *columns])])
