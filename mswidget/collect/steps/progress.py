"""How far a training is."""

from __future__ import annotations

from mswidget.collect.steps.offset import Offset
from mswidget.collect.steps.params import Params


class Progress:
    """The step at hand, as everybody is told who collects something of it.

    One object for the whole call of ``train``, changed in place: nothing is made anew
    in a step.

    Parameters
    ----------
    params
        MindSpore's, at the begin of the first epoch; one live dict.
    offset
        The steps made before.
    log_interval
        One step in so many is logged; it may change.
    """

    def __init__(self, params: Params, offset: Offset, log_interval: int = 1) -> None:
        self.params = params
        self.offset = offset
        self.log_interval = log_interval
        self.seen = self.begun_at = int(params["cur_step_num"])
        """MindSpore's number of the last step that ended; it begins anew at each call.
        """
        self.step = offset.steps
        """The step that begins or has ended, counted through the whole training."""
        self.steps = 0
        """How many it stands for: more than one in a data sink on an Ascend."""
        self.logged = offset.steps
        """The step that was logged last."""
        self._outputs: object = None
        self.returned: object = None
        """What the step that ended last has returned; evaluations return more."""
        self._before = offset.steps - self.begun_at

    def number(self, called: int) -> int:
        """Return the step of the whole training that MindSpore calls so, from 1."""
        return self._before + called

    @property
    def last_step(self) -> int:
        """The step that ended last; MindSpore counts an evaluation's own steps too."""
        return self.number(self.seen)

    @property
    def is_due(self) -> bool:
        """Whether one of the steps that have ended together is to be logged."""
        before, interval = self.step - self.steps, self.log_interval
        return self.step // interval > before // interval

    @property
    def is_fresh(self) -> bool:
        """Whether a step has ended since the last begin or end that was seen."""
        outputs = self.params.get("net_outputs")
        return self.params.get("mode") == "train" and outputs is not self._outputs

    def begin(self) -> None:
        """Move on to a step that begins."""
        step = self._before + int(self.params["cur_step_num"])
        self.steps, self.step = step - self.step, step
        self._outputs = self.params.get("net_outputs")

    def end(self) -> None:
        """Move on to the end of a step, whether its begin was seen or not."""
        current = int(self.params["cur_step_num"])
        self.steps, self.seen = current - self.seen, current
        self.step = self._before + current
        self._outputs = self.returned = self.params.get("net_outputs")
