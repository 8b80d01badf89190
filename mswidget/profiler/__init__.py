"""Ascend profiles as pandas tables."""
