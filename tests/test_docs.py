"""What README, CONTRIBUTING and the guide say is there, and what they show runs."""

import ast
import importlib
import importlib.util
import inspect
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbclient import NotebookClient

import mswidget
from mswidget.alerts.rule_table import RULES
from mswidget.commands.table import commands_at
from mswidget.importers.format_table import FORMATS
from mswidget.profiler.findings.bottlenecks import FINDINGS

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "notebooks/guide"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(GUIDE.glob("*.md"))]
TEXTS = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
MOST_LINES = 200

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
ROOM = re.compile(r"(?<![\w./-])(?:mswidget|js|tests|notebooks|\.ci)/[\w./*<>-]*")
TOP = re.compile(r"[\w.-]+\.(?:md|toml)|Makefile")
NAME = re.compile(r"\bmswidget(?:\.[A-Za-z_]\w*)+")
SHELL = re.compile(r"python -m mswidget ([a-z]\w*)")
MAGIC = re.compile(r"%mswidget ([a-z]\w*)")
TESTS = re.compile(r"python -m (tests[\w.]*\w)")
NEEDS_MINDFORMERS = "mswidget.collect.mindformers"

# What a block needs that only its reader has: it is parsed, not run.
THEIRS = {"Model", "TrainMonitor", "model", "monitor", "optimizer", "train_ds"}
LOGS = {
    "gpu/train.log": "megatron.log",
    "megatron/train.log": "megatron.log",
    "output/log/rank_0/info.log": "mindformers.log",
    "yolo.log": "mindyolo.log",
}


def blocks(text, *languages):
    return [block for language, block in FENCE.findall(text) if language in languages]


def in_every_page(found_in):
    return [
        pytest.param(page, found, id=f"{page}: {found.strip().splitlines()[0]}")
        for page, text in TEXTS.items()
        for found in dict.fromkeys(found_in(text))
    ]


def inline(text):
    return CODE.findall(FENCE.sub("", text))


def parsed(block):
    return ast.parse(TransformerManager().transform_cell(block))


def is_run(block):
    names = {n.id for n in ast.walk(parsed(block)) if isinstance(n, ast.Name)}
    return not names & {*THEIRS, "get_ipython"}


def test_the_readme_is_short():
    assert len(TEXTS["README.md"].splitlines()) <= MOST_LINES


@pytest.mark.parametrize(
    ("page", "link"), in_every_page(lambda text: LINK.findall(FENCE.sub("", text)))
)
def test_every_link_leads_to_a_file_and_a_heading(page, link):
    path, _, heading = link.partition("#")
    target = (ROOT / page).parent / path if path else ROOT / page
    assert target.exists()
    if heading:
        titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
        assert heading in [slug(title) for title in titles]


