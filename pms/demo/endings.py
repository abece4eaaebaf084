"""The ends of terms of the demo: residents who were asked and what they said, and a notice in time."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.contracts.end_notices import notices_of, open_end_notice, send_end_notices
from pms.contracts.ending_terms import EndingTerm, ending_terms
from pms.contracts.models import Contract, TermQuestion
from pms.contracts.new_terms import TermWishes, offer_term, plan_new_term
from pms.contracts.rent_proposals import (
    RentWishes,
    answer_rent,
    plan_rents,
    proposals_of,
    propose_rents,
    residents_of_building,
)
from pms.contracts.signing import write_signature
from pms.demo.contracts import DEVICE, explain_contract
from pms.demo.rows import STAFF, read_toml
from pms.departures.leaving_reasons import decide_reason, state_reason
from pms.departures.models import MoveOutNotice
from pms.foundation.clock import FixedClock
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail, ProviderCall
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, find_row
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.notices import LeavingReason
from pms.rules.rent_proposals import AmountChange, AmountWay, RentAnswer
from pms.rules.term_endings import TermAnswer

_ANSWERS: Final = (TermAnswer.STAY, None, TermAnswer.TALK, TermAnswer.LEAVE)
"""What the first residents of the list answered; None is silence, also to the reminder."""
_RENT_ANSWERS: Final = (RentAnswer.AGREE, RentAnswer.DECLINE, RentAnswer.TALK, None)
"""What residents answered to a proposed rent; None is silence, also to the reminder."""
_WORDS: Final = read_toml("texts")["endings"]
_REASONS: Final = (
    (LeavingReason.TRANSFER, _WORDS["transfer"], None),
    (LeavingReason.CARE, _WORDS["care"], _WORDS["care_accepted"]),
)
"""Why residents leave, in their words, and what the office decided; None waits."""
_NOON: Final = time(3, tzinfo=UTC)


def keep_endings(session: Session, now: datetime) -> None:
    """Ask the first residents whose terms end, tell one in time, and have new terms and rents agreed."""
    found = [term for term in ending_terms(session, day_of(now)) if term.email]
    for term, answer in zip(found, _ANSWERS, strict=False):
        session.add(_build_question(term, answer, now))
    late = [term for term in found[len(_ANSWERS) :] if term.ending.is_late_on(day_of(now))]
    with _post_delivered(session):
        for term in late[-1:]:
            _tell_in_time(session, term)
        wishes = TermWishes(months=12, change_yen=2_000)
        _offer_terms(session, found[:1], wishes, now - timedelta(days=5), is_signed=False)
        _offer_terms(session, late[:-1][:1], wishes, now - timedelta(days=6), is_signed=True)
        _propose_rents(session, now)
        _state_reasons(session, now)
    session.flush()


@contextmanager
def _post_delivered(session: Session) -> Iterator[None]:
    """Let the mails and calls that are put meanwhile be sent: nobody is to find them in the post today."""
    mails = frozenset(session.scalars(select(OutboxMail.id)))
    calls = frozenset(session.scalars(select(ProviderCall.id)))
    yield
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.due_at.is_not(None))):
        if mail.id not in mails:
            mail.sent_at, mail.due_at = mail.written_at, None
    for call in session.scalars(select(ProviderCall).where(ProviderCall.due_at.is_not(None))):
        if call.id not in calls:
            call.done_at, call.due_at = call.written_at, None


def _offer_terms(
    session: Session,
    terms: Iterable[EndingTerm],
    wishes: TermWishes,
    at: datetime,
    *,
    is_signed: bool,
) -> None:
    """Offer each resident a new term where one is possible, and have it explained and signed."""
    for term in terms:
        row = find_row(session, Reservation, term.reservation_id)
        clock = FixedClock(at)
        if plan_new_term(session, clock, row, wishes).refusal is not None:
            continue
        work = Work(session, clock, STAFF)
        term_id = offer_term(work, reservation_id=row.id, wishes=wishes, link="https://example.jp")
        if not is_signed:
            continue
        asked = select(Contract).where(Contract.term_id == term_id)
        contract = session.scalars(asked.order_by(Contract.number.desc())).first()
        if contract is None:
            continue
        explain_contract(session, contract, row, at + timedelta(hours=4))
        signer = Work(session, FixedClock(at + timedelta(hours=6)), f"reservation/{row.id}")
        write_signature(signer, row, contract, name=row.name, device=DEVICE)


def _propose_rents(session: Session, now: datetime) -> None:
    """Propose a new rent to residents of one building, who answer one after the other."""
    at, asked_on = now - timedelta(days=33), day_of(now)
    wishes = RentWishes(
        from_on=(asked_on.replace(day=1) + timedelta(days=95)).replace(day=1),
        rent=AmountChange(AmountWay.RAISE_PERCENT, Decimal(3)),
        maintenance=AmountChange(AmountWay.KEEP),
        unit_yen=500,
        reason=Bilingual(_WORDS["rent_reason"], _WORDS["rent_reason_en"]),
    )
    sent = FixedClock(at)
    buildings = session.scalars(select(Building.id).order_by(Building.id)).all()
    for building_id in buildings:
        living = residents_of_building(session, building_id)
        possible = [
            planned.reservation_id
            for planned in plan_rents(session, sent.today(), living, wishes)
            if planned.refusal is None and planned.email
        ][: len(_RENT_ANSWERS)]
        if len(possible) == len(_RENT_ANSWERS):
            break
    propose_rents(
        Work(session, sent, STAFF),
        reservation_ids=possible,
        wishes=wishes,
        base_url="https://example.jp",
    )
    for reservation_id, answer in zip(possible, _RENT_ANSWERS, strict=False):
        proposal = proposals_of(session, reservation_id)[0]
        if answer is None:
            proposal.reminded_at = at + timedelta(days=15)
            continue
        answered = FixedClock(at + timedelta(days=4))
        answer_rent(
            Work(session, answered, f"reservation/{reservation_id}"),
            proposal_id=proposal.id,
            answer=answer,
            words=None,
            is_own=True,
        )


def _state_reasons(session: Session, now: datetime) -> None:
    """Let two residents who leave state why, one of whom the office believed."""
    asked = (
        select(Reservation)
        .join(MoveOutNotice, refers_to(MoveOutNotice.reservation_id, Reservation))
        .where(
            MoveOutNotice.withdrawn_at.is_(None),
            Reservation.lifecycle == Lifecycle.NOTICE_FILED,
            Reservation.kind == ReservationKind.RESIDENT,
        )
        .order_by(MoveOutNotice.move_out_on.desc(), Reservation.id)
        .limit(len(_REASONS))
    )
    for row, (reason, words, decision) in zip(session.scalars(asked).all(), _REASONS, strict=False):
        resident = Work(session, FixedClock(now - timedelta(days=2)), f"reservation/{row.id}")
        facts = {"reservation_id": row.id}
        state_reason(resident, reason=reason, words=words, is_own=False, **facts)
        if decision:
            staff = Work(session, FixedClock(now - timedelta(days=1)), STAFF)
            decide_reason(staff, is_accepted=True, words=decision, **facts)


def _build_question(term: EndingTerm, answer: TermAnswer | None, now: datetime) -> TermQuestion:
    asked_at = now - timedelta(days=36)
    answered_at = asked_at + timedelta(days=3) if answer else None
    return TermQuestion(
        id=new_id(),
        reservation_id=term.reservation_id,
        last_on=term.last_on,
        asked_at=asked_at,
        asked_by=STAFF,
        reminded_at=None if answer else asked_at + timedelta(days=15),
        answer=answer,
        answered_at=answered_at,
        answered_by=f"reservation/{term.reservation_id}" if answer else None,
    )


def _tell_in_time(session: Session, term: EndingTerm) -> None:
    """Write the notice ten days before it had to arrive, and have the resident open it the day after."""
    if term.notice_by is None:
        return
    written_at = datetime.combine(term.notice_by - timedelta(days=10), _NOON)
    ids = [term.reservation_id]
    work = Work(session, FixedClock(written_at), STAFF)
    send_end_notices(work, reservation_ids=ids)
    opened = Work(
        session, FixedClock(written_at + timedelta(days=1)), f"reservation/{term.reservation_id}"
    )
    for notice in notices_of(session, term.reservation_id):
        open_end_notice(opened, notice_id=notice.id)
