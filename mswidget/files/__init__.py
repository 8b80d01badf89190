"""Our own format on disk: run folders and the append-only files of their ranks.

Here they are named, written, read as they grow, asked to stop and exported; what is
secret is taken out before anything is written.
"""
