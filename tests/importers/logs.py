"""Samples of other tools' logs, and what is read from them."""

from pathlib import Path

from mswidget.importers.format_table import FORMATS
from mswidget.saved.reader import load_run

SAMPLES = Path(__file__).parents[1] / "data" / "logs"
BY_FORMAT = {
    "MindFormers log": "mindformers.log",
    "MindFormers log, PyNative trainer": "mindformers_pynative.log",
    "Megatron or MindSpeed log": "megatron.log",
    "Hugging Face trainer_state.json": "trainer_state.json",
    "LLaMA-Factory trainer_log.jsonl": "trainer_log.jsonl",
    "output of MindSpore's LossMonitor": "loss_monitor.log",
    "MindSpore summary file": "summary/events.out.events.summary.1796071371.0.host_MS",
    "TensorBoard event file": "tensorboard/events.out.tfevents.1796071571.host",
    "JSON lines with a step": "detr_rank1.jsonl",
    "output of Hugging Face's Trainer": "hugging_face.log",
    "output of a known training script": "mindcv.log",
}
NAMES = [kind.name for kind in FORMATS]


def sample(name):
    return (SAMPLES / name).read_bytes()


def read(folder, data, name="train.log", **arguments):
    """Read a file of these bytes or lines; returns the only rank in it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else "".join(data).encode())
    (rank,) = load_run(path, **arguments).ranks.values()
    return rank


def curve(rank, name="loss"):
    """Return the attempt, step and value of each value of a metric."""
    return [
        (record.attempt, record.step, record.values[name])
        for record in rank.records
        if name in record.values
    ]


def values(rank):
    """Return every step, metric and value in the order in which they were read."""
    return [
        (record.step, name, repr(value))
        for record in rank.records
        for name, value in record.values.items()
    ]
