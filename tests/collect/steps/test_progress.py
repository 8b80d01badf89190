from mswidget.collect.steps.offset import Offset
from mswidget.collect.steps.progress import Progress


def test_a_count_that_does_not_begin_at_zero_is_not_counted_twice():
    params = {"cur_step_num": 100}
    progress = Progress(params, Offset(100, "initial_step"))
    params["cur_step_num"] = 101
    progress.begin()
    progress.end()
    assert (progress.step, progress.steps, progress.last_step) == (101, 1, 101)


def test_a_data_sink_stands_for_all_its_steps():
    params = {"cur_step_num": 0}
    progress = Progress(params, Offset(5, "start_step"))
    told = []
    for params["cur_step_num"] in (20, 40):
        progress.begin()
        told.append((progress.step, progress.steps))
        progress.end()
        told.append((progress.step, progress.steps))
    assert told == [(25, 20), (25, 20), (45, 20), (45, 20)]
