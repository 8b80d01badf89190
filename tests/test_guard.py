"""A part that fails is told once and left out."""

import pytest

from mswidget.guard import Guard


@pytest.fixture
def told():
    return []


@pytest.fixture
def guard(told):
    return Guard(told.append)


def test_a_part_that_works_is_called(guard, told):
    assert guard("adding", lambda a, b: a + b, 1, b=2) == 3
    assert told == []


def test_a_part_that_fails_is_told_once_and_called_no_more(guard, told):
    calls = []

    def fail():
        calls.append(1)
        raise ValueError("no such file")

    assert [guard("writing", fail) for _ in range(3)] == [None] * 3
    assert len(calls) == len(told) == 1
    assert "writing failed" in told[0]
    assert "the training goes on (ValueError: no such file)" in told[0]


def test_other_parts_go_on(guard):
    guard("writing", int, "x")
    assert guard("drawing", int, "7") == 7


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_is_not_kept(guard, told, error):
    def interrupted():
        raise error

    with pytest.raises(error):
        guard("writing", interrupted)
    assert told == []
