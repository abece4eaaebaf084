"""The figures of a day are those of its events, in whatever order and parts they come."""

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.enumerations import TelemetryAxis, TelemetryType
from pms.rules.telemetry import MOST_VALUES, OTHER, Counted, KeptEvent, VisitCounts, bound_values

HOSTS = st.sampled_from(["", "own.example", "t.co"])
EVENTS = st.builds(
    KeptEvent,
    st.sampled_from(TelemetryType),
    st.sampled_from(["/", "/a", "/b"]),
    st.sampled_from(["", "inquiry"]),
    st.sampled_from(["", "autumn"]),
    HOSTS,
    st.sampled_from(["", "1", "2"]),
)


def counts(*parts: list[KeptEvent]) -> VisitCounts:
    day = VisitCounts("own.example")
    for events in parts:
        day.count(events)
    return day


@given(st.lists(EVENTS), st.integers(0, 20))
def test_order_and_parts_change_nothing(events: list[KeptEvent], cut: int) -> None:
    whole = counts(events).figures()
    assert counts(events[cut:], events[:cut]).figures() == whole
    assert counts(events[::-1]).figures() == whole


@given(st.lists(EVENTS))
def test_every_view_is_of_one_page_and_every_event_has_one_name(events: list[KeptEvent]) -> None:
    figures = counts(events).figures()
    views = sum(event.type is TelemetryType.PAGE_VIEW for event in events)
    for axis, whole in (
        (TelemetryAxis.DAY, views),
        (TelemetryAxis.PAGE, views),
        (TelemetryAxis.EVENT, len(events) - views),
    ):
        assert sum(each.times for each in figures.get(axis, ())) == whole
    day = figures.get(TelemetryAxis.DAY, ())
    known = {event.visitor for event in events if event.type is TelemetryType.PAGE_VIEW} - {""}
    assert sum(each.visitors for each in day) == len(known)


def test_own_pages_and_silence_are_no_way_to_come() -> None:
    view = KeptEvent(TelemetryType.PAGE_VIEW, "/", "", "", "t.co", "1")
    events = [view, view._replace(referrer="own.example"), view._replace(referrer="")]
    seen = counts(events).figures()[TelemetryAxis.REFERRER]
    assert seen == [Counted("t.co", "", 1, 1)]


def test_the_most_frequent_come_first_then_by_value_and_by_path() -> None:
    counted = [
        Counted("b", "/", 1, 1),
        Counted("a", "/b", 1, 1),
        Counted("a", "/a", 1, 2),
        Counted("c", "/", 2, 1),
    ]
    assert bound_values(TelemetryAxis.EVENT, counted) == [counted[3], *counted[2::-1]]


def test_what_is_beyond_the_most_values_is_one_figure() -> None:
    most = MOST_VALUES[TelemetryAxis.CAMPAIGN]
    counted = [Counted(str(place), "", 2, 1) for place in range(most)]
    assert OTHER not in {each.value for each in bound_values(TelemetryAxis.CAMPAIGN, counted)}
    more = [*counted, Counted("x", "", 1, 3), Counted("y", "", 1, 4)]
    assert bound_values(TelemetryAxis.CAMPAIGN, more)[-1] == Counted(OTHER, "", 2, 7)


def test_a_campaign_is_counted_by_its_views_and_none_is_no_campaign() -> None:
    view = KeptEvent(TelemetryType.PAGE_VIEW, "/", "", "autumn", "", "1")
    events = [view, view._replace(visitor="2"), view._replace(campaign="", path="/a")]
    assert counts(events).figures() == {
        TelemetryAxis.DAY: [Counted("", "", 3, 2)],
        TelemetryAxis.PAGE: [Counted("/", "", 2, 2), Counted("/a", "", 1, 1)],
        TelemetryAxis.CAMPAIGN: [Counted("autumn", "", 2, 2)],
    }
