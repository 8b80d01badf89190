"""The examples of a profile's messages that the page's tests read too."""

import json
from pathlib import Path

import pytest

from mswidget import load_profile
from mswidget.profiler.pictures.view import Answers
from mswidget.widget.profile_widget import ProfileWidget

EXAMPLES = Path(__file__).parents[2] / "contract" / "profile"
KERNELS = """\
Name,Type,Accelerator Core,Start Time(us),Duration(us)
a,MatMul,AI_CORE,1736408883704643.212,20.5
"学习率 <b>",Add,AI_VECTOR_CORE,1736408883704670.000,
b,Add,AI_VECTOR_CORE,1736408883704690.123,1.25
"""


@pytest.fixture
def page(tmp_path):
    """A profile's widget and what it sends to the page."""
    (tmp_path / "kernel_details.csv").write_text(KERNELS, encoding="utf-8")
    widget = ProfileWidget({"path": "p"}, Answers(load_profile(tmp_path)))
    sent = []
    widget.send = sent.append
    return widget, sent


def told(answer):
    """Return what the page reads of an answer: of a figure, only its meta."""
    if "figure" in answer:
        return answer | {"figure": json.loads(answer["figure"])["layout"]["meta"]}
    return answer


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda p: p.stem)
def test_the_kernel_answers_as_the_contract_files_say(page, path):
    widget, sent = page
    example = json.loads(path.read_text("utf-8"))
    widget._reply(example["ask"])
    assert [told(answer) for answer in sent] == [told(example["answer"])]
