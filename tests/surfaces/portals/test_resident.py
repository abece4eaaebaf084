"""A resident's own pages: what is to be paid, papers, the handbook, their details, their sessions."""

import re
from datetime import date, timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from pms.arrivals.dates import correct_dates
from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import add_handbook_page
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.charges import post_charge
from pms.ledger.payments import return_payment
from pms.ledger.statement import statement
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus, HandbookTopic, Lifecycle, UserKind
from pms.statements.invoices import issue_invoice
from pms.statements.queries import corrections_of
from pms.statements.receipts import reverse_payment, send_payment_back
from pms.upkeep.ticket_lists import tickets_of_reservation
from tests.cast import Cast, House, reservation
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books

pytestmark = pytest.mark.differs("one journey through each surface")


def said(browser: Browser, path: str) -> str:
    answer = browser.get(f"{path}?lang=en")
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def changed(database: Database, house: House, **facts: object) -> None:
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        for name, value in facts.items():
            setattr(row, name, value)


def test_home_tells_what_is_to_be_paid_and_by_when(books: Books, resident: Browser) -> None:
    home = said(resident, f"/{books.resident_id}")
    assert "¥186,000" in home
    assert "All of it is overdue" in home
    assert "Wed 31 Mar 2027" in home
    books.do_pay(186_000)
    assert "All paid." in said(resident, f"/{books.resident_id}")


def test_a_bill_is_not_called_overdue_before_a_bank_could_book_its_payment(
    books: Books, resident: Browser
) -> None:
    # Due on Saturday 31 October; Tuesday 3 November is a holiday.
    books.on("2026-11-03")
    books.do_pay(93_000)
    home = said(resident, f"/{books.resident_id}")
    assert "¥93,000 was due. A bank transfer appears here once the bank has booked it." in home
    assert "overdue" not in home.lower()
    invoices = said(resident, f"/{books.resident_id}/invoices")
    assert ("Awaiting your payment" in invoices, "Overdue" in invoices) == (True, False)
    books.on("2026-11-04")
    assert "All of it is overdue" in said(resident, f"/{books.resident_id}")
    assert "Overdue" in said(resident, f"/{books.resident_id}/invoices")


def test_an_applicant_sees_the_steps_that_are_left(
    database: Database, cast: Cast, resident: Browser
) -> None:
    changed(
        database,
        cast.sumida,
        lifecycle=Lifecycle.BOOKED,
        esign_status=EsignStatus.SENT,
        move_in_date=date(2026, 12, 1),
    )
    home = said(resident, f"/{cast.sumida.resident_id}")
    assert "Your contract is waiting for your signature" in home
    assert "Move-in invoice paid" in home
    assert "Move out" not in home


def test_several_tenancies_are_chosen_from_and_ended_ones_stay_readable(
    database: Database, cast: Cast, resident: Browser
) -> None:
    house = cast.sumida
    assert resident.get("/").location == f"/resident/sumida/{house.resident_id}"
    former = reservation(
        unit_id=house.free_room_id,
        lifecycle=Lifecycle.REFUNDED,
        email=house.resident_email,
        move_in_date=date(2025, 4, 1),
        contract_end_date=date(2026, 3, 31),
        move_out_date=date(2026, 3, 31),
    )
    with database.writing(house.workspace_id) as session:
        session.add(former)
        session.flush()
        former_id = former.id
    chooser = resident.get("/?lang=en").text
    assert chooser.index(house.resident_id) < chooser.index("Ended") < chooser.index(former_id)
    ended = said(resident, f"/{former_id}")
    assert "This tenancy has ended" in ended
    assert "Report a problem" not in ended
    assert resident.get(f"/{former_id}/invoices").status_code == 200


def test_a_bill_its_invoice_and_its_receipt(books: Books, resident: Browser) -> None:
    home = f"/{books.resident_id}/invoices"
    bills = resident.get(home).text
    paid = books.entry("Move-in invoice")
    assert bills.count(f"{home}/") == 8
    bill = said(resident, f"{home}/{paid.id}")
    assert "Total ¥216,000" in bill
    assert resident.get(f"{home}/{paid.id}/paper").status_code == 404
    for _ in range(2):
        made = resident.post(f"{home}/{paid.id}/paper")
        assert (made.location or "").endswith(f"{home}/{paid.id}/paper")
    paper = resident.get(f"{home}/{paid.id}/paper")
    assert paper.mimetype == "application/pdf"
    assert paper.data.startswith(b"%PDF")
    assert paper.headers["Cache-Control"] == "no-store"
    payment = books.ask(statement, books.resident_id, date(2026, 11, 20)).payments[0]
    receipt = f"/{books.resident_id}/receipts/{payment.id}"
    assert resident.get(receipt).status_code == 404
    assert resident.post(receipt).status_code == 303
    assert resident.get(receipt).data.startswith(b"%PDF")


