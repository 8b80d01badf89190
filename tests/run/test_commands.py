"""What a page may ask of a loop, and what the loop makes of it."""

import pytest

from mswidget import load_run, start_run
from mswidget.widget.page_request import RefusedError


@pytest.fixture
def run(tmp_path):
    """Return a run that goes on."""
    with start_run("run", log_dir=tmp_path, display=False) as run:
        yield run


def become_of(run, kind="ask_save"):
    """Return what the page is told of a command."""
    (command,) = (c for c in run.status["commands"] if c["kind"] == kind)
    return command


def write(path):
    """Save what there is to save."""
    path.write_text("weights", encoding="utf-8")


def test_what_is_asked_waits_for_the_end_of_the_step(run):
    run.offer_save(write)
    run.log({"loss": 1.0})
    assert become_of(run)["state"] == ""
    run._commands.ask("ask_save")
    assert become_of(run)["state"] == "waiting"
    assert not (run.path / "checkpoint").exists()
    run.log({"loss": 1.0})
    told, file = become_of(run), run.path / "checkpoint" / "step_2.ckpt"
    assert (told["state"], told["step"], told["text"]) == ("done", 2, str(file))
    assert file.read_text(encoding="utf-8") == "weights"


def test_a_checkpoint_is_marked_at_its_step(run):
    run.offer_save(write)
    run._commands.ask("ask_save")
    run.log({"loss": 1.0}, step=7)
    run.finish()
    (event,) = (e for e in load_run(run.path).ranks[0].events if e.name == "checkpoint")
    file = run.path / "checkpoint" / "step_7.ckpt"
    assert (event.step, event.fields["file"]) == (7, str(file))


def test_a_save_that_fails_half_way_is_told_and_leaves_nothing(run):
    def half(path):
        write(path)
        raise OSError("No space left on device")

    run.offer_save(half)
    run._commands.ask("ask_save")
    run.log({"loss": 1.0})
    told = become_of(run)
    assert (told["state"], told["step"]) == ("failed", 1)
    assert told["text"] == "OSError: No space left on device"
    (notice,) = run.notices
    assert notice.startswith("saving a checkpoint failed at step 1 (OSError: No space")
    assert [*(run.path / "checkpoint").iterdir()] == []
    assert run.phase == "training"


def test_a_failure_does_not_keep_the_next_one_from_being_saved(run):
    outcomes = iter([OSError("full"), None])

    def save(path):
        write(path)
        if error := next(outcomes):
            raise error

    run.offer_save(save)
    for _ in range(2):
        run._commands.ask("ask_save")
        run.log({"loss": 1.0})
    assert (become_of(run)["state"], become_of(run)["step"]) == ("done", 2)


def test_a_save_that_writes_nothing_is_not_called_done(run):
    run.offer_save(lambda _: None)
    run._commands.ask("ask_save")
    run.log({"loss": 1.0})
    assert become_of(run)["state"] == "failed"
    assert "nothing was written" in become_of(run)["text"]


def test_a_folder_that_is_gone_does_not_stop_the_loop(run):
    run.offer_save(write)
    (run.path / "checkpoint").write_text("no folder", encoding="utf-8")
    run._commands.ask("ask_save")
    for _ in range(3):
        run.log({"loss": 1.0})
    assert become_of(run)["state"] == "failed"
    assert run.step == 3


def test_what_no_step_follows_is_told_at_the_end(run):
    run.offer_save(write)
    run.log({"loss": 1.0})
    run._commands.ask("ask_save")
    run.finish()
    told = become_of(run)
    assert (told["state"], told["step"]) == ("failed", 1)
    assert told["text"] == "the training ended before"


def test_of_a_loop_without_a_function_no_checkpoint_can_be_asked(run):
    assert run.status["commands"] == []
    with pytest.raises(RefusedError, match="no training goes on"):
        run._commands.ask("ask_save")


def test_a_run_that_has_ended_obeys_no_more(run):
    run.offer_save(write)
    run.finish()
    with pytest.raises(RefusedError, match="no training goes on"):
        run._commands.ask("ask_save")


def test_the_next_training_of_a_run_tells_nothing_of_the_last(run):
    run.offer_save(write)
    run._commands.ask("ask_save")
    run.log({"loss": 1.0})
    run.finish()
    run.begin()
    assert run.status["commands"] == []


def test_what_cannot_save_is_refused_at_once(run):
    with pytest.raises(TypeError, match=r"a function that writes .* found 'here'"):
        run.offer_save("here")


@pytest.mark.parametrize(
    ("rank", "offered"), [("0", ["ask_save"]), ("1", [])], ids=["first", "other"]
)
def test_of_several_ranks_the_first_alone_saves(tmp_path, monkeypatch, rank, offered):
    monkeypatch.setenv("RANK_ID", rank)
    monkeypatch.setenv("RANK_SIZE", "2")
    with start_run("run", log_dir=tmp_path, display=False) as run:
        run.offer_save(write)
        run.offer_log_interval(1, lambda _: None)
        assert [c["kind"] for c in run.status["commands"]] == offered
        if offered:
            run._commands.ask("ask_save")
            run.log({"loss": 1.0})
            assert become_of(run)["text"].endswith("step_1.ckpt, of rank 0 alone")


def test_of_two_intervals_asked_in_a_step_the_last_one_counts(run):
    intervals = []
    run.offer_log_interval(1, intervals.append)
    for steps in (10, 20):
        run._commands.ask("ask_log_interval", steps)
    run.log({"loss": 1.0})
    told = become_of(run, "ask_log_interval")
    assert intervals == [20]
    assert (told["state"], told["step"], told["value"]) == ("done", 1, 20)
