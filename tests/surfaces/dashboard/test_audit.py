"""Operators read who did what and when; the office reads the history of a reservation."""

import csv
from io import StringIO
from pathlib import Path

import pytest

import pms
from pms.access.keys import issue_key
from pms.foundation.audit import note_audit_event, note_change, of_reservation, of_workspace
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Scope
from pms.surfaces.labels.audit_events import EVENT_LABELS, event_label
from tests.cast import Cast
from tests.staff import Browser, Staff

PAGES = Path(pms.__file__).parent / "surfaces/manual/pages"


@pytest.fixture
def done(database: Database, cast: Cast, clock: FixedClock, staff: Staff) -> str:
    """Three audit events, two of a person about the resident's reservation; return its id."""
    house, actor = cast.sumida, f"person/{staff.operator_id}"
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.phone = "090-1111-2222"
        note_change(Work(session, clock, actor), AuditEvent.CONTACT_CHANGED, row)
        facts = {"amount_yen": 93_000, "received_on": "2026-11-19", "method": "cash"}
        about = of_reservation(house.resident_id)
        note_audit_event(
            Work(session, clock, actor), AuditEvent.PAYMENT_RECORDED, about, after=facts
        )
        billed = {"entries": 12, "total_yen": 1_200_000}
        note_audit_event(
            Work(session, clock, "worker"),
            AuditEvent.RENT_BILLED,
            of_workspace(session),
            after=billed,
        )
    return house.resident_id


def test_a_audit_event_tells_who_what_and_both_sides(operator: Browser, done: str) -> None:
    shown = operator.get("/audit?lang=en").text
    assert "Contact corrected" in shown
    assert "090-1111-2222" in shown
    assert "小川 智子" in shown
    assert "¥93,000" in shown
    assert "Thu 19 Nov 2026" in shown
    assert f"/reservations/{done}" in shown


