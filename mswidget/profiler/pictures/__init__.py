"""A profile to look at: figures, timeline, pages of tables, and the cell's output."""
