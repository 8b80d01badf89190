"""The tables of the samples hold what the files say.

The expected figures were worked out with Python's csv module and Decimal sums over the
raw files, not with the loader.
"""

import csv
import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mswidget.profiler.load import load_profile
from mswidget.profiler.tables.catalog import TABLES
from tests.profiler.samples import (
    CPU,
    MANUAL,
    MINDDATA,
    MINDSPORE,
    MSPROF,
    TORCH_2023,
    TORCH_2025_11,
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)

RANK_0 = TORCH_LEVEL_1 / "rank0_ascend_pt"
SUMS = [
    (TORCH_2023, "kernel_details", 21, "duration_us", 37370.9655),
    (TORCH_2023, "step_trace_time", 1, "free_us", 69909.50350390615),
    (TORCH_2023, "operator_memory", 28, "size_kb", 341120),
    (TORCH_2023, "npu_module_mem", 78, "total_reserved_mb", 236419.26171875),
    (TORCH_2023, "operator_details", 2, "host_self_duration_us", 287.41),
    # 28 operators without the two "Total Op Info"; the file has ms.
    (TORCH_2023, "communication", 28, "elapse_time_us", 152254.93369921875),
    # Without the rows "PTA+GE".
    (TORCH_2023, "memory_record", 8, "total_reserved_mb", 49166.750),
    (TORCH_LEVEL_0, "kernel_details", 191, "duration_us", 94344.340),
    (TORCH_LEVEL_0, "l2_cache", 60, "victim_rate", 3.601563),
    # Both ranks: 114865.613 + 109253.559.
    (TORCH_LEVEL_1, "kernel_details", 382, "duration_us", 224119.172),
    (RANK_0, "op_statistic", 33, "total_time_us", 8873.751),
    (RANK_0, "api_statistic", 57, "count", 707),
    (RANK_0, "memory_record", 82, "total_reserved_mb", 86998.3203125),
    (RANK_0, "npu_module_mem", 150, "total_reserved_mb", 6947.76953125),
    (RANK_0, "communication_matrix", 8, "transit_size_mb", 488.806752),
    (RANK_0, "communication_matrix_samples", 40, "transit_size_mb", 543.855464),
    (RANK_0, "communication", 4, "elapse_time_us", 105991.87771875),
    # 855.192192 with the rows "SDMA", which repeat those "HCCS".
    (RANK_0, "communication_bandwidth", 16, "transit_size_mb", 427.596096),
    (RANK_0, "communication_packets", 8, "total_time_us", 27315.705875),
    (TORCH_2023, "communication_packets", 18, "count", 84),
    (TORCH_2025_11, "communication_packets", 13, "total_time_us", 92973.42),
    (RANK_0, "operator_details", 25, "device_total_duration_us", 3369.507125),
    (TORCH_2025_11, "kernel_details", 250, "aic_mac_ratio", 26.848),
    (TORCH_2025_11, "op_statistic", 35, "total_time_us", 231290.10),
    (TORCH_2025_11, "operator_memory", 100, "size_kb", 991240.0),
    (TORCH_2025_11, "memory_record", 121, "total_reserved_mb", 1318685.640625),
    (TORCH_2025_11, "api_statistic", 91, "time_us", 1007875.34),
    # The file has ms.
    (TORCH_2025_11, "communication_matrix", 14, "transit_time_us", 119970.12),
    (TORCH_2025_11, "communication_matrix_samples", 53, "transit_time_us", 274460.72),
    (TORCH_2025_11, "communication", 15, "elapse_time_us", 420174.26),
    (MINDSPORE, "kernel_details", 382, "wait_time_us", 197514.741),
    # 106003.5380312500000000159872 + 100386.6459999999999999777955
    (MINDSPORE, "step_trace_time", 2, "stage_us", 206390.18403125),
    (MINDSPORE, "op_summary", 382, "task_duration_us", 224119.172),
    (CPU, "cpu_op_detail_info", 14, "op_total_time_us", 132190.337),
    # The file has ms and does not say so.
    (CPU, "cpu_op_type_info", 11, "total_compute_time_us", 132190.337),
    (MINDDATA, "minddata_pipeline_raw", 5, "output_queue_average_size", 8.48275862),
    (MINDDATA, "minddata_pipeline_summary", 5, "queue_empty_freq_pct", 437.93),
    (MSPROF, "api_statistic", 24, "time_us", 157674.87),
    # Of two collections: 184.982 + 124.781, and 39.322 + 39.160.
    (MSPROF, "task_time", 12, "task_time_us", 309.763),
    (MSPROF, "op_summary", 6, "task_duration_us", 78.482),
    (MSPROF, "op_statistic", 2, "total_time_us", 39.52),
    # Without the row "Average" of each: 0.157 - 0.007 and 0.
    (MSPROF, "ai_core_utilization", 20, "mac_ratio", 0.150),
    (MSPROF, "ai_vector_core_utilization", 40, "mac_ratio", 0.0),
    (MANUAL, "aicpu_mi", 4, "queue_size", 96),
    (MANUAL, "dvpp", 4, "all_utilization_pct", 0),
]


