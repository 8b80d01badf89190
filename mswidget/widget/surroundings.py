"""Where this process runs: in a kernel of Jupyter or not."""

from __future__ import annotations

import sys


def in_kernel() -> bool:
    """Say whether this is a Jupyter kernel, without importing IPython."""
    core = sys.modules.get("IPython.core.getipython")
    return core is not None and hasattr(core.get_ipython(), "kernel")
