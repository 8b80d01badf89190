"""Lets MindFormers' YAML name `TrainMonitor`: importing this registers it.

Where a script of your own starts MindFormers, ``import mswidget.collect.mindformers``
there. Where ``run_mindformer.py`` does, the YAML itself can import it: with this
file's folder as its ``--register_path`` (or one of yours, in which a file has the last
import of this one)::

    callbacks:
      - type: MFLossMonitor
      - type: TrainMonitor
        auto_register: mindformers.TrainMonitor
        name: my-run
"""

from __future__ import annotations

try:
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister
except ImportError as error:
    message = (
        "MindFormers cannot be imported here, so there is nothing to register "
        f"TrainMonitor with ({error}); without MindFormers it needs no registration"
    )
    raise ImportError(message) from error

from mswidget.collect.monitor import TrainMonitor

MindFormerRegister.register_cls(TrainMonitor, MindFormerModuleType.CALLBACK)
