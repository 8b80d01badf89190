"""Trainings that never were: healthy ones of many kinds, and what makes them sick.

Frozen before the rules were tuned: a change here makes every count worthless. The rules
are tuned on `TUNING` alone; `FINAL` is only counted.
"""

from dataclasses import dataclass

import numpy as np

TUNING = range(400)
FINAL = range(1_000_000, 1_001_000)


@dataclass(frozen=True)
class Training:
    """Values by metric, all of one length; ``onset`` is where the sickness begins."""

    kind: str
    values: dict
    onset: int | None = None


def healthy(seed):
    """Return a healthy training; its kind goes round with the seed."""
    random = np.random.default_rng(seed)
    kind = [*HEALTHY][seed % len(HEALTHY)]
    length = int(np.exp(random.uniform(np.log(120), np.log(12_000))))
    loss, rate = HEALTHY[kind](random, length)
    return Training(kind, _with_others(random, loss, rate))


def sick(kind, seed):
    """Return a healthy training of a few hundred values at least, made sick."""
    random = np.random.default_rng([seed, [*SICK].index(kind)])
    length = int(np.exp(random.uniform(np.log(1_000), np.log(8_000))))
    make = HEALTHY[[*HEALTHY][seed % len(HEALTHY)]]
    values = _with_others(random, *make(random, length))
    onset = int(random.uniform(0.2, 0.6) * length)
    return Training(kind, *SICK[kind](random, values, onset))


