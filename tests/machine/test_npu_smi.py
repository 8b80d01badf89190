"""What `npu-smi` of several versions printed, recorded, is read exactly."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mswidget.machine.npu_smi import parse_info, parse_map, parse_usages

DATA = Path(__file__).parents[1] / "data/npu-smi"
PROCESSES = """\
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| 12      0                 | 1444272       | python                   | 52000                   |
"""  # noqa: E501


def recorded(name):
    return (DATA / name).read_text(encoding="utf-8")


def chip(power, temperature, aicore, **memory):
    values = {
        "npu_power_w": power,
        "npu_temperature_c": temperature,
        "npu_aicore_pct": aicore,
        **memory,
    }
    return {name: value for name, value in values.items() if value is not None}


@pytest.mark.parametrize(
    ("name", "chips"),
    [
        (
            "info-22.0.0-310P3-no-hbm.txt",
            {(0, 0): chip(16.2, 42, 0, npu_memory_used_mb=994)},
        ),
        (
            "info-23.0.3-910B2C-two-npus.txt",
            {
                (12, 0): chip(91.3, 53, 0, npu_hbm_used_mb=52675),
                (13, 0): chip(100.7, 55, 0, npu_hbm_used_mb=52665),
            },
        ),
        (
            "info-24.1.rc3.7-Ascend910-two-chips.txt",
            {
                (0, 0): chip(178.9, 36, 0, npu_hbm_used_mb=3412),
                (0, 1): chip(None, 36, 0, npu_hbm_used_mb=3189),
            },
        ),
        (
            "info-25.5.2-910B4.txt",
            {(5, 0): chip(89.9, 39, 0, npu_hbm_used_mb=2922)},
        ),
    ],
)
def test_each_version_of_the_table_is_read(name, chips):
    assert parse_info(recorded(name)) == chips


def test_the_table_of_processes_is_no_chip():
    table = recorded("info-23.0.3-910B2C-two-npus.txt")
    assert parse_info(table + PROCESSES) == parse_info(table)


def test_a_column_that_a_later_version_adds_changes_no_other():
    table = recorded("info-25.5.2-910B4.txt")
    wider = table.replace("Power(W)    Temp(C)", "New(V)    Power(W)    Temp(C)")
    wider = wider.replace("89.9        39", "-     89.9        39")
    assert parse_info(wider) == parse_info(table)


def test_a_cell_whose_words_do_not_fit_its_head_is_left_out():
    table = recorded("info-25.5.2-910B4.txt").replace("89.9        39", "89.9")
    assert parse_info(table) == {
        (5, 0): {"npu_aicore_pct": 0.0, "npu_hbm_used_mb": 2922.0}
    }


def test_usages_tell_the_bandwidth():
    values = parse_usages(recorded("usages-910B.txt"))
    assert values == {"npu_aicore_pct": 0.0, "npu_hbm_bandwidth_pct": 0.0}


def test_usages_of_two_chips_are_nobodys():
    usages = recorded("usages-910B.txt")
    with pytest.raises(ValueError, match="of one chip"):
        parse_usages(usages + usages)


def test_a_map_names_only_chips_that_compute():
    assert parse_map(recorded("map-two-chips.txt")) == {0: (0, 0), 1: (0, 1)}


@pytest.mark.parametrize("parse", [parse_info, parse_usages])
@pytest.mark.parametrize(
    "text", ["", "dcmi module initialize failed. ret is -8005\n", "|" * 99, "+==+\n||"]
)
def test_what_is_no_answer_is_refused_with_a_reason(parse, text):
    with pytest.raises(ValueError, match="npu-smi info"):
        parse(text)


@example("+=|")
@given(st.text(alphabet="|+= -/019.\nN%A(M)", max_size=200))
def test_garbage_is_refused_or_gives_numbers(text):
    with contextlib.suppress(ValueError):
        assert parse_info(text)
    parse_map(text)
