"""What is to know of many ranks: each sentence once, with the ranks it is true of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def shared_notes(notes: Mapping[int, Iterable[str]]) -> list[str]:
    """Return each note once, with its ranks in front where there are several.

    Parameters
    ----------
    notes
        By rank, rising.
    """
    ranks: dict[str, list[int]] = {}
    for rank, said in notes.items():
        for note in dict.fromkeys(said):
            ranks.setdefault(note, []).append(rank)
    if len(notes) == 1:
        return [*ranks]
    return [f"{rank_words(of_note)}: {note}" for note, of_note in ranks.items()]


def rank_words(ranks: Sequence[int]) -> str:
    """Return some ranks in words, such as ``ranks 0 to 3, 7``."""
    spans: list[list[int]] = []
    for rank in ranks:
        if spans and rank == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], rank]
        else:
            spans.append([rank])
    words = ", ".join(" to ".join(map(str, span)) for span in spans)
    return f"rank {words}" if len(ranks) == 1 else f"ranks {words}"