def slug(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize(("page", "path"), in_every_page(ROOM.findall))
def test_every_path_of_the_repository_is_there(page, path):
    pattern = re.sub(r"<\w+>", "*", path.rstrip("."))
    assert list(ROOT.glob(pattern)), page


@pytest.mark.parametrize(
    ("page", "file"),
    in_every_page(lambda text: filter(TOP.fullmatch, inline(text))),
)
def test_every_file_at_the_top_is_there(page, file):
    assert (ROOT / file).exists(), page


@pytest.mark.parametrize(("page", "name"), in_every_page(NAME.findall))
def test_every_name_in_the_package_is_there(page, name):
    if name == "mswidget.html":  # a file
        return
    found, done = mswidget, "mswidget"
    for part in name.split(".")[1:]:
        done = f"{done}.{part}"
        if not hasattr(found, part):
            assert importlib.util.find_spec(done), page
            if done == NEEDS_MINDFORMERS:
                return
            importlib.import_module(done)
        found = getattr(found, part)


def members(text):
    names = "|".join(name for name in mswidget.__all__ if name[0].isupper())
    return re.findall(rf"\b(?:{names})\.[a-z]\w*", " ".join(inline(text)))


@pytest.mark.parametrize(("page", "name"), in_every_page(members))
def test_every_member_of_a_public_class_is_there(page, name):
    owner, member = name.split(".")
    assert hasattr(getattr(mswidget, owner), member), page


def variables(text):
    return re.findall(r"MSWIDGET_\w+", text)


@pytest.mark.parametrize(("page", "name"), in_every_page(variables))
def test_every_variable_is_read(page, name):
    sources = (ROOT / "mswidget").rglob("*.py")
    assert any(name in source.read_text("utf-8") for source in sources), page


def options(text):
    """Return what is called, in code, and by which keywords."""
    code = [*blocks(text, "python"), *inline(text)]
    calls = [node for piece in code for node in calls_in(piece)]
    return [
        f"{ast.unparse(call.func).removeprefix('mswidget.')} {keyword.arg}"
        for call in calls
        for keyword in call.keywords
        if keyword.arg
    ]


def calls_in(code):
    try:
        tree = parsed(code)
    except SyntaxError:  # not python
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize(("page", "option"), in_every_page(options))
def test_every_option_is_one(page, option):
    called, keyword = option.split()
    if called == "auto":
        called = "TrainMonitor"
    if called in mswidget.__all__:
        known = inspect.signature(getattr(mswidget, called)).parameters
        assert keyword in known, page


@pytest.mark.parametrize(
    ("page", "block"), in_every_page(lambda text: blocks(text, "python"))
)
def test_every_python_block_is_python(page, block):
    code = TransformerManager().transform_cell(block)
    assert compile(code, page, "exec", dont_inherit=True)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder that has what the pages speak of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MSWIDGET_LOG_DIR", raising=False)
    monkeypatch.setenv("ALERT_HOOK", "http://127.0.0.1:9/nobody")
    for name, log in LOGS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests/data/logs" / log, tmp_path / name)
    shutil.copytree(ROOT / "notebooks/data/profile", tmp_path / "profiler_output")
    for name in ("detr-baseline", "my-loop"):
        with mswidget.start_run(name, display=False) as run:
            for step in range(1, 11):
                run.log({"loss": 1 / step, "lr": 0.1}, step=step)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", TEXTS)
def test_the_blocks_that_need_nothing_else_run_in_order(page):
    names = {}
    run = [block for block in blocks(TEXTS[page], "python") if is_run(block)]
    for block in run:
        exec(compile(block, page, "exec", dont_inherit=True), names)  # noqa: S102


def test_enough_blocks_are_run():
    counts = {
        page: sum(map(is_run, blocks(text, "python"))) for page, text in TEXTS.items()
    }
    assert counts["README.md"] >= 6
    for page in ("alerts", "logs", "profiles", "ranks-and-compare", "runs"):
        assert counts[f"notebooks/guide/{page}.md"] >= 1


@pytest.mark.usefixtures("folder")
def test_the_blocks_on_collecting_run_with_a_small_network():
    from mindspore import Model, nn  # noqa: PLC0415 - takes seconds

    from tests.training import Regression, dataset  # noqa: PLC0415

    network = Regression(returns="tuple")
    optimizer = nn.SGD(network.trainable_params(), 0.01)
    monitor = mswidget.TrainMonitor("before", display=False)
    model = Model(Regression(), optimizer=optimizer)
    model.train(1, dataset(2), callbacks=[monitor], dataset_sink_mode=False)
    names = {
        "Model": Model,
        "monitor": monitor,
        "mswidget": mswidget,
        "network": network,
        "optimizer": optimizer,
        "perplexity": 2.5,
        "scheduler": SimpleNamespace(step=lambda: None),
        "train_ds": dataset(4),
        "train_step": lambda *_batch: 0.5,
    }
    found = blocks(TEXTS["notebooks/guide/collecting.md"], "python")
    for block in found:
        if "%" not in block:
            exec(compile(block, "collecting", "exec", dont_inherit=True), names)  # noqa: S102
    logged = names["run"].to_pandas()
    assert {"loss", "loss/ce", "loss/bbox", "lr", "perplexity"} <= {*logged}
    assert logged.filter(like="weight_mean/").notna().any(axis=None)


def test_the_first_cell_of_the_readme_trains_and_shows_its_curves(tmp_path):
    cell = nbformat.v4.new_code_cell(blocks(TEXTS["README.md"], "python")[0])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=240, resources=where).execute()
    shown = [output["data"] for output in cell["outputs"] if "data" in output]
    assert any("application/vnd.jupyter.widget-view+json" in data for data in shown)
    frame = mswidget.load_run(tmp_path / "train_logs/first-run").to_pandas()
    assert len(frame) == 1000
    assert frame["loss"].iloc[-1] < frame["loss"].iloc[0]


def targets(text):
    code = [*blocks(text, "sh", "bash"), *inline(text)]
    lines = "\n".join(code).splitlines()
    return [found[1] for line in lines if (found := re.match(r"make ([\w-]+)", line))]


@pytest.mark.parametrize(("page", "target"), in_every_page(targets))
def test_every_make_target_is_there(page, target):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(rf"^{target}:", makefile, re.MULTILINE), page


@pytest.mark.parametrize(("page", "module"), in_every_page(TESTS.findall))
def test_every_script_of_the_tests_is_there(page, module):
    path = ROOT / module.replace(".", "/")
    assert (path / "__main__.py").exists() or path.with_suffix(".py").exists(), page


@pytest.mark.parametrize(("page", "word"), in_every_page(SHELL.findall))
def test_every_word_of_the_shell_is_one(page, word):
    assert word in commands_at("shell"), page


@pytest.mark.parametrize(("page", "word"), in_every_page(MAGIC.findall))
def test_every_word_of_the_magic_is_one(page, word):
    assert word in commands_at("notebook"), page


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("alerts", [rule.name for rule in RULES]),
        ("profiles", [look.__name__ for look in FINDINGS]),
        ("logs", [kind.name for kind in FORMATS]),
        ("performance", [path.stem for path in ROOT.glob("tests/bench/*.py")]),
    ],
)
def test_what_stands_in_a_table_of_the_code_stands_in_that_of_the_guide(page, names):
    helpers = {"__main__", "fresh", "profile_files", "ratios"}
    rows = [
        line.replace("`", "")
        for line in TEXTS[f"notebooks/guide/{page}.md"].splitlines()
        if line.startswith("|")
    ]
    missing = [n for n in {*names} - helpers if not any(n in row for row in rows)]
    assert not missing


def test_every_room_is_described():
    rooms = [path.parent for path in ROOT.glob("mswidget/*/__init__.py")]
    rooms += [path for path in ROOT.glob("js/src/*") if path.is_dir()]
    text = TEXTS["CONTRIBUTING.md"]
    paths = [f"`{room.relative_to(ROOT)}/`" for room in rooms]
    assert [path for path in paths if path not in text] == []


def test_the_drawn_layers_are_those_that_are_checked():
    drawn = [
        line.split()
        for line in blocks(TEXTS["CONTRIBUTING.md"], "text")[0].splitlines()
    ]
    config = (ROOT / "pyproject.toml").read_text("utf-8")
    layers = config.partition("layers = [")[2].partition("]")[0]
    checked = [row.split(" | ") for row in re.findall(r'"(.+)"', layers)]
    assert [sorted(row) for row in drawn] == [sorted(row) for row in checked]
