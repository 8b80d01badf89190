"""What has ended is let go."""

import gc
import weakref
from pathlib import Path

import pytest

from mswidget.run.registry import Registry
from mswidget.widget.cell import Cell


class Run:
    """Knows that it was closed."""

    def __init__(self, name, registry):
        self.name, self.path, self.closed = name, Path(name), False
        self.registry = registry
        registry.begin(self)

    def close(self):
        self.closed = True
        self.registry.forget(self)


@pytest.fixture
def registry():
    return Registry()


def names(registry):
    return [run.name for run in registry]


def test_runs_that_go_on_are_held_and_of_the_others_the_last(registry):
    for name in ("a", "b", "c"):
        registry.end(Run(name, registry))
        Run(f"{name}-goes-on", registry)
    gc.collect()
    assert names(registry) == ["a-goes-on", "b-goes-on", "c", "c-goes-on"]
    assert [past.name for past in registry.past] == ["a", "b", "c"]


def test_a_run_that_goes_on_again_is_held_again(registry):
    run = Run("a", registry)
    registry.end(run)
    registry.begin(run)
    registry.end(Run("b", registry))
    assert names(registry) == ["a", "b"]


def test_only_the_last_names_are_remembered(registry):
    for number in range(100):
        registry.end(Run(str(number), registry))
    assert [past.name for past in registry.past] == [str(n) for n in range(80, 100)]


def test_a_cell_that_runs_again_closes_what_it_had_shown(registry):
    first, second, elsewhere, third = (Run(n, registry) for n in "abcd")
    registry.show(first, Cell("x", 1))
    registry.show(second, Cell("x", 1))
    registry.show(elsewhere, Cell("y", 2))
    registry.show(third, Cell("x", 3))
    assert [r.closed for r in (first, second, elsewhere, third)] == [
        *(True, True),
        *(False, False),
    ]


def test_a_run_that_is_shown_again_in_its_cell_stays(registry):
    run = Run("a", registry)
    registry.show(run, Cell("x", 1))
    registry.show(run, Cell("x", 2))
    registry.show(Run("b", registry), Cell("x", 2))
    assert not run.closed
    registry.show(Run("c", registry), Cell("x", 3))
    assert run.closed


def test_where_a_run_was_shown_does_not_keep_it_alive(registry):
    run = Run("a", registry)
    registry.show(run, Cell("x", 1))
    registry.forget(run)
    alive = weakref.ref(run)
    del run
    gc.collect()
    assert alive() is None
