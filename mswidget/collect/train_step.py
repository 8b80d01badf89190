"""A train step that tells more than the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mindspore as ms
from mindspore import nn, ops

if TYPE_CHECKING:
    from collections.abc import Sequence

# In graph mode MindSpore compiles `construct`, and what it calls, from its source:
# these bodies must stay within the Python that MindSpore can parse.


class MonitoredTrainStep(nn.TrainOneStepCell):
    """Trains as ``nn.TrainOneStepCell`` does; also returns parts and gradient norm.

    Returns ``(loss, *parts, grad_norm)``. Only the loss is optimised:
    ``nn.TrainOneStepCell`` would optimise the sum of all that the network returns.

    Parameters
    ----------
    network
        Returns its loss, or a tuple of its loss and parts that are only watched.
    optimizer
        Updates the parameters of ``network``.
    parts
        Names of the watched parts; they are numbered otherwise.

    Notes
    -----
    ``grad_norm`` is the L2 norm over all parameters, summed in float32, after the
    gradients of data-parallel ranks are averaged. Where parameters are sharded it is
    the norm of this rank's share.

    Examples
    --------
    >>> step = MonitoredTrainStep(network, optimizer, parts=["ce", "bbox"])
    >>> Model(step).train(10, dataset, callbacks=[TrainMonitor("detr")])
    """

    def __init__(
        self,
        network: nn.Cell,
        optimizer: nn.Cell,
        parts: Sequence[str] | None = None,
    ) -> None:
        super().__init__(network, optimizer)
        self.parts = None if parts is None else tuple(parts)
        self.value_and_grad = ms.value_and_grad(
            _LossFirst(network), None, self.weights, has_aux=True
        )

    def construct(self, *inputs: ms.Tensor) -> tuple[ms.Tensor, ...]:
        """Take one step; MindSpore calls this."""
        (loss, parts), grads = self.value_and_grad(*inputs)
        if self.parts is not None and len(parts) != len(self.parts):
            message = "parts= must name all that the network returns after its loss"
            raise ValueError(message)
        grads = self.grad_reducer(grads)
        norm = _global_norm(grads)
        loss = ops.depend(loss, self.optimizer(grads))
        return (loss, *parts, norm)

    def named(self, outputs: Sequence[object]) -> dict[str, object]:
        """Return what a step returned by metric name, for `Run.log`."""
        loss, *watched, norm = outputs
        parts = self.parts or range(1, len(watched) + 1)
        names = (f"loss/{part}" for part in parts)
        return {
            "loss": loss,
            **dict(zip(names, watched, strict=True)),
            "grad_norm": norm,
        }


class _LossFirst(nn.Cell):
    """Gives ``value_and_grad`` its fixed form: the loss, and a tuple of the rest.

    A tuple, since MindSpore 2.10 freezes the items of a dict at the first step.
    """

    def __init__(self, network: nn.Cell) -> None:
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, *inputs: ms.Tensor) -> tuple[ms.Tensor, tuple[ms.Tensor, ...]]:
        outputs = self.network(*inputs)
        if isinstance(outputs, (tuple, list)):
            return outputs[0], tuple(outputs[1:])
        return outputs, ()


def _global_norm(grads: tuple[ms.Tensor, ...]) -> ms.Tensor:
    squares = [ops.reduce_sum(ops.square(ops.cast(g, ms.float32))) for g in grads]
    return ops.sqrt(ops.addn(squares))
