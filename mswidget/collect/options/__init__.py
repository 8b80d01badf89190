"""What a user gave to the monitor, checked before anything trains."""
