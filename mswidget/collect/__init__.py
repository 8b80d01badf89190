"""MindSpore to values: the only folder that imports mindspore."""
