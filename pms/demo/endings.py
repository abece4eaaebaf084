"""The ends of terms of the demo: residents who were asked and what they said, and a notice in time."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.end_notices import notices_of, open_end_notice, send_end_notices
from pms.contracts.ending_terms import EndingTerm, ending_terms
from pms.contracts.models import TermQuestion
from pms.demo.rows import STAFF
from pms.foundation.clock import FixedClock
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.rules.days import day_of
from pms.rules.term_endings import TermAnswer

_ANSWERS: Final = (TermAnswer.STAY, None, TermAnswer.TALK, TermAnswer.LEAVE)
"""What the first residents of the list answered; None is silence, also to the reminder."""
_NOON: Final = time(3, tzinfo=UTC)


def keep_endings(session: Session, now: datetime) -> None:
    """Ask the first residents whose terms end, and tell one of them in time that it does."""
    found = [term for term in ending_terms(session, day_of(now)) if term.email]
    for term, answer in zip(found, _ANSWERS, strict=False):
        session.add(_build_question(term, answer, now))
    late = [term for term in found[len(_ANSWERS) :] if term.ending.is_late_on(day_of(now))]
    for term in late[-1:]:
        _tell_in_time(session, term)
    session.flush()


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
    before = set(session.scalars(select(OutboxMail.id)))
    ids = [term.reservation_id]
    work = Work(session, FixedClock(written_at), STAFF)
    send_end_notices(work, reservation_ids=ids)
    opened = Work(
        session, FixedClock(written_at + timedelta(days=1)), f"reservation/{term.reservation_id}"
    )
    for notice in notices_of(session, term.reservation_id):
        open_end_notice(opened, notice_id=notice.id)
    # Nobody is to find it in the post today.
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.due_at.is_not(None))):
        if mail.id not in before:
            mail.sent_at, mail.due_at = mail.written_at, None
