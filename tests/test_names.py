"""No two concepts have one name."""

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "mswidget"
ON_THE_WIRE = {"Column", "Command"}
"""`Column` is one of a profile, too; `Command` is what a reader says in words."""


def test_no_two_classes_have_one_name():
    names = Counter(
        node.name.lstrip("_")
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert len(names) > 100
    assert {name for name, count in names.items() if count > 1} <= ON_THE_WIRE
