"""Where the sample profiles are: see the ORIGIN.md of each."""

from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "ascend"
TORCH_2023 = DATA / "torch-2023-09"
TORCH_LEVEL_0 = DATA / "torch-2025-01" / "level0"
TORCH_LEVEL_1 = DATA / "torch-2025-01" / "level1"
TORCH_2025_11 = DATA / "torch-2025-11"
MINDSPORE = DATA / "mindspore-2.10"
CPU = DATA / "mindspore-2.10-cpu"
MINDDATA = DATA / "mindspore-2.10-minddata"
MSPROF = DATA / "msprof-910b"
CLUSTERS = DATA / "clusters"
MANUAL = DATA / "msprof-manual"
