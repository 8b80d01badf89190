"""Alerts told over HTTP, to a real server: once, in time, and with no secret shown."""

import base64
import contextlib
import hashlib
import hmac
import json
import logging
import math
import multiprocessing
import os
import pickle
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from mswidget import Threshold, Webhook, load_run, start_run
from mswidget.alerts.notify.channel import Caller
from mswidget.alerts.notify.ledger import NAME, Ledger
from mswidget.alerts.notify.message import kind_of_host
from mswidget.alerts.notify.notifier import Notifier
from mswidget.records.alert import Alert

SECRET = "robot-4711-secret"  # noqa: S105 - of nobody
HIGH = Threshold("loss", above=10, severity="error", advice="look")
LONG_S = 20.0


class Server:
    """Answers posts as it is told, and keeps what came."""

    def __init__(self):
        self.posts = []
        self.answers = []
        self.came = threading.Semaphore(0)
        handler = type("Handler", (_Handler,), {"told": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/{SECRET}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def wait(self, count=1):
        for _ in range(count):
            assert self.came.acquire(timeout=LONG_S)
        return [json.loads(body) for _, body in self.posts]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = self.told
        answer = told.answers.pop(0) if told.answers else (200, {}, b"{}")
        if answer == "silence":
            time.sleep(1)  # longer than the client waits
            return
        told.posts.append((self.path, body))
        status, headers, content = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        told.came.release()

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with contextlib.closing(Server()) as server:
        yield server


@pytest.fixture
def address(server, monkeypatch):
    monkeypatch.setenv("HOOK", server.address)
    return "env:HOOK"


@pytest.fixture
def notify(tmp_path):
    """Return a function that sends alerts to channels; and what it told the user."""
    told = []

    def make(*channels):
        ledger = Ledger(tmp_path / NAME)
        options = {"first_pause_s": 0.01, "gather_s": 0.0}
        return Notifier("run", channels, ledger, told.append, **options)

    make.told = told
    return make


def alert(step=5, rank=0, rule="nonfinite", severity="error"):
    text = "loss is NaN"
    return Alert(rule, step, 1e9, rank, "a1", severity, "loss", text, "look", 3)


def test_what_is_sent_says_all_of_the_alert(server, notify, address):
    notify(Webhook(address)).take(alert())
    (sent,) = server.wait()
    assert (sent["run"], sent["rule"], sent["step"]) == ("run", "nonfinite", 5)
    assert sent["text"] == "[error] run: loss is NaN (step 5, epoch 3)\nlook"


def test_a_run_sends_what_its_rules_find(server, tmp_path, address):
    with start_run(
        "run", log_dir=tmp_path, display=False, alerts=[HIGH], notify=[address]
    ) as run:
        run.log({"loss": 12.5}, epoch=2)
    (sent,) = server.wait()
    assert sent["message"] == "loss is above 10: 12.5"
    assert (sent["run"], sent["epoch"], sent["ranks"]) == ("run", 2, [0])


@pytest.mark.parametrize(
    ("kind", "text_of"),
    [
        ("slack", lambda sent: sent["text"]),
        ("wecom", lambda sent: sent["text"]["content"]),
        ("dingtalk", lambda sent: sent["text"]["content"]),
        ("feishu", lambda sent: sent["content"]["text"]),
    ],
)
def test_a_chat_gets_a_text(server, notify, address, kind, text_of):
    notify(Webhook(address, kind=kind)).take(alert())
    (sent,) = server.wait()
    assert text_of(sent) == "[error] run: loss is NaN (step 5, epoch 3)\nlook"


def test_dingtalk_is_signed_in_the_address(server, notify, address, monkeypatch):
    monkeypatch.setenv("KEY", "SECabc")
    notify(Webhook(address, key="env:KEY", kind="dingtalk")).take(alert())
    server.wait()
    query = parse_qs(urlsplit(server.posts[0][0]).query)
    stamp, sign = query["timestamp"][0], query["sign"][0]
    assert abs(int(stamp) / 1000 - time.time()) < 60
    assert sign == signature("SECabc", f"{stamp}\nSECabc")


def test_feishu_is_signed_in_the_body(server, notify, address, monkeypatch):
    monkeypatch.setenv("KEY", "abc")
    notify(Webhook(address, key="env:KEY", kind="feishu")).take(alert())
    (sent,) = server.wait()
    assert sent["sign"] == signature(f"{sent['timestamp']}\nabc", "")


def signature(key, text):
    digest = hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def test_the_kind_is_known_by_the_host():
    hook = "https://oapi.dingtalk.com/robot/send?access_token=1"
    assert kind_of_host(hook) == "dingtalk"
    assert repr(Webhook(hook)) == "<Webhook dingtalk>"
    assert kind_of_host("https://example.com/hooks.slack.com") == "json"


@pytest.mark.parametrize(
    "refusal",
    [
        (500, {}, b""),
        (503, {}, b""),
        (429, {"Retry-After": "0.2"}, b""),
        (200, {}, b'{"errcode": 45009}'),
    ],
)
def test_what_is_refused_for_now_is_sent_again(server, notify, address, refusal):
    server.answers += [refusal, refusal]
    began_s = time.monotonic()
    notifier = notify(Webhook(address))
    notifier.take(alert())
    server.wait(3)
    assert notifier.flush(LONG_S)
    assert len(server.posts) == 3
    assert len(notify.told) == 1
    assert "it is tried again" in notify.told[0]
    asked_s = 2 * float(refusal[1].get("Retry-After", 0))
    assert time.monotonic() - began_s >= asked_s


@pytest.mark.parametrize(
    "refusal",
    [
        (404, {}, b""),
        (302, {"Location": "http://127.0.0.1:1/"}, b""),
        (200, {}, b'{"errcode": 310000, "errmsg": "sign not match"}'),
    ],
)
def test_what_is_refused_for_good_is_told_once(server, notify, address, refusal):
    server.answers += [refusal, refusal]
    notifier = notify(Webhook(address))
    notifier.take(alert())
    notifier.take(alert(rule="diverged"))
    server.wait(2)
    assert notifier.flush(LONG_S)
    (told,) = notify.told
    assert told.startswith("notify[0] <Webhook json> took no alert: answered ")


def test_a_server_that_does_not_answer_is_asked_again(
    server, notify, address, monkeypatch
):
    monkeypatch.setattr("mswidget.alerts.notify.post.TIMEOUT_S", 0.2)
    server.answers.append("silence")
    notify(Webhook(address)).take(alert())
    assert len(server.wait()) == 1


def test_a_server_that_was_down_gets_it_once(notify, monkeypatch):
    with contextlib.closing(Server()) as gone:
        monkeypatch.setenv("HOOK", gone.address)
    notifier = notify(Webhook("env:HOOK"))
    notifier.take(alert())
    while not notify.told:
        time.sleep(0.01)
    with contextlib.closing(Server()) as back:
        monkeypatch.setenv("HOOK", back.address)
        back.wait()
        assert notifier.flush(LONG_S)
        assert len(back.posts) == 1


def test_one_channel_that_is_down_holds_up_no_other(server, notify, address):
    notify(Webhook("http://127.0.0.1:1/x"), Webhook(address)).take(alert())
    assert len(server.wait()) == 1


def test_a_function_is_called_and_may_fail(notify, server, address):
    def fails(alert):
        raise ValueError(f"no {alert.rule}")

    notifier = notify(Caller(fails), Webhook(address))
    notifier.take(alert())
    server.wait()
    assert notifier.flush(LONG_S)
    assert "<fails> took no alert: it raised ValueError: no nonfinite" in notify.told[0]


def test_an_information_wakes_nobody(server, notify, address):
    notifier = notify(Webhook(address))
    notifier.take(alert(severity="info"))
    notifier.take(alert(rule="diverged"))
    assert [sent["rule"] for sent in server.wait()] == ["diverged"]


def test_the_training_never_waits_for_a_channel(tmp_path):
    entered, leave, threads = threading.Event(), threading.Event(), []

    def hangs(_alert):
        threads.append(threading.get_ident())
        entered.set()
        leave.wait(LONG_S)

    with start_run(
        "run", log_dir=tmp_path, display=False, alerts=[HIGH], notify=[hangs]
    ) as run:
        run.log({"loss": 20.0})
        assert entered.wait(LONG_S)
        run.log({"loss": 1.0})
        run.flush()
        assert len((run.path / "rank_0.jsonl").read_text().splitlines()) >= 2
    leave.set()
    assert threading.get_ident() not in threads


def _rank(path, rank, address, barrier):
    os.environ.update(RANK_ID=str(rank), RANK_SIZE="4", MSWIDGET_JOB="job")
    with start_run("run", log_dir=path, display=False, notify=[address]) as run:
        for _ in range(40 + rank):
            run.log({"loss": 1.0})
        barrier.wait(60)
        run.log({"loss": math.nan})
    run._notifier.flush(LONG_S)


def test_four_ranks_that_fail_at_once_make_one_request(server, tmp_path):
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    ranks = [
        context.Process(target=_rank, args=(tmp_path, rank, server.address, barrier))
        for rank in range(4)
    ]
    for rank in ranks:
        rank.start()
    for rank in ranks:
        rank.join()
    (sent,) = server.wait()
    assert (sent["rule"], sent["ranks"]) == ("nonfinite", [0, 1, 2, 3])
    assert "ranks 0 to 3" in sent["text"]
    (alert,) = load_run(tmp_path / "run").alerts.itertuples()
    assert alert.ranks == [0, 1, 2, 3]


def test_what_comes_again_later_is_sent_again(tmp_path):
    ledger = Ledger(tmp_path / NAME)
    steps = [40, 45, 400]
    assert [ledger.claim(alert(step)) for step in steps] == [True, False, True]
    with (tmp_path / NAME).open("a") as file:
        file.write('{"ra')
    assert not Ledger(tmp_path / NAME).claim(alert(401, rank=1))


def test_no_secret_is_shown_anywhere(tmp_path, server, monkeypatch, caplog, capfd):
    place = tmp_path / "hook.txt"
    place.write_text(f"{server.address}\n")
    monkeypatch.setenv("KEY", SECRET)
    server.answers += [(404, {}, b"")] * 2
    hooks = [
        Webhook(f"file:{place}", key="env:KEY"),
        f"file:{place}",
        f"http://127.0.0.1:1/{SECRET}",
    ]
    logs = tmp_path / "logs"
    with (
        caplog.at_level(logging.DEBUG),
        start_run(
            "run", log_dir=logs, display="text", alerts=[HIGH], notify=hooks
        ) as run,
    ):
        run.log({"loss": 12.5})
        server.wait(0)
        run.flush()
        while len(run.notices) < 3:
            time.sleep(0.01)
    told = [repr(hooks[0]), repr(run._notifier.__dict__), *run.notices, caplog.text]
    written = [p.read_text() for p in logs.rglob("*") if p.is_file()]
    assert len(written) >= 3
    assert SECRET not in "\n".join([*told, *written, *capfd.readouterr()])
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(hooks[0])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("env:NO_SUCH_HOOK", "NO_SUCH_HOOK is empty or not there"),
        ("file:/no/such/hook", "/no/such/hook is empty or not there"),
        (f"ftp://{SECRET}", "begins with https://"),
    ],
)
def test_an_address_that_is_none_is_refused_at_once(tmp_path, given, says):
    with pytest.raises(ValueError, match=says) as refused:
        start_run("run", log_dir=tmp_path, display=False, notify=[given])
    assert SECRET not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_what_is_no_list_of_channels_is_refused(tmp_path):
    with pytest.raises(TypeError, match="notify must be a list"):
        start_run("run", log_dir=tmp_path, notify="env:HOOK")
    with pytest.raises(TypeError, match="a Webhook or a function; found a int"):
        start_run("run", log_dir=tmp_path, notify=[3])
