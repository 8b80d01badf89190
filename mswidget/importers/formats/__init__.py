"""One module a log format, and what several of them parse with.

Each turns bytes of a file into the values and events that `found` describes.
"""
