"""Accepting an offer: exactly its terms, exactly once, and not when the unit went meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select

from pms.arrivals.bookings import preview_booking
from pms.catalogue.models import Unit
from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.waitlist import WaitlistWish, add_to_waitlist
from pms.foundation.errors import Refused
from pms.inbox.models import Enquiry
from pms.offers.applications import Accepted
from pms.offers.frozen_terms import StatedDetails, UnitGone, booking_of
from pms.offers.models import ReservationLink
from pms.offers.offer_links import revoke_reservation_link
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.enumerations import (
    EnquirySource,
    EnquiryState,
    Lifecycle,
    ReservationLinkState,
    WaitlistState,
)
from tests.arrivals.office import GUEST, day, refused
from tests.cast import external_block
from tests.offers.letting import TANAKA, Letting
from tests.offers.test_offering import DECEMBER, HALF, MAY


def test_accepting_books_what_was_offered_and_bills_what_was_shown(
    letting: Letting, room: str
) -> None:
    office = letting.office
    link = letting.offer(room, "2026-12-20", MAY, discount=HALF)
    with office.database.writing(office.home.workspace_id) as session:
        session.get_one(Unit, (office.home.workspace_id, room)).rent_yen = 120_000
        stored = session.scalars(select(ReservationLink)).one()
        shown = preview_booking(session, office.clock, **booking_of(stored, None)).invoice
    assert shown is not None
    assert len(shown.rows) == 2, "the start is after the 15th: two periods"
    letting.state(link)
    accepted = letting.accept(link)
    row = office.row(accepted.reservation_id)
    assert (row.name, row.email, row.lifecycle) == (TANAKA.name, TANAKA.email, Lifecycle.BOOKED)
    assert (row.move_in_date, row.contract_end_date) == (day("2026-12-20"), day(MAY))
    (invoice,) = office.standings(accepted.reservation_id)
    assert invoice.open_yen == shown.total_yen
    # 12 days of 31, less 12.5 % of them; January whole, less 12.5 %; once 123,000.
    assert shown.total_yen == (36_000 - 4_500) + (93_000 - 11_625) + 123_000
    with office.database.reading(office.home.workspace_id) as session:
        assert session.scalars(select(CoOccupant.name)).all() == ["田中 春"]
    made = letting.record(link)
    assert (made.state, made.reservation_id) == (ReservationLinkState.ACCEPTED, row.id)


def test_a_second_click_finds_the_booking_of_the_first(letting: Letting, room: str) -> None:
    link = letting.offer(room, DECEMBER, MAY)
    letting.state(link)
    first = letting.accept(link)
    before = letting.office.counts()
    assert letting.accept(link) == Accepted(first.reservation_id, is_new=False)
    assert letting.office.counts() == before
    with refused(letting.office, "state: this offer was accepted", Refused):
        letting.office.do(revoke_reservation_link, link_id=link.id)


def test_two_offers_of_one_unit_make_one_booking_however_they_race(
    letting: Letting, room: str
) -> None:
    """Four browsers on two links, all at once: one booking, and the other link's are told."""
    links = [letting.offer(room, DECEMBER, MAY), letting.offer(room, DECEMBER, MAY)]
    for link in links:
        letting.state(link)
    start = Barrier(8)

    def click(number: int) -> str:
        start.wait(timeout=30)
        try:
            return letting.accept(links[number % 2]).reservation_id
        except UnitGone:
            return "gone"

    with ThreadPoolExecutor(8) as browsers:
        outcomes = list(browsers.map(click, range(8)))
    booked = {one for one in outcomes if one != "gone"}
    assert len(booked) == 1
    assert outcomes.count("gone") == 4
    counts = letting.office.counts()
    assert (counts["reservation"], counts["ledger_entry"], counts["pricing_snapshot"]) == (1, 1, 1)


