"""A part that fails is told, tried again, and left out in the end."""

import pytest

from mswidget import guard as guarding
from mswidget.guard import TRIES, Guard


class Clock:
    """Stands still until it is moved."""

    now_s = 1000.0

    def monotonic(self):
        return self.now_s


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(guarding, "time", clock)
    return clock


@pytest.fixture
def told():
    return []


@pytest.fixture
def guard(told):
    return Guard(told.append)


class Part:
    """Fails while it is told to."""

    broken = True
    calls = 0

    def __call__(self):
        self.calls += 1
        if self.broken:
            raise ValueError("no such file")
        return "done"


def test_a_part_that_works_is_called(guard, told):
    assert guard("adding", lambda a, b: a + b, 1, b=2) == 3
    assert told == []


def test_a_part_that_fails_is_told_once_and_left_alone_for_a_while(guard, told, clock):
    part = Part()
    assert [guard("writing", part) for _ in range(3)] == [None] * 3
    assert part.calls == 1
    assert told == ["writing failed; the training goes on (ValueError: no such file)"]
    clock.now_s += 1.5
    guard("writing", part)
    assert part.calls == 2
    assert len(told) == 1


def test_a_part_that_works_again_is_as_good_as_new(guard, told, clock):
    part = Part()
    for _ in range(2 * TRIES):
        part.broken = True
        guard("writing", part)
        clock.now_s += 60
        part.broken = False
        assert guard("writing", part) == "done"
    assert not guard.is_off("writing")
    assert len(told) == 2 * TRIES


def test_a_part_that_fails_again_and_again_is_off_and_says_so(guard, told, clock):
    part = Part()
    for _ in range(2 * TRIES):
        guard("writing", part)
        clock.now_s += 60
    assert part.calls == TRIES
    assert guard.is_off("writing")
    _, off = told
    assert off == (
        "writing failed 3 times in a row and is off for the rest of this run; the "
        "training goes on (ValueError: no such file)"
    )


def test_a_part_that_is_off_works_again_when_somebody_wants_it(guard, clock):
    part = Part()
    for _ in range(TRIES):
        guard("drawing", part)
        clock.now_s += 60
    part.broken = False
    assert guard("drawing", part) is None
    guard.forgive("drawing")
    assert guard("drawing", part) == "done"


def test_that_a_part_is_off_is_taken_back_when_it_no_longer_is(told, clock):
    guard = Guard(told.append, told.remove)
    part = Part()
    for _ in range(TRIES):
        guard("drawing", part)
        clock.now_s += 60
    guard.forgive("drawing")
    assert told == ["drawing failed; the training goes on (ValueError: no such file)"]


def test_a_part_beyond_repair_is_off_at_once(guard, told):
    guard.turn_off("reading the loss", ValueError("torn"))
    assert guard("reading the loss", int, "7") is None
    assert "off for the rest of this run" in told[0]


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
