"""MindSpore to values: the only folder that imports mindspore.

`monitor` is the callback. What it logs of a step comes from `sources`, one a kind.
"""
