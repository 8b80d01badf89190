"""What all pictures share: the colours, and the shapes of a static SVG.

The page reads the same `palette.json`.
"""
