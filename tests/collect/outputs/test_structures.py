"""Every form that a train step may return, in real trainings of both modes."""

import json
import re

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops
from mindspore.train import Model

from mswidget import TrainMonitor
from tests.training import BATCH, MODE_NAMES, MODES, dataset

STEPS = 3


class Forms(nn.Cell):
    """Returns loss `a` = 1, 2, 3 and parts made of it, in one of many forms."""

    def __init__(self, form):
        super().__init__()
        self.form = form
        self.count = ms.Parameter(ms.Tensor(0, ms.float32), requires_grad=False)

    def construct(self, x, y):  # noqa: C901, PLR0911 - one branch a form
        a = self.count + 1 + 0 * (x.mean() + y.mean())
        a = ops.depend(a, ops.assign(self.count, a))
        if self.form == "scalar":
            return a
        if self.form == "tuple":
            return a, 2 * a, 3 * a
        if self.form == "list":
            return [a, 2 * a, 3 * a]
        if self.form == "nested":
            return a, (2 * a, (3 * a, 4 * a))
        if self.form == "dict":
            return {"loss": a, "ce": 2 * a, "损失": 3 * a}
        if self.form == "tuple with a dict":
            return a, {"ce": 2 * a}
        if self.form == "text":
            return a, "epoch", 2 * a
        if self.form == "vector":
            return ops.stack((a, 2 * a, 3 * a))
        if self.form == "unreduced":
            return a + 0 * y
        if self.form == "a part unreduced":
            return {"loss": a, "ce": 2 * a + 0 * y}
        if self.form == "half":
            return ops.cast(a, ms.float16), ops.cast(2 * a, ms.bfloat16)
        return ops.cast(a, ms.int32), ops.cast(2 * a, ms.int64), a > 2


A = np.array([1.0, 2.0, 3.0])
NAMED = {
    "scalar": {"loss": A},
    "tuple": {"loss/0": A, "loss/1": 2 * A, "loss/2": 3 * A, "loss": 6 * A},
    "list": {"loss/0": A, "loss/1": 2 * A, "loss/2": 3 * A, "loss": 6 * A},
    "nested": {"loss/0": A, "loss/1/1/1": 4 * A, "loss": 10 * A},
    "dict": {"loss": A, "loss/ce": 2 * A, "loss/损失": 3 * A},
    "tuple with a dict": {"loss/0": A, "loss/1/ce": 2 * A, "loss": 3 * A},
    "vector": {"loss": 2 * A},
    "unreduced": {"loss": A},
    "a part unreduced": {"loss": A, "loss/ce": 2 * A},
    "half": {"loss/0": A, "loss/1": 2 * A},
    "ints": {"loss/0": A, "loss/1": 2 * A, "loss/2": [0, 0, 1]},
}


@pytest.fixture(params=MODES, ids=MODE_NAMES)
def mode(request):
    ms.set_context(mode=request.param)


def train(network, folder, **options):
    monitor = TrainMonitor("run", folder, watch=False, **options)
    Model(network).train(1, dataset(STEPS), callbacks=[monitor])
    return monitor.run


def begin(run):
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    (found,) = (x for x in map(json.loads, lines) if x.get("event") == "train_begin")
    return found


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("form", NAMED)
def test_every_form_gives_its_curves(tmp_path, form):
    frame = train(Forms(form), tmp_path).to_pandas()
    for name, values in NAMED[form].items():
        np.testing.assert_allclose(frame[name], values, err_msg=name)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize(
    ("form", "parts", "expected"),
    [
        ("tuple", ["ce", "bbox"], {"loss": A, "loss/ce": 2 * A, "loss/bbox": 3 * A}),
        ("tuple", ["a", "b", "c"], {"loss/a": A, "loss/c": 3 * A, "loss": 6 * A}),
        ("vector", ["ce", "bbox"], {"loss": A, "loss/ce": 2 * A, "loss/bbox": 3 * A}),
        ("vector", ["a", "b", "c"], {"loss/a": A, "loss/c": 3 * A, "loss": 6 * A}),
    ],
)
def test_parts_name_a_tuple_and_a_vector(tmp_path, form, parts, expected):
    frame = train(Forms(form), tmp_path, parts=parts).to_pandas()
    for name, values in expected.items():
        np.testing.assert_allclose(frame[name], values, err_msg=name)


@pytest.mark.usefixtures("mode")
def test_outputs_name_all_values_as_they_are(tmp_path):
    run = train(Forms("tuple"), tmp_path, outputs=["loss", "", "grad_norm"])
    frame = run.to_pandas()
    np.testing.assert_allclose(frame["grad_norm"], 3 * A)
    assert not [name for name in frame if name.startswith("loss/")]


