"""MindFormers, imitated: see `tests.mindformers_like`."""

import json
import sys
from types import ModuleType
from typing import ClassVar

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from mindspore.nn.wrap.cell_wrapper import GradAccumulationCell
from mindspore.parallel.auto_parallel import AutoParallel
from mindspore.train import Model

from mswidget import TrainMonitor, load_run
from mswidget.collect.parallel import find_share
from tests.mindformers_like import MFLossMonitor, Register, TrainStep, install
from tests.training import AtStep, dataset

STEPS = 3
LOSSES = np.array([8.0, 16.0, 24.0])


@pytest.fixture(autouse=True)
def _pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield
    ms.reset_auto_parallel_context()


@pytest.fixture
def register(monkeypatch):
    register = Register()
    install(monkeypatch, register)
    return register


def train(folder, step, *callbacks, behind=(), **options):
    monitor = TrainMonitor("run", folder, watch=False, **options)
    callbacks = [*callbacks, monitor, *behind]
    Model(step).train(1, dataset(STEPS), callbacks=callbacks)
    return monitor.run


def begin(run):
    lines = (run.path / "rank_0.jsonl").read_text(encoding="utf-8").splitlines()
    (found,) = (x for x in map(json.loads, lines) if x.get("event") == "train_begin")
    return found["outputs"]


@pytest.mark.parametrize("count", [3, 4, 5, 7])
def test_its_train_step_is_known_by_its_type(tmp_path, count):
    run = train(tmp_path, TrainStep(count))
    frame = run.to_pandas()
    assert frame["loss"].tolist() == LOSSES.tolist()
    assert frame["overflow"].tolist() == [0.0] * STEPS
    assert frame["loss_scale"].tolist() == [1024.0] * STEPS
    # The rate that the step returns goes before that of the optimizer.
    assert frame["lr"].tolist() == pytest.approx([0.5 if count > 3 else 0.1] * STEPS)
    assert begin(run)["curves"][:3] == ["loss", "overflow", "loss_scale"]
    assert run.notices == []


class Branching(nn.learning_rate_schedule.LearningRateSchedule):
    """Cannot be computed ahead, as some of MindFormers' own."""

    calls = 0

    def construct(self, global_step):
        type(self).calls += 1
        return ms.Tensor(0.5 if global_step < 3 else 0.25, ms.float32)


def test_a_rate_that_the_step_tells_is_not_asked_for(tmp_path):
    step = TrainStep(5)
    step.optimizer = nn.SGD(step.network.trainable_params(), Branching())
    train(tmp_path, step)
    before = Branching.calls
    step.optimizer.learning_rate(ms.Tensor([0], ms.int32))
    assert Branching.calls == before + 1  # calls are counted
    assert before <= 2  # a table is tried, then the first step


def test_of_another_length_only_the_loss_is_taken(tmp_path):
    frame = train(tmp_path, TrainStep(6)).to_pandas()
    assert frame["loss"].tolist() == LOSSES.tolist()
    assert "overflow" not in frame


class Plain(nn.Cell):
    """Returns the same tuple, and is no cell of MindFormers."""

    def __init__(self):
        super().__init__()
        self.step = TrainStep(5)

    def construct(self, x, y):
        return self.step.construct(x, y)


def test_the_length_of_a_tuple_says_nothing(tmp_path):
    run = train(tmp_path, Plain())
    frame = run.to_pandas()
    assert "overflow" not in frame
    assert "loss/3" in frame
    assert "loss" not in frame  # a flag is among them: their sum means nothing
    assert "no loss is shown: the train step returned 5 values" in run.notices[0]


def older(kind):
    """Make it a copy of MindFormers' own, as its first versions had it."""

    class MFPipelineWithLossScaleCell(nn.TrainOneStepCell):
        def __init__(self):
            step = TrainStep(4)
            super().__init__(step.network, step.optimizer)
            self.step = step

        def construct(self, x, y):
            outputs = self.step.construct(x, y)
            return outputs if kind == "its own" else tuple(2.0 * v for v in outputs)

    return MFPipelineWithLossScaleCell()


def test_an_older_train_step_is_known_by_its_name(tmp_path):
    frame = train(tmp_path, older("its own")).to_pandas()
    assert frame["loss"].tolist() == LOSSES.tolist()
    assert frame["loss_scale"].tolist() == [1024.0] * STEPS
    assert frame["lr"].tolist() == [0.5] * STEPS


def test_a_name_alone_makes_no_layout(tmp_path):
    frame = train(tmp_path, older("four losses")).to_pandas()
    assert "overflow" not in frame
    assert "loss/3" in frame


def test_the_user_may_say_that_it_is_mindformers(tmp_path):
    frame = train(tmp_path, Plain(), outputs="mindformers").to_pandas()
    assert frame["loss"].tolist() == LOSSES.tolist()
    assert frame["loss_scale"].tolist() == [1024.0] * STEPS


@pytest.mark.parametrize("per_token", [False, True])
def test_the_loss_is_what_its_own_monitor_prints(tmp_path, per_token):
    own = MFLossMonitor(accumulation=4, interleave=2, per_token=per_token)
    run = train(tmp_path, TrainStep(5), own)
    frame = run.to_pandas()
    assert frame["loss"].tolist() == [row["loss"] for row in own.printed]
    assert frame["loss_raw"].tolist() == LOSSES.tolist()
    assert begin(run)["loss_divisor"] == (2 if per_token else 8)
    assert begin(run)["loss_divisors"]["micro_batch_interleave_num"] == 2
    assert "micro_batch_interleave_num = 2" in run.notices[0]


