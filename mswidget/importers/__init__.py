"""Logs that others wrote: found in folders, and read to the histories of their ranks.

One module a format stands in `formats`; `format_table` lists them.
"""
