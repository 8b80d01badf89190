"""Where a run comes from: versions, the commit, and what the user says of it."""

from __future__ import annotations

import math
import sys
import sysconfig
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

_PACKAGES = ("mswidget", "mindspore", "mindformers", "numpy")
_INSTALLED = ("stdlib", "purelib", "platlib", "scripts")
_PACKAGES_IN = ("site-packages", "dist-packages")


def facts() -> dict[str, object]:
    """Return the command, versions, and the commit of the notebook or script."""
    folder = own_folder()
    commit = {} if folder is None else git(folder)
    return {"command": sys.argv, "versions": versions(), "git": commit}


def own_folder() -> Path | None:
    """Return the folder of the notebook or script that runs.

    A notebook is in the working folder of its kernel, or where VS Code says. None for
    what is installed, such as a console script: its repository, if there is one
    around the environment, says nothing of the user's code.
    """
    main = vars(sys.modules["__main__"])
    file = main.get("__vsc_ipynb_file__") or main.get("__file__")
    try:
        folder = Path(str(file)).resolve().parent if file else Path.cwd()
    except OSError:  # the working folder is gone
        return None
    return None if _is_of_environment(folder) else folder


def versions() -> dict[str, str]:
    """Return the versions of Python and of what is imported and matters."""
    known = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in _PACKAGES:
        if name in sys.modules:
            try:
                known[name] = metadata.version(name)
            except metadata.PackageNotFoundError:
                known[name] = str(getattr(sys.modules[name], "__version__", "unknown"))
    return known


def _is_of_environment(folder: Path) -> bool:
    paths = sysconfig.get_paths()
    kept = {Path(paths[name]).resolve() for name in _INSTALLED}
    around = {folder, *folder.parents}
    return not around.isdisjoint(kept) or any(p.name in _PACKAGES_IN for p in around)


def git(start: Path) -> dict[str, str]:
    """Return commit and branch of the repository around a folder.

    Git itself is not run: its files are read, so local changes are not known.
    """
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
    before, mark, rest = text.partition(prefix)
    if before or not mark:
        raise ValueError(text)
    return rest.strip()