def test_a_bill_that_changed_after_its_invoice_says_so(books: Books, resident: Browser) -> None:
    entry = books.entry("Move-in invoice")
    books.do(issue_invoice, entry.id)
    bills = f"/{books.resident_id}/invoices"
    bill = f"{bills}/{entry.id}"
    assert "This invoice was changed" not in resident.get(f"{bill}?lang=en").text
    start = books.ask(tenancy_of, books.resident_id, books.clock.today()).term.start_on
    later = {"override_move_in_date": start + timedelta(days=3)}
    books.do(correct_dates, reservation_id=books.resident_id, **later)
    shown = resident.get(f"{bill}?lang=en").text
    changed = books.clock.today().isoformat()
    assert re.search(f"This invoice was changed on [^/]*{changed}", shown)
    assert entry.due_on.isoformat() in shown
    assert ">Changed<" in resident.get(f"{bills}?lang=en").text


def test_of_a_payment_that_went_back_there_is_no_receipt(books: Books, resident: Browser) -> None:
    payment = books.ask(statement, books.resident_id, date(2026, 11, 20)).payments[0]
    bill = f"/{books.resident_id}/invoices/{books.entry('Move-in invoice').id}"
    receipt = f"/{books.resident_id}/receipts/{payment.id}"
    assert receipt in resident.get(bill).text
    books.do(return_payment, payment_id=payment.id, amount_yen=payment.amount_yen, reference="ch_1")
    assert receipt not in resident.get(bill).text
    assert resident.post(receipt).status_code == 422
    assert resident.get(receipt).status_code == 404


def test_a_receipt_whose_payment_was_reversed_leads_to_the_paper_that_voids_it(
    books: Books, resident: Browser
) -> None:
    payment = books.ask(statement, books.resident_id, date(2026, 11, 20)).payments[0]
    bill = f"/{books.resident_id}/invoices/{books.entry('Move-in invoice').id}"
    receipt = f"/{books.resident_id}/receipts/{payment.id}"
    resident.post(receipt)
    assert "/corrections/" not in resident.get(bill).text
    sent = {"amount_yen": 1_000, "reason": "重複"}
    books.do(send_payment_back, payment_id=payment.id, **sent)
    books.do(reverse_payment, payment_id=payment.id, reason="別の入居者の振込")
    shown = resident.get(f"{bill}?lang=en").text
    back, void = books.ask(corrections_of, books.resident_id)
    assert f"Refund: {back.number}" in shown
    assert f"Voided receipt: {void.number}" in shown
    assert '<span class="hint">Reversed</span>' in shown
    for paper in (back, void):
        assert shown.count(f"{receipt}/corrections/{paper.id}") == 1
        assert resident.get(f"{receipt}/corrections/{paper.id}").data.startswith(b"%PDF")
    assert resident.get(f"{receipt}/corrections/{'0' * 32}").status_code == 404
    other = f"/{books.resident_id}/receipts/{'0' * 32}/corrections/{void.id}"
    assert resident.get(other).status_code == 404


def test_another_residents_bill_is_not_found(books: Books, resident: Browser) -> None:
    entry_id = books.do(
        post_charge,
        reservation_id=books.house.owner_resident_id,
        label=Bilingual("鍵の交換", "New key"),
        amount_yen=5_500,
    )
    own = f"/{books.resident_id}/invoices/{entry_id}"
    assert resident.get(own).status_code == 404
    assert resident.get(f"{own}/paper").status_code == 404
    assert resident.post(f"{own}/paper").status_code == 404
    assert resident.post(f"/{books.resident_id}/receipts/{entry_id}").status_code == 404


def test_more_bills_ask_no_more_questions(books: Books, resident: Browser) -> None:
    def asked() -> int:
        with books.counted() as sent:
            assert resident.get(f"/{books.resident_id}/invoices").status_code == 200
        return len(sent)

    asked()
    before = asked()
    books.on("2026-11-25")
    books.do(bill_month)
    assert asked() == before


