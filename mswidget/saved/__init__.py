"""Runs that are on disk, read back: one, a folder of them, or several side by side.

They are read to the end, or followed while others write them.
"""
