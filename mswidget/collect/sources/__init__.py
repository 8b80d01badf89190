"""Where the values of a step come from: one module a kind, each guarded apart.

`source` says what a source is.
"""
