"""Whatever is logged, the next good value comes through."""

import time
from collections.abc import Mapping

import pytest

from mswidget.run.inbox import Inbox


class Params(dict):
    """Has no attribute at all, as MindSpore's ``cb_params``."""

    def __getattr__(self, name):
        return self[name]


class Broken(Mapping):
    """A mapping that cannot be read."""

    def __getitem__(self, name):
        raise RuntimeError(name)

    def __iter__(self):
        return iter(["loss"])

    def __len__(self):
        return 1


@pytest.fixture
def notices():
    return []


@pytest.fixture
def inbox(notices):
    return Inbox(0, "a1", deferred=True, on_notice=notices.append)


def test_an_object_without_any_attribute_is_a_bad_value(notices):
    rows = []

    def numbers(row):
        rows.append((row.step, row.values["loss"]))
        return {name: v for name, v in row.values.items() if isinstance(v, float)}

    inbox = Inbox(0, "a1", deferred=True, on_notice=notices.append, numbers=numbers)
    inbox.put({"loss": Params()}, None, None)
    inbox.put({"loss": 0.5}, None, None)
    taken = inbox.take(waiting_too=False)
    assert [record.values for record in taken] == [{}, {"loss": 0.5}]
    assert [step for step, _ in rows] == [1, 2]
    assert "Params that cannot be read" in str(rows[0][1])


@pytest.mark.parametrize("values", [Broken(), 0.5, ["loss"], None])
def test_what_is_no_mapping_costs_only_its_own_values(inbox, notices, values):
    inbox.put(values, None, None)
    inbox.put({"loss": 0.5}, None, None)
    taken = inbox.take(waiting_too=False)
    assert [record.values for record in taken] == [{}, {"loss": 0.5}]
    assert f"found {type(values).__name__}" in notices[0]


class Tensor:
    """Stands for a device tensor."""

    def asnumpy(self):
        return 0.5


def test_a_row_that_an_interrupt_kept_from_reading_holds_up_no_other(
    inbox, monkeypatch
):
    def interrupt(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(inbox._pending, "add", interrupt)
        with pytest.raises(KeyboardInterrupt):
            inbox.put({"loss": Tensor()}, None, None)
    inbox.put({"loss": 1.0}, None, None)
    assert inbox.take(waiting_too=False) == []
    later_s = time.time() + 5
    monkeypatch.setattr(inbox, "now_s", lambda: later_s)
    assert [row.step for row in inbox.take(waiting_too=False)] == [1, 2]


def test_values_of_the_machine_stand_in_the_next_row(inbox):
    inbox.put({"loss": 1.0}, None, None)
    inbox.put_beside({"cpu_pct": 10.0})
    inbox.put_beside({"cpu_pct": 20.0})
    inbox.put({"loss": 2.0}, None, None)
    inbox.put({"loss": 3.0}, None, None)
    found = [(record.step, record.values) for record in inbox.take(waiting_too=False)]
    assert found == [
        (1, {"loss": 1.0}),
        (2, {"cpu_pct": 20.0, "loss": 2.0}),
        (3, {"loss": 3.0}),
    ]


def test_what_a_user_logs_goes_before_a_value_of_the_machine(inbox):
    inbox.put_beside({"cpu_pct": 10.0})
    inbox.put({"cpu_pct": 99.0}, None, None)
    assert inbox.take(waiting_too=False)[0].values == {"cpu_pct": 99.0}


def test_a_late_value_of_an_old_step_takes_none_of_them(inbox):
    inbox.put({"loss": 1.0}, 7, None)
    inbox.put_beside({"cpu_pct": 10.0})
    inbox.put({"eval/bleu": 2.0}, 3, None)
    assert inbox.take(waiting_too=False)[1].values == {"eval/bleu": 2.0}


@pytest.mark.parametrize(("step", "rows"), [(7, [(7, {"cpu_pct": 2.0})]), (None, [])])
def test_without_a_step_for_a_minute_they_stand_alone(step, rows, inbox, monkeypatch):
    """Before the first step there is none to stand at."""
    if step:
        inbox.put({"loss": 1.0}, step, None)
        inbox.take(waiting_too=False)
    now_s = time.time()
    for later_s, value in ((30, 1.0), (61, 2.0), (90, 3.0)):
        monkeypatch.setattr(inbox, "now_s", lambda at_s=now_s + later_s: at_s)
        inbox.put_beside({"cpu_pct": value})
    found = [(record.step, record.values) for record in inbox.take(waiting_too=False)]
    assert found == rows
    assert inbox.step == (step or 0)


def test_a_run_that_waits_for_days_gets_few_of_them(inbox, monkeypatch):
    inbox.put({"loss": 1.0}, None, None)
    now_s = time.time()
    for later_s in range(0, 3 * 24 * 3600, 5):
        monkeypatch.setattr(inbox, "now_s", lambda at_s=now_s + later_s: at_s)
        inbox.put_beside({"cpu_pct": 1.0})
    times_s = [record.wall_time_s - now_s for record in inbox.take(waiting_too=False)]
    assert 60 <= times_s[1] <= 70
    assert 50 < len(times_s) < 100


def test_what_is_logged_while_the_rest_is_taken_waits_for_its_turn():
    def numbers(row):
        if row.step == 1:
            inbox.put({"loss": 2.0}, None, None)
        return row.values

    inbox = Inbox(0, "a1", deferred=True, on_notice=print, numbers=numbers)
    inbox.put({"loss": 1.0}, None, None)
    for expected in ([{"loss": 1.0}], [{"loss": 2.0}], []):
        assert [r.values for r in inbox.take(waiting_too=True)] == expected
