"""The profiler's files: found, and read to typed columns or events."""
