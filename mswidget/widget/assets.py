"""The built front end, and Plotly, which travels to the page once."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

import anywidget
import traitlets

Bundle = tuple[dict[str, Any], dict[str, Any]] | None
"""What a widget's ``_repr_mimebundle_`` returns."""

_STATIC = resources.files("mswidget.widget") / "static"


@functools.cache
def built_text(name: str) -> str:
    """Read a built file; as text, since anywidget never frees a widget of a path."""
    return built(name).decode()


class PlotlyAsset(anywidget.AnyWidget):
    """Carries Plotly to the page once, for every widget of the kernel."""

    _esm = "export default { render() {} };"
    plotly_gz = traitlets.Bytes().tag(sync=True)


@functools.cache
def plotly_asset() -> PlotlyAsset:
    """Return the kernel's one asset widget."""
    return PlotlyAsset(plotly_gz=built("plotly.js.gz"))


def with_words(bundle: Any, words: str) -> Bundle:  # noqa: ANN401 - anywidget's
    """Return a widget's bundle with plain text a person can read."""
    if bundle is None:
        return None
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, "text/plain": words}, metadata


def built(name: str) -> bytes:
    """Read a built file.

    Raises
    ------
    FileNotFoundError
        When the front end was not built; says what to do.
    """
    try:
        return (_STATIC / name).read_bytes()
    except FileNotFoundError:
        message = (
            f"mswidget's front end is not built: {name} is missing. In a clone run "
            "'pip install --editable .'; an installed package should be installed again"
        )
        raise FileNotFoundError(message) from None
