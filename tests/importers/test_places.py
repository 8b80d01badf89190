"""Folders of logs: of ranks, of runs, of several tools."""

import shutil

import pytest

from mswidget.importers.format_table import FORMATS
from mswidget.importers.places import log_files
from mswidget.saved.reader import load_run
from mswidget.watching.watch import Watch
from tests.importers.logs import BY_FORMAT, SAMPLES, curve, sample

# Of a pipeline of 4 stages.
LOG = sample("mindformers_pipeline.log").decode()
LAST = "pipeline stages: 4 > 1, the loss on the last card is valid."
ZERO_BUBBLE = "When zero_bubble_v is enabled, loss is valid only on rank 0"


def eight_ranks(folder, warning=LAST):
    for rank in range(8):
        path = folder / f"rank_{rank}" / "info.log"
        path.parent.mkdir(parents=True)
        loss = "loss:[" if rank > 5 else f"loss:[{rank}7"
        path.write_text(LOG.replace(LAST, warning).replace("loss:[", loss))
        path.with_name("error.log").write_text(f"{warning}\n")
    return load_run(folder)


def test_a_pipeline_of_eight_ranks_is_one_correct_curve(tmp_path):
    run = eight_ranks(tmp_path / "output" / "log")
    assert list(run.ranks) == list(range(8))
    losses = run.to_pandas()["loss"].dropna()
    assert losses.index.tolist() == [*range(1, 11), *range(1, 11)]
    assert losses.loc[1].tolist() == [1.456208, 1.456208]
    assert run.to_pandas(ranks=[3])["step_time_ms"].notna().all()


def test_the_output_folder_of_mindformers_is_one_run(tmp_path):
    (tmp_path / "msrun_log").mkdir()
    (tmp_path / "msrun_log" / "worker_0.log").write_text(LOG)
    eight_ranks(tmp_path / "log")
    run = load_run(tmp_path)
    assert len(run.ranks) == 8
    assert any("not read" in note and "msrun_log" in note for note in run.notes)
    assert not any("one training" in note for note in run.notes)


def test_ranks_without_a_loss_say_why(tmp_path):
    run = eight_ranks(tmp_path)
    begin = run.ranks[2].events[0].fields
    assert begin["loss_invalid_because"] == (
        "it computes stage 2 of 4 of a pipeline; the last stage has the loss, on "
        "ranks 6 to 7"
    )
    assert not [note for note in run.ranks[6].notes if "no loss" in note]


def test_what_is_true_of_many_ranks_is_told_once(tmp_path):
    notes = eight_ranks(tmp_path / "run").notes
    (printed,) = (note for note in notes if "as printed" in note)
    assert printed.startswith("ranks 0 to 7: ")
    stages = [note.partition(" of 4 ")[0] for note in notes if "no loss" in note]
    assert stages == [
        f"ranks {2 * stage} to {2 * stage + 1}: no loss on this rank: it computes "
        f"stage {stage + 1}"
        for stage in range(3)
    ]
    assert {f"run: {note}" for note in notes} == {*Watch([tmp_path]).head()["notices"]}


def test_with_zero_bubble_v_only_rank_0_has_the_loss(tmp_path):
    run = eight_ranks(tmp_path, ZERO_BUBBLE)
    assert [rank for rank in run.ranks if curve(run.ranks[rank])] == [0]


def test_one_log_of_a_pipeline_says_that_its_loss_may_be_none(tmp_path):
    path = tmp_path / "worker_1.log"
    path.write_text(LOG)
    (rank,) = load_run(path).ranks.values()
    assert any("is not known" in note for note in rank.notes)


def test_logs_of_msrun_are_the_ranks_of_a_run(tmp_path):
    shutil.copytree(SAMPLES / "msrun", tmp_path / "msrun")
    shutil.copy(SAMPLES / "msrun" / "worker_1.log", tmp_path / "msrun/worker_10.log")
    run = load_run(tmp_path)
    assert list(run.ranks) == [0, 1, 10]
    for rank in run.ranks.values():
        steps = [place[:2] for place in curve(rank)]
        assert steps == [("a1", step) for step in range(5, 36, 5)]


def test_the_time_of_a_step_is_that_of_the_training():
    rank = load_run(SAMPLES / "msrun" / "worker_1.log").ranks[1]
    assert curve(rank, "step_time_ms")[:2] == [("a1", 10, 116.887), ("a1", 20, 8.156)]
    assert next(e.fields for e in rank.events if e.name == "eval").keys() == {"mae"}


