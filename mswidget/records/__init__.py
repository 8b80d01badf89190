"""Values that were logged, and what follows from them: no file, no clock, no page.

A `record.Record` is a step of one rank, a `history.History` all steps, as columns;
the rest reads histories: reduced, banded, compared, as frames and as figures.
"""
