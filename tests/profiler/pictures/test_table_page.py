import numpy as np
import pandas as pd
import pytest

from mswidget.profiler.pictures.table_page import ROWS, page_of

START = 1736408883704643212


def table(count=45):
    names = [f"MatMul_{n}" if n % 3 else "算子" for n in range(count)]
    return pd.DataFrame(
        {
            "name": pd.Categorical(names),
            "start_time_ns": START + np.arange(count),
            "duration_us": [np.nan, *np.arange(1.0, count)],
        }
    )


def column(page, name):
    return [row[page["columns"].index(name)] for row in page["rows"]]


def test_pages_hold_every_row_once():
    pages = [page_of(table(), page=n) for n in range(3)]
    starts = [int(s) for page in pages for s in column(page, "start_time_ns")]
    assert starts == table()["start_time_ns"].tolist()
    assert [page["matching"] for page in pages] == [45] * 3


def test_beyond_the_last_page_is_the_last():
    assert page_of(table(), page=99)["page"] == 2
    assert page_of(table(), page=-1)["page"] == 0


@pytest.mark.parametrize(
    ("descending", "first"), [(True, "44"), (False, "1")], ids=["down", "up"]
)
def test_sorted_rows_have_what_is_missing_last(descending, first):
    kinds = {"sort": "duration_us", "descending": descending}
    assert column(page_of(table(), **kinds), "duration_us")[0] == first
    assert column(page_of(table(), page=2, **kinds), "duration_us")[-1] == ""


def test_text_is_found_in_any_case_and_script():
    assert page_of(table(), search="MATMUL_1")["matching"] == 8
    assert page_of(table(), search="算")["matching"] == 15


def test_a_time_is_found_by_all_its_digits():
    assert page_of(table(), search=str(START + 7))["matching"] == 1


def test_what_is_found_is_sorted_and_paged():
    page = page_of(table(), search="算子", sort="start_time_ns", descending=True)
    assert column(page, "start_time_ns")[0] == str(START + 42)
    assert len(page["rows"]) == min(ROWS, page["matching"])


def test_texts_that_are_no_categories_are_sorted_too():
    frame = pd.DataFrame({"kind": ["sync", None, "copy"]}, dtype=object)
    assert column(page_of(frame, sort="kind"), "kind") == ["copy", "sync", ""]
