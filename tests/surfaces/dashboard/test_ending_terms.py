"""The list of terms that end: many are asked, told and offered a term, each after a page to check."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.catalogue.models import Building
from pms.contracts.end_notices import notices_of
from pms.contracts.ending_terms import ending_term_of
from pms.contracts.new_terms import terms_of
from pms.contracts.rent_proposals import proposals_of
from pms.departures.notices import file_notice
from pms.foundation.outbox import OutboxMail
from pms.rules.enumerations import LeaseKind
from pms.rules.term_endings import NoticeWay, TermAnswer
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books, books

__all__ = ["books"]


@pytest.fixture
def terms(operator: Browser, books: Books) -> Browser:
    """The operator, in English, before the list: 佐藤 花子's year ends on 31 March 2027."""
    operator.get("/terms?lang=en")
    return operator


def _mails(books: Books) -> list[str]:
    return list(books.ask(lambda session: session.scalars(select(OutboxMail.subject)).all()))


def test_the_list_says_by_when_the_notice_was_due_and_what_is_late(terms: Browser) -> None:
    page = terms.get("/terms").text
    assert "佐藤 花子" in page
    assert "Late by law" in page
    assert "Late by law" in terms.get("/?all=1").text
    assert terms.get("/terms?as=csv").text.startswith("\ufeffResident,")


def test_the_chosen_are_asked_after_a_page_that_names_them(terms: Browser, books: Books) -> None:
    chosen = {"reservation": books.resident_id}
    assert "Will be asked" in terms.get(f"/terms/questions?reservation={books.resident_id}").text
    assert not any("ends on" in subject or "満了後" in subject for subject in _mails(books))
    assert terms.post("/terms/questions", chosen).status_code == 303
    assert sum("ends on" in subject or "満了後" in subject for subject in _mails(books)) == 1
    assert "Asked" in terms.get("/terms").text


def test_staff_record_what_a_resident_said(terms: Browser, books: Books) -> None:
    page = f"/reservations/{books.resident_id}/terms"
    fields = {"answer": "stay", "words": "phone", "termLastOn": "2027-03-31"}
    assert terms.post(f"{page}/answer", fields).status_code == 303
    assert books.ask(ending_term_of, books.resident_id).answer is TermAnswer.STAY
    assert "Wants to stay" in terms.get("/terms").text
    refused = terms.post(f"{page}/answer", {"words": "phone"})
    assert refused.status_code == 422


def test_a_notice_is_written_printed_recorded_and_withdrawn(terms: Browser, books: Books) -> None:
    asked = f"/terms/notices?reservation={books.resident_id}"
    assert "must arrive by" in terms.get(asked).text
    assert terms.post("/terms/notices", {"reservation": books.resident_id}).status_code == 303
    (notice,) = books.ask(notices_of, books.resident_id)
    paper = terms.get(f"/end-notices/{notice.id}/paper")
    assert paper.data.startswith(b"%PDF")
    today = books.clock.today().isoformat()
    arrival = f"/end-notices/{notice.id}/arrival"
    assert terms.post(arrival, {"reachedOn": "2030-01-01", "way": "posted"}).status_code == 422
    assert terms.post(arrival, {"reachedOn": today, "way": "posted"}).status_code == 303
    (notice,) = books.ask(notices_of, books.resident_id)
    assert notice.reached_way is NoticeWay.POSTED
    shown = terms.get(f"/reservations/{books.resident_id}/terms").text
    assert "Arrived late" in shown and "Delivered by post" in shown
    withdrawal = f"/end-notices/{notice.id}/withdrawal"
    assert terms.post(withdrawal, {"reason": ""}).status_code == 422
    assert terms.post(withdrawal, {"reason": "new term agreed"}).status_code == 303
    assert "new term agreed" in terms.get(f"/reservations/{books.resident_id}/terms").text


def test_a_new_term_is_previewed_offered_and_taken_back(terms: Browser, books: Books) -> None:
    fields = {
        "reservation": books.resident_id,
        "months": "12",
        "rentChange": "raise",
        "rentChangeYen": "3,000",
    }
    preview = terms.post("/terms/offers/preview", fields).text
    assert "¥96,000" in preview and "now ¥93,000" in preview
    assert books.ask(terms_of, books.resident_id) == []
    assert terms.post("/terms/offers", {**fields, "months": "0"}).status_code == 422
    assert terms.post("/terms/offers", fields).status_code == 303
    (term,) = books.ask(terms_of, books.resident_id)
    assert term.base_rent_yen == 96_000
    assert "New term offered" in terms.get("/terms").text
    withdrawal = f"/later-terms/{term.id}/withdrawal"
    assert terms.post(withdrawal, {"termReason": "declined by phone"}).status_code == 303
    (term,) = books.ask(terms_of, books.resident_id)
    assert term.withdrawn_reason == "declined by phone"