@pytest.mark.parametrize("name", ["detr_rank1.jsonl", "损失 [b]_rank1.jsonl"])
def test_flat_names_say_the_rank(tmp_path, name):
    shutil.copy(SAMPLES / "detr_rank1.jsonl", tmp_path / name)
    assert list(load_run(tmp_path).ranks) == [1]


def test_a_rank_file_that_another_monitor_wrote_is_read(tmp_path):
    shutil.copy(SAMPLES / "detr_rank1.jsonl", tmp_path / "rank_1.jsonl")
    assert load_run(tmp_path).ranks[1].records[0].values["loss/ce"] == 2.0


def test_a_rotated_log_is_read_from_its_oldest_part_on(tmp_path):
    lines = LOG.splitlines(keepends=True)
    (tmp_path / "info.log.2").write_text("".join(lines[:9]))
    (tmp_path / "info.log.1").write_text("".join(lines[9:20]))
    (tmp_path / "info.log").write_text("".join(lines[20:]))
    (rank,) = load_run(tmp_path).ranks.values()
    steps = [place[:2] for place in curve(rank)]
    assert steps == [("a1", step) for step in range(1, 11)]
    assert not any("one training" in note for note in rank.notes)


def test_event_files_of_a_restarted_training_are_attempts(tmp_path):
    data = sample(BY_FORMAT["TensorBoard event file"])
    for name in ("events.out.tfevents.1.host", "events.out.tfevents.2.host"):
        (tmp_path / name).write_bytes(data)
    (rank,) = load_run(tmp_path).ranks.values()
    steps = [place[:2] for place in curve(rank, "lr")]
    assert steps == [(f"a{a}", s) for a in (1, 2) for s in range(1, 7)]


def test_the_newest_of_checkpoints_holds_the_whole_training(tmp_path):
    for step in (500, 1000):
        (tmp_path / f"checkpoint-{step}").mkdir()
        path = tmp_path / f"checkpoint-{step}" / "trainer_state.json"
        shutil.copy(SAMPLES / "trainer_state.json", path)
    (rank,) = load_run(tmp_path).ranks.values()
    assert len(curve(rank)) == 6


