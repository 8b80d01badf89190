"""What is trained, and how, as plain facts for the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from numpy.typing import NDArray

from mswidget.collect.rates.rates import Holder, held_rate, rate_holders
from mswidget.collect.steps.params import Params, batch_size, dataset_size
from mswidget.collect.train_step.networks import cells

_SETTINGS = (
    "weight_decay", "momentum", "beta1", "beta2", "eps", "loss_scale", "nesterov",
    "use_nesterov", "dampening", "decay", "rho", "clip_threshold",
)  # fmt: skip
# What MindSpore says when nobody has set one.
_NO_SEED = 5489
_OF_ANY_CELL = frozenset(vars(nn.Cell()))


def capture(params: Params, optimizer: nn.Cell | None) -> dict[str, object]:
    """Return the facts, by what they are about; one that fails says why.

    Parameters
    ----------
    params
        At the begin of the first epoch.
    optimizer
        None when nobody knows.
    """
    parts: dict[str, Callable[[], object]] = {
        "network": lambda: _network(params, optimizer),
        "optimizer": lambda: _optimizer(optimizer),
        "learning_rate": lambda: _rates(optimizer),
        "data": lambda: _data(params),
        "context": lambda: _context(params),
    }
    every = {name: _guarded(part) for name, part in parts.items()}
    return {name: facts for name, facts in every.items() if facts}


def _guarded(part: Callable[[], object]) -> object:
    try:
        return part()
    except Exception as error:  # noqa: BLE001 - a record must not end a training
        return f"unknown ({type(error).__name__}: {error})"


def _network(params: Params, optimizer: nn.Cell | None) -> dict[str, object]:
    step = params["train_network"]
    *_, network = cells(params.get("network", step))
    state = _state(optimizer)
    sizes = {p.name: p.size for p in network.get_parameters() if id(p) not in state}
    trained = {p.name for p in network.trainable_params()}
    levels = (getattr(cell, "_amp_level", "") for cell in cells(step))
    scale = params.get("loss_scale_mananger")  # sic
    loss = params.get("loss_fn")
    return {
        "type": type(network).__name__,
        "train_step": type(step).__name__,
        "loss_fn": None if loss is None else type(loss).__name__,
        "parameters": sum(sizes.values()),
        "trainable_parameters": sum(sizes[name] for name in trained & sizes.keys()),
        "amp_level": next((level for level in levels if level), "O0"),
        "loss_scale": None if scale is None else type(scale).__name__,
    }


def _state(optimizer: Any) -> set[int]:  # noqa: ANN401 - of any kind
    """Return the parameters that an optimizer made for itself, such as moments."""
    if optimizer is None:
        return set()
    trained = {id(parameter) for parameter in optimizer.parameters}
    return {id(parameter) for parameter in optimizer.get_parameters()} - trained


def _optimizer(optimizer: Any) -> dict[str, object]:  # noqa: ANN401 - of any kind
    if optimizer is None:
        return {}
    settings = {name: getattr(optimizer, name, None) for name in _SETTINGS}
    facts = {name: plain(v) for name, v in settings.items() if v is not None}
    groups = getattr(optimizer, "param_groups", None) or ()
    if groups:
        facts["groups"] = [_group(group) for group in groups]
    return {"type": type(optimizer).__name__, **facts}


def _group(group: Mapping[str, Any]) -> dict[str, object]:
    names = [parameter.name for parameter in group["params"]]
    facts = {key: plain(value) for key, value in group.items() if key != "params"}
    return {**facts, "parameters": len(names), "first": names[0] if names else None}


def _rates(optimizer: nn.Cell | None) -> object:
    return {name: _rate(holder) for name, holder in rate_holders(optimizer).items()}


def _rate(holder: Holder) -> dict[str, object]:
    held: Any = held_rate(holder)
    if isinstance(held, nn.Cell):
        return {"kind": type(held).__name__, **_own(held)}
    values = np.ravel(held.asnumpy() if hasattr(held, "asnumpy") else held)
    if values.size == 1:
        return {"kind": "constant", "value": plain(values)}
    marks = {"first": values[0], "max": values.max(), "last": values[-1]}
    facts = {name: plain(value) for name, value in marks.items()}
    highest = int(values.argmax()) + 1
    return {"kind": "list", "steps": values.size, **facts, "max_step": highest}


def _own(cell: nn.Cell) -> dict[str, object]:
    """Return the plain attributes that a cell has of its own."""
    own = {k: v for k, v in vars(cell).items() if k not in _OF_ANY_CELL}
    return {
        name: value
        for name, value in own.items()
        if isinstance(value, str | bool | int | float) and not name.startswith("_")
    }


def _data(params: Params) -> dict[str, object]:
    return {
        "batches": dataset_size(params),
        "batch_size": batch_size(params),
        "epochs": params.get("epoch_num"),
        "sink": bool(params.get("dataset_sink_mode")),
        "sink_size": params.get("sink_size"),
        **_seed(),
    }


def _seed() -> dict[str, object]:
    """Return the seed that shuffles; without one each training has its own order."""
    seed = ds.config.get_seed()
    return {} if seed == _NO_SEED else {"seed": seed}


def _context(params: Params) -> dict[str, object]:
    graph = ms.get_context("mode") == ms.GRAPH_MODE
    return {
        "mode": "graph" if graph else "pynative",
        "device": ms.get_context("device_target"),
        "device_id": ms.get_context("device_id"),
        "parallel_mode": str(params.get("parallel_mode")),
        "devices": params.get("device_number"),
        "pipeline_stages": ms.get_auto_parallel_context("pipeline_stages"),
    }


def plain(value: object) -> object:
    """Return numbers for tensors, names for cells, and text for anything else."""
    if isinstance(value, nn.Cell):
        return type(value).__name__
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes):
        items = [plain(item) for item in _items(value)]
        return items[0] if len(items) == 1 else items
    if isinstance(value, np.floating):
        return float(str(value))  # 0.1, not what float32 makes of it
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


def _items(values: NDArray[Any] | Sequence[object]) -> Iterable[object]:
    """Return an array's values, a sequence's only once: groups have many alike."""
    if isinstance(values, np.ndarray):
        return values.ravel()
    return {str(plain(value)): value for value in values}.values()
