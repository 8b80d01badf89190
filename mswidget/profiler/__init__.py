"""Ascend profiles as pandas tables, pictures and findings.

`load` opens one; files are read to tables, tables to times, times to findings.
"""
