"""The widget of a run: its traits."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import anywidget
import traitlets

from mswidget.widget import budget
from mswidget.widget.assets import Bundle, built_text, plotly_asset, with_words
from mswidget.widget.extract import Extracted
from mswidget.widget.head_news import CUT, shortened
from mswidget.widget.protocol import Extent, Head

_KEPT = ("kept_1", "kept_2", "kept_3")
_FIRST_BYTES = 10_000
"""The message that makes the widget brings the page's code as well."""
MODEL_IDS: set[str] = set()
"""The model ids of this kernel's training widgets; also their comms' ids."""


def _parts(extracts: Sequence[Extracted]) -> list[list[Extracted]]:
    """Return extracts in order, as many together as fit into a message."""
    parts: list[list[Extracted]] = [[]]
    left = budget.KEPT_BYTES
    for extracted in extracts:
        if extracted.nbytes > left and parts[-1]:
            parts.append([])
            left = budget.KEPT_BYTES
        parts[-1].append(extracted)
        left -= extracted.nbytes
    return parts


def _kept(extracts: Sequence[Extracted]) -> dict[str, Any]:
    """Return a part as `Kept` has it."""
    buffers = [extracted.buffer for extracted in extracts]
    headers = [extracted.header for extracted in extracts]
    return {"extracts": headers, "buffer": b"".join(buffers)}


class TrainingWidget(anywidget.AnyWidget):
    """One run on the page; its traits are ``protocol.State``.

    Parameters
    ----------
    head
        What the page shows before the first number.
    on_command
        Gets whatever a page sends (``protocol.Up``), in the thread that
        handles comm messages.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    asset = traitlets.Unicode().tag(sync=True)
    companion = traitlets.Unicode().tag(sync=True)
    head = traitlets.Dict().tag(sync=True)
    extents: Any = traitlets.List().tag(sync=True)
    seq = traitlets.Int(0).tag(sync=True)
    kept_1 = traitlets.Dict(_kept([])).tag(sync=True)
    kept_2 = traitlets.Dict(_kept([])).tag(sync=True)
    kept_3 = traitlets.Dict(_kept([])).tag(sync=True)

    def __init__(self, head: Head, on_command: Callable[[object], None]) -> None:
        short, _, whole = shortened(head, [], _FIRST_BYTES)
        super().__init__(
            _esm=built_text("widget.js"),
            _css=built_text("widget.css"),
            asset=plotly_asset().model_id,
            companion=f"mswidget-static-{uuid.uuid4().hex[:12]}",
            head=dict(short),
            seq=0 if whole else CUT,
        )
        MODEL_IDS.add(self.model_id)
        self.on_msg(lambda _widget, content, _buffers: on_command(content))

    def close(self) -> None:
        """Take it off the page, and out of what a notebook saves."""
        if self.comm is None:  # closed already; a widget that is let go closes again
            return
        MODEL_IDS.discard(self.model_id)
        self.layout.close()  # a model of its own, which nobody else takes away
        super().close()

    def keep(
        self,
        head: Head,
        extents: Sequence[Extent],
        seq: int,
        extracts: Sequence[Extracted],
    ) -> None:
        """Set the traits that a late page starts from, in messages within the budget.

        What does not fit into them is left out.
        """
        parts = _parts(extracts)[: len(_KEPT)]
        parts += [[]] * (len(_KEPT) - len(parts))
        for name, part in zip(_KEPT, parts, strict=True):
            self.set_trait(name, _kept(part))
        with self.hold_sync():
            self.head, self.extents, self.seq = dict(head), list(extents), seq

    def _repr_mimebundle_(
        self,
        **kwargs: Any,  # noqa: ANN401 - IPython's signature
    ) -> Bundle:
        name = json.dumps(self.head["run"]["name"], ensure_ascii=False)
        bundle = super()._repr_mimebundle_(**kwargs)
        return with_words(bundle, f"mswidget: run {name}")
