"""What makes a step slow: one function a finding, each with its evidence."""
