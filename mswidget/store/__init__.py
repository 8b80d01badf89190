"""Values to memory and files, and files back to values."""
