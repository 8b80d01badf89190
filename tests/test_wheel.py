import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path

import pytest

import hatch_build
import mswidget

ROOT = Path(__file__).parent.parent
FIND_BUNDLE = """
import importlib.resources, mswidget, sys
static = importlib.resources.files("mswidget") / "widget/static"
print(*sorted(path.name for path in static.iterdir()))
assert mswidget.__file__.startswith(sys.prefix), mswidget.__file__
assert "mindspore" not in sys.modules
"""


def test_the_wheel_brings_the_bundle(tmp_path):
    clone = copy_of_clone(tmp_path / "clone", with_bundle=True)
    run("-m", "build", "--wheel", "--no-isolation", cwd=clone)
    python = empty_environment(tmp_path / "env")
    [wheel] = (clone / "dist").glob("*.whl")
    run("-m", "pip", "--python", python, "install", "--no-deps", wheel)
    lend_dependencies(tmp_path / "env")
    assert set(hatch_build.BUNDLE) <= set(
        run("-I", "-c", FIND_BUNDLE, python=python).split()
    )


def test_the_sdist_needs_no_node(tmp_path):
    clone = copy_of_clone(tmp_path / "clone", with_bundle=True)
    run("-m", "build", "--sdist", "--no-isolation", cwd=clone)
    [sdist] = (clone / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert {str(hatch_build.STATIC / name) for name in hatch_build.BUNDLE} <= names
    assert not any(name.startswith("js/node_modules") for name in names)


@pytest.mark.slow
def test_pip_install_from_a_clone_works_without_node(tmp_path):
    clone = copy_of_clone(tmp_path / "clone", with_bundle=False)
    python = empty_environment(tmp_path / "env", with_pip=True)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "env"):
        (tools / tool).symlink_to(shutil.which(tool))
    run("-m", "pip", "install", clone, python=python, PATH=str(tools))
    found = run("-I", "-c", FIND_BUNDLE, python=python)
    assert set(hatch_build.BUNDLE) <= set(found.split())


def test_the_changelog_begins_with_this_version():
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert changes.split("\n## ")[1].startswith(mswidget.__version__)


def test_an_old_node_is_not_used(tmp_path, monkeypatch):
    for tool, version in (("node", "v20.1.0"), ("npm", "9.0.0")):
        (tmp_path / tool).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not hatch_build.node_on_path()
    (tmp_path / "node").write_text("#!/bin/sh\necho v22.0.0\n")
    assert hatch_build.node_on_path()


def test_a_failing_bundle_says_what_it_needs(tmp_path):
    with pytest.raises(SystemExit, match="Node 22 or newer and the npm registry"):
        hatch_build.build(tmp_path)


def copy_of_clone(target, *, with_bundle):
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.check_output(listed, cwd=ROOT, text=True).split("\0")
    if with_bundle:
        names += [str(hatch_build.STATIC / name) for name in hatch_build.BUNDLE]
    for name in names:
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    return target


def empty_environment(folder, *, with_pip=False):
    venv.create(folder, with_pip=with_pip, symlinks=True)
    return folder / "bin/python"


def lend_dependencies(environment):
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"))


def run(*arguments, python=sys.executable, cwd=None, **variables):
    environment = os.environ | variables
    done = subprocess.run(
        [python, *arguments],
        cwd=cwd,
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout
