"""What each format says: names, steps, epochs, times, events."""

import math

import pytest

from mswidget.importers.format_table import FORMATS, format_at
from mswidget.saved.reader import load_run
from tests.importers.logs import BY_FORMAT, NAMES, SAMPLES, curve, read, sample


@pytest.mark.parametrize("kind", FORMATS, ids=NAMES)
def test_every_format_has_a_sample_that_only_it_claims(kind):
    path = SAMPLES / BY_FORMAT[kind.name]
    assert format_at(path) is kind
    (rank,) = load_run(path).ranks.values()
    assert len(rank.history) > 0
    assert rank.events[0].fields["source"] == kind.name


def test_a_mindformers_log_is_read_with_its_parts(tmp_path):
    rank = read(tmp_path, sample("mindformers.log"))
    first = rank.records[0].values
    assert (first["loss"], first["loss/lm"]) == (1.659948, 1.601213)
    assert (first["loss/mtp"], first["loss/load_balancing"]) == (0.047711, 0.011024)
    assert (first["lr"], first["lr/group_0"]) == (1e-6, 5e-7)
    assert (first["step_time_ms"], first["samples_per_s"]) == (454.0, 8.8024)
    assert first["local_norm/model.layers.0.weight"] == 0.25
    assert first["micro_local_lm_loss/2"] == 1.61


def test_what_mindformers_wrote_itself_is_one_row_a_step(tmp_path):
    for name in ("parts", "state", "skip", "pipeline"):
        rank = read(tmp_path, sample(f"mindformers_{name}.log"), f"{name}.log")
        assert [r.step for r in rank.records] == list(range(1, 11))
        assert [step for _, step, _ in curve(rank)] == list(range(1, 11))


def test_grouped_learning_rates_of_mindformers_have_names(tmp_path):
    first, *_ = read(tmp_path, sample("mindformers_parts.log")).records
    rates = {n: v for n, v in first.values.items() if n.startswith("lr")}
    assert rates == {
        "lr": 0.001,
        "lr/default": 0.001,
        "lr/group_0": 5e-4,
        "lr/group_1": 1e-4,
    }


def test_what_the_state_monitor_of_mindformers_says_is_read(tmp_path):
    first, *_ = read(tmp_path, sample("mindformers_state.log")).records
    assert first.values["local_norm/net.weight"] == 0.5
    assert first.values["micro_local_lm_loss/2"] == 1.6
    assert first.values["throughput_linearity"] == 0.98


def test_steps_of_mindformers_are_counted_through_the_epochs(tmp_path):
    rank = read(tmp_path, sample("mindformers.log"))
    assert [(r.epoch, r.step) for r in rank.records] == [(1, 1), (1, 2), (1, 3), (2, 4)]
    assert rank.events[0].fields["total_steps"] == 6


def test_mindformers_says_nan_infinity_and_nothing(tmp_path):
    rank = read(tmp_path, sample("mindformers.log"))
    second, third = rank.records[1].values, rank.records[2].values
    assert math.isnan(second["loss"])
    assert second["grad_norm"] == math.inf
    assert "grad_norm" not in third


def test_data_that_mindformers_skips_is_marked(tmp_path):
    rank = read(tmp_path, sample("mindformers_skip.log"))
    marks = [(e.name, e.step) for e in rank.events]
    spikes = [step for _, step, norm in curve(rank, "grad_norm") if norm > 1]
    assert marks == [("train_begin", 0), *(("skipped", step) for step in spikes)]
    assert 0 < len(spikes) < 10


def test_mindformers_with_a_data_sink_stands_at_its_true_steps(tmp_path):
    rank = read(tmp_path, sample("mindformers_sink.log"))
    assert curve(rank) == [("a1", 5, 0.159235), ("a1", 10, 0.022501)]
    assert rank.records[0].values["samples_per_s"] == 689.99449


def test_older_mindformers_lines_are_read(tmp_path):
    lines = [
        (
            "[INFO] 2023-07-11 10:48:37,162 [callback.py:269] print_output_info: "
            "Epoch:[  1/  1], step:[  116/  125], loss:[2.220/2.230], time:1951.612 "
            "ms, lr:[2.4499998e-06], overflow cond: False, loss_scale: 16384.0\n"
        ),
        (
            "[INFO] 2023-07-11 10:48:37,163 [callback.py:146] epoch_end: Per sink_size "
            "step time: 1963.915 ms, per step time: 490.979 ms, avg loss: 2.220\n"
        ),
    ]
    assert read(tmp_path, lines).records[0].values == {
        "loss": 2.22,
        "loss_epoch_mean": 2.23,
        "sink_time_ms": 1951.612,
        "lr": 2.4499998e-06,
        "overflow": 0.0,
        "loss_scale": 16384.0,
        "step_time_ms": 490.979,
    }


def test_the_pynative_trainer_tells_a_missing_norm_from_nan(tmp_path):
    rank = read(tmp_path, sample("mindformers_pynative.log"))
    first, _, third, *_, seventh, _, _, _ = (r.values for r in rank.records)
    assert (first["loss"], first["loss/mtp_2"], first["lr"]) == (1.9, 0.42, 1e-3)
    assert first["max_attention_logit/mean"] == 11.5
    assert "grad_norm" not in third
    assert math.isnan(seventh["grad_norm"])
    assert math.isnan(seventh["loss"])


