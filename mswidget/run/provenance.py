"""Where a run comes from: versions, the commit, and what the user says of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

_PACKAGES = ("mswidget", "mindspore", "mindformers", "numpy")


def facts() -> dict[str, object]:
    """Return the command, versions, and the working folder's or script's commit."""
    try:
        folders = [Path.cwd(), Path(sys.argv[0]).resolve().parent]
    except (OSError, IndexError):  # the working folder is gone
        folders = []
    return {"command": sys.argv, "versions": versions(), "git": git(*folders)}


def versions() -> dict[str, str]:
    """Return the versions of Python and of what is imported and matters."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in _PACKAGES:
        if name in sys.modules:
            try:
                found[name] = metadata.version(name)
            except metadata.PackageNotFoundError:
                found[name] = str(getattr(sys.modules[name], "__version__", "unknown"))
    return found


def git(*starts: Path) -> dict[str, str]:
    """Return commit and branch of the repository around the first folder in one.

    Git itself is not run: its files are read, so local changes are not known.
    """
    for start in starts:
        for folder in (start, *start.parents):
            dot = folder / ".git"
            if dot.exists():
                try:
                    return _head(dot)
                except (OSError, ValueError):
                    return {}
    return {}


def given_config(config: object) -> dict[str, object]:
    """Return what the user gave as a dict.

    Raises
    ------
    TypeError
        For what has neither keys nor attributes.
    """
    if config is None:
        return {}
    if hasattr(config, "__dict__") and not isinstance(config, Mapping | type):
        config = vars(config)
    if isinstance(config, Mapping):
        return {str(key): _plain(value) for key, value in config.items()}
    message = (
        "config must be a dict, or an object with attributes as argparse makes it; "
        f"found {type(config).__name__}"
    )
    raise TypeError(message)


def _plain(value: object) -> object:
    """Return what JSON can say; its numbers are finite."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()  # numpy's
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _head(dot: Path) -> dict[str, str]:
    """Read a ``.git`` folder, or the file that stands for one in a worktree."""
    if dot.is_file():
        dot = dot.parent / _after(dot.read_text(encoding="utf-8"), "gitdir:")
    head = (dot / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return {"commit": head}
    ref = _after(head, "ref:")
    return {"commit": _commit(dot, ref), "branch": ref.removeprefix("refs/heads/")}


def _commit(dot: Path, ref: str) -> str:
    common = dot / "commondir"
    if common.exists():
        dot = dot / common.read_text(encoding="utf-8").strip()
    loose = dot / ref
    if loose.exists():
        return loose.read_text(encoding="utf-8").strip()
    for line in (dot / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit
    message = f"no commit for {ref}"
    raise ValueError(message)


def _after(text: str, prefix: str) -> str:
    found, mark, rest = text.partition(prefix)
    if found or not mark:
        raise ValueError(text)
    return rest.strip()
