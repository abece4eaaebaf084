"""Residents are asked when their term ends, told that it does, and the office sees what is late."""

from collections.abc import Sequence
from datetime import date

import pytest
from sqlalchemy import select

from pms.contracts.contract_papers import letter_pdf
from pms.contracts.end_notices import (
    notices_of,
    open_end_notice,
    record_reached,
    send_end_notices,
    withdraw_end_notice,
)
from pms.contracts.ending_terms import (
    EndingTerm,
    PressingReason,
    ending_term_of,
    ending_terms,
    pressing_terms,
)
from pms.contracts.new_terms import TermWishes, offer_term
from pms.contracts.term_questions import answer_about_term, ask_about_terms, remind_of_terms
from pms.departures.notices import file_notice
from pms.foundation.errors import Collision, Refused
from pms.foundation.outbox import OutboxMail
from pms.reservations.models import Reservation
from pms.rules.enumerations import LeaseKind, Lifecycle
from pms.rules.term_endings import EndingState, NoticeWay, TermAnswer
from tests.arrivals.office import Office, day
from tests.contracts.signing import LINK


@pytest.fixture
def resident(office: Office) -> str:
    """Somebody has a fixed term of two years to 31 March 2029, and it is August 2028."""
    office.go_to("2027-03-10")
    reservation_id = office.book(
        office.home.unit("101"), "2027-04-01", "2029-03-31", email="tanaka@example.jp"
    )
    office.pay_all(reservation_id)
    with office.database.writing(office.home.workspace_id) as session:
        session.scalars(
            select(Reservation).where(Reservation.id == reservation_id)
        ).one().lifecycle = Lifecycle.LIVING
    office.go_to("2028-08-03")
    return reservation_id


def _mails(office: Office) -> list[OutboxMail]:
    with office.database.reading(office.home.workspace_id) as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def _listed(office: Office) -> Sequence[EndingTerm]:
    return office.ask(ending_terms, office.clock.today())


def _pressing(office: Office) -> list[tuple[PressingReason, date | None]]:
    found = office.ask(pressing_terms, office.clock.today())
    return [(each.reason, each.notice_by) for each in found]


def _ask(office: Office, reservation_id: str) -> int:
    return office.do(ask_about_terms, reservation_ids=[reservation_id])


def _tell(office: Office, reservation_id: str) -> str:
    office.do(send_end_notices, reservation_ids=[reservation_id])
    return office.ask(notices_of, reservation_id)[0].id


def test_a_term_is_listed_from_its_lead_day_until_its_last(office: Office, resident: str) -> None:
    (term,) = _listed(office)
    assert (term.last_on, term.notice_by) == (day("2029-03-31"), day("2028-09-30"))
    assert term.ending.state is EndingState.MISSING
    office.go_to("2029-03-31")
    assert [term.reservation_id for term in _listed(office)] == [resident]
    office.go_to("2029-04-01")
    assert _listed(office) == []


def test_a_day_before_its_lead_day_nothing_is_listed(office: Office, resident: str) -> None:
    with office.database.reading(office.home.workspace_id) as session:
        assert ending_terms(session, day("2028-08-02")) == []


def test_who_gave_notice_is_listed_no_more(office: Office, resident: str) -> None:
    office.do(file_notice, reservation_id=resident, move_out_on=day("2028-10-31"))
    assert _listed(office) == []


def test_one_press_asks_with_one_link_and_the_answer_is_kept(office: Office, resident: str) -> None:
    before = len(_mails(office))
    assert _ask(office, resident) == 1
    (mail,) = _mails(office)[before:]
    assert f"%2F{resident}%2Fterm&email=" in mail.text
    facts = {"reservation_id": resident, "last_on": day("2029-03-31")}
    office.do(answer_about_term, answer=TermAnswer.TALK, words=" 家賃の相談 ", **facts)
    (term,) = _listed(office)
    assert term.answer is TermAnswer.TALK
    assert term.question is not None
    assert term.question.words == "家賃の相談"
    assert _ask(office, resident) == 0
    with pytest.raises(Refused):
        office.do(
            answer_about_term,
            reservation_id=resident,
            answer=TermAnswer.STAY,
            words=None,
            last_on=day("2028-03-31"),
        )


