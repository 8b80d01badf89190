from mswidget.collect.options.weight_options import WeightOptions
from mswidget.collect.weights.allowance import Allowance


def test_what_takes_long_is_done_more_rarely():
    allowance = Allowance(0.01)
    assert allowance.allows(5.0)
    allowance.spend(0.125, now_s=5.0)
    assert not allowance.allows(17.25)
    assert allowance.allows(17.5)


def test_only_the_default_is_held_to_a_share_of_the_time():
    """Ranks must ask for the same gradients, and the user for what he likes."""
    assert WeightOptions().share < 1
    for exact in (WeightOptions(interval=50), WeightOptions(gradients=True)):
        allowance = Allowance(exact.share)
        allowance.spend(1.0, now_s=5.0)
        assert allowance.allows(5.0)
