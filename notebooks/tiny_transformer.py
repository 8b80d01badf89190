"""The demo's model: a character-level Transformer that trains live on two CPU cores."""

from __future__ import annotations

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.dataset import GeneratorDataset
from mindspore.train import Model

from mswidget import MonitoredTrainStep

TEXT = """\
A curve is a short story about a long night. It starts high, because in the beginning
the network knows nothing, and every letter that it guesses is a surprise. Then it
learns that a space is common and that a full stop is followed by a capital, and the
curve falls as a stone falls. After the easy lessons come the slow ones: that "the" is
more likely than "teh", that a quotation which was opened will be closed, that a
sentence has an end.

The person who watches has other questions. Is it still going down, or is this the
floor? Was that jump one bad batch, or has the learning rate grown too large? Why did
the second part of the loss move before the first? A number printed once a minute does
not answer; a picture that grows while one looks at it does.

So we keep the whole story. Nothing is rounded away: the spike that lasted for one step
is drawn as high as it was, and the step at which the loss was no number at all is
marked where it happened. When the night is over and the machine is quiet, the picture
is still there, below the cell that made it, and the next person can read it without
starting anything again.
"""
ALPHABET = sorted(set(TEXT))
LENGTH, BATCH, WIDTH, HEADS, LAYERS = 32, 16, 64, 4, 2


class Windows:
    """Random access to pieces of the text and the same pieces one letter later."""

    def __init__(self, count: int, seed: int) -> None:
        self.ids = np.array([ALPHABET.index(letter) for letter in TEXT], np.int32)
        last = len(self.ids) - LENGTH - 1
        self.starts = np.random.default_rng(seed).integers(0, last, count)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        start = self.starts[index]
        window = self.ids[start : start + LENGTH + 1]
        return window[:-1].copy(), window[1:].copy()


class LanguageModel(nn.Cell):
    """Letters to scores of the next letter."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = nn.Embedding(len(ALPHABET), WIDTH)
        self.places = nn.Embedding(LENGTH, WIDTH)
        self.order = Tensor(np.arange(LENGTH), ms.int32)
        layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, 4 * WIDTH, dropout=0.1, batch_first=True, norm_first=True
        )
        self.blocks = nn.TransformerEncoder(layer, LAYERS)
        self.later = Tensor(np.triu(np.full((LENGTH, LENGTH), -1e9, np.float32), 1))
        self.norm = nn.LayerNorm((WIDTH,))
        self.scores = nn.Dense(WIDTH, len(ALPHABET))

    def construct(self, x: Tensor) -> Tensor:
        """Score the letter after each letter."""
        hidden = self.letters(x) + self.places(self.order)
        return self.scores(self.norm(self.blocks(hidden, self.later)))


class LossParts(nn.Cell):
    """The loss and its parts: cross entropy, and z that keeps the scores small."""

    def __init__(self, network: nn.Cell) -> None:
        super().__init__()
        self.network = network

    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return loss, ce, z."""
        scores = self.network(x).reshape(-1, len(ALPHABET))
        ce = ops.cross_entropy(scores, y.reshape(-1))
        z = 1e-3 * ops.square(ops.logsumexp(scores, -1)).mean()
        return ce + z, ce, z


def learning_rates(steps: int, peak: float = 5e-4) -> list[float]:
    """Warm up over the first tenth, then fall as a cosine to a hundredth."""
    warm_up = max(1, steps // 10)
    rise = np.arange(1, warm_up + 1) / warm_up
    fall = 0.5 + 0.5 * np.cos(np.linspace(0, np.pi, steps - warm_up))
    return (peak * np.maximum(np.concatenate([rise, fall]), 0.01)).tolist()


def build(
    steps: int, epochs: int, *, peak: float = 5e-4, seed: int = 1
) -> tuple[Model, GeneratorDataset]:
    """Return a model and data for ``steps`` training steps over all ``epochs``.

    Ranks of one job take a ``seed`` each: it chooses the data, not the weights.
    """
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    network = LossParts(LanguageModel())
    rates = learning_rates(steps, peak)
    optimizer = nn.AdamWeightDecay(network.trainable_params(), rates)
    data = GeneratorDataset(Windows(steps // epochs * BATCH, seed), ["x", "y"])
    train_step = MonitoredTrainStep(network, optimizer, parts=("ce", "z"))
    return Model(train_step), data.batch(BATCH)
