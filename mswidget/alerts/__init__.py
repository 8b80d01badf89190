"""What goes wrong in a training, told while it runs: rules, and who asks them."""
