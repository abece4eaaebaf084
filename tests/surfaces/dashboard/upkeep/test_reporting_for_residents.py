"""The office takes down a problem for the resident who tells of it, from where it heard of it."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.inbox.models import Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Lifecycle, TicketSide, UserKind
from pms.rules.message_words import MessageKind
from pms.upkeep.models import MaintenanceRequest
from tests.cast import Cast, House
from tests.portals import open_portal_browser
from tests.staff import Browser, Staff
from tests.surfaces.dashboard.conversation_records import begun, said
from tests.surfaces.dashboard.upkeep.test_requests import picture

WORDS = "お湯が出ません"


@pytest.fixture
def house(cast: Cast) -> House:
    """Kawasemi House of Sumida."""
    return cast.sumida


def send(browser: Browser, house: House, **given: object) -> TestResponse:
    """Send what the office typed on the telephone with Hanako Sato in 101."""
    usual: dict[str, object] = {
        "buildingId": house.building_id,
        "unitId": house.residents_room_id,
        "reservationId": house.resident_id,
        "mayEnter": "yes",
        "what": WORDS,
        "once": "tap-1",
    }
    return browser.post("/requests/new?lang=en", usual | given)


def the_report(database: Database, house: House) -> tuple[MaintenanceRequest, Ticket]:
    """The only report, with its conversation."""
    with database.reading(house.workspace_id) as session:
        report, ticket = (
            session.scalars(select(MaintenanceRequest)).one(),
            session.scalars(select(Ticket)).one(),
        )
        session.expunge_all()
    return report, ticket


def nothing_is_kept(database: Database, house: House) -> bool:
    with database.reading(house.workspace_id) as session:
        return session.scalar(select(MaintenanceRequest.id)) is None


def test_what_the_office_takes_down_is_the_residents_own(
    office: Browser, house: House, database: Database, staff: Staff
) -> None:
    for _ in range(2):
        answer = send(office, house, photo=picture())
        assert answer.status_code == 303, "a second tap changes nothing"
    report, ticket = the_report(database, house)
    assert (report.reservation_id, report.unit_id) == (house.resident_id, house.residents_room_id)
    assert report.may_enter is True
    assert report.reported_by == f"person/{staff.office_id}"
    assert (ticket.request_id, ticket.reservation_id) == (report.id, house.resident_id)
    assert ticket.awaits == TicketSide.STAFF
    with database.reading(house.workspace_id) as session:
        words, received = session.scalars(select(TicketMessage).order_by(TicketMessage.id)).all()
        assert (words.side, words.text) == (TicketSide.RESIDENT, WORDS)
        assert received.step is not None
        assert session.scalar(select(OutboxMail.id)) is None, "as with a report of their own"
        audit_events = select(AuditRecord).where(
            AuditRecord.audit_event == AuditEvent.REQUEST_REPORTED
        )
        kept = session.scalars(audit_events).one()
    assert kept.actor == f"person/{staff.office_id}"
    assert kept.after is not None
    assert kept.after["reservation_id"] == house.resident_id


def test_the_resident_meets_it_in_their_portal(
    office: Browser, house: House, database: Database, app: Flask, clock: FixedClock
) -> None:
    send(office, house)
    _, ticket = the_report(database, house)
    resident = open_portal_browser(
        app,
        clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    page = resident.get(f"/{house.resident_id}/tickets/{ticket.id}?lang=en").text
    assert WORDS in page
    assert "entered by" in page


def test_the_pages_say_who_reported_it_for_whom(
    office: Browser, maintainer: Browser, house: House, database: Database
) -> None:
    answer = send(office, house)
    report, ticket = the_report(database, house)
    assert answer.location.endswith(f"/tickets/{ticket.id}")
    assert "entered by 岡田 誠" in office.get(f"/tickets/{ticket.id}?lang=en").text
    assert "岡田 誠, for 佐藤 花子" in office.get(f"/requests/{report.id}?lang=en").text
    assert "岡田 誠, for 佐藤 花子" in office.get("/requests?lang=en").text
    page = maintainer.get(f"/requests/{report.id}?lang=en").text
    assert "岡田 誠, for a resident" in page
    assert "佐藤" not in page


def test_the_form_asks_whether_somebody_may_go_in_and_where_they_live(
    office: Browser, house: House, database: Database
) -> None:
    answer = send(office, house, mayEnter="")
    assert answer.status_code == 422
    assert "Ask the resident and choose one of the two." in answer.text
    for place in (house.free_room_id, "shared"):
        answer = send(office, house, unitId=place)
        assert answer.status_code == 422
        assert "This person does not live there" in answer.text
    assert send(office, house, reservationId=house.guest_id).status_code == 422, "no portal"
    assert nothing_is_kept(database, house)
    assert send(office, house, mayEnter="no").status_code == 303
    assert the_report(database, house)[0].may_enter is False


def test_without_a_resident_it_stays_our_own(
    office: Browser, house: House, database: Database
) -> None:
    answer = send(office, house, reservationId="", mayEnter="")
    with database.reading(house.workspace_id) as session:
        report = session.scalars(select(MaintenanceRequest)).one()
        assert session.scalar(select(Ticket.id)) is None
    assert answer.location.endswith(f"/requests/{report.id}")
    assert report.reservation_id is None


def test_only_the_office_reads_and_names_residents(
    maintainer: Browser, housekeeper: Browser, house: House, database: Database
) -> None:
    for browser in (maintainer, housekeeper):
        asked = f"/requests/new?unitId={house.residents_room_id}&reservationId={house.resident_id}"
        page = browser.get(asked).text
        assert "佐藤" not in page
        assert 'name="reservationId"' not in page
        assert send(browser, house).status_code == 422
    assert nothing_is_kept(database, house)


def test_who_has_left_or_is_far_from_coming_is_not_offered(
    office: Browser, house: House, database: Database, clock: FixedClock
) -> None:
    asked = f"/requests/new?reservationId={house.resident_id}&lang=en"
    assert f'<option selected value="{house.resident_id}">101 佐藤 花子' in office.get(asked).text
    coming = {"lifecycle": Lifecycle.CONFIRMED, "starts_on": clock.today() + timedelta(days=8)}
    for facts in ({"lifecycle": Lifecycle.MOVED_OUT}, coming):
        with database.writing(house.workspace_id) as session:
            theirs = update(Reservation).where(Reservation.id == house.resident_id)
            session.execute(theirs.values(**facts))
        page = office.get(asked).text
        assert f'value="{house.resident_id}"' not in page
        assert f'<option selected value="{house.residents_room_id}"' in page, "the unit is known"
        assert send(office, house).status_code == 422


def test_a_unit_offers_those_who_live_in_it(office: Browser, house: House) -> None:
    asked = f"/requests/new?buildingId={house.building_id}&lang=en"
    page = office.get(asked).text
    assert "101 佐藤 花子" in page
    assert "201 山本" in page
    assert 'hx-target="#already"' in page, "the choice of a unit asks for its block"
    block = office.block(f"{asked}&unitId={house.residents_room_id}").text
    assert "101 佐藤 花子" in block
    assert "201 山本" not in block
    assert "Reported by" not in office.block(f"{asked}&unitId={house.free_room_id}").text


def test_the_reservation_leads_to_the_form(office: Browser, house: House) -> None:
    link = f"/requests/new?reservationId={house.resident_id}"
    assert link in office.get(f"/reservations/{house.resident_id}/messages").text
    elsewhere = office.get(f"/reservations/{house.guest_id}/messages").text
    assert "/requests/new?reservationId" not in elsewhere, "a guest has no portal"


def test_a_stranger_begins_with_nobody_of_ours(stranger: Browser, house: House) -> None:
    assert stranger.get(f"/requests/new?reservationId={house.resident_id}").status_code == 404
    assert stranger.get("/requests/new?reservationId=x").status_code == 404


def test_a_conversation_becomes_a_report_with_their_last_words(
    office: Browser, stranger: Browser, house: House, database: Database, clock: FixedClock
) -> None:
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, name="Hanako", reservation_id=house.resident_id)
        for words, given in (
            ("こんにちは。", {}),
            (WORDS, {}),
            ("", {"kind": MessageKind.IMAGE}),
            ("👍", {"kind": MessageKind.REACTION}),
            ("お待ちください。", {"side": TicketSide.STAFF}),
        ):
            clock.advance(timedelta(minutes=1))
            said(session, clock, row, words, **given)
        conversation_id = row.id
    link = f"/requests/new?conversationId={conversation_id}"
    assert link in office.get(f"/inbox/{conversation_id}").text
    page = office.get(link).text
    assert f">\r\n{WORDS}</textarea>" in page
    assert f'<option selected value="{house.resident_id}">' in page
    assert send(office, house).status_code == 303
    assert stranger.get(link).status_code == 404
    _, ticket = the_report(database, house)
    assert f"/tickets/{ticket.id}" in office.get(f"/inbox/{conversation_id}").text


def test_the_words_of_a_conversation_are_for_the_office(
    maintainer: Browser, house: House, database: Database, clock: FixedClock
) -> None:
    with database.writing(house.workspace_id) as session:
        row = begun(session, clock, reservation_id=house.resident_id)
        said(session, clock, row, WORDS)
    assert WORDS not in maintainer.get(f"/requests/new?conversationId={row.id}").text


def test_a_unit_whose_id_is_none_is_no_choice(
    office: Browser, maintainer: Browser, house: House, database: Database
) -> None:
    for browser in (office, maintainer):
        for more in ("", f"&buildingId={house.building_id}"):
            assert browser.get(f"/requests/new?unitId=foo{more}").status_code == 200
        assert send(browser, house, unitId="foo", reservationId="").status_code == 422
    assert nothing_is_kept(database, house)
