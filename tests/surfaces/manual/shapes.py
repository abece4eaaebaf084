"""Compares JSON by its shape: the same names everywhere, and no type that never occurs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Shape:
    """What was seen at one place of an answer, over all the answers looked at."""

    kinds: set[str] = field(default_factory=set)
    names: set[frozenset[str]] = field(default_factory=set)
    members: dict[str, "Shape"] = field(default_factory=dict)
    items: "Shape | None" = None

    def add(self, value: Any) -> None:
        """Take one more value into account."""
        self.kinds.add(kind(value))
        if isinstance(value, dict):
            self.names.add(frozenset(value))
            for name, member in value.items():
                self.members.setdefault(name, Shape()).add(member)
        if isinstance(value, list):
            self.items = self.items or Shape()
            for item in value:
                self.items.add(item)


def shape_of(values: Iterable[Any]) -> Shape:
    """The shape all these values have together."""
    shape = Shape()
    for value in values:
        shape.add(value)
    return shape


def kind(value: Any) -> str:
    """The JSON type of a value; a whole number is not a fraction, and true is not 1."""
    return "null" if value is None else type(value).__name__


def differences(shown: Any, live: Shape, place: str = "answer") -> Iterator[str]:
    """Where a printed answer is not what the service answers."""
    if kind(shown) not in live.kinds:
        yield f"{place}: {kind(shown)} is printed, {sorted(live.kinds)} is answered"
    elif isinstance(shown, dict):
        yield from _in_names(shown, live, place)
    elif isinstance(shown, list) and shown:
        if live.items is None or not live.items.kinds:
            yield f"{place}: something is printed, nothing is ever answered"
        else:
            for number, item in enumerate(shown):
                yield from differences(item, live.items, f"{place}[{number}]")


def _in_names(shown: dict[str, Any], live: Shape, place: str) -> Iterator[str]:
    if frozenset(shown) not in live.names:
        known = sorted(set().union(*live.names))
        yield f"{place}: {sorted(shown)} is printed, {known} is answered"
    for name in shown.keys() & live.members.keys():
        yield from differences(shown[name], live.members[name], f"{place}.{name}")
