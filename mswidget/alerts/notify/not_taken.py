"""Why a channel did not take a message."""

from __future__ import annotations


class NotTakenError(Exception):
    """A channel does not take the message, now or at all; tells no secret.

    Parameters
    ----------
    why
        In words.
    again
        Whether it may take it later.
    after_s
        How long to wait at least, as the channel says.
    """

    def __init__(self, why: str, *, again: bool, after_s: float = 0.0) -> None:
        super().__init__(why)
        self.again = again
        self.after_s = after_s
