"""Whatever a user logs as a value, to float64."""

from __future__ import annotations

from typing import SupportsFloat


class BadValueError(ValueError):
    """A value that cannot become one number.

    Parameters
    ----------
    kind
        The same for values that are alike, so that they can be counted.
    detail
        What this one was; the message is both.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind} {detail}".rstrip())
        self.kind = kind


def to_float(value: object) -> float:
    """Return a scalar of any kind as a float64; NaN and the infinities are values.

    Parameters
    ----------
    value
        A number, a text-free array of one element, or anything with ``asnumpy``
        (a MindSpore tensor: this waits for the device).

    Raises
    ------
    BadValueError
        For None, text, an array of several elements, an object that cannot be read.
    """
    if isinstance(value, float):
        # numpy's float64 is a float too, and json writes only the plain one.
        return float(value)
    try:
        return _to_float(value)
    except BadValueError:
        raise
    except Exception as error:
        kind = f"{type(value).__name__} that cannot be read"
        raise BadValueError(kind, f"({_first_line(error)})") from error


def is_deferred(value: object) -> bool:
    """Say whether reading a value may wait for a device, and may be done later.

    A MindSpore ``Parameter`` may not: the optimizer changes it in place.
    """
    try:
        return hasattr(value, "asnumpy") and not hasattr(value, "set_data")
    except Exception:  # noqa: BLE001 - MindSpore's cb_params raise KeyError
        return False


def _to_float(value: object) -> float:
    if value is None:
        raise BadValueError("None")
    if isinstance(value, str | bytes):
        raise BadValueError("text", repr(value[:40]))
    # A MindSpore tensor has both: its `asnumpy` costs 5 us, its `item` 0.2.
    array = value if hasattr(value, "item") else _array(value)
    size = getattr(array, "size", 1)
    if size != 1:
        shape = getattr(array, "shape", "?")
        raise BadValueError("numbers", f"of shape {shape}, not one")
    if hasattr(array, "item"):
        array = array.item()
    if isinstance(array, float):
        return array
    if not isinstance(array, SupportsFloat) or isinstance(array, str | bytes):
        raise BadValueError(f"{type(value).__name__}, not a number")
    return float(array)


def _array(value: object) -> object:
    return value.asnumpy() if hasattr(value, "asnumpy") else value


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:120]