def test_what_else_is_in_a_folder_is_said(tmp_path):
    for name in ("trainer_state.json", "trainer_log.jsonl"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    (note,) = (note for note in load_run(tmp_path).notes if "not read" in note)
    path = tmp_path / "trainer_log.jsonl"
    assert note == (
        "not read: trainer_log.jsonl (LLaMA-Factory trainer_log.jsonl), but "
        "trainer_state.json (Hugging Face trainer_state.json); "
        f"mswidget.load_run({str(path)!r}) reads that file"
    )


def test_a_folder_is_offered_where_it_would_be_read_so(tmp_path):
    (tmp_path / "other").mkdir()
    shutil.copy(SAMPLES / "mindformers.log", tmp_path / "train.log")
    for name in ("a.log", "b.log"):
        shutil.copy(SAMPLES / "megatron.log", tmp_path / "other" / name)
    other = f"load_run({str(tmp_path / 'other')!r}) reads that folder"
    assert other in load_run(tmp_path).notes[-1]
    # Of two formats there, the other one would be read.
    shutil.copy(SAMPLES / "mindformers.log", tmp_path / "other" / "c.log")
    assert other not in "".join(load_run(tmp_path).notes)


def test_ranks_that_are_not_read_are_counted(tmp_path):
    shutil.copy(SAMPLES / "loss_monitor.log", tmp_path / "train.log")
    for rank in range(12):
        shutil.copy(SAMPLES / "detr_rank1.jsonl", tmp_path / f"detr_rank{rank}.jsonl")
    run = load_run(tmp_path)
    named = "detr_rank0.jsonl, detr_rank1.jsonl, detr_rank2.jsonl and 9 more (JSON"
    assert named in "".join(run.notes)
    assert named in repr(run)


def test_logs_beside_a_run_of_our_own_are_said(tmp_path):
    (tmp_path / "rank_0.jsonl").write_text(
        '{"step": 1, "timestamp": 1.0, "rank": 0, "attempt": "a1", "loss": 0.5}\n'
    )
    (tmp_path / "run.json").write_text("{}")
    assert load_run(tmp_path).notes == []
    shutil.copy(SAMPLES / "megatron.log", tmp_path / "训练.log")
    (note,) = load_run(tmp_path).notes
    assert "训练.log (Megatron or MindSpeed log), but rank_0.jsonl" in note


def test_logs_beside_runs_of_our_own_are_offered(tmp_path):
    (tmp_path / "detr").mkdir()
    (tmp_path / "detr" / "rank_0.jsonl").touch()
    shutil.copy(SAMPLES / "megatron.log", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"detr, or a log: megatron\.log"):
        load_run(tmp_path)


def test_logs_that_are_read_as_one_training_are_said(tmp_path):
    for name in ("a.log", "b.log"):
        shutil.copy(SAMPLES / "loss_monitor.log", tmp_path / name)
    notes = load_run(tmp_path).notes
    assert any("one training, one after another: a.log, b.log" in n for n in notes)


def test_a_log_of_no_rank_is_said(tmp_path):
    shutil.copytree(SAMPLES / "msrun", tmp_path / "msrun")
    path = tmp_path / "msrun" / "scheduler.log"
    shutil.copy(path, path.with_name("tensorboard.log"))
    (note,) = (note for note in load_run(tmp_path).notes if "not read" in note)
    assert note.startswith("not read: msrun/scheduler.log, msrun/tensorboard.log")
    assert note.endswith(f"load_run({str(path)!r}) reads that file")


def test_a_folder_of_very_many_files_is_said_not_to_be_read_whole(
    tmp_path, monkeypatch
):
    monkeypatch.setitem(log_files.__kwdefaults__, "most", 2)
    for name in ("a.log", "b.log", "c.log"):
        shutil.copy(SAMPLES / "loss_monitor.log", tmp_path / name)
    notes = load_run(tmp_path).notes
    assert any("not all of its files are looked at" in note for note in notes)


def test_logs_of_several_runs_are_named(tmp_path):
    for name in ("baseline", "实验"):
        (tmp_path / name).mkdir()
        shutil.copy(SAMPLES / "megatron.log", tmp_path / name / "train.log")
    with pytest.raises(
        ValueError, match=r"several runs; give one of .*baseline, .*实验"
    ):
        load_run(tmp_path)


@pytest.mark.parametrize("name", ["thesis.txt", "config.json", "photo.jpg"])
def test_an_unknown_file_is_answered_with_what_is_understood(tmp_path, name):
    (tmp_path / name).write_text('{"lr": 1e-4}\nnothing to see\n')
    for path in (tmp_path / name, tmp_path):
        with pytest.raises((ValueError, FileNotFoundError)) as error:
            load_run(path)
        for kind in FORMATS:
            assert kind.name in str(error.value)


MINDYOLO = (
    r"Epoch (?P<epoch>\d+)/\d+, Step (?P<step>\d+)/(?P<steps_per_epoch>\d+), .*"
    r" loss: (?P<loss>\S+), lbox: (?P<loss__box>\S+), .*cur_lr: (?P<lr>\S+)"
)


def test_a_pattern_reads_the_log_of_any_tool():
    (rank,) = load_run(SAMPLES / "mindyolo.log", pattern=MINDYOLO).ranks.values()
    assert curve(rank) == [("a1", 1949, 4.1025), ("a1", 2049, 3.9)]
    assert curve(rank, "loss/box") == [("a1", 1949, 0.8125), ("a1", 2049, 0.8)]
    assert {r.epoch for r in rank.records} == {2}


def test_a_pattern_without_steps_counts_its_lines(tmp_path):
    (tmp_path / "a.log").write_text("loss 0.5\nother\nloss 0.25\n")
    run = load_run(tmp_path, pattern=r"loss (?P<loss>\S+)")
    assert curve(run.ranks[0]) == [("a1", 1, 0.5), ("a1", 2, 0.25)]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(?P<loss", "no regular expression"),
        (r"loss (\S+)", "names no value"),
        (r"(?P<step>\d+)", "names no value"),
        (r"(?P<loss>never)", "understood"),
    ],
)
def test_a_pattern_that_finds_nothing_says_why(pattern, message):
    with pytest.raises(ValueError, match=message):
        load_run(SAMPLES / "mindyolo.log", pattern=pattern)


@pytest.mark.parametrize(
    "name",
    [
        "device{}/log",
        "device_{}/train.log",
        "train_parallel{}/log.txt",
        "1/rank.{}/stdout",
    ],
)
def test_ranks_are_found_as_launchers_of_mindspore_lay_them_out(tmp_path, name):
    for rank in (0, 1):
        path = tmp_path / name.format(rank)
        path.parent.mkdir(parents=True)
        path.write_text(f"epoch: 1 step: 1, loss is {rank}.5\n")
    ranks = load_run(tmp_path).ranks
    assert [curve(ranks[rank]) for rank in (0, 1)] == [
        [("a1", 1, 0.5)],
        [("a1", 1, 1.5)],
    ]
