"""Whatever is logged, the next good value comes through."""

from collections.abc import Mapping

import pytest

from mswidget.store.inbox import Inbox


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


def test_an_object_without_any_attribute_is_a_bad_value(inbox):
    inbox.put({"loss": Params()}, None, None)
    inbox.put({"loss": 0.5}, None, None)
    taken = inbox.take(waiting_too=False)
    assert [record.values for record in taken] == [{}, {"loss": 0.5}]
    assert "Params that cannot be read" in inbox.bad_values()[0]


@pytest.mark.parametrize("values", [Broken(), 0.5, ["loss"], None])
def test_what_is_no_mapping_costs_only_its_own_values(inbox, notices, values):
    inbox.put(values, None, None)
    inbox.put({"loss": 0.5}, None, None)
    taken = inbox.take(waiting_too=False)
    assert [record.values for record in taken] == [{}, {"loss": 0.5}]
    assert f"found {type(values).__name__}" in notices[0]
