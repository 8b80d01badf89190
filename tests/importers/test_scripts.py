"""Lines of scripts, trainers and launchers as people publish them."""

# ruff: noqa: ISC004 - a line of a log is one text

import pytest

from tests.importers.logs import curve, read, sample


def losses(rank):
    return [(step, value) for _, step, value in curve(rank)]


@pytest.mark.parametrize(
    ("line", "step", "values"),
    [
        (
            "{ step:[    1/   10], loss:  11.8, per_step_time:  135ms, lr: 1.0e-05, "
            "grad_norm:  13.8, throughput:   1.36T }",
            1,
            {
                "loss": 11.8,
                "step_time_ms": 135.0,
                "lr": 1e-5,
                "grad_norm": 13.8,
                "tflops_per_npu": 1.36,
            },
        ),
        ("train: Epoch:0, Step:5, Loss: 2.5", 5, {"loss": 2.5}),
        ("epoch: 1 step 20, loss is 0.8", 20, {"loss": 0.8}),
        ("epoch:1 step:20, loss is 0.8", 20, {"loss": 0.8}),
        ("epoch: 0, step: 0, loss is 0.8", 1, {"loss": 0.8}),
        (
            "epoch: [  0/200], step:[  624/  625], loss:[2.5/3.25], time:[45.5], "
            "lr:[0.1]",
            625,
            {"loss": 2.5, "loss_epoch_mean": 3.25, "step_time_ms": 45.5, "lr": 0.1},
        ),
        (
            "[SciAI] step: 100, loss: 0.5, interval: 2.0s",
            100,
            {"loss": 0.5, "interval": 2.0},
        ),
        ("epoch: 7 train loss: 0.5 epoch time: 1.5s", 7, {"loss": 0.5}),
        (
            "Epoch: [2/3], batch: [3/4], loss: 1.5, lr: 0.1, time: 0.86s",
            7,
            {"loss": 1.5, "lr": 0.1, "step_time_ms": 860.0},
        ),
        (
            "epoch: [2/3] step: [3/4], loss: 1.5, lr: 0.1, per step time: 86.5 ms",
            7,
            {"loss": 1.5, "lr": 0.1, "step_time_ms": 86.5},
        ),
        (
            "Epoch 2/3, Step 3/4, imgsize (640, 640), loss: 1.5, lbox: 0.5",
            7,
            {"loss": 1.5, "lbox": 0.5},
        ),
        (
            "mmdet - INFO - Epoch [2][3/4]\tlr: 1.0e-02, eta: 1:02:03, time: 0.25, "
            "data_time: 0.05, memory: 1000, loss_cls: 0.5, loss: 1.5",
            7,
            {
                "lr": 0.01,
                "step_time_ms": 250.0,
                "data_time_ms": 50.0,
                "loss/cls": 0.5,
                "loss": 1.5,
            },
        ),
        (
            "step:3 - actor/pg_loss:0.5 - actor/grad_norm:1.5",
            3,
            {"actor/pg_loss": 0.5, "actor/grad_norm": 1.5},
        ),
    ],
)
def test_a_line_of_a_known_form_is_read(tmp_path, line, step, values):
    (record,) = read(tmp_path, f"{line}\n").records
    assert record.step == step
    assert values.items() <= record.values.items()


def test_a_pynative_rank_without_loss_says_so_in_any_words(tmp_path):
    line = "{ step:[    1/   10], loss: N/A (last stage only), per_step_time: 135ms }\n"
    rank = read(tmp_path, line)
    assert "loss" not in rank.records[0].values
    assert "stage" in rank.why_no_loss


def test_lines_that_processes_glue_together_are_all_read(tmp_path):
    line = "epoch: 1 step: 1, loss is 0.8epoch: 1 step: 2, loss is 0.5\n"
    assert losses(read(tmp_path, line)) == [(1, 0.8), (2, 0.5)]


def test_what_hugging_face_prints_stands_at_the_step_of_its_bar(tmp_path):
    rank = read(tmp_path, sample("hugging_face.log"))
    assert losses(rank) == [(5, 1.25), (10, 0.75)]
    assert [step for _, step, _ in curve(rank, "eval/loss")] == [10]
    assert rank.begin["total_steps"] == 10


