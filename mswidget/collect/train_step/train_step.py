"""A train step that tells more than the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mindspore as ms
from mindspore import nn, ops

from mswidget.collect.outputs.losses import leaves
from mswidget.collect.train_step.layers import group
from mswidget.collect.train_step.norms import group_norms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NO_DICT = (
    "MonitoredTrainStep cannot tell which value of a dict is the loss: let the network "
    "return a tuple, the loss first, and name the others by parts="
)

# In graph mode MindSpore compiles `construct`, and what it calls, from its source:
# these bodies must stay within the Python that MindSpore can parse.


class MonitoredTrainStep(nn.TrainOneStepCell):
    """Trains as ``nn.TrainOneStepCell`` does; also returns parts and gradient norms.

    Returns ``(loss, *parts, grad_norm)``, then the clipped norm if it clips, then the
    square of each parameter's norm if there are layers; `named` names them. Only the
    loss is optimised: ``nn.TrainOneStepCell`` would optimise the sum of all that the
    network returns.

    Parameters
    ----------
    network
        Returns its loss, or a tuple of its loss and parts that are only watched.
    optimizer
        Updates the parameters of ``network``.
    parts
        Names of the watched parts; they are numbered otherwise.
    layers
        Which parameters share a ``grad_norm/<layer>``: 2 puts those together whose
        layers agree in the first two components of their names; patterns such as
        ``["*.attention.*", "*.mlp.*"]`` make a group each; 0 makes none. Default: the
        finest depth that makes 2 to 32 groups, if any.
    clip_norm
        Scale all gradients down such that their ``grad_norm`` is at most this.

    Raises
    ------
    ValueError
        For a pattern that matches no parameter, or a value that makes no sense.

    Notes
    -----
    ``grad_norm`` is the L2 norm over all parameters, summed in float32, after the
    gradients of data-parallel ranks are averaged and before they are clipped;
    ``grad_norm_clipped`` is that of the clipped ones. Where parameters are sharded
    they are the norms of this rank's share.

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
        *,
        layers: int | Sequence[str] | None = None,
        clip_norm: float | None = None,
    ) -> None:
        super().__init__(network, optimizer)
        self.parts = None if parts is None else tuple(parts)
        self.layers = group([weight.name for weight in self.weights], layers)
        self.clip_norm = _checked(clip_norm)
        self.kept: tuple[int, ...] = ()
        """Whose gradients are returned last, as a tuple, if any; see `keeping`."""
        self._keeping: dict[tuple[int, ...], MonitoredTrainStep] = {}
        self.detour: Callable[..., tuple[object, ...]] | None = None
        """Is called in place of this cell, by Python; see `Gradients`."""
        self.value_and_grad = ms.value_and_grad(
            _LossFirst(network), None, self.weights, has_aux=True
        )

    def __call__(self, *inputs: ms.Tensor) -> tuple[object, ...]:
        """Take one step."""
        if self.detour is not None:
            return self.detour(*inputs)
        outputs: tuple[object, ...] = super().__call__(*inputs)
        return outputs

    def construct(self, *inputs: ms.Tensor) -> tuple[object, ...]:
        """Take one step; MindSpore calls this."""
        (loss, parts), grads = self.value_and_grad(*inputs)
        if self.parts is not None and len(parts) != len(self.parts):
            message = "parts= must name all that the network returns after its loss"
            raise ValueError(message)
        grads = self.grad_reducer(grads)
        squares = ops.stack([_square_sum(grad) for grad in grads])
        norm = ops.sqrt(ops.reduce_sum(squares))
        norms: tuple[ms.Tensor, ...] = (norm,)
        kept = tuple([grads[i] for i in self.kept])
        if self.clip_norm is not None:
            scale = self.clip_norm / ops.maximum(norm, self.clip_norm)
            grads = tuple([_scaled(grad, scale) for grad in grads])
            norms = (norm, norm * scale)
        if self.layers:
            norms = (*norms, squares)
        loss = ops.depend(loss, self.optimizer(grads))
        outputs = (loss, *parts, *norms)
        return (*outputs, kept) if self.kept else outputs

    def keeping(self, kept: tuple[int, ...]) -> MonitoredTrainStep:
        """Return a cell, always the same, that also returns some gradients, last.

        It makes the same step: it shares network and optimizer.
        """
        if kept not in self._keeping:
            cell = MonitoredTrainStep(
                self.network,
                self.optimizer,
                self.parts,
                layers=0,
                clip_norm=self.clip_norm,
            )
            cell.layers, cell.kept = self.layers, kept
            self._keeping[kept] = cell
        return self._keeping[kept]

    def named(self, outputs: Sequence[object]) -> dict[str, object]:
        """Return what a step returned by metric name, for `Run.log`."""
        loss, *others = outputs
        layers = group_norms(others.pop(), self.layers) if self.layers else {}
        clipped = {} if self.clip_norm is None else {"grad_norm_clipped": others.pop()}
        *watched, norm = others
        parts = self.parts or range(1, len(watched) + 1)
        named = dict(zip(parts, watched, strict=True))
        return {
            "loss": loss,
            **{"/".join(map(str, ("loss", *p))): value for p, value in leaves(named)},
            "grad_norm": norm,
            **clipped,
            **{f"grad_norm/{layer}": value for layer, value in layers.items()},
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
        if isinstance(outputs, dict):
            raise TypeError(_NO_DICT)
        if isinstance(outputs, (tuple, list)):
            return outputs[0], tuple(outputs[1:])
        return outputs, ()


def _square_sum(grad: ms.Tensor) -> ms.Tensor:
    return ops.reduce_sum(ops.square(ops.cast(grad, ms.float32)))


def _scaled(grad: ms.Tensor, scale: ms.Tensor) -> ms.Tensor:
    return ops.cast(ops.cast(grad, ms.float32) * scale, grad.dtype)


def _checked(clip_norm: float | None) -> float | None:
    if clip_norm is None:
        return None
    if isinstance(clip_norm, bool) or not clip_norm > 0:
        message = f"clip_norm={clip_norm!r}: expected a number above 0, or None"
        raise ValueError(message)
    return float(clip_norm)
