"""Pictures of runs on disk: live in a notebook, as lines of text, as an HTML page.

``watch`` follows runs of other processes, ``compare`` lays several side by side.
"""
