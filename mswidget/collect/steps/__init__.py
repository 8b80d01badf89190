"""Where a training is: its step, its epoch, and how the callback knows."""
