"""Train steps: ours, which tells more than the loss, and what stands in others'."""