@pytest.mark.parametrize(("path", "table", "rows", "column", "total"), SUMS)
def test_a_sample_has_the_rows_and_the_sum_of_its_file(
    path, table, rows, column, total
):
    frame = load_profile(path)[table]
    assert len(frame) == rows
    assert frame[column].sum() == pytest.approx(total, rel=1e-9)


def test_times_are_exact_to_the_nanosecond():
    kernels = load_profile(TORCH_LEVEL_1)["kernel_details"].query("rank == 0")
    assert kernels["start_time_ns"].dtype == "int64"
    # 1736408883704643.212 and 1736408883840600.069 us in the file.
    assert kernels["start_time_ns"].iloc[0] == 1736408883704643212
    assert kernels["start_time_ns"].iloc[-1] == 1736408883840600069


def test_a_time_that_never_came_is_missing():
    memory = load_profile(TORCH_LEVEL_1)["operator_memory"]
    assert memory["release_time_ns"].isna().sum() == 11
    assert memory["release_time_ns"].iloc[2] == 1736408883736793940


def test_the_headers_of_all_versions_give_the_same_columns():
    frames = [load_profile(p)["kernel_details"] for p in (TORCH_2023, MINDSPORE)]
    for name in ("block_num", "mix_block_num", "stream_id", "name", "start_time_ns"):
        assert all(name in frame.columns for frame in frames)


def test_packets_sum_up_to_what_their_transport_carried():
    profile = load_profile(TORCH_LEVEL_1)
    keys = ["rank", "op_name", "transport_type"]
    packets = profile["communication_packets"]
    carried = (packets["packet_size_mb"] * packets["count"]).groupby(
        [packets[key] for key in keys], observed=True
    )
    expected = profile["communication_bandwidth"].set_index(keys)["transit_size_mb"]
    assert carried.sum().to_dict() == pytest.approx(expected[expected > 0].to_dict())


def test_a_transport_that_repeats_no_other_is_kept(tmp_path):
    sizes = {"HCCS": 0, "PCIE": 0, "SIO": 0, "SDMA": 7.5, "RDMA": 2}
    links = {name: {"Transit Size(MB)": size} for name, size in sizes.items()}
    op = {"Communication Time Info": {}, "Communication Bandwidth Info": links}
    content = {"step5": {"p2p": {"hcom_send@1": op}}}
    (tmp_path / "communication.json").write_text(json.dumps(content))
    frame = load_profile(tmp_path)["communication_bandwidth"]
    assert frame["transit_size_mb"].sum() == 9.5


def test_shapes_lose_their_quotes_and_keep_their_commas():
    kernels = load_profile(TORCH_LEVEL_1)["kernel_details"]
    assert kernels["input_shapes"].iloc[-1].startswith("64,3,11,11;64;192,64,5,5;")
    assert kernels["input_shapes"].iloc[-1].endswith("1000,4096;1000;")


def test_no_model_is_no_number():
    assert load_profile(TORCH_LEVEL_1)["kernel_details"]["model_id"].isna().all()


def test_api_calls_have_no_device():
    assert load_profile(MSPROF)["api_statistic"]["device"].isna().all()