def share(step, *callbacks, rank=0, size=1):
    params = {"train_network": step, "list_callback": callbacks, "device_number": size}
    return find_share(params, rank)


def test_without_its_monitor_the_cells_tell_the_divisors():
    ms.set_auto_parallel_context(pipeline_stages=2)
    step = TrainStep(5)
    step.network = nn.PipelineCell(nn.MicroBatchInterleaved(step.network, 2), 4)
    assert share(step).divisors == {
        "micro_batch_interleave_num": 2,
        "micro_batch_num": 4,
    }


def test_accumulation_without_a_pipeline_divides_too():
    step = TrainStep(5)
    step.network = GradAccumulationCell(step.network, 3)
    assert share(step).divisors == {"gradient_accumulation_steps": 3}


def test_micro_batches_count_in_a_pipeline_only():
    own = MFLossMonitor(micro_batch_num=4)
    assert share(TrainStep(5), own).divisor == 1
    ms.set_auto_parallel_context(pipeline_stages=2)
    assert share(TrainStep(5), own).divisor == 4


def test_a_pipeline_of_auto_parallel_is_seen():
    parallel = AutoParallel(TrainStep(5), parallel_mode="semi_auto")
    parallel.pipeline(stages=2)
    assert "stage 1 of 2" in share(parallel, rank=0, size=4).why_no_loss
    assert not share(parallel, rank=3, size=4).why_no_loss


def test_a_rank_without_the_loss_shows_none_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK_ID", "0")
    monkeypatch.setenv("RANK_SIZE", "4")
    ms.set_auto_parallel_context(pipeline_stages=2)
    run = train(tmp_path, TrainStep(5), display=False)
    frame = load_run(run.path).to_pandas()
    assert not [
        name for name in frame if name.startswith("loss") and name != "loss_scale"
    ]
    assert frame["loss_scale"].tolist() == [1024.0] * STEPS
    assert begin(run)["loss_valid"] is False
    assert "ranks 2 to 3" in run.notices[0]


@pytest.mark.parametrize("order", ["before", "behind", "alone"])
@pytest.mark.parametrize("log_interval", [1, 3])
def test_separate_losses_are_read_and_left_to_its_own_monitor(
    tmp_path, register, order, log_interval
):
    own = MFLossMonitor(register)
    around = {"before": ([own], []), "behind": ([], [own]), "alone": ([], [])}
    before, behind = around[order]
    step = TrainStep(5, register)
    run = train(tmp_path, step, *before, behind=behind, log_interval=log_interval)
    frame = run.to_pandas()
    expected = [4.0, 8.0, 12.0] if log_interval == 1 else [12.0]
    if order == "alone" and log_interval == 3:  # nobody clears: a mean of the three
        expected = [8.0]
    assert frame["loss/lm"].tolist() == expected
    assert set(frame["loss/load_balancing"]) == {2.0}
    assert "loss/mtp" not in frame
    assert [row["lm_loss"] for row in own.printed] == [4.0, 8.0, 12.0][
        : len(own.printed)
    ]
    assert "clear" not in vars(register)


def test_separate_losses_are_divided_as_the_loss_is(tmp_path, register):
    own = MFLossMonitor(register, accumulation=4)
    run = train(tmp_path, TrainStep(5, register), own)
    assert run.to_pandas()["loss/lm"].tolist() == [1.0, 2.0, 3.0]


def test_a_broken_register_never_ends_the_training(tmp_path, register, monkeypatch):
    monkeypatch.setattr(register, "get", lambda name: {}[name])
    run = train(tmp_path, TrainStep(5, register))
    assert run.to_pandas()["loss"].tolist() == LOSSES.tolist()
    assert "separate losses failed" in run.notices[0]


def test_a_register_that_breaks_on_the_way_is_left_as_it_was(
    tmp_path, register, monkeypatch
):
    def breaks(_):
        monkeypatch.setattr(register, "get", lambda name: {}[name])

    left = []
    look = AtStep(3, lambda _: left.append("clear" not in vars(register)))
    run = train(tmp_path, TrainStep(5, register), AtStep(2, breaks), behind=[look])
    assert left == [True]
    assert "separate losses failed" in run.notices[0]


def test_initial_step_on_resume_goes_on_counting(tmp_path):
    model = Model(TrainStep(5))
    model._initial_step = 100  # as MindFormers' trainer sets it
    monitor = TrainMonitor("run", tmp_path, watch=False)
    model.train(1, dataset(STEPS), callbacks=[monitor])
    assert monitor.run.to_pandas().index.tolist() == [101, 102, 103]


class Registry:
    """Stands for `MindFormerRegister`: keeps what is registered."""

    found: ClassVar = {}

    @classmethod
    def register_cls(cls, register_class, module_type):
        cls.found[module_type, register_class.__name__] = register_class
        return register_class


def test_importing_registers_the_monitor_for_its_yaml(monkeypatch):
    tools = ModuleType("mindformers.tools.register")
    tools.MindFormerRegister = Registry
    tools.MindFormerModuleType = type("Types", (), {"CALLBACK": "callback"})
    for name in ("mindformers", "mindformers.tools"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, tools.__name__, tools)
    monkeypatch.delitem(sys.modules, "mswidget.collect.mindformers", raising=False)
    import mswidget.collect.mindformers  # noqa: F401, PLC0415 - what is tested

    assert Registry.found["callback", "TrainMonitor"] is TrainMonitor


def test_without_mindformers_the_import_says_so(monkeypatch):
    monkeypatch.delitem(sys.modules, "mswidget.collect.mindformers", raising=False)
    with pytest.raises(ImportError, match="MindFormers"):
        import mswidget.collect.mindformers  # noqa: F401, PLC0415 - what is tested
