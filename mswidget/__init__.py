"""See a MindSpore training live, where it was started: in the notebook."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mswidget.alerts.notify.channel import Webhook
from mswidget.alerts.threshold import Threshold
from mswidget.run.session import Run
from mswidget.run.start import start_run

if TYPE_CHECKING:
    from mswidget.collect.auto import auto
    from mswidget.collect.monitor import TrainMonitor
    from mswidget.collect.rates.learning_rate import LearningRates
    from mswidget.collect.train_step.train_step import MonitoredTrainStep
    from mswidget.collect.weights.weight_watcher import WeightWatcher
    from mswidget.profiler.load import Profile, load_profile
    from mswidget.saved.listing import list_runs
    from mswidget.saved.reader import load_run
    from mswidget.saved.run import SavedRun
    from mswidget.watching.compare import compare
    from mswidget.watching.watch import watch

__version__ = "0.1.0"
__all__ = [
    "LearningRates",
    "MonitoredTrainStep",
    "Profile",
    "Run",
    "SavedRun",
    "Threshold",
    "TrainMonitor",
    "Webhook",
    "WeightWatcher",
    "auto",
    "compare",
    "list_runs",
    "load_profile",
    "load_run",
    "start_run",
    "watch",
]

# These import MindSpore, which a laptop that only reads runs does not have, IPython,
# which only a notebook has, or what only a reader of profiles and runs pays for.
_LAZY = {
    "LearningRates": "mswidget.collect.rates.learning_rate",
    "MonitoredTrainStep": "mswidget.collect.train_step.train_step",
    "Profile": "mswidget.profiler.load",
    "SavedRun": "mswidget.saved.run",
    "TrainMonitor": "mswidget.collect.monitor",
    "WeightWatcher": "mswidget.collect.weights.weight_watcher",
    "auto": "mswidget.collect.auto",
    "compare": "mswidget.watching.compare",
    "list_runs": "mswidget.saved.listing",
    "load_profile": "mswidget.profiler.load",
    "load_ipython_extension": "mswidget.magics",
    "load_run": "mswidget.saved.reader",
    "unload_ipython_extension": "mswidget.magics",
    "watch": "mswidget.watching.watch",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what one of them defines
    if name not in _LAZY:
        message = f"module 'mswidget' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_LAZY]
