"""The words of ``python -m mswidget`` and of ``%mswidget``.

`table` declares them once. From it `parsing` makes the parser of either door, and
`completion` what may stand next; `answers` does what they say.
"""
