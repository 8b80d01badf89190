"""Pages of runs on disk, and how long they are kept fresh."""

import re
import subprocess
import sys
import time

import pytest

from mswidget import load_run, start_run
from mswidget.pictures.page import saved_page
from mswidget.records.record import Event, Record, to_line
from mswidget.watching import pages
from mswidget.watching.pages import KeptPage, write_page
from tests.page import saved_page_of

LOSS = ("0.0", "loss")


def read(path):
    """Return the period, the head and the numbers of a page."""
    page, values = saved_page_of(path.read_text("utf-8"))
    return page["every_s"], page["head"], values


def write(path, items, rank=0):
    path.mkdir(exist_ok=True, parents=True)
    with (path / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(map(to_line, items))


def records(*losses, first=1):
    now_s = time.time()
    return [
        Record(first + i, now_s, 0, "a1", {"loss": loss})
        for i, loss in enumerate(losses)
    ]


END = Event("train_end", 2, 1.7e9, 0, "a1")


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A page of a folder, written at each tick."""
    told = []

    def keep(place, every_s=0.0):
        page = KeptPage(place, tmp_path / "page.html", every_s, told.append)
        page.out, page.told = tmp_path / "page.html", told
        return page

    monkeypatch.setattr("mswidget.saved.follow.LOOK_S", 0.0)
    return keep


def test_a_page_of_a_run_has_its_curves_and_how_it_ended(tmp_path):
    with start_run("run 名", log_dir=tmp_path, display=False) as run:
        run.log({"loss": 0.5, "a.b[0]": 1.0})
    write_page(run.path, tmp_path / "page.html")
    every_s, head, points = read(tmp_path / "page.html")
    assert every_s == 0
    assert (head["run"]["name"], head["status"]["phase"]) == ("run 名", "finished")
    assert points == {LOSS: [0.5], ("0.0", "a.b[0]"): [1.0]}


def test_a_page_of_ranks_tells_them_apart(tmp_path):
    for rank in range(3):
        write(tmp_path / "run", records(1.0 + rank), rank)
    write_page(tmp_path / "run", tmp_path / "page.html")
    _, head, points = read(tmp_path / "page.html")
    ranks = {t["id"]: t["rank"] for t in head["tracks"] if not t["stat"]}
    found = {
        ranks[track]: held for (track, _), held in points.items() if track in ranks
    }
    assert found == {0: [1.0], 1: [2.0], 2: [3.0]}


def test_a_page_of_very_many_ranks_has_what_they_have_in_common(tmp_path):
    for rank in range(17):
        write(tmp_path / "run", records(1.0 + rank), rank)
    page, _ = saved_page_of(saved_page([load_run(tmp_path / "run")]))
    shown = [track for track in page["head"]["tracks"] if track["shown"]]
    assert [t["stat"] for t in shown] == ["min", "mean", "median", "max", ""]


def beside(path):
    """Return what a page has of the ranks that it does not show, and its notices."""
    page, values = saved_page_of(path.read_text("utf-8"))
    shown = {track["id"] for track in page["head"]["tracks"] if track["shown"]}
    values = {key: held for key, held in values.items() if key[0] not in shown}
    return values, page["head"]["notices"]


def test_a_page_of_very_many_ranks_has_the_loss_of_each(tmp_path):
    for rank in range(20):
        write(tmp_path / "run", records(1.0 + rank, 7.0), rank)
    write_page(tmp_path / "run", tmp_path / "page.html")
    values, notices = beside(tmp_path / "page.html")
    assert values == {(f"0.{rank}", "loss"): [1.0 + rank, 7.0] for rank in range(1, 20)}
    assert notices == ["this page has only the loss of 19 of 20 ranks"]


def test_a_page_that_goes_on_stays_small_whatever_the_ranks(
    tmp_path, kept, monkeypatch
):
    monkeypatch.setattr(pages, "LIVE_BYTES", 400_000)
    spiky = [1.0] * 700 + [50.0] + [1.0] * 300
    for rank in range(40):
        write(tmp_path / "run", records(*spiky), rank)
    page = kept(tmp_path / "run")
    page.tick()
    values, notices = beside(page.out)
    assert len(values) == 2 * 39
    for curve in values.values():
        (_, points), *_ = curve.pieces.values()
        assert max(point["highs"] for point in points) == 50.0
    numbers = re.search(r'mswidget-numbers">([^<]*)', page.out.read_text("utf-8"))[1]
    assert len(numbers) < 4 / 3 * 400_000
    assert "this page has only an envelope of the loss of 39 of 40 ranks" in notices


def test_a_page_says_which_ranks_it_has_not_got(tmp_path, monkeypatch):
    monkeypatch.setattr("mswidget.pictures.beside.MOST_RANKS", 5)
    for rank in range(20):
        write(tmp_path / "run", [*records(1.0 + rank, 7.0 + (rank == 13)), END], rank)
    write_page(tmp_path / "run", tmp_path / "page.html")
    values, notices = beside(tmp_path / "page.html")
    assert len(values) == 5
    assert ("0.13", "loss") in values  # the farthest of all
    why = "this page has nothing of 14 of 20 ranks: `%mswidget watch` shows all"
    assert why in notices


def test_a_page_of_a_folder_shows_the_newest_runs(tmp_path):
    for name in ("old", "new"):
        write(tmp_path / "logs" / name, records(1.0, 2.0))
    write_page(tmp_path / "logs", tmp_path / "page.html")
    _, head, _ = read(tmp_path / "page.html")
    assert sorted(track["run"] for track in head["tracks"]) == ["new", "old"]


def test_a_page_is_written_anew_until_its_run_ends(tmp_path, kept):
    write(tmp_path / "run", records(1.0))
    page = kept(tmp_path / "run")
    assert page.tick() is False
    write(tmp_path / "run", records(2.0, first=2))
    assert page.tick() is False
    assert read(page.out)[2][LOSS] == [1.0, 2.0]
    write(tmp_path / "run", [END])
    assert [page.tick(), page.tick()] == [False, True]
    every_s, head, _ = read(page.out)
    assert (every_s, head["status"]["phase"]) == (0, "finished")


def test_the_last_page_seems_newer_than_the_one_before(tmp_path, kept):
    write(tmp_path / "run", records(1.0))
    page = kept(tmp_path / "run", every_s=30.0)
    page.tick()
    _, before, _ = read(page.out)
    write(tmp_path / "run", [END])
    while not page.tick():
        pass
    every_s, last, _ = read(page.out)
    assert every_s == 0
    assert last["status"]["sent_s"] >= before["status"]["sent_s"]


def test_a_page_waits_for_the_last_rank(tmp_path, kept):
    for rank in range(2):
        write(tmp_path / "run", records(1.0), rank)
    page = kept(tmp_path / "run")
    page.tick()
    write(tmp_path / "run", [END])
    assert [page.tick(), page.tick()] == [False, False]
    write(tmp_path / "run", [END], rank=1)
    assert [page.tick(), page.tick()] == [False, True]


def test_a_page_that_is_kept_says_how_often_and_by_whom(tmp_path, kept):
    write(tmp_path / "run", records(1.0))
    kept(tmp_path / "run", every_s=30.0).tick()
    first = page_text = (tmp_path / "page.html").read_text("utf-8")
    kept(tmp_path / "run", every_s=30.0).tick()
    second = (tmp_path / "page.html").read_text("utf-8")
    editions = {re.search(r'"edition": "([^"]+)"', text)[1] for text in (first, second)}
    assert len(editions) == 2
    assert '"every_s": 30.0' in page_text


def test_a_folder_of_old_runs_waits_for_the_next(tmp_path, kept):
    write(tmp_path / "logs" / "old", [*records(1.0), END])
    page = kept(tmp_path / "logs")
    assert [page.tick(), page.tick()] == [False, False]
    write(tmp_path / "logs" / "new", records(1.0))
    assert page.tick() is False
    write(tmp_path / "logs" / "new", [END])
    assert [page.tick(), page.tick()] == [False, True]


def test_a_run_that_was_killed_long_ago_has_ended(tmp_path, kept, monkeypatch):
    write(tmp_path / "run", records(1.0))
    page = kept(tmp_path / "run")
    assert page.tick() is False
    monkeypatch.setattr(pages, "LOST_S", 0.0)
    assert page.tick() is True


def test_a_folder_that_is_not_there_yet_is_waited_for(tmp_path, kept):
    page = kept(tmp_path / "logs")
    assert page.tick() is False
    assert read(page.out)[1]["status"]["detail"] == "no run there yet"


def test_a_page_that_cannot_be_written_is_told_once(tmp_path, kept):
    write(tmp_path / "run", records(1.0))
    page = kept(tmp_path / "run")
    page._out = tmp_path / "gone" / "page.html"
    assert [page.tick(), page.tick()] == [False, False]
    (trouble,) = page.told
    assert "cannot write" in trouble


def mswidget(*words):
    return subprocess.run(
        [sys.executable, "-m", "mswidget", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_page_stands_beside_the_run_by_itself(tmp_path):
    write(tmp_path / "run", [*records(1.0), END])
    ours = mswidget("html", tmp_path / "run", "--every", "1")
    assert (ours.returncode, ours.stderr) == (0, "")
    assert read(tmp_path / "run" / "mswidget.html")[2][LOSS] == [1.0]
    assert "mswidget.html is written" in ours.stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["no-such"], 1, "does not exist"),
        (["--every", "0.1"], 2, "at least 1 second"),
        (["--every", "often"], 2, "invalid"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(words, status, said):
    ours = mswidget("html", *words)
    assert ours.returncode == status
    assert said in ours.stderr
