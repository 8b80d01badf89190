"""Statistics of weights and gradients, at one step in many."""
