"""What a train step returned, as named values, whatever its shape.

Names, derived values, and what the loss of this rank stands for.
"""
