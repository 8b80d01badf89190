"""From the history to the page, and the page's commands back.

`protocol` is the one source of what crosses. Only this room and the magics know
Jupyter.
"""
