"""Links of a communication group name the ranks of the whole run, or none."""

import json

import pytest

from mswidget.profiler.files.groups import group_number, read_groups
from mswidget.profiler.load import load_profile
from tests.profiler.samples import TORCH_2025_11, TORCH_LEVEL_1

LINK = {"Transport Type": "HCCS", "Transit Size(MB)": 1.0, "Transit Time(ms)": 2.0}


def profile(folder, matrix, metadata):
    output = folder / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (folder / "profiler_info_2.json").write_text("{}")
    (output / "communication_matrix.json").write_text(json.dumps(matrix))
    (folder / "profiler_metadata.json").write_text(metadata)
    return load_profile(folder)


def test_a_pair_within_a_group_is_one_of_the_runs_ranks(tmp_path):
    number = group_number("pairs")
    matrix = {"step1": {"collective": {f"allreduce-total@{number}": {"0-1": LINK}}}}
    told = {"parallel_group_info": {"pairs": {"global_ranks": [2, 3]}}}
    links = profile(tmp_path, matrix, json.dumps(told))["communication_matrix"]
    (link,) = links.to_dict("records")
    assert (link["src_in_group"], link["dst_in_group"]) == (0, 1)
    assert (link["src_rank"], link["dst_rank"]) == (2, 3)


@pytest.mark.parametrize(
    "metadata",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        '{"parallel_group_info": 3}',
        '{"parallel_group_info": {"pairs": {}}}',
        '{"parallel_group_info": {"pairs": {"global_ranks": [2]}}}',
        '{"parallel_group_info": {"others": {"global_ranks": [2, 3]}}}',
    ],
)
def test_ranks_of_a_group_that_is_not_told_stay_unknown(tmp_path, metadata):
    number = group_number("pairs")
    matrix = {"step1": {"collective": {f"allreduce-total@{number}": {"0-1": LINK}}}}
    links = profile(tmp_path, matrix, metadata)["communication_matrix"]
    assert links["dst_rank"].isna().all()
    assert links["dst_in_group"].to_list() == [1]


def test_the_groups_of_a_real_profile_are_those_of_its_operators():
    groups = read_groups(TORCH_2025_11 / "rank0_ascend_pt")
    links = load_profile(TORCH_2025_11)["communication_matrix"]
    assert {*links["group"]} <= {*groups}
    of_pairs = links[links["op"] == "batchsendrecv"]
    assert of_pairs["dst_rank"].to_list() == [0, 2]


def test_what_repeats_the_total_is_in_another_table():
    links = load_profile(TORCH_LEVEL_1 / "rank0_ascend_pt")["communication_matrix"]
    assert not links["op"].astype(str).str.contains("-").any()
    assert not links.duplicated(["op", "group", "src_in_group", "dst_in_group"]).any()


def test_the_sum_of_all_operators_is_no_operator(tmp_path):
    ops = {"hcom_send__1_0@5": {"0-1": LINK}, "Total Op Info": {"0-1": LINK}}
    links = profile(tmp_path, {"step1": {"p2p": ops}}, "{}")["communication_matrix"]
    assert links["op"].to_list() == ["hcom_send__1_0"]
