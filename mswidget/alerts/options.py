"""What a user wants of the alerts of a run, checked before anything trains."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mswidget.alerts.glance import Rule
from mswidget.alerts.notify.channel import Caller, Channel, Webhook
from mswidget.alerts.rule_table import RULES
from mswidget.alerts.threshold import THRESHOLD, Threshold
from mswidget.records.alert import Alert

Notify = str | Webhook | Callable[[Alert], object]
"""Where alerts go: an address or its place, a `Webhook`, or a function."""


@dataclass(frozen=True)
class AlertOptions:
    """Which rules are asked, what follows from which of them, and who is told."""

    rules: tuple[Rule, ...] = RULES
    stop_on: frozenset[str] = frozenset()
    save_on: frozenset[str] = frozenset()
    channels: tuple[Channel, ...] = ()


def alert_options(
    alerts: Sequence[Threshold] = (),
    stop_on: Sequence[str] = (),
    save_on: Sequence[str] = (),
    notify: Sequence[Notify] = (),
) -> AlertOptions:
    """Return the options that a user has given; see `mswidget.start_run`.

    Raises
    ------
    TypeError, ValueError
        For what is none of them; says what is.
    """
    rules = {"stop_on": stop_on, "save_on": save_on}
    for name, given in {"alerts": alerts, **rules, "notify": notify}.items():
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise TypeError(f"{name} must be a list; found a {type(given).__name__}")
    for threshold in alerts:
        if not isinstance(threshold, Threshold):
            raise TypeError(
                "alerts must be thresholds, such as Threshold('loss', above=10); found "
                f"a {type(threshold).__name__}"
            )
    known = [*(rule.name for rule in RULES), THRESHOLD]
    for option, names in rules.items():
        for name in names:
            _check_rule(option, name, known)
    own = (threshold.rule() for threshold in alerts)
    channels = tuple(map(_channel, notify))
    return AlertOptions(
        (*RULES, *own), frozenset(stop_on), frozenset(save_on), channels
    )


def _check_rule(option: str, name: object, known: Sequence[str]) -> None:
    if name not in known:
        near = difflib.get_close_matches(str(name), known, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise ValueError(
            f"{option}: there is no rule {name!r}. {hint}The rules are: "
            f"{', '.join(known)}"
        )


def _channel(given: Notify) -> Channel:
    if isinstance(given, Webhook):
        return given
    if isinstance(given, str):
        return Webhook(given)
    if callable(given):
        return Caller(given)
    raise TypeError(
        "notify: expected an address or where it stands (env:NAME, file:PATH), a "
        f"Webhook or a function; found a {type(given).__name__}"
    )
