"""What is sent of an alert, as each kind of channel wants it."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote_plus, urlsplit

from mswidget.records.alert import Alert
from mswidget.records.shared_notes import rank_words

Kind = Literal["json", "wecom", "dingtalk", "feishu", "slack"]
HOSTS: Mapping[str, Kind] = {
    "qyapi.weixin.qq.com": "wecom",
    "oapi.dingtalk.com": "dingtalk",
    "open.feishu.cn": "feishu",
    "open.larksuite.com": "feishu",
    "hooks.slack.com": "slack",
}
"""By the host of an address: whose it is."""
KINDS: Sequence[Kind] = ("json", "wecom", "dingtalk", "feishu", "slack")


@dataclass(frozen=True)
class Message:
    """An alert of a run, with the ranks that had it."""

    run: str
    alert: Alert
    ranks: tuple[int, ...]

    @property
    def text(self) -> str:
        """All in words, as a chat shows it."""
        alert = self.alert
        epoch = "" if alert.epoch is None else f", epoch {alert.epoch}"
        ranks = f", {rank_words(self.ranks)}" if any(self.ranks) else ""
        first = (
            f"[{alert.severity}] {self.run}: {alert.title} "
            f"(step {alert.step}{epoch}{ranks})"
        )
        return "\n".join(filter(None, [first, alert.advice]))

    @property
    def fields(self) -> dict[str, object]:
        """All by name."""
        fields = {**vars(self.alert), "run": self.run, "ranks": list(self.ranks)}
        del fields["last_step"]
        return fields | {"text": self.text}


Body = dict[str, object]
Signed = tuple[str, Body]
"""An address, and what is posted there."""


def kind_of_host(address: str) -> Kind:
    """Return whose address it is; ``json`` where that is not known."""
    return HOSTS.get(urlsplit(address).hostname or "", "json")


def post_of(
    message: Message, kind: Kind, address: str, key: str, now_s: float
) -> Signed:
    """Return where to post what.

    Parameters
    ----------
    message
        What there is to tell.
    kind
        Whose address it is.
    address
        The secret address.
    key
        What DingTalk and Feishu sign with; empty without.
    now_s
        Unix time: a signature holds for an hour.
    """
    return _POSTS[kind](message, address, key, now_s)


def _json(message: Message, address: str, _key: str, _now_s: float) -> Signed:
    return address, message.fields


def _slack(message: Message, address: str, _key: str, _now_s: float) -> Signed:
    return address, {"text": message.text}


def _wecom(message: Message, address: str, _key: str, _now_s: float) -> Signed:
    return address, {"msgtype": "text", "text": {"content": message.text}}


def _dingtalk(message: Message, address: str, key: str, now_s: float) -> Signed:
    body: Body = {"msgtype": "text", "text": {"content": message.text}}
    if not key:
        return address, body
    stamp = str(round(1000 * now_s))
    sign = quote_plus(_signature(key, f"{stamp}\n{key}"))
    joint = "&" if "?" in address else "?"
    return f"{address}{joint}timestamp={stamp}&sign={sign}", body


def _feishu(message: Message, address: str, key: str, now_s: float) -> Signed:
    body: Body = {"msg_type": "text", "content": {"text": message.text}}
    if key:
        stamp = str(int(now_s))
        body |= {"timestamp": stamp, "sign": _signature(f"{stamp}\n{key}", "")}
    return address, body


def _signature(key: str, text: str) -> str:
    digest = hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


_POSTS: Mapping[Kind, Callable[[Message, str, str, float], Signed]] = {
    "json": _json,
    "wecom": _wecom,
    "dingtalk": _dingtalk,
    "feishu": _feishu,
    "slack": _slack,
}
