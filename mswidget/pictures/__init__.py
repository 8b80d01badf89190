"""Runs as tracks of a picture: which are shown, and what stands beside their numbers.

A picture takes whatever has ranks; who reads them, and when, is no matter of it.
"""
