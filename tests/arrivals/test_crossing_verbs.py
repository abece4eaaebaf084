"""Audit events that cross each other over the same rooms end in audit events and refusals, never in a deadlock."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from pms.arrivals.amendments import amend
from pms.arrivals.dates import correct_dates
from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking
from pms.departures.notices import file_notice
from pms.foundation.errors import Problem
from pms.reservations.month_to_month import force_month_to_month
from tests.arrivals.office import RENT, Office, day

pytestmark = pytest.mark.differs("locks")

ROOMS = 4
ROUNDS = 3


def outcome_of(verb: Callable[[], object]) -> str:
    """How an audit event ended: done, refused by name, or anything else by its own name."""
    try:
        verb()
    except Problem:
        return "refused"
    except Exception as failure:
        return f"{type(failure).__name__}: {failure}"
    return "done"


def crossing(office: Office, rooms: list[str], living: list[str]) -> list[Callable[[], object]]:
    """Everybody moves to the next room while others book, end, force and correct."""

    def move(place: int) -> object:
        into = rooms[(place + 1) % ROOMS]
        facts = {"last_on": day("2026-12-31"), "unit_id": into, "amounts": RENT}
        return office.do(amend, reservation_id=living[place], **facts)

    def book_and_cancel(place: int) -> object:
        id_ = office.book(rooms[place], "2027-01-01", "2027-06-30")
        return office.do(cancel_booking, reservation_id=id_)

    def leave(place: int) -> object:
        facts = {"move_out_on": day("2026-12-31")}
        return office.do(file_notice, reservation_id=living[place], **facts)

    def correct(place: int) -> object:
        facts = {"override_contract_end_date": day("2026-12-25")}
        return office.do(correct_dates, reservation_id=living[place], **facts)

    def force(place: int) -> object:
        return office.do(force_month_to_month, reservation_id=living[place])

    verbs = [move, book_and_cancel, leave, correct, force]
    found: list[Callable[[], object]] = [lambda: office.do(advance_lifecycles)]
    for verb in verbs:
        found += [partial(verb, place) for place in range(ROOMS)]
    return found


def test_verbs_that_cross_end_as_verbs_or_refusals(office: Office) -> None:
    for number in range(ROUNDS):
        rooms = [office.home.unit(f"{number}-{place}") for place in range(ROOMS)]
        living = [office.book(room, "2026-11-01", "2026-12-31") for room in rooms]
        verbs = crossing(office, rooms, living)
        with ThreadPoolExecutor(len(verbs)) as threads:
            outcomes = list(threads.map(outcome_of, verbs))
        assert set(outcomes) <= {"done", "refused"}
        assert "done" in outcomes