def test_a_audit_event_of_many_facts_is_told_in_short_and_whole_where_asked(
    operator: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida
    facts = {"name": "n", "phone": "p", "email": "e", "note": "o", "area": "a", "address": "d"}
    with database.writing(house.workspace_id) as session:
        about = of_reservation(house.resident_id)
        note_audit_event(
            Work(session, clock, "worker"), AuditEvent.CONTACT_CHANGED, about, after=facts
        )
    shown = operator.block("/audit?lang=en").text
    assert shown.count("<dt>") == 3
    assert "and 3 more" in shown
    whole = operator.block(f"/audit?lang=en&subject=reservation/{house.resident_id}").text
    assert whole.count("<dt>") == 6


def test_the_filters_narrow_by_person_audit_event_day_and_subject(
    operator: Browser, done: str
) -> None:
    def shown(question: str) -> str:
        return operator.block(f"/audit?lang=en&{question}").text

    assert "2 audit events" in shown("actor=people")
    assert "1 audit event<" in shown("actor=worker")
    assert "1 audit event<" in shown("audit_event=payment.recorded")
    assert "2 audit events" in shown(f"subject=reservation/{done}")
    assert "No matching audit events" in shown("throughOn=2026-11-19")
    assert "3 audit events" in shown("fromOn=2026-11-20&throughOn=2026-11-20")


def test_what_a_program_wrote_is_told_by_the_name_of_its_key(
    operator: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        scopes = [Scope.INQUIRIES_WRITE]
        issued = issue_key(Work(session, clock, "command line"), name="Contact form", scopes=scopes)
        for actor in (f"key/{issued.id}", f"key/{'0' * 32}"):
            note_audit_event(
                Work(session, clock, actor), AuditEvent.ENQUIRY_RECEIVED, of_workspace(session)
            )
    shown = operator.get("/audit?lang=en").text
    assert "Contact form" in shown
    assert "An API key" in shown
    assert issued.plaintext not in shown


def test_a_filter_that_cannot_be_read_is_told(operator: Browser) -> None:
    assert operator.get("/audit?fromOn=yesterday").status_code == 422
    assert operator.get("/audit?audit_event=nothing").status_code == 422


def test_the_table_to_keep_says_the_same(operator: Browser, done: str) -> None:
    answer = operator.get("/audit.csv?lang=en&actor=people")
    rows = list(csv.reader(StringIO(answer.text.removeprefix("\ufeff"))))
    assert rows[0][:3] == ["When", "Who", "Audit event"]
    assert len(rows) == 3
    assert rows[1][2] == "Payment recorded"
    assert "Amount: ¥93,000" in rows[1][5]
    assert "<" not in rows[1][5]


def test_only_operators_reach_the_audit(
    office: Browser, housekeeper: Browser, maintainer: Browser
) -> None:
    for browser in (office, housekeeper, maintainer):
        assert browser.get("/audit").status_code == 403
        assert browser.get("/audit.csv").status_code == 403


def test_another_workspace_sees_nothing_of_it(stranger: Browser, done: str) -> None:
    assert "Nothing recorded yet" in stranger.get("/audit?lang=en").text


def test_the_office_reads_the_history_of_a_reservation(office: Browser, done: str) -> None:
    shown = office.get(f"/reservations/{done}/history?lang=en").text
    assert "Contact corrected" in shown
    assert "Payment recorded" in shown
    assert "Rent billed" not in shown


def test_every_audit_event_has_its_words() -> None:
    assert set(EVENT_LABELS) == set(AuditEvent)


def test_a_audit_event_that_left_the_list_is_told_as_it_was_kept() -> None:
    assert event_label("gone.by") == "gone.by"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_manual_lists_every_audit_event(language: str) -> None:
    page = (PAGES / language / "audit.md").read_text()
    assert [
        audit_event.value for audit_event in AuditEvent if f"| `{audit_event.value}` |" not in page
    ] == []


def test_a_units_page_shows_its_latest_audit_events_to_the_office_alone(
    office: Browser, housekeeper: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    about = ("unit", cast.sumida.free_room_id)
    with database.writing(cast.sumida.workspace_id) as session:
        rent = {"rent_yen": 1_234_000}
        note_audit_event(Work(session, clock, "worker"), AuditEvent.UNIT_EDITED, about, after=rent)
    assert "¥1,234,000" in office.get(f"/units/{about[1]}").text
    assert "¥1,234,000" not in housekeeper.get(f"/units/{about[1]}").text


def test_a_month_is_told_as_a_month_and_a_sheet_by_its_kind(
    operator: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        about = of_workspace(session)
        facts = {"month_on": "2026-09-01", "version": 1}
        note_audit_event(
            Work(session, clock, "worker"), AuditEvent.STATEMENT_PUBLISHED, about, after=facts
        )
        sheets = {"sheet": "rent-roll", "accepted": 3}
        note_audit_event(
            Work(session, clock, "worker"), AuditEvent.SHEET_IMPORTED, about, after=sheets
        )
    shown = operator.get("/audit?lang=en").text
    assert "September 2026" in shown
    assert "1 Sep 2026" not in shown
    assert "Rent roll" in shown
    assert "rent-roll" not in shown


def test_reasons_of_disputes_and_of_matched_transfers_are_labels(
    operator: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        work, about = Work(session, clock, "worker"), of_reservation(house.resident_id)
        for event, reason in (
            (AuditEvent.PAYMENT_DISPUTED, "product_unacceptable"),
            (AuditEvent.PAYMENT_DISPUTED, "unheard_of"),
            (AuditEvent.TRANSFER_PLACED, "full_name one_bill"),
        ):
            note_audit_event(work, event, about, after={"reason": reason})
    shown = operator.block("/audit?lang=en").text
    assert "service not as described" in shown
    assert "unheard_of" in shown
    assert "Full name, matches one bill" in shown
    assert "説明と異なるサービス" in operator.block("/audit?lang=ja").text
