"""Events of one stream, as a trace has them."""

import numpy as np
import pandas as pd


def events(count, *, long_ns=100, every_ns=1000, **changed):
    start = 1736408883704643212 + every_ns * np.arange(count)
    columns = {
        "process": "Ascend Hardware",
        "thread": "Stream 2",
        "name": "MatMul",
        "task_type": "AI_CORE",
        "start_ns": start,
        "end_ns": start + long_ns,
    }
    return pd.DataFrame(columns | changed)
