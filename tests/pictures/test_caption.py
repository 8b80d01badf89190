"""Values in a line."""

from mswidget.pictures.caption import caption


def test_values_that_are_infinite_are_shown_so():
    assert caption({"loss": float("nan"), "lr": float("-inf")}) == [
        "loss NaN",
        "lr -inf",
    ]


def test_names_in_a_line_are_told_apart():
    ends = ["x" * 299 + end for end in "ab"]
    found = caption(dict.fromkeys(["loss/a", "a", "", "loss/", "b ", *ends], 1.0))
    assert {"loss/a 1", "a 1", '"" 1', "loss/ 1", "b␣ 1"} <= {*found}
    assert len({*found}) == 7
    assert max(map(len, found)) < 70


def test_many_values_are_counted():
    many = caption({f"loss/{part}": 1.0 for part in range(40)})
    assert many[-1] == "(+30)"
    assert len(many) == 11
