"""Values in a line."""

from mswidget.pictures.caption import caption


def test_values_that_are_infinite_are_shown_so():
    assert caption({"loss": float("nan"), "lr": float("-inf")}) == [
        "loss NaN",
        "lr -inf",
    ]


def test_many_values_are_counted():
    many = caption({f"loss/{part}": 1.0 for part in range(40)})
    assert many[-1] == "(+30)"
    assert len(many) == 11
