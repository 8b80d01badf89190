"""Which ranks of a pipeline return a loss that means something."""

from __future__ import annotations

ZERO_BUBBLE_V = "zero_bubble_v"


def why_no_loss(rank: int, size: int, stages: int | None, scheduler: str = "") -> str:
    """Return why the loss of a rank means nothing; empty when it does, or may.

    The last stage has the loss; with ``zero_bubble_v`` only rank 0 has it. So says
    MindFormers' `MFLossMonitor`, of the second whatever the number of stages: its log
    leaves that open.

    Parameters
    ----------
    rank
        Whose loss it is.
    size
        The number of all ranks; those of one stage follow each other.
    stages
        Of the pipeline; 1 without one, None when nobody says.
    scheduler
        Of the pipeline.
    """
    if stages == 1:
        return ""
    if scheduler == ZERO_BUBBLE_V:
        return "" if rank == 0 else f"with {ZERO_BUBBLE_V} only rank 0 has the loss"
    if stages is None or why_unknown(size, stages):
        return ""
    stage, a_stage = rank * stages // size, size // stages
    if stage == stages - 1:
        return ""
    return (
        f"it computes stage {stage + 1} of {stages} of a pipeline; "
        f"the last stage has the loss, on ranks {size - a_stage} to {size - 1}"
    )


def why_unknown(size: int, stages: int) -> str:
    """Return why nobody can tell which ranks have the loss; empty when one can.

    MindSpore gives each stage as many ranks as any other.
    """
    if stages >= 1 and size % stages == 0:
        return ""
    ranks = "1 rank" if size == 1 else f"{size} ranks"
    return f"{ranks} cannot be all of a pipeline of {stages} equal stages"
