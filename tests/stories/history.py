"""Any history of a house: whatever staff try, refused or done, the books stay in order."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition

from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.work import Work
from pms.rules.enumerations import Lifecycle
from tests.stories.house import ACTOR, House, morning, open_house
from tests.stories.invariants import hold

BEGINNING = date(2025, 1, 10)
ROOMS = ("101", "102", "103")
Verb = TypeVar("Verb", bound=Callable[..., None])
ANYBODY = st.integers(0, 30)
"""Who of those an audit event may concern, counted round."""

_RESERVATIONS = """
    SELECT id, lifecycle FROM reservation WHERE workspace_id = :workspace ORDER BY created_at, id"""
_ORIGINAL_PRICES = """
    SELECT * FROM pricing_snapshot WHERE workspace_id = :workspace ORDER BY id"""


class History(RuleBasedStateMachine):
    """A house and what was tried in it; the audit events are in `history_money` and `history_stays`."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self.house: House = open_house(database)
        self.house.go_to(morning(BEGINNING))
        for room in ROOMS:
            self.house.room(room)
        self.imprint = self.house.books.imprint()
        self.prices: dict[str, tuple[Any, ...]] = {}
        self.people: list[tuple[str, str]] = []

    def attempt(self, use_case: Callable[..., Any], **given: Any) -> bool:
        """Let staff try something and tell whether it was done.

        What is refused leaves every table as it was; the session is committed after a refusal
        too, so that nothing hides in it.
        """
        is_done = True
        with self.house.database.writing(self.house.workspace_id) as session:
            try:
                use_case(Work(session, self.house.clock, ACTOR), **given)
            except Problem as refusal:
                assert len(refusal.message) > 10
                is_done = False
        before = self.imprint
        self.look_around()
        if not is_done:
            assert self.imprint == before, f"{use_case.__name__} refused, and wrote"
        return is_done

    def look_around(self) -> None:
        """See what is in the tables, and who is where."""
        self.imprint = self.house.books.imprint()
        self.people = [(id_, state) for id_, state in self.house.books.ask(_RESERVATIONS)]

    def somebody(self, number: int, *states: Lifecycle) -> str:
        """Return a reservation in one of the states, else any; there is always one."""
        fitting = [id_ for id_, state in self.people if state in states]
        candidates = fitting or [id_ for id_, _ in self.people]
        return candidates[number % len(candidates)]

    def entry_of(self, reservation_id: str, number: int) -> str | None:
        entries = self.house.books.entries(reservation_id)
        return entries[number % len(entries)].id if entries else None

    def day(self, days: int) -> date:
        return self.house.today + timedelta(days=days)

    @invariant()
    def the_books_are_in_order(self) -> None:
        hold(self.house)

    @invariant()
    def original_prices_never_change(self) -> None:
        found = {row[1]: row for row in self.house.books.ask(_ORIGINAL_PRICES)}
        assert found.items() >= self.prices.items()
        self.prices = found


def when_there_is_one(*states: Lifecycle) -> Callable[[Verb], Verb]:
    """Let a rule happen only while somebody is in one of the states."""
    return precondition(lambda self: any(state in states for _, state in self.people))
