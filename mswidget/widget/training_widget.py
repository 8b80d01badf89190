"""The widget: its traits, and the file they come from."""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Callable
from importlib import resources
from typing import Any

import anywidget
import traitlets

from mswidget.widget.frames import EMPTY
from mswidget.widget.protocol import Block, Head

MODEL_IDS: set[str] = set()
"""The model ids of this kernel's training widgets; also their comms' ids."""

STATIC = resources.files("mswidget.widget") / "static"


@functools.cache
def _text(name: str) -> str:
    """Read a built file; as text, since anywidget never frees a widget of a path."""
    return _built(name).decode()


def _built(name: str) -> bytes:
    try:
        return (STATIC / name).read_bytes()
    except FileNotFoundError:
        message = (
            f"mswidget's front end is not built: {name} is missing. In a clone run "
            "'make build'; an installed package should be installed again"
        )
        raise FileNotFoundError(message) from None


class PlotlyAsset(anywidget.AnyWidget):
    """Carries Plotly to the page once, for every monitor of the kernel."""

    _esm = "export default { render() {} };"
    plotly_gz = traitlets.Bytes().tag(sync=True)


@functools.cache
def plotly_asset() -> PlotlyAsset:
    """Return the kernel's one asset widget."""
    return PlotlyAsset(plotly_gz=_built("plotly.js.gz"))


class TrainingWidget(anywidget.AnyWidget):
    """One run on the page; its traits are ``protocol.State``.

    Parameters
    ----------
    head
        What the page shows before the first number.
    on_command
        Gets each command of the page (``protocol.Up``), in the thread that
        handles comm messages.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    asset = traitlets.Unicode().tag(sync=True)
    companion = traitlets.Unicode().tag(sync=True)
    head = traitlets.Dict().tag(sync=True)
    seq = traitlets.Int(0).tag(sync=True)
    snapshot_block = traitlets.Dict(dict(EMPTY)).tag(sync=True)
    snapshot = traitlets.Bytes(b"").tag(sync=True)

    def __init__(
        self, head: Head, on_command: Callable[[dict[str, Any]], None]
    ) -> None:
        super().__init__(
            _esm=_text("widget.js"),
            _css=_text("widget.css"),
            asset=plotly_asset().model_id,
            companion=f"mswidget-static-{uuid.uuid4().hex[:12]}",
            head=dict(head),
        )
        MODEL_IDS.add(self.model_id)
        self.on_msg(lambda _widget, content, _buffers: on_command(content))

    def keep(self, head: Head, seq: int, block: Block, buffer: bytes) -> None:
        """Set the traits that a late page starts from, in one message."""
        with self.hold_sync():
            self.head, self.seq = dict(head), seq
            self.snapshot_block, self.snapshot = dict(block), buffer

    def _repr_mimebundle_(
        self,
        **kwargs: Any,  # noqa: ANN401 - IPython's signature
    ) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        run = self.head["run"]
        text = f"mswidget: run {json.dumps(run['name'], ensure_ascii=False)}"
        return {**data, "text/plain": f"{text}, files in {run['path']}"}, metadata