def test_a_unit_that_went_meanwhile_is_not_booked_and_nobody_is_named(
    letting: Letting, room: str
) -> None:
    office = letting.office
    taken, blocked, later = room, office.home.unit("102"), office.home.unit("103")
    links = [letting.offer(one, DECEMBER, MAY) for one in (taken, blocked, later)]
    for link in links:
        letting.state(link)
    office.book(taken, "2027-03-01", None, name="鈴木 一郎")
    office.home.store(
        external_block(unit_id=blocked, first_on=day("2027-01-10"), last_on=day("2027-01-12"))
    )
    for link in links[:2]:
        with refused(office, "unitId: the unit was taken meanwhile", UnitGone):
            letting.accept(link)
    # Who is gone before, or comes the day this one leaves, does not stand in the way.
    office.book(later, MAY, "2028-05-31")
    office.book(later, "2026-11-22", "2026-11-25", kind=GUEST)
    office.home.store(
        external_block(unit_id=later, first_on=day("2026-11-26"), last_on=day("2026-11-30"))
    )
    assert letting.accept(links[2]).is_new


def test_a_tenancy_whose_notice_was_withdrawn_keeps_the_unit(letting: Letting, room: str) -> None:
    office = letting.office
    living = office.book(room, "2026-11-01", "2026-11-30")

    def move_out(on: str | None) -> None:
        with office.database.writing(office.home.workspace_id) as session:
            row = session.get_one(Reservation, (office.home.workspace_id, living))
            row.lifecycle = Lifecycle.NOTICE_FILED if on else Lifecycle.LIVING
            row.move_out_date = day(on) if on else None

    move_out("2026-11-30")
    link = letting.offer(room, DECEMBER, MAY)
    letting.state(link)
    move_out(None)
    with refused(office, "unitId: the unit was taken meanwhile", UnitGone):
        letting.accept(link)


def test_an_offer_without_details_or_past_its_end_is_not_accepted(
    letting: Letting, room: str
) -> None:
    office = letting.office
    link = letting.offer(room, DECEMBER, MAY)
    with refused(office, "name: the applicant has not entered who moves in yet", Refused):
        letting.accept(link)
    letting.state(link)
    office.go_to("2026-11-27")
    with refused(office, "state: this offer", Refused):
        letting.accept(link)


@pytest.mark.parametrize(
    ("details", "words"),
    [
        (StatedDetails(name=" ", email="t@example.jp"), "name:"),
        (StatedDetails(name="田中"), "email:"),
        (StatedDetails(name="田中", email="nobody"), "email: 'nobody'"),
        (
            StatedDetails(name="田中", email="t@example.jp", arrival_on=day("2026-11-30")),
            "arrivalDate: the unit is available from 2026-12-01",
        ),
        (
            StatedDetails(name="田中", email="t@example.jp", co_occupants=("人",) * 11),
            "coOccupants: 11 people are more than 10",
        ),
    ],
)
def test_details_are_refused_by_the_field(
    letting: Letting, room: str, details: StatedDetails, words: str
) -> None:
    link = letting.offer(room, DECEMBER, MAY)
    with refused(letting.office, words, Refused):
        letting.state(link, details)


def test_who_waited_is_off_the_waitlist_once_they_accept(letting: Letting, room: str) -> None:
    office = letting.office
    wanted = WaitlistWish(
        name="田中", wanted_from_on=day(DECEMBER), unit_id=room, email="t@example.jp"
    )
    place_id = office.do(add_to_waitlist, wanted=wanted)
    link = letting.offer(room, DECEMBER, MAY, place_id=place_id)
    letting.state(link)
    letting.accept(link)
    states = office.ask(lambda session: session.scalars(select(WaitlistPlace.state)).all())
    assert states == [WaitlistState.CLOSED]


def test_whose_enquiry_it_was_is_offered_to_and_won(letting: Letting, room: str) -> None:
    office = letting.office
    result = WrittenEnquiry(
        name="田中", source=EnquirySource.PHONE, email="t@example.jp", unit_id=room
    )
    enquiry_id = office.do(receive_enquiry, enquiry=result)

    def state() -> EnquiryState:
        found = office.ask(lambda session: session.scalars(select(Enquiry.state)).one())
        return EnquiryState(found)

    link = letting.offer(room, DECEMBER, MAY, enquiry_id=enquiry_id)
    assert state() is EnquiryState.OFFERED
    letting.state(link)
    letting.accept(link)
    assert state() is EnquiryState.WON
