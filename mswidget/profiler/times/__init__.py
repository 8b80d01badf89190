"""Where time went: steps, kernels, tasks and the traces that they are read from."""
