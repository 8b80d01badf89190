"""Logs as trainings write them, with the true steps beside them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A form of line; ``sure`` if its steps cannot be taken for the training's."""

    line: str
    sure: bool = True
    arguments: tuple = ()


PATTERN = r"Ep (?P<epoch>\d+) St (?P<step>\d+)/(?P<steps_per_epoch>\d+) L (?P<loss>\S+)"
FORMS = {
    "LossMonitor": Form("epoch: {e} step: {s}, loss is {v}\n"),
    "LossMonitor, x/y": Form("epoch: {e} step: {s}/{n}, loss is {v}\n"),
    "MindFormers": Form(
        "Epoch:[{e:3}/ 99], step:[{s:5}/{n:5}], loss:[{v}/{v}], per_step_time: 4ms\n",
    ),
    "MindCV": Form("Epoch: [{e}/99], batch: [{s}/{n}], loss: {v}\n"),
    "MindYOLO": Form("Epoch {e}/99, Step {s}/{n}, loss: {v}\n"),
    "JSON": Form('{{"epoch": {e}, "iter": {s}, "loss": {v}}}\n', sure=False),
    "pattern": Form("Ep {e} St {s}/{n} L {v}\n", arguments=(("pattern", PATTERN),)),
}


@dataclass(frozen=True)
class Training:
    """What is logged of a training: steps ``first``, ``first + interval``, ..."""

    length: int
    interval: int
    count: int
    first: int
    epoch_base: int = 1
    step_base: int = 1

    @property
    def steps(self):
        """The true steps, from 1."""
        return [self.first + self.interval * n for n in range(self.count)]

    def lines(self, form, mark=""):
        """Return a line a step; its value is the step."""
        for step in self.steps:
            epoch, within = divmod(step - 1, self.length)
            yield mark + form.line.format(
                e=epoch + self.epoch_base,
                s=within + self.step_base,
                n=self.length,
                v=f"{step}.5",
            )