def test_silence_is_reminded_of_once_and_then_told_to_the_office(
    office: Office, resident: str
) -> None:
    _ask(office, resident)
    office.go_to("2028-08-16")
    assert office.do(remind_of_terms, most=9) == 0
    office.go_to("2028-08-17")
    before = len(_mails(office))
    assert office.do(remind_of_terms, most=9) == 1
    assert office.do(remind_of_terms, most=9) == 0
    assert len(_mails(office)) == before + 1
    office.go_to("2028-08-30")
    assert _pressing(office) == []
    office.go_to("2028-08-31")
    assert _pressing(office) == [(PressingReason.NO_ANSWER, day("2028-09-30"))]


def test_a_notice_that_is_opened_in_time_holds(office: Office, resident: str) -> None:
    notice_id = _tell(office, resident)
    assert [term.ending.state for term in _listed(office)] == [EndingState.MISSING]
    office.go_to("2028-09-30")
    opened = office.do(open_end_notice, notice_id=notice_id)
    assert (opened.reached_on, opened.reached_way) == (day("2028-09-30"), NoticeWay.OPENED)
    office.go_to("2028-10-02")
    assert office.do(open_end_notice, notice_id=notice_id).reached_on == day("2028-09-30")
    (term,) = _listed(office)
    assert (term.ending.state, term.ending.holds_on) == (EndingState.IN_TIME, day("2029-03-31"))
    assert _pressing(office) == []
    assert office.do(send_end_notices, reservation_ids=[resident]) == 0


def test_a_notice_that_comes_late_moves_the_day_from_which_the_end_holds(
    office: Office, resident: str
) -> None:
    office.go_to("2028-10-01")
    assert _pressing(office) == [(PressingReason.LATE_NOTICE, day("2028-09-30"))]
    notice_id = _tell(office, resident)
    office.do(
        record_reached, notice_id=notice_id, reached_on=day("2028-10-01"), way=NoticeWay.HANDED
    )
    (term,) = _listed(office)
    assert (term.ending.state, term.ending.holds_on) == (EndingState.LATE, day("2029-04-01"))
    assert _pressing(office) == []


def test_an_arrival_is_recorded_once_and_not_before_the_notice_or_in_the_future(
    office: Office, resident: str
) -> None:
    notice_id = _tell(office, resident)
    for on in ("2028-08-02", "2028-08-04"):
        with pytest.raises(Refused, match="reachedOn"):
            office.do(record_reached, notice_id=notice_id, reached_on=day(on), way=NoticeWay.POSTED)
    facts = {"notice_id": notice_id, "reached_on": day("2028-08-03"), "way": NoticeWay.POSTED}
    office.do(record_reached, **facts)
    with pytest.raises(Collision):
        office.do(record_reached, **facts)


def test_a_withdrawn_notice_counts_no_more(office: Office, resident: str) -> None:
    notice_id = _tell(office, resident)
    office.do(open_end_notice, notice_id=notice_id)
    with pytest.raises(Refused, match="reason"):
        office.do(withdraw_end_notice, notice_id=notice_id, reason="  ")
    office.do(withdraw_end_notice, notice_id=notice_id, reason="再契約のため")
    (term,) = _listed(office)
    assert term.ending.state is EndingState.MISSING
    with pytest.raises(Collision):
        office.do(open_end_notice, notice_id=notice_id)


def test_the_notice_names_the_act_the_home_and_the_last_day(office: Office, resident: str) -> None:
    notice_id = _tell(office, resident)
    with office.database.reading(office.home.workspace_id) as session:
        (notice,) = notices_of(session, resident)
        assert notice.id == notice_id
        for words in ("借地借家法第38条第6項", "2029年3月31日", "田中 一郎", "101"):
            assert words in notice.body
        assert letter_pdf(session, notice).startswith(b"%PDF")


def test_an_ordinary_lease_and_a_short_term_need_no_notice(office: Office, resident: str) -> None:
    with office.database.writing(office.home.workspace_id) as session:
        session.scalars(
            select(Reservation).where(Reservation.id == resident)
        ).one().lease_kind = LeaseKind.ORDINARY
    (term,) = _listed(office)
    assert (term.kind, term.ending.state) == (LeaseKind.ORDINARY, EndingState.NONE_NEEDED)
    assert office.do(send_end_notices, reservation_ids=[resident]) == 0


def test_an_offered_term_is_shown_beside_the_end(office: Office, resident: str) -> None:
    wishes = TermWishes(months=12)
    office.do(offer_term, reservation_id=resident, wishes=wishes, link=LINK)
    term = office.ask(ending_term_of, resident)
    assert term.offer is not None
    assert term.offer.first_on == day("2029-04-01")
