"""One live run of this process: what is logged flows to memory, file, alerts and page.

`session` is the run, `worker` the one thread that does for all runs what takes time.
"""
