"""Which units are offered from when, what is frozen, and how long a link opens it."""

from datetime import timedelta
from decimal import Decimal

import pytest

from pms.catalogue.models import Unit, UnitFee
from pms.departures.expected_departures import record_expected_departure
from pms.enquiries.waitlist import WaitlistWish, add_to_waitlist
from pms.foundation.audit import audit_events
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Bilingual
from pms.offers.offer_links import (
    renew_reservation_link,
    revoke_reservation_link,
    send_reservation_link,
)
from pms.offers.offers import offers, token_of_offer
from pms.pricing.agreed_price import AgreedDiscount
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationLinkState
from tests.arrivals.office import OWNER, day, refused
from tests.cast import external_block, fee
from tests.offers.letting import SIGNER, Letting

DECEMBER, MAY = "2026-12-01", "2027-05-31"
HALF = AgreedDiscount(
    Bilingual("冬の特典", "Winter offer"), percent=Decimal("12.5"), minimum_stay_days=90
)


def test_an_offer_freezes_what_the_unit_asks_on_that_day(letting: Letting, room: str) -> None:
    office = letting.office
    link = letting.offer(room, DECEMBER, MAY, name="田中", discount=HALF)
    with office.database.writing(office.home.workspace_id) as session:
        session.get_one(Unit, (office.home.workspace_id, room)).rent_yen = 120_000
    offer = letting.opened(link)
    assert offer is not None
    assert (offer.unit_name, offer.move_in_on, offer.contract_end_on) == (
        "101",
        day(DECEMBER),
        day(MAY),
    )
    terms = offer.terms
    assert (terms.amounts.base_rent_yen, terms.monthly_yen) == (93_000, 93_000)
    assert (terms.reservation_fee_yen, terms.deposit_yen, terms.discount) == (30_000, 93_000, HALF)
    assert (offer.name, offer.state) == ("田中", ReservationLinkState.LIVE)


def test_the_days_of_a_unit_decide_whether_it_is_offered(letting: Letting, room: str) -> None:
    office, unit = letting.office, letting.office.home.unit
    soft, known, owned, blocked, booked, rentless = (
        unit("201"), unit("202"), unit("203"), unit("204"), unit("205"), unit("206", rent_yen=None),
    )  # fmt: skip
    living = office.book(soft, "2026-11-01", "2027-10-31")
    leaving = office.book(known, "2026-11-01", "2027-10-31")
    with office.database.writing(office.home.workspace_id) as session:
        for id_ in (living, leaving):
            row = session.get_one(Reservation, (office.home.workspace_id, id_))
            row.lifecycle = Lifecycle.LIVING
            if id_ == leaving:
                row.lifecycle, row.move_out_date = Lifecycle.NOTICE_FILED, day("2026-12-20")
    office.do(
        record_expected_departure, reservation_id=living, expected_departure_on=day("2026-12-10")
    )
    office.book(
        owned, "2026-11-01", None, kind=OWNER, amounts=None, reservation_fee_yen=0, deposit_yen=0
    )
    office.home.store(
        external_block(unit_id=blocked, first_on=day("2026-11-01"), last_on=day("2026-11-30"))
    )
    office.book(booked, "2027-02-01", "2027-08-31")
    for unit_id, start, words in (
        (room, "2026-11-19", "moveInDate: 2026-11-19 is in the past"),
        (soft, "2026-12-10", "unitId: the unit is possibly_available"),
        (known, "2026-12-19", "moveInDate: the unit is free from 2026-12-20"),
        (owned, DECEMBER, "unitId: the unit is occupied"),
        (blocked, DECEMBER, "unitId: the unit is reserved"),
        (booked, DECEMBER, "unitId: the unit is reserved"),
        (rentless, DECEMBER, "unitId: the unit has no rent"),
    ):
        with refused(office, words, Refused):
            letting.offer(unit_id, start, "2026-12-31")
    letting.offer(known, "2026-12-20", MAY)
    letting.offer(room, "2026-11-20", "2026-11-30")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"discount": HALF}, "discount: The discount needs a stay of 90 days"),
        ({"email": "nobody"}, "email: 'nobody' is not an email address"),
        ({"locale": "fr"}, "locale: 'fr' is not one of ja, en"),
        ({"valid_days": 0}, "validDays: '0' is not a whole number from 1 to 60"),
    ],
)
def test_what_is_stated_badly_is_refused_by_name(
    letting: Letting, room: str, facts: dict[str, object], words: str
) -> None:
    with refused(letting.office, words, Refused):
        letting.offer(room, DECEMBER, "2026-12-31", **facts)


def test_a_contract_that_ends_before_it_begins_and_a_unit_of_nobody_are_refused(
    letting: Letting, room: str
) -> None:
    with refused(letting.office, "contractEndDate:", Refused):
        letting.offer(room, DECEMBER, "2026-11-30")
    with refused(letting.office, "There is no unit", NotFound):
        letting.offer(new_id(), DECEMBER, MAY)
    with refused(letting.office, "was not found", NotFound):
        letting.offer(room, DECEMBER, MAY, place_id=new_id())


