import shutil

import pandas as pd

from mswidget.profiler.load import load_profile
from tests.profiler.samples import MINDDATA


def test_the_csv_alone_gives_the_table_that_the_json_gives(tmp_path):
    (file,) = MINDDATA.rglob("minddata_pipeline_summary_0.csv")
    shutil.copy(file, tmp_path)
    of_csv = load_profile(tmp_path)["minddata_pipeline_summary"]
    of_json = load_profile(MINDDATA)["minddata_pipeline_summary"]
    pd.testing.assert_frame_equal(
        of_csv.drop(columns="rank"), of_json.drop(columns="rank")
    )


def test_an_operator_has_the_advice_that_is_about_it():
    summary = load_profile(MINDDATA)["minddata_pipeline_summary"]
    advice = summary.set_index("pipeline_op")["bottleneck_suggestion"]
    assert advice["Batch(id=0)"].startswith("Batch(id=0) has low CPU utilization")
    assert advice.drop("Batch(id=0)").isna().all()
