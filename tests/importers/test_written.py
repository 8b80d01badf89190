"""Of any log the steps come back right, or a note says what was assumed."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mswidget.saved.reader import load_run
from tests.importers.logs import curve
from tests.importers.written import FORMS, Training

ASSUMED = ("counted on by", "is a guess", "it begins in epoch")
SURE = {name: form for name, form in FORMS.items() if form.sure}


@st.composite
def trainings(draw):
    """Draw a training whose log shows where it counts from, or is a guess.

    A log that begins in an epoch 1, or in a step 1 beside an epoch 1, is taken to
    begin in the first: no log could tell.
    """
    length = draw(st.integers(1, 40))
    bases = draw(st.sampled_from([(0, 0), (0, 1), (1, 1)]))
    last_first = length if bases[0] == 0 else 10 * length
    first = draw(st.integers(1, last_first))
    interval, count = draw(st.integers(1, 60)), draw(st.integers(1, 40))
    return Training(length, interval, count, first, *bases)


ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def load(folder, lines, form):
    path = folder / "train.log"
    path.write_text("".join(lines))
    return load_run(path, **dict(form.arguments)).ranks


@pytest.mark.parametrize("form", SURE.values(), ids=SURE)
@ANY
@given(training=trainings())
def test_steps_are_true_or_what_was_assumed_is_said(tmp_path, form, training):
    (rank,) = load(tmp_path, training.lines(form), form).values()
    steps = [step for _, step, _ in curve(rank)]
    assert min(steps) >= 0
    assert steps == training.steps or any(
        words in note for note in rank.notes for words in ASSUMED
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@ANY
@given(
    length=st.integers(2, 40),
    count=st.integers(45, 90),
    first=st.integers(1, 400),
    base=st.integers(0, 1),
)
def test_every_step_of_two_epochs_is_true(tmp_path, form, length, count, first, base):
    # From where they count is seen in what is printed, or the usual.
    begin = 1 if base == 0 else first
    training = Training(length, 1, max(count, 2 * length), begin, base, base)
    (rank,) = load(tmp_path, training.lines(form), form).values()
    assert curve(rank) == [("a1", s, s + 0.5) for s in training.steps]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@ANY
@given(length=st.integers(2, 20), ranks=st.integers(2, 4), data=st.data())
def test_marked_ranks_in_any_order_have_true_steps(tmp_path, form, length, ranks, data):
    training = Training(length, 1, 3 * length, 1)
    waiting = [list(training.lines(form, f"[rank{rank}]:")) for rank in range(ranks)]
    turns = data.draw(st.permutations(list(range(ranks)) * 3 * length))
    read = load(tmp_path, [waiting[rank].pop(0) for rank in turns], form)
    assert sorted(read) == list(range(ranks))
    for rank in read.values():
        assert curve(rank) == [("a1", s, s + 0.5) for s in training.steps]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@ANY
@given(length=st.integers(2, 20), back=st.integers(1, 30))
def test_a_resumed_training_is_an_attempt_at_true_steps(tmp_path, form, length, back):
    first = Training(length, 1, 3 * length + 30, 1)
    again = Training(length, 1, 40, first.count - back)
    between = "loading a checkpoint\n"
    lines = [*first.lines(form), between, *again.lines(form)]
    (rank,) = load(tmp_path, lines, form).values()
    assert curve(rank) == [
        *(("a1", step, step + 0.5) for step in first.steps),
        *(("a2", step, step + 0.5) for step in again.steps),
    ]
