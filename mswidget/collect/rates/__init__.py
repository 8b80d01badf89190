"""The learning rate that a step used: read off its schedule, not off the device."""
