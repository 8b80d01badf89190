import pytest

from mswidget.collect.options.weight_options import WeightOptions


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"watch": 3}, "patterns of parameter names"),
        ({"watch": [3]}, "patterns of parameter names"),
        ({"watch": None}, "patterns of parameter names"),
        ({"interval": 0}, "at least 1"),
        ({"interval": 2.5}, "at least 1"),
        ({"gradients": "yes"}, "True or False"),
    ],
)
def test_what_makes_no_sense_is_told(options, words):
    with pytest.raises(ValueError, match=words):
        WeightOptions(**options)
