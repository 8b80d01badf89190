"""The widget of a profile: shows an overview and asks for the rest."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets
from IPython.display import HTML, display

from mswidget.widget.assets import Bundle, built_text, plotly_asset, with_words
from mswidget.widget.profile_protocol import Overview, Refusal

Answer = Callable[[dict[str, Any]], dict[str, Any]]


class ProfileWidget(anywidget.AnyWidget):
    """A profile on the page.

    Parameters
    ----------
    overview
        What the page shows at once.
    answer
        Takes what the page asks (``profile_protocol.ProfileUp``) and returns the
        answer, to which the id is added; an error becomes a `Refusal`. The page is
        answered between cells: reading a big table would hold up a training.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    asset = traitlets.Unicode().tag(sync=True)
    companion = traitlets.Unicode().tag(sync=True)
    overview = traitlets.Dict().tag(sync=True)

    def __init__(self, overview: Overview, answer: Answer) -> None:
        super().__init__(
            _esm=built_text("profile.js"),
            _css=built_text("profile.css"),
            asset=plotly_asset().model_id,
            companion=f"mswidget-static-{uuid.uuid4().hex[:12]}",
            overview=dict(overview),
        )
        self._answer = answer
        self.on_msg(lambda _widget, content, _buffers: self._reply(content))

    def _reply(self, request: dict[str, Any]) -> None:
        ident = str(request.get("id", ""))
        try:
            self.send({**self._answer(request), "id": ident})
        except Exception as error:  # noqa: BLE001 - the page shows it
            text = f"{type(error).__name__}: {error}"
            refusal: Refusal = {"kind": "refusal", "id": ident, "text": text}
            self.send(refusal)

    def _repr_mimebundle_(
        self,
        **kwargs: Any,  # noqa: ANN401 - IPython's signature
    ) -> Bundle:
        words = f"mswidget: profile {self.overview.get('path', '')}"
        return with_words(super()._repr_mimebundle_(**kwargs), words)


def display_profile(overview: Overview, answer: Answer, summary: str) -> None:
    """Display the widget and, after it, the summary that stays in the notebook."""
    widget = ProfileWidget(overview, answer)
    display(widget)
    display(HTML(f'<div class="{widget.companion}">{summary}</div>'))