def test_staff_correct_the_kind_of_a_lease_and_see_what_it_changes(
    terms: Browser, books: Books
) -> None:
    page = f"/reservations/{books.resident_id}/terms"
    assert "the law renews it" in terms.get(page).text
    assert terms.post(f"{page}/kind", {"leaseKind": "none"}).status_code == 422
    assert terms.post(f"{page}/kind", {"leaseKind": "ordinary"}).status_code == 303
    term = books.ask(ending_term_of, books.resident_id)
    assert (term.kind, term.notice_by) == (LeaseKind.ORDINARY, None)
    assert "Kind of lease corrected" in terms.get("/audit").text


def test_a_rent_is_proposed_to_the_residents_of_a_building_and_its_answers_are_counted(
    terms: Browser, books: Books
) -> None:
    assert "Whose rent?" in terms.get("/rent-proposals/new").text
    house = books.ask(lambda session: session.scalars(select(Building.id)).all())
    listed = "".join(terms.get(f"/rent-proposals/new?building={id_}").text for id_ in house)
    assert f'value="{books.resident_id}" checked' in listed and "¥93,000" in listed
    fields = {
        "listed": books.resident_id,
        "reservation": books.resident_id,
        "fromOn": "2027-01-01",
        "rentWay": "raise_percent",
        "rentFigure": "2.5",
        "maintenanceWay": "keep",
        "unitYen": "500",
        "reasonEn": "Rents nearby rose.",
    }
    assert "¥95,500" in terms.post("/rent-proposals/preview", fields).text
    for wrong in ({"rentFigure": ""}, {"rentFigure": "120"}, {"reasonEn": ""}, {"fromOn": "soon"}):
        assert terms.post("/rent-proposals", fields | wrong).status_code == 422
    past = terms.post("/rent-proposals", fields | {"fromOn": "2020-01-01"})
    assert past.status_code == 422 and "after today" in past.text
    assert terms.post("/rent-proposals", fields).status_code == 303
    (proposal,) = books.ask(proposals_of, books.resident_id)
    assert (proposal.rent_yen, proposal.rent_before_yen) == (95_500, 93_000)
    page = f"/rent-proposals/{proposal.id}"
    assert terms.get(f"{page}/paper").data.startswith(b"%PDF")
    answered = {"rentAnswer": "decline", "words": "too much"}
    assert terms.post(f"{page}/answer", {"words": "x"}).status_code == 422
    assert terms.post(f"{page}/answer", answered).status_code == 303
    shown = terms.get("/rent-proposals").text
    assert "Declined 1" in shown and "Declined" in terms.get("/terms").text
    assert terms.get("/rent-proposals?as=csv").text.startswith("\ufeffResident,")
    assert (
        "Apply without agreement" not in terms.get(f"/reservations/{books.resident_id}/terms").text
    )
    assert terms.post(f"{page}/application", {"because": "ruling"}).status_code == 422
    assert terms.post(f"{page}/withdrawal", {"proposalReason": ""}).status_code == 422
    assert terms.post(f"{page}/withdrawal", {"proposalReason": "talked"}).status_code == 303
    assert "talked" in terms.get(f"/reservations/{books.resident_id}/terms").text


def test_staff_record_a_reason_for_leaving_and_decide_it(terms: Browser, books: Books) -> None:
    page = f"/reservations/{books.resident_id}/leaving-reason"
    assert "No notice filed" in terms.get(page).text
    facts = {"reservation_id": books.resident_id, "move_out_on": date(2026, 12, 10)}
    books.do(file_notice, **facts)
    assert terms.post(page, {"words": "x"}).status_code == 422
    assert terms.post(page, {"leavingReason": "care", "words": "mother"}).status_code == 303
    assert "Care of a relative" in terms.get("/?all=1").text
    assert terms.post(f"{page}/decision", {"verdict": "accept"}).status_code == 422
    decided = {"verdict": "refuse", "decision": "no paper"}
    assert terms.post(f"{page}/decision", decided).status_code == 303
    assert "no paper" in terms.get(page).text