def test_a_link_ends_after_its_days_and_with_the_move_in_day_at_the_latest(
    letting: Letting, room: str
) -> None:
    clock = letting.office.clock
    short = letting.offer(room, "2026-11-21", "2027-01-31", valid_days=30)
    assert letting.record(short).expires_at.isoformat() == "2026-11-21T15:00:00+00:00"
    week = letting.offer(room, DECEMBER, MAY)
    clock.advance(timedelta(days=7) - timedelta(seconds=1))
    assert letting.record(week).state is ReservationLinkState.LIVE
    clock.advance(timedelta(seconds=1))
    assert letting.record(week).state is ReservationLinkState.EXPIRED


def test_a_renewed_offer_opens_by_its_new_link_alone(letting: Letting, room: str) -> None:
    office = letting.office
    first = letting.offer(room, DECEMBER, MAY)
    office.do(revoke_reservation_link, link_id=first.id)
    office.do(revoke_reservation_link, link_id=first.id)
    gone = letting.opened(first)
    assert gone is not None
    assert gone.state is ReservationLinkState.REVOKED
    second = office.do(renew_reservation_link, link_id=first.id, signer=SIGNER)
    assert letting.opened(first) is None
    again = letting.opened(second)
    assert again is not None
    assert again.state is ReservationLinkState.LIVE
    assert office.ask(token_of_offer, first.id, SIGNER) == second.token
    office.book(room, DECEMBER, MAY)
    with refused(office, "unitId: the unit is reserved", Refused):
        office.do(renew_reservation_link, link_id=first.id, signer=SIGNER)


def test_neither_the_audit_nor_a_list_tells_what_opens_an_offer(
    letting: Letting, room: str
) -> None:
    office = letting.office
    link = letting.offer(room, DECEMBER, MAY, name="田中", email="tanaka@example.jp")
    office.do(
        send_reservation_link,
        link_id=link.id,
        signer=SIGNER,
        address="https://pms.example.jp/reserve/{}".format,
    )
    named = letting.named(link)
    assert named is not None
    nonce = named.nonce
    events = repr([office.ask(audit_events), office.ask(offers, office.clock.now(), Paging(1, 50))])
    assert nonce not in events
    assert link.token not in events
    assert "tanaka@example.jp" not in repr(office.ask(audit_events))


def test_an_offer_is_mailed_in_the_language_of_its_person(letting: Letting, room: str) -> None:
    office = letting.office
    silent = letting.offer(room, DECEMBER, MAY)
    with refused(office, "email: there is no email address", Refused):
        office.do(send_reservation_link, link_id=silent.id, signer=SIGNER, address=str)
    link = letting.offer(room, DECEMBER, MAY, email="emma@example.com", locale="en")
    facts = {"signer": SIGNER, "address": "https://pms.example.jp/reserve/{}".format}
    assert office.do(send_reservation_link, link_id=link.id, **facts) == "emma@example.com"
    mail = office.ask(lambda session: session.query(OutboxMail).one())
    assert mail.recipient == "emma@example.com"
    assert f"https://pms.example.jp/reserve/{link.token}" in mail.text
    assert "¥93,000" in mail.text
    assert letting.record(link).sent_at == office.clock.now()
    office.do(revoke_reservation_link, link_id=link.id)
    with refused(office, "state: this offer is revoked", Refused):
        office.do(send_reservation_link, link_id=link.id, **facts)


def test_lists_tell_the_states_apart_in_two_questions(letting: Letting, room: str) -> None:
    office = letting.office
    old = letting.offer(room, DECEMBER, MAY, valid_days=1)
    taken_back = letting.offer(room, DECEMBER, MAY)
    live = letting.offer(room, DECEMBER, MAY)
    office.do(revoke_reservation_link, link_id=taken_back.id)
    office.clock.advance(timedelta(days=2))
    now = office.clock.now()
    for state, link in (
        (ReservationLinkState.EXPIRED, old),
        (ReservationLinkState.REVOKED, taken_back),
        (ReservationLinkState.LIVE, live),
    ):
        page = office.ask(offers, now, Paging(1, 50), state)
        assert [one.id for one in page.offers] == [link.id]
        assert page.total == 1
        assert page.offers[0].state is state
    assert office.ask(offers, now, Paging(1, 2)).total == 3


def test_a_fee_of_the_unit_is_part_of_the_offer_and_another_is_not(
    letting: Letting, room: str
) -> None:
    water, cleaning = new_id(), new_id()
    letting.office.home.store(
        fee(id=water, code="water"),
        fee(id=cleaning, code="cleaning", label_ja="清掃", label_en="Cleaning"),
        UnitFee(unit_id=room, fee_id=water, amount_yen=4_000),
    )
    offer = letting.opened(letting.offer(room, DECEMBER, MAY))
    assert offer is not None
    assert [(one.code, one.amount_yen) for one in offer.terms.fees] == [("water", 4_000)]
    assert offer.terms.monthly_yen == 97_000


def test_who_waited_counts_as_offered_to(letting: Letting, room: str) -> None:
    wanted = WaitlistWish(
        name="田中", wanted_from_on=day(DECEMBER), unit_id=room, email="t@example.jp"
    )
    place_id = letting.office.do(add_to_waitlist, wanted=wanted)
    letting.offer(room, DECEMBER, MAY, place_id=place_id)
    events = repr(letting.office.ask(audit_events))
    assert "waitlist_place.offered" in events
    letting.offer(room, DECEMBER, MAY, place_id=place_id)
