import json
import re
from pathlib import Path

from mswidget.drawing.palette import LIGHT, look_of

ROOT = Path(__file__).parents[2]
FILE = ROOT / "mswidget/drawing/palette.json"
HEX = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6})\b")


def test_no_two_of_many_ranks_look_alike():
    looks = [look_of(0, rank, several=False) for rank in range(48)]
    assert len(set(looks)) == len(looks)
    assert len({look.colour for look in looks[::8]}) == len(looks[::8])


def test_both_themes_have_as_many_colours_all_different():
    light, dark = json.loads(FILE.read_text())["curves"].values()
    assert tuple(light) == LIGHT
    assert len(light) == len(dark) == len({*light}) == len({*dark})


def test_a_colour_is_written_in_the_palette_only():
    sources = [
        *(ROOT / "mswidget").rglob("*.py"),
        *(p for p in (ROOT / "js/src").rglob("*") if p.suffix in (".js", ".css")),
    ]
    written = {
        str(path.relative_to(ROOT)): HEX.findall(path.read_text("utf-8"))
        for path in sources
        if not path.name.endswith(".test.js")
    }
    assert len(written) > 200
    assert {path: colours for path, colours in written.items() if colours} == {}
