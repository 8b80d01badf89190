"""Steps that are printed within their epochs are steps of the training."""

import pytest

from mswidget.saved import follow
from mswidget.saved.follow import Follower
from tests.importers.logs import curve, read

PATTERN = r"Epoch (?P<epoch>\d+) Step (?P<step>\d+)(/(?P<steps_per_epoch>\d+))?"
WITH_LOSS = rf"{PATTERN}.* loss (?P<loss>\S+)"


def printed(places, form="epoch: {} step: {}, loss is 0.5\n"):
    return [form.format(*place) for place in places]


def steps(rank):
    assert {attempt for attempt, _, _ in curve(rank)} == {"a1"}
    return [step for _, step, _ in curve(rank)]


def every(interval, length, count, first_epoch=1):
    """Return the places of the steps at an interval, and the steps."""
    true = [interval * n for n in range(1, count + 1)]
    return [((s - 1) // length + first_epoch, (s - 1) % length + 1) for s in true], true


def test_epochs_of_mindformers_that_count_from_zero_begin_at_step_1(tmp_path):
    form = "Epoch:[{:3}/  2], step:[{:5}/    3], loss:[15.5/15.5], time:242.4 ms\n"
    places = [(e, s) for e in (0, 1) for s in (1, 2, 3)]
    rank = read(tmp_path, printed(places, form))
    assert steps(rank) == [1, 2, 3, 4, 5, 6]
    assert [r.epoch for r in rank.records] == [1, 1, 1, 2, 2, 2]
    assert not any("guess" in note for note in rank.notes)


def test_a_first_step_that_no_line_shows_is_said_to_be_a_guess(tmp_path):
    line = "Epoch:[  0/  2], step:[    1/    3], loss:[15.5/15.5], time:242.4 ms\n"
    rank = read(tmp_path, line)
    assert steps(rank) == [1]
    assert any("count from 1 is a guess" in note for note in rank.notes)


def test_epochs_and_steps_that_count_from_zero_are_one_attempt(tmp_path):
    places = [(0, 0), (0, 25), (1, 0), (1, 25)]
    rank = read(tmp_path, printed(places, "epoch: {} step: {}/50, loss is 0.5\n"))
    assert steps(rank) == [1, 26, 51, 76]


@pytest.mark.parametrize(
    ("places", "true"),
    [
        ([(0, 1), (0, 4), (1, 1)], [1, 4, 5]),
        ([(0, 0), (0, 3), (1, 0)], [1, 4, 5]),
        ([(1, 1), (1, 4), (2, 1)], [1, 4, 5]),
    ],
)
def test_a_pattern_counts_from_what_its_log_counts_from(tmp_path, places, true):
    lines = printed(places, "Epoch {} Step {}/4 loss 2.0\n")
    assert steps(read(tmp_path, lines, pattern=WITH_LOSS)) == true


def test_a_pattern_without_the_length_of_epochs_finds_it_out(tmp_path):
    places, true = every(10, 14, 6)
    lines = printed(places, "Epoch {} Step {} loss 2.0\n")
    assert steps(read(tmp_path, lines, pattern=WITH_LOSS)) == true


def test_a_pattern_of_steps_of_the_training_keeps_them(tmp_path):
    places = [(1, 10), (1, 20), (2, 30), (2, 40), (3, 50)]
    lines = printed(places, "Epoch {} Step {} loss 2.0\n")
    rank = read(tmp_path, lines, pattern=WITH_LOSS)
    assert steps(rank) == [10, 20, 30, 40, 50]
    assert [r.epoch for r in rank.records] == [1, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("interval", "length", "count"),
    [(10, 14, 5), (10, 14, 60), (10, 7, 9), (3, 10, 40), (1, 12, 30), (7, 1875, 900)],
)
def test_an_interval_that_goes_on_tells_the_length_of_epochs(
    tmp_path, interval, length, count
):
    places, true = every(interval, length, count)
    rank = read(tmp_path, printed(places))
    assert steps(rank) == true
    assert rank.begin["steps_per_epoch"] == length
    assert any(f"by {length} an epoch" in note for note in rank.notes)


def test_a_length_that_cannot_be_told_is_said_and_can_be_set(tmp_path):
    places = [(1, 9), (2, 4), (2, 11), (3, 1)]
    rank = read(tmp_path, printed(places))
    assert steps(rank) == [9, 15, 22, 23]
    assert any("by 11 an epoch, the largest step" in note for note in rank.notes)
    rank = read(tmp_path, printed(places), steps_per_epoch=14)
    assert steps(rank) == [9, 18, 25, 29]
    assert any("by 14 an epoch, as was given" in note for note in rank.notes)


def test_an_interval_that_begins_anew_in_each_epoch_is_said_to_leave_it_open(tmp_path):
    places = [(0, 0), (0, 100), (0, 200), (1, 0), (1, 100), (1, 200)]
    rank = read(tmp_path, printed(places))
    assert steps(rank) == [1, 101, 201, 301, 401, 501]
    assert any("201 to 300 are possible" in note for note in rank.notes)


def test_a_length_is_corrected_when_a_larger_step_appears(tmp_path):
    places = [(1, 3), (2, 1), (2, 3), (2, 8), (3, 1)]
    assert steps(read(tmp_path, printed(places))) == [3, 9, 11, 16, 17]


@pytest.mark.parametrize("length", [0, -3])
def test_a_length_below_one_is_refused(tmp_path, length):
    with pytest.raises(ValueError, match="steps_per_epoch"):
        read(tmp_path, printed([(1, 1)]), steps_per_epoch=length)


def test_a_log_that_begins_in_a_later_epoch_goes_on_from_there(tmp_path):
    places = [(11, 1), (11, 2), (12, 1), (12, 2)]
    rank = read(tmp_path, printed(places))
    assert steps(rank) == [21, 22, 23, 24]
    assert [r.epoch for r in rank.records] == [11, 11, 12, 12]
    assert any("begins in epoch 11" in note for note in rank.notes)
    assert rank.events[0].step == 20


def test_a_restart_in_an_earlier_epoch_is_an_attempt_at_its_steps(tmp_path):
    first, _ = every(10, 14, 7)
    again = [(2, 6), (3, 2), (3, 12)]
    rank = read(tmp_path, printed([*first, *again]))
    assert curve(rank) == [
        *(("a1", 10 * n, 0.5) for n in range(1, 8)),
        *(("a2", step, 0.5) for step in (20, 30, 40)),
    ]


def test_steps_below_zero_are_left_out_and_said(tmp_path):
    lines = ["step -3 loss 1.0\n", "step 0 loss 2.0\n", "step 1 loss 3.0\n"]
    rank = read(tmp_path, lines, pattern=r"step (?P<step>-?\d+) loss (?P<loss>\S+)")
    assert curve(rank) == [("a1", 0, 2.0), ("a1", 1, 3.0)]
    assert any("below 0" in note for note in rank.notes)


def test_a_watched_log_redraws_what_it_corrects(tmp_path, monkeypatch):
    monkeypatch.setattr(follow, "LOOK_S", 0.0)
    places, true = every(10, 14, 30)
    path = tmp_path / "job" / "train.log"
    path.parent.mkdir()
    follower = Follower([tmp_path])
    for number in range(1, len(places) + 1):
        path.write_text("".join(printed(places[:number])))
        follower.poll()
        rank = follower.runs["job"].ranks[0]
        assert len(rank.history) == number
        if (3, 12) in places[:number]:
            assert steps(rank) == true[:number]
