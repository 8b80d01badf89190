from mswidget.profiler.load import load_profile


def ranks(folder, *texts):
    for rank, text in enumerate(texts):
        run = folder / f"rank{rank}_ascend_pt"
        run.mkdir()
        (run / "op_statistic.csv").write_text(text)
    return load_profile(folder)["op_statistic"]


def test_an_empty_column_without_a_name_is_left_out(tmp_path):
    # A comma at the end of every line makes one.
    frame = ranks(tmp_path, "OP Type,Count,\nAdd,1,\n")
    assert [name for name in frame if name.startswith("unnamed")] == []
    assert len(frame) == 1


def test_a_column_that_one_rank_lacks_is_empty_there(tmp_path):
    frame = ranks(tmp_path, "OP Type,Count,New\nAdd,1,x\n", "OP Type,Count\nMul,2\n")
    assert frame["new"].isna().to_list() == [False, True]
    assert frame["count"].to_list() == [1, 2]
