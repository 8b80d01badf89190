import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def two_ranks(tmp_path_factory):
    """A MindSpore profile of two ranks and three steps, derived: see derive_steps."""
    folder = tmp_path_factory.mktemp("two_ranks")
    script = Path(__file__).with_name("derive_steps.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True)
    return folder
