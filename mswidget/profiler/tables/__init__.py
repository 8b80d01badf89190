"""What each file of the profiler looks like: one `spec.Table` an output.

`catalog` lists them all.
"""
