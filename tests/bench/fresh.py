"""Runs code in a Python of its own: what one library loaded costs no other."""

import json
import subprocess
import sys

_FRAME = """
import json, time
{setup}
def peak_mb():
    with open("/proc/self/status") as file:
        return next(int(l.split()[1]) for l in file if l.startswith("VmHWM")) / 1024
before_mb, start_s = peak_mb(), time.perf_counter()
{code}
spent_s = time.perf_counter() - start_s
print(json.dumps([spent_s, peak_mb(), peak_mb() - before_mb, int(result)]))
"""


def measure(setup, code):
    """Return seconds, peak MB, MB above those of the imports, and ``result``."""
    program = _FRAME.format(setup=setup, code=code)
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, text=True, stdout=subprocess.PIPE
    )
    return json.loads(done.stdout)
