"""What is found wrong in a history: one function a rule."""