def test_kilobytes_and_megabytes_of_one_quantity_become_megabytes(tmp_path):
    for name, unit, value in (("a", "KB", "2048"), ("b", "MB", "2")):
        (tmp_path / name).mkdir()
        text = (
            f"Component,Timestamp(us),Total Reserved({unit}),Device\nX,1.5,{value},D\n"
        )
        (tmp_path / name / "npu_module_mem.csv").write_text(text)
    frame = load_profile(tmp_path)["npu_module_mem"]
    assert frame["total_reserved_mb"].to_list() == [2.0, 2.0]
    assert frame["folder"].to_list() == ["a", "b"]


def test_the_total_of_statically_planned_memory_is_not_counted_twice(tmp_path):
    (tmp_path / "static_op_mem_20250101000000.csv").write_text(
        "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,"
        "Size(KB)\n0,Add,0,1,3,5,64\n0,Mul,0,1,4,4294967295,32\n"
        "0,TOTAL,0,1,,,96\n"
    )
    frame = load_profile(tmp_path)["static_op_mem"]
    assert frame["size_kb"].sum() == 96
    assert frame["node_index_end"].isna().to_list() == [False, True]


@pytest.mark.parametrize(
    ("unit", "unknown", "known"), [("KB", "-1", "2048"), ("MB", "-0.0009765625", "2.0")]
)
def test_memory_that_was_only_given_back_is_missing(tmp_path, unit, unknown, known):
    (tmp_path / "npu_module_mem.csv").write_text(
        f"Device_id,Component,Timestamp(us),Total Reserved({unit}),Device\n"
        f"0,SLOG,1.5,{unknown},NPU:0\n0,DVPP,1.5,{known},NPU:0\n"
    )
    frame = load_profile(tmp_path)["npu_module_mem"]
    assert frame["total_reserved_mb"].fillna(-7).to_list() == [-7, 2.0]


def test_memory_of_the_system_is_in_kilobytes(tmp_path):
    (tmp_path / "sys_mem_20250101000000.csv").write_text(
        "Device_id,Memory Total(kB),Buffers(kB),Huge Pages Total(pages)\n"
        "host,2048,7,3\n"
    )
    (row,) = load_profile(tmp_path)["sys_mem"].to_dict("records")
    assert (row["memory_total_kb"], row["huge_pages_total_pages"]) == (2048, 3)


def test_an_unknown_column_is_kept(tmp_path):
    file = tmp_path / "op_statistic.csv"
    file.write_text("OP Type,Count,新列,Brand New(ms)\nAdd,1,7,2\nMul,2,8,3\n")
    frame = load_profile(file)["op_statistic"]
    assert frame["新列"].to_list() == [7, 8]
    assert frame["brand_new_us"].to_list() == [2000.0, 3000.0]


def test_an_unknown_column_of_moments_is_exact(tmp_path):
    file = tmp_path / "step_trace_20250101000000.csv"
    file.write_text(
        "Iteration ID,Model ID,Reduce Start 0(us),Reduce Duration 0(us)\n"
        "1,3,N/A,N/A\n2,3,1736408883704643.212\t,1.5\n"
    )
    frame = load_profile(file)["step_trace"]
    assert frame["reduce_start_0_ns"].iloc[1] == 1736408883704643212
    assert frame["reduce_duration_0_us"].iloc[1] == 1.5


def test_an_unknown_column_may_be_empty_on_one_rank(tmp_path):
    for rank, value in ((0, "N/A"), (1, "7.5")):
        (tmp_path / f"rank{rank}_ascend_pt").mkdir()
        text = f"OP Type,Count,New\nAdd,1,{value}\n"
        (tmp_path / f"rank{rank}_ascend_pt" / "op_statistic.csv").write_text(text)
    assert load_profile(tmp_path)["op_statistic"]["new"].iloc[1] == 7.5


@pytest.mark.parametrize("name", ["NA", "nan", "null", "None", "-1", "算子/加法"])
def test_an_operator_may_have_any_name(tmp_path, name):
    file = tmp_path / "op_statistic.csv"
    file.write_text(f"OP Type,Count\n{name},1\n", encoding="utf-8")
    assert load_profile(file)["op_statistic"]["op_type"].to_list() == [name]


