"""The page's types are those of the kernel."""

from pathlib import Path
from typing import get_type_hints

import pytest
from anywidget import AnyWidget

from mswidget.widget import profile_protocol, protocol
from mswidget.widget.profile_widget import ProfileWidget
from mswidget.widget.training_widget import TrainingWidget
from mswidget.widget.typescript import COMMAND, declarations

DECLARATIONS = Path(__file__).parents[2] / "js" / "src" / "protocol.d.ts"


def test_the_page_compiles_against_the_kernels_protocol():
    written = DECLARATIONS.read_text(encoding="utf-8")
    assert written == declarations(), f"stale: run `{COMMAND}`"


@pytest.mark.parametrize(
    ("widget", "state"),
    [(TrainingWidget, protocol.State), (ProfileWidget, profile_protocol.ProfileState)],
    ids=["training", "profile"],
)
def test_a_widget_has_just_the_traits_that_the_protocol_names(widget, state):
    own = set(widget.class_traits(sync=True))
    inherited = set(AnyWidget.class_traits(sync=True)) | {"_esm", "_css"}
    assert own - inherited == set(get_type_hints(state))
