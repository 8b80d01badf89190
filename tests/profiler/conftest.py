import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def two_ranks(tmp_path_factory):
    """A MindSpore profile of two ranks and three steps, derived: see derive_steps."""
    folder = tmp_path_factory.mktemp("two_ranks")
    command = [sys.executable, "-m", "tests.profiler.derive_steps", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder
