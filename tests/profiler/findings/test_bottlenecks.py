"""A finding fires on what it is about, says its size, and stays silent otherwise."""

import re
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.profiler.findings.bottlenecks import FINDINGS, find_bottlenecks
from mswidget.profiler.findings.finding import Evidence
from mswidget.profiler.load import load_profile
from mswidget.profiler.times.kernels import kernel_table, op_times
from tests.profiler.samples import (
    CLUSTERS,
    MSPROF,
    TORCH_2023,
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)

QUIET = {
    "computing_us": 950.0,
    "communication_not_overlapped_us": 20.0,
    "free_us": 30.0,
    "memory_copy_us": 10.0,
    "synchronisation_us": 10.0,
    "other_free_us": 10.0,
    "step_us": 1000.0,
}


def kernel(kind="MatMul", core="AI_CORE", duration=100.0, wait=1.0, start=0):
    return {
        "rank": 0,
        "name": kind,
        "type": kind,
        "accelerator_core": core,
        "start_time_ns": 1000 * start,
        "duration_us": duration,
        "wait_time_us": wait,
    }


def evidence(rows=(), **step):
    tables = {"kernel_details": pd.DataFrame([kernel(), *rows])}
    steps = pd.DataFrame([{"rank": 0, "step": 1, **QUIET, **step}])
    return Evidence(steps, op_times(tables), kernel_table(tables))


def of_ranks(*times):
    """Return steps of ranks that compute and then wait in communication."""
    steps = [
        {
            **QUIET,
            "rank": rank,
            "step": 1,
            "computing_us": computing,
            "communication_not_overlapped_us": communication,
            "step_us": computing + communication + QUIET["free_us"],
        }
        for rank, (computing, communication) in enumerate(times)
    ]
    return replace(evidence(), steps=pd.DataFrame(steps))


SMALL = [kernel(duration=2, wait=5.0, start=105 + 7 * n) for n in range(90)]
CASES = {
    "memory_copy": evidence(memory_copy_us=450.0),
    "synchronisation": evidence(synchronisation_us=450.0),
    "host_bound": evidence(other_free_us=450.0),
    "preparing": evidence(preparing_us=450.0),
    "slow_rank": of_ranks((50.0, 950.0), (1000.0, 0.0)),
    "communication_not_overlapped": evidence(communication_not_overlapped_us=450.0),
    "ai_cpu": evidence([kernel("Unique", "AI_CPU", 450)]),
    "format_conversion": evidence([kernel("TransData", "AI_VECTOR_CORE", 450)]),
    "small_kernels": evidence(SMALL, free_us=450.0, other_free_us=10.0),
}


def test_every_finding_has_a_case():
    assert [look.__name__ for look in FINDINGS] == [*CASES]


def test_kernels_that_wait_for_a_collective_are_no_slow_launches():
    # The last one waits for it, and for nothing else.
    after = kernel(duration=2, wait=450.0, start=1200)
    collective = kernel("hcom_allReduce_", "HCCL", 450, start=750)
    quick = [row | {"wait_time_us": 0.5} for row in SMALL]
    rows = [*quick, collective, after]
    assert find_bottlenecks(evidence(rows, free_us=450.0)) == ()
    # Not every version lists collectives among the kernels.
    rows.remove(collective)
    assert find_bottlenecks(evidence(rows)) == ()


def test_what_no_step_was_told_of_is_no_part_of_a_step():
    one = CASES["host_bound"]
    whole = replace(one, steps=one.steps.assign(step=pd.NA))
    assert find_bottlenecks(whole)[0].title == (
        "45% of the profiled time the device has nothing to do (0.5 ms in all)"
    )


def test_next_to_nothing_of_a_step_is_not_called_nothing():
    (finding,) = find_bottlenecks(
        evidence(
            [kernel("Cast", "AI_VECTOR_CORE", 50)], step_us=1e6, computing_us=150.0
        )
    )
    assert finding.title == (
        "33% of the computing moves or converts tensors "
        "(0.1 ms in all, less than 1% of the step)"
    )


@pytest.mark.parametrize("name", ["ai_cpu", "small_kernels"])
def test_ranks_whose_kernels_are_not_there_make_no_finding_smaller(name):
    one = CASES[name]
    two = pd.concat([one.steps, one.steps.assign(rank=1)])
    before, now = (
        next(f for f in find_bottlenecks(looked_at) if f.name == name)
        for looked_at in (one, replace(one, steps=two))
    )
    assert (now.title, now.share) == (before.title, before.share)


def test_a_rank_whose_free_time_is_not_split_counts_as_idle():
    split, not_split = (
        evidence(free_us=free_us, other_free_us=other_us).steps.assign(rank=rank)
        for rank, free_us, other_us in ((0, 50.0, 50.0), (1, 750.0, float("nan")))
    )
    findings = find_bottlenecks(
        replace(evidence(), steps=pd.concat([split, not_split]))
    )
    (host,) = (finding for finding in findings if finding.name == "host_bound")
    assert (host.size_us, host.share) == (800, 0.4)
    assert host.evidence["rank"].tolist() == [1, 0]


def test_the_steps_that_idle_most_come_first_whatever_they_copy():
    copying, idle = (
        evidence(free_us=free_us, other_free_us=other_us).steps.assign(step=step)
        for step, free_us, other_us in ((1, 900.0, 200.0), (2, 500.0, 500.0))
    )
    findings = find_bottlenecks(replace(evidence(), steps=pd.concat([copying, idle])))
    (host,) = (finding for finding in findings if finding.name == "host_bound")
    assert host.evidence["step"].tolist() == [2, 1]


def test_the_time_in_a_title_is_that_of_one_step():
    one = CASES["memory_copy"]
    (finding,) = find_bottlenecks(replace(one, steps=pd.concat([one.steps] * 2)))
    assert finding.title.endswith("(0.5 ms a step)")
    assert finding.size_us == 900


@pytest.mark.parametrize("name", CASES)
def test_a_finding_comes_with_its_size_and_evidence(name):
    (finding,) = (f for f in find_bottlenecks(CASES[name]) if f.name == name)
    assert finding.name == name
    assert 0.44 < finding.share < 0.51
    assert finding.level == "warn"
    assert len(finding.evidence)
    assert f"{finding.share:.0%}" in str(finding)


def test_a_healthy_step_has_no_findings():
    assert find_bottlenecks(evidence()) == ()


def test_the_real_sample_is_bound_by_communication_and_host():
    findings = {f.name: f for f in load_profile(TORCH_LEVEL_1).findings}
    # (101963.203 + 96359.047) / (136581.009 + 131912.616), see step_trace_time.csv.
    assert findings["communication_not_overlapped"].share == pytest.approx(
        0.738649, 1e-5
    )
    # Only rank 0 has a trace: 25744.050, less 10.765 of copies and 256.925 of waits in
    # the free lane; and 26675.274 of rank 1.
    assert findings["host_bound"].share == pytest.approx(0.194238, 1e-5)
    assert "copies and waits included where" in findings["host_bound"].title
    # TransData, TensorMove, Transpose and Cast of kernel_details.csv:
    # 2121.736 + 2111.612 of steps of 268493.625.
    assert "(4.2 ms in all, 2% of the step)" in findings["format_conversion"].title
    assert "ai_cpu" not in findings


def test_without_a_trace_the_host_is_blamed_for_copies_too_and_it_is_said():
    profile = load_profile(TORCH_LEVEL_1 / "rank1_ascend_pt")
    (finding,) = (f for f in profile.findings if f.name == "host_bound")
    # 26675.274 of 131912.616, see step_trace_time.csv.
    assert finding.share == pytest.approx(0.202219, 1e-5)
    assert "copies and waits included where" in finding.title


def test_half_a_percent_on_the_ai_cpu_is_not_worth_saying():
    # Two Casts of 145.0223 us in all, of 27132.4275 us.
    profile = load_profile(TORCH_2023)
    assert (
        profile.op_times.query("accelerator_core == 'AI_CPU'")["share_pct"].sum() > 0.5
    )
    assert "ai_cpu" not in {finding.name for finding in profile.findings}


@pytest.mark.parametrize("path", [MSPROF, TORCH_LEVEL_0])
def test_findings_need_no_more_than_is_there(path):
    assert all(len(finding.evidence) for finding in load_profile(path).findings)


def test_an_empty_profile_has_no_findings(tmp_path):
    assert load_profile(tmp_path).findings == ()


def test_steps_and_operators_of_no_time_have_no_findings():
    nothing = dict.fromkeys(QUIET, 0.0)
    rows = [kernel("TransData", "AI_CPU", duration=0.0, wait=0.0)]
    tables = {"kernel_details": pd.DataFrame(rows)}
    steps = pd.DataFrame([{"rank": 0, "step": 1, **nothing}])
    assert (
        find_bottlenecks(Evidence(steps, op_times(tables), kernel_table(tables))) == ()
    )


def test_a_share_is_of_the_computing_of_the_step_where_kernels_were_cut_out():
    cut = evidence([kernel("Cast", "AI_VECTOR_CORE", 95)], computing_us=9500.0)
    assert find_bottlenecks(cut) == ()
    cut = evidence([kernel("Cast", "AI_VECTOR_CORE", 950)], computing_us=9500.0)
    (finding,) = find_bottlenecks(cut)
    assert finding.title == (
        "10% of the computing moves or converts tensors (0.9 ms in all, 95% of the "
        "step); at least: the files hold 11% of the computing"
    )


@pytest.mark.parametrize("kind", ["ZerosLike", "MemSet"])
def test_what_fills_a_tensor_moves_none(kind):
    assert find_bottlenecks(evidence([kernel(kind, "AI_VECTOR_CORE", 450)])) == ()


def test_what_level_0_cannot_tell_is_said():
    said = str(load_profile(TORCH_LEVEL_0).report)
    assert "no operator types, so conversions of tensors are not found" in said
    assert "operator types" not in str(load_profile(TORCH_LEVEL_1).report)


def by_name(findings):
    return {finding.name: finding for finding in findings}


def test_the_slow_ranks_are_named_with_what_they_do_longer():
    times = ((231e3, 580e3), (231e3, 580e3), (400e3, 411e3), (400e3, 411e3))
    findings = by_name(find_bottlenecks(of_ranks(*times)))
    slow = findings["slow_rank"]
    # 400 less the mean of 231, 231, 400 and 400.
    assert "ranks 2, 3, of 4: last to communicate, by 84.5 ms a step" in slow.title
    assert "compute longer" in slow.title
    assert slow.size_us == pytest.approx(4 * 84.5e3)
    advice = findings["communication_not_overlapped"].advice
    assert advice.startswith("Mend ranks 2, 3 first")


def test_ranks_that_are_alike_make_no_slow_one_and_it_is_said():
    findings = by_name(find_bottlenecks(of_ranks((400.0, 600.0), (410.0, 590.0))))
    assert "slow_rank" not in findings
    advice = findings["communication_not_overlapped"].advice
    assert advice.startswith("None of the 2 ranks is slow")


def test_the_real_ranks_with_a_slow_host_are_found():
    findings = by_name(load_profile(CLUSTERS / "8-ranks").findings)
    # 80435.747 + 1488610.059 of rank 1, less the mean of all: see the file.
    assert "ranks 1, 6, 3, of 8: last to communicate, by 309.2 ms" in (
        findings["slow_rank"].title
    )
    assert "devices are idle longer" in findings["slow_rank"].title


def test_the_ranks_of_the_real_sample_are_alike():
    findings = by_name(load_profile(TORCH_LEVEL_1).findings)
    assert "slow_rank" not in findings
    advice = findings["communication_not_overlapped"].advice
    assert advice.startswith("None of the 2 ranks is slow")


def test_one_rank_alone_says_what_its_communication_did():
    findings = by_name(load_profile(TORCH_2023).findings)
    advice = findings["communication_not_overlapped"].advice
    # Of Elapse Time in communication.json.
    assert "77% waits for other ranks: profile them too" in advice


@given(
    st.lists(st.tuples(st.floats(1, 1e6), st.floats(1, 1e6)), min_size=1, max_size=5)
)
def test_balanced_ranks_would_gain_no_more_than_the_slowest_has(times):
    findings = by_name(find_bottlenecks(of_ranks(*times)))
    if slow := findings.get("slow_rank"):
        slowest = max(computing for computing, _ in times)
        assert 0 < slow.size_us <= len(times) * slowest
        assert len(times) > 1


def test_what_passes_before_small_kernels_is_told_once():
    alone = by_name(find_bottlenecks(evidence(SMALL, free_us=450.0)))["small_kernels"]
    both = evidence(SMALL, free_us=900.0, other_free_us=900.0)
    findings = by_name(find_bottlenecks(both))
    told = findings["small_kernels"].size_us
    assert told == alone.size_us
    assert findings["host_bound"].size_us == pytest.approx(900.0 - told)
    assert "beside what passes before small kernels" in findings["host_bound"].title


@given(st.lists(st.floats(0.001, 1e6), min_size=1), st.floats(0, 1e7))
def test_no_share_of_the_computing_is_above_all_of_it(durations, computing_us):
    rows = [kernel("Cast", "AI_CPU", duration) for duration in durations]
    for finding in find_bottlenecks(evidence(rows, computing_us=computing_us)):
        shares = re.findall(r"(\d+)% of the computing", finding.title)
        assert all(int(share) <= 100 for share in shares)