def _language(random, n):
    """A power law below a warm-up and a cosine, as of a language model."""
    rate = _cosine(n, warm_up=max(n // 20, 2))
    work = np.cumsum(rate) * random.uniform(20, 200) / n
    loss = 1.7 + random.uniform(5, 9) * (1 + 20 * work) ** -random.uniform(0.3, 0.8)
    return loss * _noise(random, n, random.uniform(0.01, 0.06)), rate


def _bumpy_start(random, n):
    """The loss rises in the warm-up before it falls."""
    warm_up = int(random.uniform(0.02, 0.1) * n) + 2
    bump = random.uniform(0.1, 0.4) * np.exp(
        -(((np.arange(n) - warm_up) / warm_up) ** 2)
    )
    fall = 0.3 + 2 * np.exp(-np.arange(n) / (n / 5))
    return fall * (1 + bump) * _noise(random, n, 0.05), _cosine(n, warm_up)


def _steps(random, n):
    """Rates that fall in steps, and a loss that falls with each."""
    rate = np.ones(n)
    for at in (0.5, 0.75, 0.9):
        rate[int(at * n) :] /= 10
    floor = 0.1 + 0.4 * np.sqrt(rate)
    loss = floor + 2.2 * np.exp(-np.arange(n) / random.uniform(n / 30, n / 6))
    return loss * _noise(random, n, random.uniform(0.03, 0.3)), rate


def _fine_tuning(random, n):
    """Begins low, falls little, is noisy."""
    start = random.uniform(0.5, 2)
    fall = random.uniform(0.05, 0.3) * (1 - np.exp(-np.arange(n) / (n / 4)))
    loss = start * (1 - fall) * _noise(random, n, random.uniform(0.1, 0.4))
    return loss, np.linspace(1, 0.01, n)


def _detection(random, n):
    """Hard batches now and then: a tail that is heavy on one side."""
    fall = 1 + 6 * (1 + np.arange(n) / (n / 40)) ** -0.6
    hard = np.where(random.random(n) < 0.01, random.uniform(1.5, 3, n), 1)
    return fall * hard * _noise(random, n, 0.2), _cosine(n, max(n // 50, 2))


def _saw_tooth(random, n):
    """Rises a little at each epoch's begin, as what learns its data by heart."""
    epoch = max(n // int(random.uniform(3, 20)), 20)
    within = np.arange(n) % epoch / epoch
    fall = 0.4 + 3 * np.exp(-np.arange(n) / (n / 4))
    saw = 1 + random.uniform(0.05, 0.25) * (0.5 - within)
    return fall * saw * _noise(random, n, 0.05), np.ones(n)


def _restarts(random, n):
    """Warm restarts of the rate, each of which sets the loss back for a while."""
    cycle = max(n // int(random.uniform(2, 5)), 30)
    rate = 0.5 + 0.5 * np.cos(np.pi * (np.arange(n) % cycle) / cycle) + 1e-3
    fall = 0.2 + 2 * np.exp(-np.arange(n) / (n / 5))
    loss = fall * (
        1 + random.uniform(0.2, 1.2) * rate * (1 - np.exp(-np.arange(n) / 50))
    )
    return loss * _noise(random, n, 0.08), rate


def _tiny(random, n):
    """Down to a millionth, with noise that is a share of it."""
    fall = np.exp(-np.arange(n) / (n / random.uniform(3, 14)))
    return fall * _noise(random, n, random.uniform(0.1, 0.5)), np.ones(n)


def _negative(random, n):
    """A log likelihood, which falls through zero."""
    loss = random.uniform(1, 4) - 3 * np.log1p(np.arange(n) / (n / 30))
    return loss + 0.3 * random.normal(size=n), _cosine(n, 2)


def _wandering(random, n):
    """Noise that lasts, as of batches that are much alike, above a slow fall."""
    step = random.normal(size=n) * random.uniform(0.01, 0.03)
    drift = np.empty(n)
    level = 0.0
    for at in range(n):
        level = 0.98 * level + step[at]
        drift[at] = level
    fall = 0.5 + 2 * np.exp(-np.arange(n) / (n / 3))
    return fall * np.exp(drift) * _noise(random, n, 0.05), np.linspace(1, 0, n + 1)[:n]


def _converged(random, n):
    """At its floor soon, and there for the rest, with a rate that falls."""
    fall = random.uniform(0.05, 0.5) + 2 * np.exp(-np.arange(n) / (n / 25))
    return fall * _noise(random, n, random.uniform(0.05, 0.3)), _cosine(n, 2)


def _heavy_tailed(random, n):
    """Noise of Student's t with few degrees of freedom."""
    fall = 1 + 4 * np.exp(-np.arange(n) / (n / 5))
    return fall + 0.1 * random.standard_t(4, size=n), np.ones(n)


HEALTHY = {
    "language": _language,
    "bumpy start": _bumpy_start,
    "steps": _steps,
    "fine-tuning": _fine_tuning,
    "detection": _detection,
    "saw-tooth": _saw_tooth,
    "restarts": _restarts,
    "tiny": _tiny,
    "negative": _negative,
    "wandering": _wandering,
    "converged": _converged,
    "heavy-tailed": _heavy_tailed,
}


def _cosine(n, warm_up):
    at = np.arange(n)
    fall = 0.5 + 0.5 * np.cos(np.pi * np.maximum(at - warm_up, 0) / max(n - warm_up, 1))
    return np.minimum((at + 1) / warm_up, 1) * fall


def _noise(random, n, size):
    return np.exp(size * random.normal(size=n))


def _with_others(random, loss, rate):
    """Add what is logged beside a loss."""
    n = len(loss)
    share = random.uniform(0.2, 0.6)
    part = share * loss * _noise(random, n, 0.05)
    start = np.exp(-np.arange(n) / 30)
    norm = (0.3 + 2 * start) * _noise(random, n, random.uniform(0.1, 0.6))
    overflow = (random.random(n) < 1e-3).astype(float)
    overflow[: int(random.uniform(0, 14))] = 1
    norm[overflow > 0] = np.inf
    pace = random.uniform(5, 500) * _noise(random, n, random.uniform(0.02, 0.3))
    pause = np.where(random.random(n) < 0.01, random.uniform(3, 30, n), 1)
    return {
        "loss": loss,
        "loss/a": part,
        "loss/b": loss - part,
        "lr": random.choice([1e-5, 3e-4, 0.1]) * rate,
        "grad_norm": norm,
        "grad_norm/body": norm * 0.8 * _noise(random, n, 0.1),
        "grad_norm/head": norm * 0.6 * _noise(random, n, 0.1),
        "overflow": overflow,
        "step_time_ms": pace * pause,
        "data_time_ms": random.uniform(0.01, 0.3) * pace * _noise(random, n, 0.3),
    }


def _rest(values, name, onset, change):
    """Change one metric from the onset on; the places from there count from 0."""
    changed = values[name].copy()
    changed[onset:] = change(changed[onset:], np.arange(len(changed) - onset))
    return {**values, name: changed}


def _fallen(loss, onset):
    """Return where a loss is at its onset, and how far it has come."""
    now = float(np.median(loss[max(onset - 50, 0) : onset]))
    return now, max(float(np.median(loss[:20])) - now, 0.3 * abs(now))


def _nonfinite(random, values, onset):
    kind = random.choice([np.nan, np.inf, -np.inf])
    values = _rest(values, "loss", onset, lambda v, _: np.full_like(v, kind))
    return _rest(values, "loss/b", onset, lambda v, _: np.full_like(v, kind)), onset


def _exploding(random, values, onset):
    """Grows by a factor in a few dozen steps, up to a height at which it stays."""
    _, fallen = _fallen(values["loss"], onset)
    rate = 1 / random.uniform(10, 60)
    most = fallen * random.uniform(2, 1000)
    noise = _noise(random, len(values["loss"]), 0.2)

    def change(held, at):
        return held + noise[at] * np.minimum(fallen / 10 * np.expm1(rate * at), most)

    return _rest(values, "loss", onset, change), onset


def _climbing(random, values, onset):
    """Climbs slowly, over several hundred steps, back to where it began."""
    _, fallen = _fallen(values["loss"], onset)
    over = random.uniform(200, 600)
    return _rest(
        values, "loss", onset, lambda v, at: v + fallen * np.minimum(at / over, 1.5)
    ), onset


def _spiking(random, values, onset):
    """One bad batch."""
    now, fallen = _fallen(values["loss"], onset)
    spread = float(np.std(values["loss"][onset - 100 : onset]))
    height = random.uniform(2, 20) * max(fallen, abs(now), 15 * spread)
    return _rest(values, "loss", onset, lambda v, at: v + height * (at == 0)), onset


def _oscillating(random, values, onset):
    """Swings that grow by half in some dozens of steps, up to the size of the fall."""
    _, fallen = _fallen(values["loss"], onset)
    period, grow = random.uniform(2, 12), 1 / random.uniform(40, 120)
    spread = float(np.std(values["loss"][onset - 100 : onset]))

    def change(held, at):
        most = max(fallen, 20 * spread)
        swing = np.minimum(spread * np.exp(grow * at), most)
        return held + swing * np.sin(2 * np.pi * at / period)

    return _rest(values, "loss", onset, change), onset


def _flat(random, values, _onset):
    """Never learns anything."""
    n = len(values["loss"])
    level = random.uniform(0.5, 10)
    loss = level * _noise(random, n, random.uniform(0.01, 0.1))
    return {**values, "loss": loss, "lr": np.full(n, 1e-3)}, 0


def _gradient_exploding(random, values, onset):
    rate, most = 1 / random.uniform(5, 40), random.uniform(7, 14)
    for name in ("grad_norm", "grad_norm/body", "grad_norm/head"):
        values = _rest(
            values, name, onset, lambda v, at: v * np.exp(np.minimum(rate * at, most))
        )
    return values, onset


def _gradient_vanishing(random, values, onset):
    """All gradients go, while the loss stays where it is."""
    rate, least = 1 / random.uniform(5, 40), 10 ** random.uniform(-8, -5)
    for name in ("grad_norm", "grad_norm/body", "grad_norm/head"):
        values = _rest(
            values, name, onset, lambda v, at: v * np.maximum(np.exp(-rate * at), least)
        )
    level = float(np.median(values["loss"][:20]))
    noise = _noise(random, len(values["loss"]), 0.05)
    return {**values, "loss": level * noise}, onset


def _overflowing(random, values, onset):
    length = int(random.uniform(30, 200))

    def change(held, at):
        return np.where(at < length, 1.0, held)

    return _rest(values, "overflow", onset, change), onset


def _rate_zero(_random, values, onset):
    return _rest(values, "lr", onset, lambda v, _: np.zeros_like(v)), onset


def _slowing(random, values, onset):
    factor = random.uniform(2.5, 10)
    return _rest(values, "step_time_ms", onset, lambda v, _: v * factor), onset


def _starving(random, values, onset):
    """The network waits for its data."""
    share = random.uniform(0.6, 0.95)
    pace = values["step_time_ms"] * max(30 / np.median(values["step_time_ms"]), 1)
    values = {**values, "step_time_ms": pace, "data_time_ms": values["data_time_ms"]}
    return _rest(
        values, "data_time_ms", onset, lambda _, at: share * pace[onset + at]
    ), onset


def _part_diverging(random, values, onset):
    """One part climbs while the others, and their sum, fall."""
    part = values["loss/a"] / 10
    now, fallen = _fallen(part, onset)
    over = random.uniform(100, 400)
    values = {**values, "loss/a": part}
    return _rest(
        values,
        "loss/a",
        onset,
        lambda v, at: v + 3 * (fallen + abs(now)) * np.minimum(at / over, 1),
    ), onset


SICK = {
    "nonfinite": _nonfinite,
    "diverged": _exploding,
    "diverged slowly": _climbing,
    "spike": _spiking,
    "oscillation": _oscillating,
    "plateau": _flat,
    "gradient_explosion": _gradient_exploding,
    "gradient_vanishing": _gradient_vanishing,
    "overflow_streak": _overflowing,
    "lr_zero": _rate_zero,
    "slow_steps": _slowing,
    "data_wait": _starving,
    "part_diverged": _part_diverging,
}