@pytest.mark.usefixtures("mode")
def test_text_among_the_outputs_is_counted_and_the_rest_drawn(tmp_path):
    run = train(Forms("text"), tmp_path)
    frame = run.to_pandas()
    np.testing.assert_allclose(frame["loss/2"], 2 * A)
    assert any("loss/1: no number" in text for text in run.notices)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("vector", "loss is derived: the mean of the 3 values"),
        ("unreduced", f"loss is derived: the mean of the {BATCH} values"),
        ("a part unreduced", f"loss/ce is derived: the mean of the {BATCH} values"),
    ],
)
def test_a_mean_that_was_taken_is_told(tmp_path, form, words):
    (notice,) = train(Forms(form), tmp_path).notices
    assert words in notice


class Turning(Forms):
    """Returns another form from its third step on."""

    def __init__(self, form, later):
        super().__init__(form)
        self.later = later
        self.calls = 0

    def construct(self, x, y):
        self.calls += 1
        if self.calls == STEPS:
            self.form = self.later
        return super().construct(x, y)


MEAN = "loss is derived: the mean of the 3 values that were returned"


@pytest.mark.parametrize(
    ("forms", "values", "told"),
    [
        (
            ("scalar", "vector"),
            [1, 2, 6],
            ["at step 3 the train step returned Float32[3], and Float32[] before: "],
        ),
        (
            ("vector", "scalar"),
            [2, 4, 3],
            [MEAN, "at step 3 the train step returned Float32[], and Float32[3] "],
        ),
        (
            ("scalar", "tuple"),
            [1, 2, 18],
            ["at step 3 the train step returned (Float32[], Float32[], Float32[]), "],
        ),
    ],
)
def test_a_loss_that_changes_its_form_says_so(tmp_path, forms, values, told):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    run = train(Turning(*forms), tmp_path)
    assert run.to_pandas()["loss"].tolist() == values
    assert len(run.notices) == len(told)
    for notice, words in zip(run.notices, told, strict=True):
        assert notice.startswith(words)
    assert re.search("derived|doubtful|as they are", run.notices[-1])


def test_the_structure_found_stands_in_the_begin(tmp_path):
    found = begin(train(Forms("dict"), tmp_path))["outputs"]
    single = "Float32[]"
    assert found["structure"] == (
        f"{{'loss': {single}, 'ce': {single}, '损失': {single}}}"
    )
    assert found["curves"] == ["loss", "loss/ce", "loss/损失"]
    assert found["loss_valid"] is True


class HasAux(nn.Cell):
    """Hands parts out of `value_and_grad` as an auxiliary tuple, in a dict."""

    def __init__(self):
        super().__init__(auto_prefix=False)
        self.dense = nn.Dense(3, 1)
        self.optimizer = nn.SGD(self.dense.trainable_params(), 0.1)
        self.grad = ms.value_and_grad(
            self.losses, None, self.optimizer.parameters, has_aux=True
        )

    def losses(self, x, y):
        error = self.dense(x) - y
        return ops.square(error).mean(), ops.abs(error).mean()

    def construct(self, x, y):
        (loss, mae), grads = self.grad(x, y)
        return {"loss": ops.depend(loss, self.optimizer(grads)), "mae": mae}


@pytest.mark.usefixtures("mode")
def test_auxiliary_values_are_parts(tmp_path):
    frame = train(HasAux(), tmp_path).to_pandas()
    assert len(set(frame["loss/mae"])) == STEPS
    assert (frame["loss/mae"] <= np.sqrt(frame["loss"]) + 1e-6).all()


class LossScaled(nn.TrainOneStepWithLossScaleCell):
    """Stands for its base, which cannot run on a CPU: it returns what that does."""

    def __init__(self, returns):
        network = nn.WithLossCell(nn.Dense(3, 1), nn.MSELoss())
        optimizer = nn.SGD(network.trainable_params(), 0.1)
        super().__init__(network, optimizer, ms.Tensor(1024, ms.float32))
        self.returns = returns

    def construct(self, x, y):
        loss = self.network(x, y)
        if self.returns == "its own":
            return loss, loss < 0, self.scale_sense
        return loss, 2 * loss, 3 * loss


@pytest.mark.usefixtures("mode")
def test_a_loss_scale_step_is_known_by_its_type(tmp_path):
    frame = train(LossScaled("its own"), tmp_path).to_pandas()
    assert frame["overflow"].tolist() == [0.0] * STEPS
    assert frame["loss_scale"].tolist() == [1024.0] * STEPS
    assert frame["loss"].notna().all()
    assert not [name for name in frame if name.startswith("loss/")]


def test_a_step_made_from_it_that_returns_losses_is_not_taken_for_it(tmp_path):
    frame = train(LossScaled("three losses"), tmp_path).to_pandas()
    assert "overflow" not in frame
    np.testing.assert_allclose(frame["loss/2"], 3 * frame["loss/0"], rtol=1e-6)
