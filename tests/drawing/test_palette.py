import json
from pathlib import Path

from mswidget.drawing.palette import LIGHT, colour

FILE = Path(__file__).parents[2] / "mswidget/drawing/palette.json"


def test_a_number_keeps_its_colour():
    assert colour(0) == LIGHT[0]
    assert colour(len(LIGHT) + 1) == LIGHT[1]


def test_both_themes_have_as_many_colours_all_different():
    light, dark = json.loads(FILE.read_text()).values()
    assert len(light) == len(dark) == len({*light}) == len({*dark})