def test_a_resident_corrects_how_they_are_reached_and_nothing_else(
    database: Database, cast: Cast, resident: Browser
) -> None:
    house, own = cast.sumida, f"/{cast.sumida.resident_id}/profile"
    version = re.search(r'name="version"[^>]*value="(\d+)"', resident.get(own).text)
    assert version is not None
    typed = {"phone": "０９０-1234-5678", "nameKana": "さとう はなこ", "locale": "en"}
    typed |= {"version": version[1], "email": "thief@x.example", "name": "別人"}
    wrong = resident.post(own, typed | {"nameKana": "Sato"})
    assert wrong.status_code == 422
    assert "０９０-1234-5678" in wrong.text or "090-1234-5678" in wrong.text
    saved = resident.post(own, typed)
    assert (saved.location or "").endswith(f"{own}?lang=en")
    with database.reading(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        assert (row.phone, row.name_kana, row.locale) == ("090-1234-5678", "サトウ ハナコ", "en")
        assert (row.name, row.email) == ("佐藤 花子", house.resident_email)
        noted = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.CONTACT_CHANGED)
        )
        assert [one.actor for one in noted] == [f"reservation/{house.resident_id}"]
    assert resident.post(own, typed).status_code == 422, "what was seen is no longer there"


def test_a_resident_says_whom_to_reach_in_an_emergency(
    database: Database, cast: Cast, resident: Browser
) -> None:
    house, own = cast.sumida, f"/{cast.sumida.resident_id}/profile"
    there = f"{own}/emergency-contact"
    assert resident.post(there, {"name": "佐藤 母"}).status_code == 422
    contact = {"name": "佐藤 母", "relationship": "母", "phone": "０９０-1111-2222"}
    assert resident.post(there, contact).status_code == 303
    assert 'value="090-1111-2222"' in resident.get(own).text
    with database.reading(house.workspace_id) as session:
        [noted] = session.scalars(
            select(AuditRecord).where(
                AuditRecord.audit_event == AuditEvent.EMERGENCY_CONTACT_NAMED,
                AuditRecord.subject_id == house.resident_id,
            )
        )
    assert noted.actor == f"reservation/{house.resident_id}"
    assert (noted.after or {})["phone"] == "090-1111-2222"


def test_a_change_of_people_goes_to_the_office(
    database: Database, cast: Cast, resident: Browser
) -> None:
    house, own = cast.sumida, f"/{cast.sumida.resident_id}/profile/people"
    assert "佐藤 次郎" in resident.get(own).text
    assert resident.post(own, {"text": " "}).status_code == 422
    sent = resident.post(own, {"text": "次郎は12月に引っ越します。"})
    assert "/tickets/" in (sent.location or "")
    with database.reading(house.workspace_id) as session:
        assert len(tickets_of_reservation(session, house.resident_id)) == 1


def test_signing_out_everywhere_else(
    app: Flask, clock: FixedClock, cast: Cast, resident: Browser
) -> None:
    house, own = cast.sumida, f"/{cast.sumida.resident_id}/profile"
    lost = open_portal_browser(
        app,
        clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    assert lost.get(own).status_code == 200
    assert "Sign out everywhere else" in said(resident, own)
    assert resident.post(f"{own}/sessions").status_code == 303
    assert lost.get(own).status_code == 303
    assert "Signed out on 1 other device." in said(resident, own)


@pytest.fixture
def entrance_id(database: Database, clock: FixedClock, cast: Cast) -> str:
    """A page of the handbook for residents, with the code of the entrance."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        return add_handbook_page(
            Work(session, clock, "staff"),
            building_id=house.building_id,
            written=WrittenPage(
                topic=HandbookTopic.ENTRANCE,
                title_ja="玄関",
                title_en="Entrance",
                body_ja="番号のあとに#",
                body_en="Then #",
                guarded_code="*4821#",
            ),
        )


def test_a_code_shows_by_tap_while_one_lives_there(
    database: Database, cast: Cast, resident: Browser, entrance_id: str
) -> None:
    house, own = cast.sumida, f"/{cast.sumida.resident_id}/handbook"
    page = resident.get(own).text
    assert "番号のあとに#" in page
    assert "*4821#" not in page
    assert "*4821#" in resident.post(f"{own}/{entrance_id}").text
    with database.reading(house.workspace_id) as session:
        noted = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.CODE_REVEALED)
        )
        assert [one.actor for one in noted] == [f"reservation/{house.resident_id}"]
    changed(
        database,
        house,
        lifecycle=Lifecycle.NOTICE_FILED,
        move_out_date=date(2026, 11, 19),
    )
    assert "番号のあとに#" not in resident.get(own).text
    assert resident.post(f"{own}/{entrance_id}").status_code == 404
