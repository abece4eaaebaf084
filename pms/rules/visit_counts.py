"""Counts the events of a website along every axis: how often, and by how many visitors."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pms.rules.enumerations import TelemetryAxis, TelemetryType
from pms.rules.telemetry import MOST_VALUES, OTHER

_Value = tuple[TelemetryAxis, str, str]


class KeptEvent(NamedTuple):
    """What is kept of one event: no query, no whole address, nobody's name.

    An empty text stands for what is not known; `visitor` tells visitors apart within a day alone.
    """

    type: TelemetryType
    path: str
    name: str
    campaign: str
    referrer: str
    visitor: str


class Counted(NamedTuple):
    """How often a value was seen, by how many visitors; `path` is where, for events alone."""

    value: str
    path: str
    times: int
    visitors: int


class VisitCounts:
    """The figures of one day, as its events are met one by one, in any order."""

    def __init__(self, own_host: str) -> None:
        """Begin with nothing; who comes from the website's own host came from nowhere."""
        self._nowhere: Final = frozenset({"", own_host})
        self._times: defaultdict[_Value, int] = defaultdict(int)
        self._visitors: defaultdict[_Value, set[str]] = defaultdict(set)

    def count(self, events: Iterable[KeptEvent]) -> None:
        """Count some events."""
        times, visitors = self._times, self._visitors
        for event in events:
            visitor = event.visitor
            for value in self._values(event):
                times[value] += 1
                if visitor:
                    visitors[value].add(visitor)

    def figures(self) -> Mapping[TelemetryAxis, Sequence[Counted]]:
        """Return what was seen along each axis, the most frequent first, bounded."""
        found: defaultdict[TelemetryAxis, list[Counted]] = defaultdict(list)
        for (axis, value, path), times in self._times.items():
            seen_by = len(self._visitors.get((axis, value, path), ()))
            found[axis].append(Counted(value, path, times, seen_by))
        return {axis: bounded(axis, counted) for axis, counted in found.items()}

    def _values(self, event: KeptEvent) -> Iterator[_Value]:
        if event.type is not TelemetryType.PAGE_VIEW:
            yield TelemetryAxis.EVENT, event.name, event.path
            return
        yield TelemetryAxis.DAY, "", ""
        yield TelemetryAxis.PAGE, event.path, ""
        if event.campaign:
            yield TelemetryAxis.CAMPAIGN, event.campaign, ""
        if event.referrer not in self._nowhere:
            yield TelemetryAxis.REFERRER, event.referrer, ""


def bounded(axis: TelemetryAxis, counted: Sequence[Counted]) -> Sequence[Counted]:
    """The most frequent values by name and all others as one, the most frequent first.

    Somebody who saw several of the others is counted for each.
    """
    ordered = sorted(counted, key=lambda each: (-each.times, each.value, each.path))
    most = MOST_VALUES[axis]
    kept, rest = ordered[:most], ordered[most:]
    if not rest:
        return kept
    times, visitors = sum(each.times for each in rest), sum(each.visitors for each in rest)
    return [*kept, Counted(OTHER, "", times, visitors)]
