"""Many runs as one table."""

import json
import math
from datetime import datetime, timezone

import pandas as pd
import pytest

from mswidget import list_runs, start_run
from mswidget.records.record import Event, Record, to_line


def write(path, items, rank=0):
    path.mkdir(exist_ok=True)
    with (path / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(map(to_line, items))


def records(count, attempt="a1"):
    return [
        Record(step, 1.7e9 + step, 0, attempt, {"loss": 1 / step})
        for step in range(1, count + 1)
    ]


def event(name, step=0, attempt="a1"):
    return Event(name, step, 1.7e9 + step, 0, attempt)


def test_a_run_is_a_row_with_what_its_end_says(tmp_path):
    with start_run("baseline", log_dir=tmp_path, display=False) as run:
        for loss in (0.5, 0.25, 0.75):
            run.log({"loss": loss})
        run.flush()
    (row,) = list_runs(tmp_path, best=True).to_dict("records")
    assert (row["run"], row["path"]) == ("baseline", str(run.path))
    assert (row["ranks"], row["attempts"], row["phase"]) == (1, 1, "finished")
    assert (row["step"], row["loss"], row["best_loss"]) == (3, 0.75, 0.25)
    age = datetime.now(timezone.utc) - row["start"]
    assert -1 <= age.total_seconds() < 600
    assert 0 <= row["duration"].total_seconds() < 600


def configs(folder, *given):
    """Write a run for each config; None has no ``run.json``."""
    for number, config in enumerate(given):
        path = folder / f"run-{number}"
        write(path, [Record(1, 1.7e9 + number, 0, "a1", {"loss": 1.0, "lr": 0.5})])
        start = f"2025-01-01T00:00:0{number}+00:00"
        if config is not None:
            (path / "run.json").write_text(
                json.dumps({"config": config, "start": start})
            )
    return list_runs(folder)


@pytest.mark.parametrize(
    ("config", "lr", "batch_size"),
    [
        (
            {
                "learning_rate": {"lr": {"kind": "constant", "value": 0.1}},
                "data": {"batch_size": 32},
                "given": {"lr": 9, "batch_size": 9},
            },
            0.1,
            32,
        ),
        (
            {
                "learning_rate": {
                    "lr/a": {"kind": "list", "steps": 9, "first": 0.0, "max": 0.3},
                    "lr/b": {"kind": "CosineDecayLR", "min_lr": 0.1, "max_lr": 0.4},
                },
                "data": {"batch_size": None},
            },
            0.4,
            None,
        ),
        ({"given": {"train": {"base_lr": "1e-4", "batch_size": 8}}}, 1e-4, 8),
        ({"learning_rate": "unknown (X: y)", "given": {"lr": True}}, 0.5, None),
        ({"given": {"lr": "auto", "batch_size": [1, 2]}}, 0.5, None),
        ({"given": {"lr": "nan", "a": {"batch_size": 8.5}, "batch_size": 4}}, 0.5, 4),
        ({"given": {"lr": 10**400, "batch_size": 10**300}}, 0.5, None),
        (None, 0.5, None),
        ([1], 0.5, None),
    ],
)
def test_the_rate_and_the_batch_size_are_those_of_the_config(
    tmp_path, config, lr, batch_size
):
    row = configs(tmp_path, config).loc[0]
    assert row["lr"] == lr
    assert (None if pd.isna(row["batch_size"]) else row["batch_size"]) == batch_size


def test_what_runs_were_not_alike_trained_with_are_columns(tmp_path):
    table = configs(
        tmp_path,
        {"optimizer": {"type": "SGD", "eps": 1e-8}, "given": {"a": 1, "run": "x"}},
        {"optimizer": {"type": "Adam", "eps": 1e-8}, "given": {"a": 1, "layers": [2]}},
        None,
    )
    assert list(table.columns[-3:]) == ["optimizer.type", "given.run", "given.layers"]
    by_run = table.set_index("run")["optimizer.type"].to_dict()
    assert by_run == {"run-0": "SGD", "run-1": "Adam", "run-2": None}


def test_very_many_settings_may_differ(tmp_path):
    many = [{str(i): i + run for i in range(300)} for run in range(2)]
    table = configs(tmp_path, *many)
    assert len(table.columns) > 300
    assert table["299"].tolist() == [299, 300]


def test_a_setting_that_is_called_as_a_column_hides_none(tmp_path):
    table = configs(tmp_path, {"step": 7}, {"step": 8})
    assert table["step"].tolist() == [1, 1]
    assert table["config.step"].tolist() == [7, 8]


MACHINE = Record(2, 1.7e9 + 9, 0, "a1", {"cpu_pct": 3.0})


@pytest.mark.parametrize(
    ("items", "phase"),
    [
        ([], "waiting"),
        ([event("train_begin")], "training"),
        (records(2), "training"),
        ([*records(2), event("failed", 2)], "failed"),
        ([*records(2), event("stopped", 2), MACHINE], "stopped"),
        ([*records(2), event("train_end", 2), event("train_begin", 2)], "training"),
    ],
)
def test_the_phase_is_what_the_last_event_says(tmp_path, items, phase):
    write(tmp_path / "run", items)
    assert list_runs(tmp_path)["phase"].to_list() == [phase]


def test_a_resumed_run_has_the_steps_of_its_last_attempt(tmp_path):
    write(
        tmp_path / "run", [*records(9), *records(4, "a2"), event("epoch_end", 4, "a2")]
    )
    (row,) = list_runs(tmp_path).to_dict("records")
    assert (row["attempts"], row["step"], row["loss"]) == (2, 4, 0.25)


def test_the_loss_of_a_pipeline_is_that_of_its_last_rank(tmp_path):
    write(tmp_path / "run", [Record(1, 1.7e9, 0, "a1", {"lr": 0.1})])
    write(tmp_path / "run", records(3), rank=7)
    (row,) = list_runs(tmp_path).to_dict("records")
    assert (row["ranks"], row["step"]) == (2, 3)
    assert row["loss"] == pytest.approx(1 / 3)


def test_the_best_loss_is_of_the_attempts_that_count(tmp_path):
    again = [Record(step, 1.8e9, 0, "a2", {"loss": 5.0}) for step in (2, 3)]
    write(tmp_path / "run", [*records(3), *again])
    (row,) = list_runs(tmp_path, best=True).to_dict("records")
    assert row["best_loss"] == 1.0


def test_a_last_loss_that_is_not_finite_is_told_and_not_the_best(tmp_path):
    bad = Record(3, 1.7e9, 0, "a1", {"loss": math.inf})
    write(tmp_path / "run", [*records(2), bad])
    (row,) = list_runs(tmp_path, best=True).to_dict("records")
    assert (row["loss"], row["best_loss"]) == (math.inf, 0.5)


def test_what_is_broken_or_no_run_does_not_hide_the_others(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").touch()
    write(tmp_path / "run 名", records(2))
    (tmp_path / "run 名" / "run.json").write_text("{", encoding="utf-8")
    with (tmp_path / "run 名" / "rank_0.jsonl").open("ab") as file:
        file.write(b'\xff garbage\n{"step": 3')
    (row,) = list_runs(tmp_path).to_dict("records")
    assert (row["run"], row["step"]) == ("run 名", 2)


def test_runs_stand_in_the_order_in_which_they_started(tmp_path):
    for name in ("b", "a", "c"):
        with start_run(name, log_dir=tmp_path, display=False):
            pass
    facts = tmp_path / "a" / "run.json"
    text = facts.read_text(encoding="utf-8")
    year = str(datetime.now().astimezone().year)
    facts.write_text(
        text.replace(f'"start": "{year}', '"start": "2001'), encoding="utf-8"
    )
    assert list_runs(tmp_path)["run"].to_list()[0] == "a"


def test_a_run_by_itself_is_listed(tmp_path):
    write(tmp_path / "run", records(2))
    assert list_runs(tmp_path / "run")["run"].to_list() == ["run"]


def test_a_folder_without_runs_has_no_rows_and_the_same_columns(tmp_path):
    columns = list_runs(tmp_path).columns
    write(tmp_path / "run", records(2))
    assert list(columns) == list(list_runs(tmp_path).columns)


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no-such"):
        list_runs(tmp_path / "no-such")
