"""Which ranks of a pipeline have the loss, by what their logs say."""

from __future__ import annotations

from collections.abc import Mapping


def why_no_loss(facts: Mapping[str, object], rank: int, size: int) -> str:
    """Return why the loss in a rank's log means nothing; empty when it does.

    Parameters
    ----------
    facts
        ``pipeline_stages`` or ``pipeline_scheduler``, as the log says them.
    rank
        The rank whose log it is.
    size
        The number of all ranks; those of one stage follow each other.
    """
    if facts.get("pipeline_scheduler") == "zero_bubble_v":
        return "" if rank == 0 else "with zero_bubble_v only rank 0 has the loss"
    stages = facts.get("pipeline_stages", 1)
    if not isinstance(stages, int) or stages < 2 or size < stages:  # noqa: PLR2004
        return ""
    a_stage = size // stages
    stage = min(rank // a_stage, stages - 1)
    if stage == stages - 1:
        return ""
    return (
        f"rank {rank} computes stage {stage + 1} of {stages} of a pipeline; "
        f"the last stage has the loss, on ranks {size - a_stage} to {size - 1}"
    )
