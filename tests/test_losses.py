"""How the values that a train step returns are named."""

import numpy as np
import pytest

from mswidget.collect.losses import OutputNamer


class Reading:
    """Stands for a device tensor: counts how often it is read."""

    def __init__(self, value):
        self.value = value
        self.reads = 0

    def asnumpy(self):
        self.reads += 1
        return np.float32(self.value)


@pytest.mark.parametrize(
    ("outputs", "parts", "names"),
    [
        (1.0, None, ["loss"]),
        ((1.0,), None, ["loss"]),
        ((1.0, 2.0), None, ["loss/0", "loss/1", "loss"]),
        ([1.0, 2.0], None, ["loss/0", "loss/1", "loss"]),
        ((3.0, 1.0, 2.0), ["ce", "bbox"], ["loss", "loss/ce", "loss/bbox"]),
        ((1.0, 2.0), ["ce", "bbox"], ["loss/ce", "loss/bbox", "loss"]),
        ((3.0, (1.0, 2.0)), ["aux"], ["loss", "loss/aux/0", "loss/aux/1"]),
        ((3.0, {"ce": 1.0}), None, ["loss/0", "loss/1/ce", "loss"]),
        ({"loss": 3.0, "ce": 1.0}, None, ["loss", "loss/ce"]),
        ({"loss": 3.0, "损失": 1.0}, None, ["loss", "loss/损失"]),
        ({"loss": 3.0, "loss/ce": 1.0}, None, ["loss", "loss/ce"]),
        ({"loss": 3.0, "loss_ce": 1.0}, None, ["loss", "loss/loss_ce"]),
        ({"loss": 3.0, "grad_norm": 1.0, "lr": 0.1}, None, ["loss", "grad_norm", "lr"]),
        ({"ce": 1.0, "bbox": 2.0}, None, ["loss/ce", "loss/bbox", "loss"]),
        ({"loss": 3.0, "aux": {"a": 1.0}}, None, ["loss", "loss/aux/a"]),
        (
            {"loss": 3.0, "ce": 1.0, "loss/ce": 2.0},
            None,
            ["loss", "loss/ce", "loss/ce'"],
        ),
        ((), None, []),
        ({"lr": 0.1}, None, ["lr"]),
    ],
)
def test_outputs_get_their_names(outputs, parts, names):
    assert list(OutputNamer(parts)(outputs)) == names


def test_a_loss_that_was_not_returned_is_the_sum_of_its_parts():
    namer = OutputNamer(["ce", "bbox"])
    outputs = (Reading(0.5), Reading(0.25))
    assert namer(outputs)["loss"].asnumpy() == 0.75
    assert namer.naming(outputs).terms == (0, 1)


def test_a_derived_loss_leaves_out_what_is_no_loss():
    outputs = {"ce": 1.0, "grad_norm": 100.0, "bbox": 2.0}
    assert OutputNamer()(outputs)["loss"].asnumpy() == 3.0


def test_a_returned_loss_is_not_marked_as_derived():
    assert OutputNamer(["ce"]).naming((1.0, 2.0)).terms == ()


def test_naming_reads_no_tensor():
    outputs = (Reading(1), Reading(2))
    OutputNamer()(outputs)
    assert [output.reads for output in outputs] == [0, 0]


def test_parts_that_do_not_fit_are_told_and_the_values_numbered():
    naming = OutputNamer(["ce"]).naming((1.0, 2.0, 3.0))
    assert "names 1 values (ce)" in naming.problem
    assert "returned 3 values" in naming.problem
    assert naming.names == ("loss/0", "loss/1", "loss/2")


def test_parts_for_a_single_loss_are_told():
    assert "no tuple" in OutputNamer(["ce"]).naming(1.0).problem


def test_a_structure_that_changes_is_named_anew():
    namer = OutputNamer()
    assert list(namer(1.0)) == ["loss"]
    assert list(namer({"loss": 1.0, "ce": 2.0})) == ["loss", "loss/ce"]


@pytest.mark.parametrize("bad", [None, "text", np.array(["a", "b"])])
def test_a_part_that_is_no_number_makes_the_derived_loss_unreadable(bad):
    values = OutputNamer()((1.0, bad))
    with pytest.raises(ValueError, match=r"None|text|not of numbers"):
        values["loss"].asnumpy()
