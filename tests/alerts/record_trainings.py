"""Records real trainings of the demo's model, healthy and made sick, for the rules.

``python -m tests.alerts.record_trainings`` takes some minutes, and writes
``tests/data/trainings/``. What stands there was recorded before it was looked at.
"""

import itertools
import sys
import tempfile
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Tensor
from mindspore.train import Callback

from mswidget import TrainMonitor
from tests.alerts.recorded import BAD_BATCH, DEAD_FROM, FOLDER

ROOT = Path(__file__).parents[2]
METRICS = (
    *("loss", "loss/ce", "loss/z", "lr", "grad_norm"),
    *("step_time_ms", "data_time_ms"),
)
sys.path.append(str(ROOT / "notebooks"))

LENGTHS = ((150, 1), (200, 2), (240, 1), (300, 3), (160, 4), (220, 2))
PEAKS = (1e-4, 3e-4, 5e-4, 1e-3)
HEALTHY = {
    f"peak {peak:g}, {steps} steps, {epochs} epochs": (
        {"steps": steps, "epochs": epochs, "peak": peak, "seed": number},
        None,
    )
    for number, (peak, (steps, epochs)) in enumerate(itertools.product(PEAKS, LENGTHS))
}


class At(Callback):
    """Does something to the network from a step on."""

    def __init__(self, step, change):
        super().__init__()
        self._step, self._change = step, change

    def on_train_step_end(self, run_context):
        params = run_context.original_args()
        if params.cur_step_num >= self._step:
            self._change(params.train_network.network)


class Mislabelled:
    """The demo's data, of which one batch has the answers of others."""

    def __init__(self, windows, batch, size):
        self._windows = windows
        self._bad = range(batch * size, (batch + 1) * size)

    def __len__(self):
        return len(self._windows)

    def __getitem__(self, index):
        x, y = self._windows[index]
        if index in self._bad:
            y = np.full_like(y, index % 3)
        return x, y


def _cut_off(network):
    """Take the last layer's scale away: nothing before it has a gradient."""
    gamma = network.network.norm.gamma
    gamma.set_data(Tensor(np.zeros(gamma.shape, np.float32)))


SICK = {
    "rate too high": ({"steps": 250, "epochs": 1, "peak": 0.5, "seed": 1}, None),
    "bad batch": ({"steps": 300, "epochs": 1, "peak": 5e-4, "seed": 2}, "bad batch"),
    "dead layers": ({"steps": 300, "epochs": 1, "peak": 5e-4, "seed": 3}, "dead"),
}


def record(options, sickness):
    """Return the values by metric of one training."""
    import tiny_transformer as demo  # noqa: PLC0415 - it is no package
    from mindspore.dataset import GeneratorDataset  # noqa: PLC0415

    model, data = demo.build(**options)
    callbacks = []
    if sickness == "bad batch":
        windows = demo.Windows(options["steps"] * demo.BATCH, options["seed"])
        bad = Mislabelled(windows, BAD_BATCH, demo.BATCH)
        # In the order that they have.
        rows = GeneratorDataset(bad, ["x", "y"], shuffle=False)
        data = rows.batch(demo.BATCH)
    if sickness == "dead":
        callbacks.append(At(DEAD_FROM, _cut_off))
    with tempfile.TemporaryDirectory() as folder:
        monitor = TrainMonitor("run", folder, display=False, watch=False)
        model.train(
            options["epochs"],
            data,
            callbacks=[monitor, *callbacks],
            dataset_sink_mode=False,
        )
        frame = monitor.run.to_pandas()
    names = [name for name in frame if name in METRICS or name.startswith("grad_norm/")]
    return {name: frame[name].to_numpy(np.float32) for name in names}


def main():
    for name, trainings in (("sick", SICK), ("healthy", HEALTHY)):
        columns = {}
        for title, how in trainings.items():
            values = record(*how)
            columns |= {f"{title}|{metric}": held for metric, held in values.items()}
            np.savez_compressed(FOLDER / f"{name}.npz", **columns)


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    main()
