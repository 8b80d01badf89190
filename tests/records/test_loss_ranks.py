import pytest

from mswidget.records.loss_ranks import why_no_loss, why_unknown


@pytest.mark.parametrize(
    ("stages", "scheduler", "size", "valid"),
    [
        (1, "1f1b", 4, [0, 1, 2, 3]),
        (2, "1f1b", 4, [2, 3]),
        (4, "gpipe", 4, [3]),
        (4, "1f1b", 8, [6, 7]),
        (2, "zero_bubble_v", 4, [0]),
        (None, "zero_bubble_v", 4, [0]),
        (None, "", 4, [0, 1, 2, 3]),
        (1, "zero_bubble_v", 4, [0, 1, 2, 3]),  # no pipeline, whatever the scheduler
        (8, "1f1b", 1, [0]),  # a laptop that runs one rank of a large configuration
        (2, "1f1b", 5, [0, 1, 2, 3, 4]),  # some logs are missing: nobody knows whose
    ],
)
def test_the_ranks_that_have_the_loss(stages, scheduler, size, valid):
    whys = {rank: why_no_loss(rank, size, stages, scheduler) for rank in range(size)}
    assert [rank for rank, why in whys.items() if not why] == valid


def test_a_rank_without_a_loss_is_told_who_has_it():
    assert why_no_loss(2, 8, 4) == (
        "it computes stage 2 of 4 of a pipeline; the last stage has the loss, on "
        "ranks 6 to 7"
    )


def test_ranks_that_are_no_whole_stages_are_told():
    assert why_unknown(8, 4) == ""
    assert why_unknown(5, 2) == "5 ranks cannot be all of a pipeline of 2 equal stages"
    assert why_unknown(1, 2) == "1 rank cannot be all of a pipeline of 2 equal stages"
