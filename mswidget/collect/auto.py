"""Monitors every training of this process, without a change in its code."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import inspect
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mswidget.guard import Guard, tell

if TYPE_CHECKING:
    from mswidget.collect.monitor import TrainMonitor

# MindSpore is imported by whoever trains, not by this module: some of what it reads
# from the environment it reads only then.
_MODULE = "mindspore.train.model"
_METHODS = ("train", "fit")


def auto(*, on: bool = True, **options: Any) -> None:  # noqa: ANN401 - TrainMonitor's
    """Monitor every later ``Model.train`` and ``Model.fit`` of this process.

    Each ``Model`` has a `TrainMonitor` of its own, so its later calls go on in its
    run. A call that is given a `TrainMonitor` keeps to that one.

    Parameters
    ----------
    on
        False leaves MindSpore as it was before.
    **options
        As for `TrainMonitor`. Giving some imports MindSpore, to check them.

    Raises
    ------
    TypeError, ValueError, OSError
        As `TrainMonitor` does.

    Examples
    --------
    >>> mswidget.auto()
    >>> model.train(10, dataset)  # curves appear below the cell
    >>> mswidget.auto(on=False)
    """
    if options:
        _new_monitor(options)
    _AUTO.stop()
    if on:
        _AUTO.start(options)


@contextlib.contextmanager
def monitored() -> Iterator[None]:
    """Monitor what is trained meanwhile, unless `auto` does so anyway."""
    if _AUTO.is_on:
        yield
        return
    _AUTO.start({})
    try:
        yield
    finally:
        _AUTO.stop()


class _Auto:
    """Is either off, or waits for MindSpore, or has patched it."""

    def __init__(self) -> None:
        self._finder: _AfterImport | None = None
        self._patch: _Patch | None = None

    @property
    def is_on(self) -> bool:
        return self._finder is not None or self._patch is not None

    def start(self, options: Mapping[str, Any]) -> None:
        if _MODULE in sys.modules:
            self._patch_model(options, sys.modules[_MODULE])
        else:
            self._finder = _AfterImport(functools.partial(self._patch_model, options))
            sys.meta_path.insert(0, self._finder)

    def stop(self) -> None:
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        if self._patch is not None:
            self._patch.undo()
        self._finder = self._patch = None

    def _patch_model(self, options: Mapping[str, Any], module: ModuleType) -> None:
        self._patch = _Patch(module.Model, options)


_AUTO = _Auto()


class _Patch:
    """Gives each training a monitor; its errors are told and never the training's.

    Parameters
    ----------
    model
        MindSpore's class ``Model``; what derives from it is monitored too.
    options
        Of each monitor.
    """

    def __init__(self, model: type, options: Mapping[str, Any]) -> None:
        self._model = model
        self._options = options
        self._monitors: weakref.WeakKeyDictionary[object, TrainMonitor] = (
            weakref.WeakKeyDictionary()
        )
        self._active = True
        self._originals = {name: getattr(model, name) for name in _METHODS}
        self._ours = {
            name: self._monitored(original)
            for name, original in self._originals.items()
        }
        for name, method in self._ours.items():
            setattr(model, name, method)

    def undo(self) -> None:
        # Who patched after us still calls ours, which then does nothing.
        self._active = False
        for name, method in self._ours.items():
            if getattr(self._model, name) is method:
                setattr(self._model, name, self._originals[name])

    def _monitored(self, original: Callable[..., Any]) -> Callable[..., Any]:
        at = list(inspect.signature(original).parameters).index("callbacks")

        @functools.wraps(original)
        def method(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - MindSpore's
            if self._active:
                given = Guard(tell)("auto", self._arguments, at, args, kwargs)
                args, kwargs = given or (args, kwargs)
            return original(*args, **kwargs)

        return method

    def _arguments(
        self, at: int, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return a call's arguments with a monitor among the callbacks."""
        given = args[at] if len(args) > at else kwargs.get("callbacks")
        callbacks = with_monitor(given, functools.partial(self._monitor_of, args[0]))
        if len(args) > at:
            return (*args[:at], callbacks, *args[at + 1 :]), kwargs
        return args, {**kwargs, "callbacks": callbacks}

    def _monitor_of(self, model: object) -> TrainMonitor:
        if model not in self._monitors:
            self._monitors[model] = _new_monitor(self._options)
        return self._monitors[model]


def with_monitor(given: object, monitor: Callable[[], TrainMonitor]) -> object:
    """Return the callbacks of a training, and a monitor unless there is one.

    Parameters
    ----------
    given
        None, a callback, or several. MindSpore looks closer at those in a list, so a
        list stays one and a tuple does too.
    monitor
        Called for the monitor when it is needed.
    """
    from mswidget.collect.monitor import TrainMonitor  # noqa: PLC0415

    if given is None:
        return [monitor()]
    callbacks = tuple(given) if isinstance(given, Iterable) else (given,)
    if not any(isinstance(callback, TrainMonitor) for callback in callbacks):
        callbacks = (*callbacks, monitor())
    single = not isinstance(given, Iterable)
    return list(callbacks) if single or isinstance(given, list) else callbacks


def _new_monitor(options: Mapping[str, Any]) -> TrainMonitor:
    from mswidget.collect.monitor import TrainMonitor  # noqa: PLC0415

    return TrainMonitor(**options)


class _AfterImport(MetaPathFinder):
    """Calls a function with the module of ``Model``, once that is imported."""

    def __init__(self, then: Callable[[ModuleType], None]) -> None:
        self._then = then

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - the interface
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        if fullname != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                Guard(tell)("auto", self._then, module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