def test_a_pynative_rank_without_loss_says_so(tmp_path):
    line = (
        "{ step:[    1/  100], consumed_samples: None, global_batch_size: None, "
        "loss: N/A (non-last PP stage, refer to last stage for real loss), "
        "per_step_time:    454ms, grad_norm: NaN }\n"
    )
    rank = read(tmp_path, line)
    assert rank.records[0].values == {"step_time_ms": 454.0}
    assert "stage" in rank.events[0].fields["loss_invalid_because"]


def test_megatron_says_losses_evaluations_and_what_was_skipped(tmp_path):
    rank = read(tmp_path, sample("megatron.log"))
    first, second, third = (record.values for record in rank.records)
    assert "loss" not in first
    assert (second["loss"], second["loss/load_balancing"]) == (7.251911, 1.019746)
    assert (second["eval/loss"], second["tflops_per_npu"]) == (7.1125, 139.8)
    assert math.isnan(third["loss"])
    marks = [(e.name, e.step) for e in rank.events[1:]]
    assert marks == [
        ("skipped", 1),
        ("eval", 100),
        ("checkpoint", 100),
        ("train_end", 200),
    ]


def test_hugging_face_is_read_with_its_evaluations(tmp_path):
    rank = read(tmp_path, sample("trainer_state.json"), "trainer_state.json")
    assert [step for _, step, _ in curve(rank, "eval/loss")] == [30, 60]
    assert rank.records[0].values["loss"] == 2.8
    assert math.isnan(rank.records[3].values["loss"])
    assert [r.epoch for r in rank.records] == [1, 1, 1, 1, 2, 2]
    assert rank.events[-1].name == "train_end"


def test_llama_factory_leaves_out_what_is_null(tmp_path):
    rank = read(tmp_path, sample("trainer_log.jsonl"))
    assert curve(rank) == [("a1", 10, 1.4671), ("a1", 20, 1.3377)]
    assert curve(rank, "lr") == [("a1", 10, 4.5e-5), ("a1", 20, 2.1e-5)]
    assert curve(rank, "eval/loss") == [("a1", 20, 1.39)]


def test_loss_monitor_is_counted_through_the_epochs(tmp_path):
    rank = read(tmp_path, sample("loss_monitor.log"))
    assert [step for _, step, _ in curve(rank)] == list(range(1, 25))
    assert [r.epoch for r in rank.records] == [1] * 12 + [2] * 12


def test_loss_monitor_printing_now_and_then_is_counted_rightly(tmp_path):
    # Each 4th of epochs of 10 steps.
    places = [(1, 1), (1, 5), (1, 9), (2, 3), (2, 7), (3, 1), (3, 5)]
    lines = [f"epoch: {e} step: {s}, loss is 0.5\n" for e, s in places]
    rank = read(tmp_path, lines)
    assert [step for _, step, _ in curve(rank)] == [1, 5, 9, 13, 17, 21, 25]


def test_loss_monitor_of_eight_processes_in_one_log_is_one_curve(tmp_path):
    places = [(epoch, step) for epoch in (1, 2) for step in (5, 10) for _ in range(8)]
    lines = [f"epoch: {e} step: {s}, loss is 0.5\n" for e, s in places]
    rank = read(tmp_path, lines)
    assert curve(rank) == [("a1", step, 0.5) for step in (5, 10, 15, 20)]


def test_time_monitor_says_how_long_an_epoch_is(tmp_path):
    lines = [
        "epoch: 1 step: 7, loss is 0.5\n",
        "Train epoch time: 1000.000 ms, per step time: 100.000 ms\n",
        "epoch: 2 step: 7, loss is 0.25\n",
    ]
    rank = read(tmp_path, lines)
    assert curve(rank) == [("a1", 7, 0.5), ("a1", 17, 0.25)]
    assert curve(rank, "step_time_ms") == [("a1", 7, 100.0)]


def test_evaluations_of_model_fit_are_read(tmp_path):
    lines = [
        "epoch: 1 step: 7, loss is 0.5\n",
        "Eval result: epoch 1, metrics: {'acc': np.float64(0.75), 'f1': 0.5}\n",
    ]
    rank = read(tmp_path, lines)
    assert curve(rank, "eval/acc") == [("a1", 7, 0.75)]
    assert curve(rank, "eval/f1") == [("a1", 7, 0.5)]


def test_a_hand_made_monitor_may_write_its_loss_as_an_object(tmp_path):
    rank = read(tmp_path, sample("detr_rank1.jsonl"), "detr_rank1.jsonl")
    first, second, third = (record.values for record in rank.records)
    assert first == {"loss": 3.5, "loss/ce": 2.0, "loss/bbox": 1.5, "lr": 1e-4}
    assert math.isnan(second["loss"])
    assert second["loss/ce"] == math.inf
    assert third == {"loss": 2.25, "grad_norm": 0.5}
    assert [r.wall_time_s for r in rank.records] == [
        1796025601.5,
        1796025602.5,
        1796025603.5,
    ]


def test_lines_in_the_form_of_mswidget_are_read_as_its_own(tmp_path):
    line = '{"step": 1, "timestamp": 1.0, "loss": null, "nonfinite": {"loss": "NaN"}}\n'
    ((_, step, loss),) = curve(read(tmp_path, line, "mine.jsonl"))
    assert step == 1
    assert math.isnan(loss)


def test_step_minus_one_ends_the_training_and_the_name_says_the_rank(tmp_path):
    rank = read(tmp_path, sample("detr_rank1.jsonl"), "detr_rank1.jsonl")
    assert rank.rank == 1
    assert rank.events[-1].name == "train_end"
