"""The process that writes a rank's file, and whether it still lives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

EVENT = "process"
"""The line of a rank's file that names the process which writes it from there on."""
_DEAD = ("Z", "X")


@dataclass(frozen=True)
class Process:
    """A process that may be on another host, or gone.

    Parameters
    ----------
    host
        Its name, for people: two containers may have one name.
    pid
        As it is called there.
    started
        When it started, in clock ticks: a pid may be used again.
    place
        Where that pid means this process: a kernel since its boot, and a container.
        Empty where the system does not tell.
    """

    host: str
    pid: int
    started: str
    place: str

    @classmethod
    def here(cls) -> Process:
        """Return this process."""
        pid = os.getpid()
        return cls(os.uname().nodename, pid, started(pid), _place())

    @classmethod
    def told(cls, fields: Mapping[str, object]) -> Process | None:
        """Return what a line says; None when it says something else."""
        pid = fields.get("pid")
        if type(pid) is not int or pid < 1:
            return None
        names = ("host", "started", "place")
        host, begun, place = (str(fields.get(name, "")) for name in names)
        return cls(host, pid, begun, place)

    def fields(self) -> dict[str, object]:
        """Return what its line says of it."""
        return asdict(self)

    def is_gone(self) -> bool:
        """Say whether it has ended for certain: False where nobody here can tell."""
        if not self.place or self.place != _place():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            return False  # somebody else's, and alive; or no pid at all
        state, begun = _stat(self.pid)
        return state in _DEAD or (begun != self.started and "?" not in (begun, state))

    def __str__(self) -> str:
        """Name it in a sentence."""
        return f"process {self.pid} on {self.host}"


def started(pid: int) -> str:
    """Return the start time of a process in clock ticks, so a reused pid differs."""
    return _stat(pid)[1]


def _stat(pid: int) -> tuple[str, str]:
    """Return state and start time; question marks where the system tells neither."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return "?", "?"
    # The name before may hold spaces and brackets.
    words = stat.rpartition(")")[2].split()
    return words[0], words[19]


def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")
        return f"{boot.strip()} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""
