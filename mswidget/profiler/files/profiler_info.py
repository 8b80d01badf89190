"""What profiler_info_<rank>.json says: versions, switches, level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mswidget.profiler.tables.spec import Layout, Need

_VERSIONS = {
    "ms_version": "MindSpore",
    "torch_npu_version": "torch_npu",
    "cann_version": "CANN",
}
_UNKNOWN = {"", "not known"}
_NO_RANK = 7  # digits: a time, or damage


@dataclass(frozen=True)
class Info:
    """The settings that a profile was taken with.

    ``switches`` holds the values of each as text; it is empty when no file says them.
    """

    layout: Layout | None = None
    rank: int | None = None
    versions: dict[str, str] = field(default_factory=dict)
    switches: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def level(self) -> str:
        """``Level0`` to ``Level2``, or empty."""
        return ", ".join(self.switches.get("profiler_level", ()))

    def meets(self, need: Need) -> bool | None:
        """Whether the switch was set as a table needs it; None if no file says."""
        values = self.switches.get(need.switch)
        return None if values is None else not {*values}.isdisjoint(need.values)


def read_info(content: Mapping[str, Any]) -> Info:
    """Return what the parsed JSON of MindSpore or torch_npu says."""
    rank = str(content.get("rank_id", ""))
    versions = {
        name: str(content[key])
        for key, name in _VERSIONS.items()
        if str(content.get(key, "")) not in _UNKNOWN
    }
    return Info(
        layout=_layout(content),
        rank=int(rank) if rank.isdecimal() and len(rank) < _NO_RANK else None,
        versions=versions,
        switches=dict(_switches(content)),
    )


def _layout(content: Mapping[str, Any]) -> Layout | None:
    if "profiler_parameters" in content:
        return "mindspore"
    return "pytorch" if "config" in content else None


def _switches(content: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    config = content.get("config", {})
    for part in (
        content.get("profiler_parameters", {}),
        config.get("common_config", {}),
        config.get("experimental_config", {}),
    ):
        for key, value in part.items():
            name = key.removeprefix("_")
            if name == "schedule":
                # MindSpore writes a default schedule where none was set.
                yield name, (str(part.get("is_set_schedule", True)),)
            elif value is not None and not isinstance(value, dict):
                yield name, _texts(value)


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    values = value if isinstance(value, list) else [value]
    return tuple(str(v).removeprefix("ProfilerActivity.") for v in values)
