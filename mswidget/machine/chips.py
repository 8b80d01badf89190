"""Which chip is this rank's, and how it does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from mswidget.machine.npu_smi import Address, parse_info, parse_map, parse_usages
from mswidget.machine.program import ProgramError


class Chip:
    """Reads this rank's chip, and no other.

    Parameters
    ----------
    npu_smi
        Calls ``npu-smi`` with arguments and returns what it prints.
    device
        Returns the rank's device: its number among all that the driver knows.
    tell_chip
        Told once which chip is read, and how it was found.
    notice
        Told what cannot be read.
    """

    def __init__(
        self,
        npu_smi: Callable[..., str],
        device: Callable[[], int | None],
        tell_chip: Callable[[Mapping[str, object]], object],
        notice: Callable[[str], None],
    ) -> None:
        self._npu_smi = npu_smi
        self._device = device
        self._tell_chip = tell_chip
        self._notice = notice
        self._told: Address | None = None
        self._map: Mapping[int, Address] | None = None
        self._has_usages = True

    def read(self) -> dict[str, float]:
        """Return values by metric name; empty when this rank has no chip.

        Raises
        ------
        ProgramError, ValueError
            When ``npu-smi`` gives no answer, or one that cannot be read.
        """
        device = self._device()
        if device is None:
            return {}
        chips = parse_info(self._npu_smi("info"))
        address = self._address(device, list(chips))
        return {**chips[address], **self._usages(address)}

    def _address(self, device: int, chips: Sequence[Address]) -> Address:
        if self._map is None:
            self._map = self._ask_map()
        address = find_chip(device, self._map, chips)
        if address is None or address not in chips:
            raise ValueError(f"npu-smi info shows no chip of device {device}")
        if address != self._told:
            self._told = address
            npu, chip = address
            by = "npu-smi info -m" if self._map else "its place in npu-smi info"
            self._tell_chip(
                {"device_id": device, "npu_id": npu, "chip_id": chip, "by": by}
            )
        return address

    def _ask_map(self) -> Mapping[int, Address]:
        try:
            return parse_map(self._npu_smi("info", "-m"))
        except ProgramError:  # an old version; the order of the list tells as well
            return {}

    def _usages(self, address: Address) -> dict[str, float]:
        npu, chip = map(str, address)
        if not self._has_usages:
            return {}
        try:
            return parse_usages(
                self._npu_smi("info", "-t", "usages", "-i", npu, "-c", chip)
            )
        except (ProgramError, ValueError) as error:
            self._has_usages = False
            self._notice(
                f"npu-smi info -t usages gave nothing ({error}), so there is no use of "
                "the HBM bandwidth"
            )
            return {}


def find_chip(
    device: int, logic_ids: Mapping[int, Address], chips: Sequence[Address]
) -> Address | None:
    """Return the chip of a device; None when there is none.

    Its number is a logic ID: an NPU may hold two chips, and in a container NPUs keep
    the IDs that they have on the host while logic IDs begin at 0.

    Parameters
    ----------
    device
        Its number among all that the driver knows.
    logic_ids
        From ``npu-smi info -m``; may be empty.
    chips
        From ``npu-smi info``: logic IDs rise in its order.
    """
    if device in logic_ids:
        return logic_ids[device]
    return chips[device] if not logic_ids and device < len(chips) else None


def own_device() -> int | None:
    """Return the number of this rank's device among all that the driver knows.

    None when this process computes on none, or nobody says on which.
    """
    # Another thread may be just importing it.
    context = getattr(sys.modules.get("mindspore"), "get_context", None)
    if context is None:
        index = os.environ.get("DEVICE_ID", "")
    elif context("device_target") == "Ascend":
        index = str(context("device_id"))
    else:
        return None
    return visible_device(index, os.environ.get("ASCEND_RT_VISIBLE_DEVICES"))


def visible_device(index: str, visible: str | None) -> int | None:
    """Return the device that a process knows by an index.

    Parameters
    ----------
    index
        A number from 0.
    visible
        The value of ``ASCEND_RT_VISIBLE_DEVICES``: numbers of devices, which the
        process counts anew from 0; None when unset.
    """
    if not index.isdecimal():
        return None
    if visible is None:
        return int(index)
    listed = dict(enumerate(visible.split(",")))
    device = listed.get(int(index), "").strip()
    return int(device) if device.isdecimal() else None
