"""What goes wrong in a training, told while it runs."""
