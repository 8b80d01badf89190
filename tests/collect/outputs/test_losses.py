"""How the values that a train step returns are named."""

import math

import numpy as np
import pytest

from mswidget.collect.outputs.losses import OutputNamer, structure
from mswidget.records.values import to_float


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


def test_a_sum_of_what_has_no_names_is_doubtful_unless_the_step_optimises_it():
    outputs = (1.0, 2.0, 3.0, 4.0)
    (doubt,) = OutputNamer().explain(outputs)
    assert "loss is doubtful: the train step returned 4 values without names" in doubt
    (known,) = OutputNamer(summed=True).explain(outputs)
    (named,) = OutputNamer(["a", "b", "c", "d"]).explain(outputs)
    assert known.startswith("loss is derived: loss/0 + loss/1")
    assert named.startswith("loss is derived: loss/a + loss/b")


@pytest.mark.parametrize("flag", [True, np.bool_(0), np.array([1]) > 0])
def test_values_of_which_one_is_a_flag_are_no_losses_to_add_up(flag):
    namer = OutputNamer()
    outputs = (1.0, flag, 1024.0, 0.1)
    assert list(namer(outputs)) == ["loss/0", "loss/1", "loss/2", "loss/3"]
    assert "no loss is shown" in namer.explain(outputs)[0]


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


def test_each_form_is_explained_once():
    told = []
    namer = OutputNamer(on_form=lambda outputs, texts: told.append((outputs, texts)))
    vector, scalar = np.array([1.0, 3.0]), np.array(1.0)
    for outputs in (scalar, scalar, vector, np.ones(5), scalar, (1.0,), vector):
        namer(outputs)
    mean = "loss is derived: the mean of the 2 values that were returned"
    assert [texts for _, texts in told] == [[], [mean], []]
    assert told[1][0] is vector


@pytest.mark.parametrize("bad", [None, "text", np.array(["a", "b"])])
def test_a_part_that_is_no_number_makes_the_derived_loss_unreadable(bad):
    values = OutputNamer()((1.0, bad))
    with pytest.raises(ValueError, match=r"None|text|not of numbers"):
        values["loss"].asnumpy()


@pytest.mark.parametrize(
    ("outputs", "names", "found"),
    [
        ((1.0, 2.0), ["loss", "grad_norm"], ["loss", "grad_norm"]),
        ([1.0, 2.0, 3.0], ["loss", "", "lr"], ["loss", "lr"]),
        (1.0, ["perplexity"], ["perplexity"]),
        ((1.0, (2.0, 3.0)), ["loss", "aux"], ["loss", "aux/0", "aux/1"]),
        ((1.0, 2.0), ["same", "same"], ["same", "same'"]),
        ((1.0, False, 8.0), "loss_scale", ["loss", "overflow", "loss_scale"]),
        ((1.0, False, 8.0, 2.0), "loss_scale", ["loss", "overflow", "loss_scale"]),
        (
            (1.0, False, 8.0, 0.1, 2.0),
            "mindformers",
            ["loss", "overflow", "loss_scale", "lr", "grad_norm"],
        ),
        (
            (1.0, False, 8.0, 0.1, None, np.ones(3), np.ones(3)),
            "mindformers",
            ["loss", "overflow", "loss_scale", "lr"],
        ),
        ((1.0, 2.0), "mindformers", ["loss"]),
        (1.0, "mindformers", ["loss"]),
    ],
)
def test_all_values_may_be_named(outputs, names, found):
    assert list(OutputNamer(outputs=names)(outputs)) == found


def test_names_for_all_that_do_not_fit_are_told_and_the_values_numbered():
    naming = OutputNamer(outputs=["loss"]).naming((1.0, 2.0))
    assert "outputs names 1 values (loss)" in naming.problem
    assert naming.names == ("loss/0", "loss/1")


def test_a_vector_is_its_mean_and_says_so():
    namer = OutputNamer()
    vector = np.array([1.0, 2.0, 6.0], np.float16)
    assert namer(vector)["loss"].asnumpy() == 3.0
    assert namer.explain(vector) == [
        "loss is derived: the mean of the 3 values that were returned"
    ]


def test_one_value_in_an_array_is_no_mean():
    assert OutputNamer().explain(np.array([1.0])) == []
    assert OutputNamer()(np.array([1.0]))["loss"].asnumpy() == 1.0


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_mean_of_what_is_not_finite_is_not_finite(value):
    mean = OutputNamer()(np.array([1.0, value]))["loss"].asnumpy()
    assert mean == value or (math.isnan(mean) and math.isnan(value))


def test_an_array_without_values_is_bad():
    with pytest.raises(ValueError, match="without values"):
        OutputNamer()(np.zeros((0, 3)))["loss"].asnumpy()


def test_activations_are_neither_read_nor_drawn():
    class Logits:
        shape = (64, 50_000)

        def asnumpy(self):
            pytest.fail("a copy of megabytes in each step")

    namer = OutputNamer()
    outputs = {"loss": 1.0, "logits": Logits()}
    assert namer(outputs) == {"loss": 1.0}
    assert "3,200,000 values" in namer.explain(outputs)[0]


def test_parts_name_the_elements_of_a_vector():
    values = OutputNamer(["ce", "bbox"])(np.array([3.0, 1.0, 2.0]))
    read = {name: to_float(value) for name, value in values.items()}
    assert read == {"loss": 3.0, "loss/ce": 1.0, "loss/bbox": 2.0}


def test_a_vector_of_another_length_is_not_taken_apart():
    values = OutputNamer(["ce", "bbox"])(np.ones(8))
    assert list(values) == ["loss"]


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        (np.float32(1), "float32[]"),
        ((np.zeros((4, 1)), "text"), "(float64[4, 1], str)"),
        ([None, {"a": 1}], "[NoneType, {'a': int}]"),
    ],
)
def test_a_structure_is_said_in_words(outputs, words):
    assert structure(outputs) == words
