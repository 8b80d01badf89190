"""Logs and event files of other tools: one module a format, one table of them."""
