"""Real trainings of the demo's model, as `record_trainings` recorded them."""

from collections import defaultdict
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "data/trainings"
BAD_BATCH, DEAD_FROM = 240, 200


def recorded(name):
    """Return the values by metric of each training."""
    trainings = defaultdict(dict)
    with np.load(FOLDER / f"{name}.npz") as columns:
        for key in columns.files:
            title, _, metric = key.partition("|")
            trainings[title][metric] = columns[key].astype(float)
    return trainings