def test_what_hugging_face_prints_without_a_bar_is_said_to_be_counted(tmp_path):
    line = "{'loss': 1.25, 'learning_rate': 1e-05, 'epoch': 0.5}\n"
    rank = read(tmp_path, [line, line])
    assert [step for step, _ in losses(rank)] == [1, 2]
    assert any("no progress bar" in note for note in rank.notes)


def test_megatron_tells_validation_from_test(tmp_path):
    head = " validation loss at iteration 20 on {} set | lm loss value: {} |\n"
    rank = read(
        tmp_path,
        [
            " iteration 20/ 40 | lm loss: 9.0E+00 |\n",
            head.format("validation", "8.6E+00"),
            head.format("test", "8.7E+00"),
        ],
    )
    assert rank.records[0].values == {"loss": 9.0, "eval/loss": 8.6, "test/loss": 8.7}


def test_an_iteration_that_is_wrapped_is_read_to_its_end(tmp_path):
    lines = [
        " iteration        5/     100 | consumed samples: 40 | lm lo\n",
        "ss: 8.6E+00 | grad norm: 1.\n",
        "5 |\n",
        "saving | things: 3\n",
    ]
    (record,) = read(tmp_path, lines).records
    assert record.values == {"consumed_samples": 40.0, "loss": 8.6, "grad_norm": 1.5}


def test_json_lines_within_epochs_are_counted_through(tmp_path):
    lines = [
        f'{{"epoch": {epoch}, "iter": {step}, "loss": 0.5}}\n'
        for epoch in (0, 1)
        for step in (1, 2, 3)
    ]
    rank = read(tmp_path, lines)
    assert [step for step, _ in losses(rank)] == [1, 2, 3, 4, 5, 6]
    assert [r.epoch for r in rank.records] == [1, 1, 1, 2, 2, 2]


def test_json_lines_of_epochs_alone_are_steps_and_say_so(tmp_path):
    lines = [f'{{"epoch": {epoch}, "loss": 0.5}}\n' for epoch in (1, 2)]
    rank = read(tmp_path, lines)
    assert [step for step, _ in losses(rank)] == [1, 2]
    assert any("a step here is an epoch" in note for note in rank.notes)


def test_json_lines_of_wandb_have_a_step(tmp_path):
    line = '{"_step": 3, "_timestamp": 1796025601.5, "loss": 0.5}\n'
    (record,) = read(tmp_path, line).records
    assert (record.step, record.wall_time_s) == (3, 1796025601.5)


def test_a_number_of_few_seconds_is_no_time(tmp_path):
    rank = read(tmp_path, '{"step": 1, "time": 12.5, "loss": 0.5}\n')
    assert rank.records[0].wall_time_s > 1e9
    assert rank.records[0].values == {"loss": 0.5, "time": 12.5}
    assert any("no times" in note for note in rank.notes)


def test_a_time_in_seconds_is_in_milliseconds_and_of_a_step_without_a_sink(tmp_path):
    form = "Epoch:[  1/  2], step:[{:5}/   10], loss:[1.5/1.5], time:0.86s, lr:0.1\n"
    rank = read(tmp_path, [form.format(step) for step in (1, 2)])
    assert [v for *_, v in curve(rank, "step_time_ms")] == [860.0, 860.0]
    assert not curve(rank, "sink_time_ms")


def test_the_mean_loss_of_an_epoch_is_read(tmp_path):
    lines = [
        "epoch: 1 step: 5, loss is 0.5\n",
        "Epoch time: 500.0, per step time: 100.0, avg loss: 0.75\n",
    ]
    assert curve(read(tmp_path, lines), "loss_epoch_mean") == [("a1", 5, 0.75)]


def test_numbers_of_json_are_exact(tmp_path):
    lines = [f'{{"step": {s}, "loss": {v}}}\n' for s, v in ((1, 0.5), (2, 0.25))]
    rank = read(tmp_path, lines)
    assert not rank.rounding
    assert not any("as printed" in note for note in rank.notes)
