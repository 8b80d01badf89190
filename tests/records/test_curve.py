"""A curve has each step once, in order, as the latest attempt made it."""

from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.curve import curve, curves
from mswidget.records.history import History
from mswidget.records.record import Record

LOGGED = st.lists(
    st.tuples(st.integers(1, 9), st.dictionaries(st.sampled_from("ab"), st.floats())),
    max_size=20,
)


def rows_of(logged, attempts=("a1",)):
    history = History()
    history.extend(
        Record(step, float(at), 0, attempt, values, epoch=at)
        for attempt in attempts
        for at, (step, values) in enumerate(logged)
    )
    return history.rows()


@given(LOGGED, st.booleans(), st.booleans())
def test_of_several_values_at_a_step_the_last_one_counts(logged, rising, again):
    logged = sorted(logged, key=lambda row: row[0]) if rising else logged
    found = curves(rows_of(logged, ["a1", "a2"] if again else ["a1"]))
    for name in "ab":
        expected = {
            step: (repr(values[name]), float(at))
            for at, (step, values) in enumerate(logged)
            if name in values
        }
        held = found.get(name) or curve(rows_of([]), name)
        assert held.steps.tolist() == sorted(expected)
        assert [*map(repr, held.values.tolist())] == [
            expected[step][0] for step in sorted(expected)
        ]
        assert held.wall_times_s.tolist() == held.epochs.tolist()
        assert held.epochs.tolist() == [expected[s][1] for s in sorted(expected)]


def test_a_part_of_a_history_has_the_curve_of_that_part():
    history = History()
    history.extend(Record(s, 1.0, 0, "a1", {"a": float(s)}) for s in range(1, 10))
    assert curve(history.rows(4, 7), "a").values.tolist() == [5.0, 6.0, 7.0]
