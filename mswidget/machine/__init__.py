"""How the machine does while it trains: host and NPU, without MindSpore."""
