"""A resident says what they want when their term ends, opens the notice, and leaves a new term."""

from datetime import date
from decimal import Decimal

import pytest

from pms.contracts.end_notices import notices_of, send_end_notices
from pms.contracts.ending_terms import ending_term_of
from pms.contracts.new_terms import TermWishes, offer_term, terms_of
from pms.contracts.rent_proposals import RentWishes, proposals_of, propose_rents
from pms.departures.leaving_reasons import decide_reason
from pms.departures.notices import file_notice
from pms.foundation.phrases import Bilingual
from pms.pricing.prices import price_of
from pms.rules.rent_proposals import AmountChange, AmountWay
from pms.rules.term_endings import NoticeWay, TermAnswer
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books, books

__all__ = ["books"]

_BASE = "https://pms.example.jp"


@pytest.fixture
def page(resident: Browser, books: Books) -> str:
    resident.get("/?lang=en")
    return f"/{books.resident_id}/term"


def test_an_answer_is_sent_and_can_be_changed(resident: Browser, books: Books, page: str) -> None:
    assert "Your contract ends on" in resident.get(f"/{books.resident_id}").text
    for answer in (TermAnswer.STAY, TermAnswer.LEAVE):
        fields = {"answer": answer.value, "words": "", "termLastOn": "2027-03-31"}
        assert resident.post(page, fields).status_code == 303
        assert books.ask(ending_term_of, books.resident_id).answer is answer
    assert resident.post(page, {"termLastOn": "2027-03-31"}).status_code == 422


def test_the_day_on_which_the_notice_is_first_opened_is_kept(
    resident: Browser, books: Books, page: str
) -> None:
    books.do(send_end_notices, reservation_ids=[books.resident_id])
    (notice,) = books.ask(notices_of, books.resident_id)
    paper = f"{page}/notices/{notice.id}"
    assert resident.get(paper).status_code in (302, 303)
    assert "Open notice" in resident.get(page).text
    assert resident.post(paper).status_code == 303
    (notice,) = books.ask(notices_of, books.resident_id)
    assert (notice.reached_on, notice.reached_way) == (books.clock.today(), NoticeWay.OPENED)
    assert resident.get(paper).data.startswith(b"%PDF")


def test_a_resident_declines_an_offered_term(resident: Browser, books: Books, page: str) -> None:
    wishes = TermWishes(months=12)
    facts = {"reservation_id": books.resident_id, "wishes": wishes, "link": _BASE}
    term_id = books.do(offer_term, **facts)
    assert "Decline new term" in resident.get(page).text
    assert resident.post(f"{page}/later/{term_id}").status_code == 303
    (term,) = books.ask(terms_of, books.resident_id)
    assert term.withdrawn_at is not None


def test_a_proposed_rent_is_read_talked_about_and_agreed(
    resident: Browser, books: Books, page: str
) -> None:
    rent = f"/{books.resident_id}/rent"
    assert "No rent proposal" in resident.get(rent).text
    wishes = RentWishes(
        from_on=date(2027, 1, 1),
        rent=AmountChange(AmountWay.RAISE_YEN, Decimal(2_000)),
        maintenance=AmountChange(AmountWay.KEEP),
        unit_yen=1,
        reason=Bilingual("周辺の賃料の上昇", None),
    )
    books.do(propose_rents, reservation_ids=[books.resident_id], wishes=wishes, base_url=_BASE)
    (proposal,) = books.ask(proposals_of, books.resident_id)
    assert "New rent proposed from" in resident.get(f"/{books.resident_id}").text
    assert "¥95,000, before ¥93,000" in resident.get(rent).text
    assert resident.get(f"{rent}/{proposal.id}").data.startswith(b"%PDF")
    assert resident.post(f"{rent}/{proposal.id}", {"words": "x"}).status_code == 422
    for answer in ("talk", "agree"):
        answered = {"rentAnswer": answer, "words": ""}
        assert resident.post(f"{rent}/{proposal.id}", answered).status_code == 303
    assert "You agreed" in resident.get(rent).text
    price = books.ask(price_of, books.resident_id).price
    assert price.periods[-1].first_on == date(2027, 1, 1)
    assert resident.post(f"{rent}/{proposal.id}", {"rentAnswer": "decline"}).status_code in (
        409,
        422,
    )


def test_a_resident_states_why_leaving_cannot_be_helped_and_reads_the_decision(
    resident: Browser, books: Books
) -> None:
    resident.get("/?lang=en")
    page, facts = f"/{books.resident_id}/move-out/reason", {"reservation_id": books.resident_id}
    assert resident.get(page).status_code == 303
    books.do(file_notice, move_out_on=date(2026, 12, 10), **facts)
    assert "transfer, illness or care" in resident.get(f"/{books.resident_id}/move-out").text
    assert resident.post(page, {"words": "x"}).status_code == 422
    assert resident.post(page, {"leavingReason": "illness", "words": ""}).status_code == 303
    books.do(decide_reason, is_accepted=True, words="a letter of the clinic", **facts)
    assert "a letter of the clinic" in resident.get(page).text
