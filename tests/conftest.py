import os

from hypothesis import settings

# MindSpore reads it once, at import: its own log would drown a test's.
os.environ.setdefault("GLOG_v", "4")
# A test that takes long on a busy machine has the same values as a fast one.
os.environ.setdefault("MSWIDGET_MACHINE", "0")

# A busy machine is no failure.
settings.register_profile("mswidget", deadline=None, print_blob=True)
settings.load_profile("mswidget")