@pytest.mark.parametrize(
    "table", [t for t in TABLES if t.form == "csv"], ids=lambda table: table.stem
)
def test_every_table_reads_its_own_headers(tmp_path, table):
    columns = [column for column in table.columns if "*" not in column.header]
    headers = [
        f"{c.header}({c.unit})" if c.unit and c.kind != "time" else c.header
        for c in columns
    ]
    file = tmp_path / f"{table.stem}.csv"
    with file.open("w", newline="") as stream:
        csv.writer(stream).writerows([headers, ["1"] * len(headers)])
    frame = load_profile(file)[table.stem]
    assert {column.name for column in columns} <= {*frame.columns}
    assert frame.drop(columns=["rank", "device"]).notna().all(axis=None)


@pytest.mark.parametrize("size", [64, 1000, 5000])
def test_a_big_file_is_read_in_blocks_that_part_no_row(monkeypatch, size):
    # Call stacks hold line ends: 25 rows on 356 lines.
    whole = load_profile(RANK_0)["operator_details"]
    monkeypatch.setattr("mswidget.profiler.files.csv_file._BLOCK", size)
    pd.testing.assert_frame_equal(load_profile(RANK_0)["operator_details"], whole)
    assert len(load_profile(RANK_0)["kernel_details"]) == 191


def test_a_text_that_comes_late_in_a_big_file_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr("mswidget.profiler.files.csv_file._BLOCK", 200)
    names = [f"op{at % 300}" for at in range(1000)]
    rows = "".join(f"{name},{at}\n" for at, name in enumerate(names))
    file = tmp_path / "op_statistic.csv"
    file.write_text(f"OP Type,Count\n{rows}-,1000\n")
    frame = load_profile(file)["op_statistic"]
    assert frame["op_type"].to_list()[:-1] == names
    assert frame["op_type"].isna().to_list() == [False] * 1000 + [True]


def test_a_cell_of_rubbish_does_not_change_the_texts_around_it(monkeypatch, tmp_path):
    monkeypatch.setattr("mswidget.profiler.files.csv_file._BLOCK", 20)
    file = tmp_path / "op_statistic.csv"
    file.write_text('OP Type,Count\na,1\n"b,2\nc,#REF!\nd,4\ne,5\na,6\nb,7\n')
    frame = load_profile(file)["op_statistic"]
    assert frame["op_type"].to_list() == ["a", "c", "d", "e", "a", "b"]


CELLS = st.tuples(
    st.sampled_from(["Add", '"""1,2"""', "N/A", ""]),
    st.sampled_from(["1736405443881410.321\t", "7", "N/A", ""]),
    st.sampled_from(["2.5", "0.1", "N/A", ""]),
    st.sampled_from(["3", "9007199254740993", "4294967295", "N/A", ""]),
    st.sampled_from(["1", "0.25", "N/A"]),
)


@settings(max_examples=50)
@given(rows=st.lists(CELLS, max_size=20), size=st.sampled_from([30, 200, 1 << 20]))
def test_a_cell_of_rubbish_does_not_change_the_others(tmp_path_factory, rows, size):
    file = tmp_path_factory.mktemp("rubbish") / "kernel_details.csv"
    header = "Name,Start Time(us),Duration(us),Model ID,aic_total_cycles"
    frames = []
    for last in ("Add,1,1,1,1", "Add,1,1,#REF!,1"):
        lines = [header, *map(",".join, rows), last]
        file.write_text("\n".join(lines) + "\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("mswidget.profiler.files.csv_file._BLOCK", size)
            frames.append(load_profile(file)["kernel_details"][:-1])
    pd.testing.assert_frame_equal(*frames, check_dtype=False)


def test_a_table_may_be_changed():
    frame = load_profile(RANK_0)["kernel_details"]
    frame.loc[0, ["duration_us", "stream_id", "name"]] = [1.5, 7, frame["name"].iloc[1]]
    assert frame["duration_us"].iloc[0] == 1.5
