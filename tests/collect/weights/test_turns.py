from mswidget.collect.weights.turns import Turns


def turns(interval, log_interval, steps, before=0):
    ask = Turns(interval, log_interval, before).is_due
    return [step for step in steps if ask(step)]


def test_the_first_step_and_every_kth_have_their_turn():
    assert turns(50, 1, range(1, 151)) == [1, 50, 100, 150]
    assert turns(1, 1, range(1, 4)) == [1, 2, 3]


def test_only_steps_that_are_logged_have_their_turn():
    assert turns(50, 7, range(1, 120)) == [7, 56, 112]


def test_a_resumed_training_keeps_to_whole_steps():
    assert turns(50, 1, range(31, 101), before=30) == [31, 50, 100]


def test_a_data_sink_stands_for_the_turns_in_it():
    assert turns(50, 1, range(20, 201, 20)) == [20, 60, 100, 160, 200]
