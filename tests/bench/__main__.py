"""Prints what mswidget costs, as ratios of one run on this machine."""

import sys
from importlib import import_module

BENCHES = [
    *("log_call", "learning_rate", "page_flush", "graph_step", "pixel"),
    *("train_step", "watch", "burst", "page"),
    *("open_run", "follow", "list_runs", "profile_tables", "profile_trace"),
]


def main():
    for name in sys.argv[1:] or BENCHES:
        import_module(f"tests.bench.{name}").main()


if __name__ == "__main__":
    main()
