"""What makes a step slow: one function a finding, each with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from mswidget.profiler.findings.finding import Evidence, Finding
from mswidget.profiler.findings.idle_time import idle_before
from mswidget.profiler.findings.slow_rank import compare_ranks, times_of_ranks
from mswidget.profiler.times.kernels import WHOLE

_WORTH_SAYING = 0.1  # of the step
_ONE_PERCENT = 0.01
_FEW_OPS = 0.01  # of the computing
_FORMAT_OPS = 0.05  # of the computing
_SMALL_US = 10.0
_ROWS = 20  # of evidence

# They move or convert tensors and compute nothing.
_MOVING = (
    *("TransData", "Transpose", "TransposeD", "Cast", "TensorMove", "Identity"),
    *("ViewCopy", "MemcpyAsync", "AsStrided", "StridedSlice"),
)

_IN_OPERATORS = {
    "wait_time_us": (
        "waits for other ranks",
        "profile them too, to see which one is late",
    ),
    "transit_time_us": ("sends", "look at its links and the size of its packets"),
    "idle_time_us": (
        "idles",
        "it is neither counted as waiting nor as sending; receives may be in it",
    ),
}

_JUDGED_BY = {
    "type": "operator types, so conversions of tensors are not found",
    "accelerator_core": "cores, so operators on the AI CPU are not found",
}


def memory_copy(evidence: Evidence) -> Finding | None:
    """Find steps that stand still while memory is copied."""
    return _of_step(
        "memory_copy",
        evidence.knowing("memory_copy_us"),
        "memory_copy_us",
        "memory is copied and nothing is computed",
        "Keep tensors on the device between steps, read results less often (a loss "
        "every K steps), and let the data sink mode move the batches.",
    )


def synchronisation(evidence: Evidence) -> Finding | None:
    """Find steps in which the streams of the device wait for one another."""
    return _of_step(
        "synchronisation",
        evidence.knowing("synchronisation_us"),
        "synchronisation_us",
        "the device waits for events and computes nothing",
        "Read values on the host less often (asnumpy, print, float), and look for "
        "streams that wait for one another.",
    )


def host_bound(evidence: Evidence) -> Finding | None:
    """Find steps in which the device is free because the host gives it no work.

    What small kernels wait is left to `small_kernels`, where that is worth saying.
    """
    advice = (
        "Compile the step (graph mode or jit), use data sink mode, check the data "
        "pipeline, and keep Python work out of the loop."
    )
    steps = evidence.knowing("free_us")
    is_split = steps["other_free_us"].notna()
    steps = steps.assign(
        idle_us=steps["other_free_us"].where(is_split, steps["free_us"])
    )
    what = "the device has nothing to do"
    if not is_split.all():
        what += ", copies and waits included where they are not told apart"
    small = small_kernels(evidence)
    told = small.size_us if small else 0.0
    if told:
        what += ", beside what passes before small kernels"
    return _of_step("host_bound", steps, "idle_us", what, advice, told)


def preparing(evidence: Evidence) -> Finding | None:
    """Find steps that begin long before the first kernel: no other finding has it."""
    return _of_step(
        "preparing",
        evidence.knowing("preparing_us"),
        "preparing_us",
        "passes before the first kernel, and is not in its time",
        "Look at what the host does at the begin of a step: it waits for data, reads "
        "values, or compiles.",
    )


def slow_rank(evidence: Evidence) -> Finding | None:
    """Find the rank that comes last to communicate, so that the others wait for it."""
    slow = compare_ranks(evidence.steps)
    if slow is None:
        return None
    return Finding(
        "slow_rank",
        f"{slow}, of {len(slow.ranks)}: last to communicate, by "
        f"{slow.late_us / 1e3:,.1f} ms a step or {slow.share:.0%} of it over the mean; "
        f"{slow.cause}, and the others wait",
        slow.late_us * len(evidence.steps),
        slow.share,
        f"Look at {slow} first: their part of the model and the data, and their "
        "machine. Were all ranks alike, a step would gain at most that.",
        slow.ranks,
    )


def communication_not_overlapped(evidence: Evidence) -> Finding | None:
    """Find steps that wait for communication which no compute hides."""
    column = "communication_not_overlapped_us"
    return _of_step(
        "communication_not_overlapped",
        evidence.knowing(column),
        column,
        "is communication that no computing hides",
        f"{_of_ranks(evidence)}Fuse gradients into fewer all-reduces, and let them "
        "start during the backward pass.",
    )


def _of_ranks(evidence: Evidence) -> str:
    """Return what the profile tells of who waits for whom, or how to know."""
    if slow := compare_ranks(evidence.steps):
        return f"Mend {slow} first: the others wait. "
    if len(ranks := times_of_ranks(evidence.steps)) > 1:
        return f"None of the {len(ranks)} ranks is slow. "
    return _within(evidence.communication)


def _within(communication: pd.DataFrame) -> str:
    """Return what a rank alone tells: whether its operators wait, or send."""
    if not {*_IN_OPERATORS}.issubset(communication.columns):
        return "Profile the other ranks too, to see whether one is slow. "
    total = communication[[*_IN_OPERATORS]].sum()
    elapsed = float(communication["elapse_time_us"].sum())
    if not elapsed:
        return ""
    largest = max(_IN_OPERATORS, key=lambda column: total[column])
    words, advice = _IN_OPERATORS[largest]
    return f"Of its communication {total[largest] / elapsed:.0%} {words}: {advice}. "


def ai_cpu(evidence: Evidence) -> Finding | None:
    """Find operators in the loop that run on the AI CPU, not on the cores."""
    if evidence.ops.empty:
        return None
    ops = evidence.ops[evidence.ops["accelerator_core"].astype(str) == "AI_CPU"]
    return _of_computing(
        evidence,
        "ai_cpu",
        ops,
        _FEW_OPS,
        "of the computing runs on the AI CPU",
        "Use another operator or data type that the AI Core supports (int64 to int32, "
        "float64 to float32), or move the operator out of the loop.",
    )


def format_conversion(evidence: Evidence) -> Finding | None:
    """Find operators that only move or convert tensors."""
    if evidence.ops.empty:
        return None
    return _of_computing(
        evidence,
        "format_conversion",
        evidence.ops[evidence.ops["type"].astype(str).isin(_MOVING)],
        _FORMAT_OPS,
        "of the computing moves or converts tensors",
        "Keep one data type and one format through the network, choose shapes that are "
        "multiples of 16, and avoid transposes between operators.",
    )


def small_kernels(evidence: Evidence) -> Finding | None:
    """Find steps made of many kernels so short that launching them costs more.

    The size is derived: how long nothing ran in the ``Wait Time`` of these kernels,
    which lasts from the end of the kernel before and may hold communication; at most
    the steps' free time, since not every version lists collectives among the kernels.
    """
    kernels = evidence.kernels
    steps = evidence.steps_of(kernels)
    if steps.empty:
        return None
    free, step = (float(steps[column].sum()) for column in ("free_us", "step_us"))
    computes = ~kernels["is_communication"]
    is_small = computes & (kernels["duration_us"] < _SMALL_US)
    small, count = kernels[is_small], computes.sum()
    waited = (
        min(idle_before(kernels, is_small), free) if 2 * len(small) >= count else 0.0
    )
    if not step or waited < _WORTH_SAYING * step:
        return None
    return Finding(
        name="small_kernels",
        title=f"{len(small)} of {count} kernels take less than {_SMALL_US:.0f} us "
        f"each; {_part(waited, steps)} passes before they begin"
        + _of_excerpt(
            float(kernels["duration_us"][computes].sum()),
            float(steps["computing_us"].sum()),
        ),
        size_us=waited,
        share=waited / step,
        advice="Compile the step (graph mode or jit) so that kernels are fused, use "
        "the optimizer's fused form, and larger batches.",
        evidence=small.nlargest(_ROWS, "wait_time_us"),
    )


FINDINGS: tuple[Callable[[Evidence], Finding | None], ...] = (
    memory_copy,
    synchronisation,
    host_bound,
    preparing,
    slow_rank,
    communication_not_overlapped,
    ai_cpu,
    format_conversion,
    small_kernels,
)


def find_bottlenecks(evidence: Evidence) -> tuple[Finding, ...]:
    """Return all findings, the largest first."""
    findings = [finding for find in FINDINGS if (finding := find(evidence))]
    return tuple(sorted(findings, key=lambda finding: finding.size_us, reverse=True))


def unjudged(kernels: pd.DataFrame) -> Iterator[str]:
    """Yield what cannot be found in kernels, as of `kernels.kernel_table`, and why."""
    computing = kernels[~kernels["is_communication"]]
    for column, what in _JUDGED_BY.items():
        if len(computing) and computing[column].isna().all():
            yield f"the kernels have no {what}, as at level 0; at Level1 they would"


def _of_step(
    name: str,
    steps: pd.DataFrame,
    column: str,
    what: str,
    advice: str,
    told_us: float = 0.0,
) -> Finding | None:
    """Return a finding of a column of the steps, but for what another has told."""
    if steps.empty:
        return None
    size, step = (float(steps[c].sum()) for c in (column, "step_us"))
    size = max(size - told_us, 0.0)
    if not step or size < _WORTH_SAYING * step:
        return None
    count, each = (len(steps), "a step") if _are_told_apart(steps) else (1, "in all")
    title = f"{_part(size, steps)} {what} ({size / count / 1e3:,.1f} ms {each})"
    return Finding(
        name, title, size, size / step, advice, steps.nlargest(_ROWS, column)
    )


def _part(size: float, steps: pd.DataFrame) -> str:
    share = size / float(steps["step_us"].sum())
    words = f"{share:.0%}" if share >= _ONE_PERCENT else "less than 1%"
    return f"{words} of the {'step' if _are_told_apart(steps) else 'profiled time'}"


def _are_told_apart(steps: pd.DataFrame) -> bool:
    return bool(steps["step"].notna().any())


def _of_computing(
    evidence: Evidence,
    name: str,
    ops: pd.DataFrame,
    least: float,
    what: str,
    advice: str,
) -> Finding | None:
    # A part of the ranks says nothing of the others' steps.
    steps = evidence.steps_of(evidence.ops)
    size, held = (float(o["total_us"].sum()) for o in (ops, evidence.ops))
    # Cores that work side by side take longer in all than the step computes.
    everything = max(held, float(steps["computing_us"].sum()))
    if not everything or size < least * everything:
        return None
    step = float(steps["step_us"].sum())
    of_step = f", {_part(size, steps)}" if step else ""
    title = (
        f"{size / everything:.0%} {what} ({size / 1e3:,.1f} ms in all{of_step})"
        f"{_of_excerpt(held, everything)}"
    )
    share = size / (step or everything)
    return Finding(name, title, size, share, advice, ops.head(_ROWS))


def _of_excerpt(held_us: float, computing_us: float) -> str:
    """Return what to add to a sentence about kernels that are not all there."""
    if held_us >= WHOLE * computing_us:
        return ""
    return f"; at least: the files hold {held_us / computing_us:.0%} of the computing"
