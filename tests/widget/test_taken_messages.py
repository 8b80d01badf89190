"""Which messages the poller takes: only those that are for us, and whole."""

import json

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st
from jupyter_client.session import DELIM, Session

from mswidget.widget.poller import take

OURS = "our-comm"
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
KINDS = ["comm_msg", "comm_open", "kernel_info_request", "execute_request"]
CONTENTS = st.fixed_dictionaries(
    {},
    optional={
        "comm_id": st.just(OURS) | ANYTHING,
        "target_name": st.just("jupyter.widget.control") | ANYTHING,
        "data": ANYTHING
        | st.fixed_dictionaries({"method": st.sampled_from(["custom", "update"])}),
    },
)


def session():
    return Session(key=b"secret", signature_scheme="hmac-sha256")


def sent(kind, content):
    """Return the frames of a message as a page sends it."""
    page = session()
    message = page.msg(kind, json.dumps(content).encode())
    return [zmq.Frame(f) for f in page.serialize(message, ident=b"page")]


def untouched(frames):
    """Return whether the poller leaves a message, and the kernel can read it still."""
    kernel, before = session(), [frame.bytes for frame in frames]
    taken = take(kernel, frames, OURS.__eq__)
    same = [frame.bytes for frame in frames] == before
    return taken is None and same and not kernel.digest_history


@given(st.lists(st.binary(max_size=40) | st.just(DELIM), max_size=8))
def test_arbitrary_frames_are_left_as_they_came(blobs):
    assert untouched([zmq.Frame(blob) for blob in blobs])


@given(st.sampled_from(KINDS), ANYTHING | CONTENTS, st.data())
def test_a_message_is_taken_whole_or_left_as_it_came(kind, content, data):
    frames = sent(kind, content)
    broken = data.draw(st.integers(0, len(frames)))
    if broken < len(frames):
        frames[broken] = zmq.Frame(data.draw(st.binary(max_size=20)))
    kernel = session()
    taken = take(kernel, frames, OURS.__eq__)
    if taken is None:
        assert not kernel.digest_history
    else:
        idents, message = taken
        assert message["content"] == json.loads(json.dumps(content))
        assert broken in (0, len(frames))
        assert idents == [frames[0].bytes]


@pytest.mark.parametrize(
    "content",
    [
        {"comm_id": "a slider", "data": ["x"]},
        {"comm_id": "a slider", "data": "text"},
        {"comm_id": "a slider", "data": None},
        {"comm_id": "a slider", "data": {}},
        {"comm_id": OURS, "data": {}},
        {"comm_id": OURS, "data": {"method": "update", "state": {"head": 1}}},
        {"comm_id": [OURS], "data": {"method": "custom"}},
        {"data": {"method": "custom"}},
        ["not", "even", "an", "object"],
    ],
)
def test_what_is_not_well_formed_for_us_is_left_to_the_kernel(content):
    assert untouched(sent("comm_msg", content))


def test_a_wrong_signature_is_left_to_the_kernel_to_refuse():
    frames = sent("comm_msg", {"comm_id": OURS, "data": {"method": "custom"}})
    frames[2] = zmq.Frame(b"0" * 64)
    assert untouched(frames)


def test_a_message_that_comes_twice_is_taken_once():
    kernel = session()
    content = {"comm_id": OURS, "data": {"method": "custom", "content": {}}}
    frames = sent("comm_msg", content)
    assert take(kernel, frames, OURS.__eq__) is not None
    assert take(kernel, frames, OURS.__eq__) is None
    assert len(kernel.digest_history) == 1
