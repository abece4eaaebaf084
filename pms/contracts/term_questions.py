"""What residents want when their term ends: asked by mail, answered in the portal or by staff."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.ending_terms import ANSWER_DAYS, EndingTerm, ending_term_of, terms_of_residents
from pms.contracts.models import TermQuestion
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.work import Work
from pms.reservations.locks import reservation_to_change
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.term_endings import TermAnswer
from pms.statements.invoices import home_of, operator_of
from pms.workspaces.page_links import tenancy_link

_MOST_WORDS: Final = 1_000


def ask_about_terms(work: Work, *, reservation_ids: Collection[str]) -> int:
    """Mail each resident one link to say stay, leave or talk; return how many are asked.

    Who has no address or has answered already is left out, so that repeating it asks the others
    again.
    """
    asked = 0
    terms = terms_of_residents(work.session, reservation_ids)
    for reservation_id in sorted(terms):
        reservation_to_change(work.session, reservation_id)
        term = terms[reservation_id]
        if not term.email or term.answer is not None or term.last_on < work.clock.today():
            continue
        row = _find_question(work.session, term)
        row.asked_at, row.asked_by, row.reminded_at = work.clock.now(), work.actor, None
        _mail_question(work.session, work.clock, term, is_reminder=False)
        about, facts = of_reservation(reservation_id), {"last_on": term.last_on}
        note_audit_event(work, AuditEvent.TERM_ASKED, about, after=facts)
        asked += 1
    work.session.flush()
    return asked


def remind_of_terms(work: Work, *, most: int) -> int:
    """Ask once more who did not answer for two weeks; return how many are reminded."""
    before = work.clock.now() - timedelta(days=ANSWER_DAYS)
    waiting = work.session.scalars(
        select(TermQuestion.reservation_id)
        .where(
            TermQuestion.answer.is_(None),
            TermQuestion.reminded_at.is_(None),
            TermQuestion.asked_at <= before,
            TermQuestion.last_on >= work.clock.today(),
        )
        .order_by(TermQuestion.asked_at, TermQuestion.id)
        .limit(most)
    ).all()
    terms = terms_of_residents(work.session, waiting)
    for reservation_id in waiting:
        row = work.session.scalars(
            select(TermQuestion)
            .where(
                TermQuestion.reservation_id == reservation_id, TermQuestion.reminded_at.is_(None)
            )
            .order_by(TermQuestion.last_on.desc())
        ).first()
        term = terms.get(reservation_id)
        if row is None:
            continue
        # Who gave notice or signed a new term meanwhile is asked no more.
        row.reminded_at = work.clock.now()
        if term is None or term.last_on != row.last_on or not term.email:
            continue
        _mail_question(work.session, work.clock, term, is_reminder=True)
        about, facts = of_reservation(reservation_id), {"last_on": term.last_on}
        note_audit_event(work, AuditEvent.TERM_ASKED, about, after=facts)
    work.session.flush()
    return len(waiting)


def answer_about_term(
    work: Work, *, reservation_id: str, answer: TermAnswer, words: str | None, last_on: date
) -> None:
    """Store what a resident wants; a later answer replaces it.

    Staff answer for a resident who said it otherwise. Raises `Refused` when the term is no longer
    the one that was asked about.
    """
    reservation_to_change(work.session, reservation_id)
    term = ending_term_of(work.session, reservation_id)
    if term.last_on != last_on:
        raise Refused("answer: the contract end was changed. Here is the new one.")
    row = _find_question(work.session, term)
    before = {"answer": row.answer}
    row.answer = answer
    row.words = (words or "").strip()[:_MOST_WORDS] or None
    row.answered_at, row.answered_by = work.clock.now(), work.actor
    after = {"answer": answer, "last_on": term.last_on}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.TERM_ANSWERED, about, before=before, after=after)
    work.session.flush()


def _find_question(session: Session, term: EndingTerm) -> TermQuestion:
    if term.question is not None:
        return term.question
    row = TermQuestion(id=new_id(), reservation_id=term.reservation_id, last_on=term.last_on)
    session.add(row)
    return row


def _mail_question(session: Session, clock: Clock, term: EndingTerm, *, is_reminder: bool) -> None:
    operator, home = operator_of(session), home_of(session, term.reservation_id)
    mail = mail_text(
        "term-question",
        term.locale,
        hue=operator.hue,
        operator=operator.name.in_language(term.locale),
        recipient=term.name,
        home=home.in_language(term.locale),
        last_on=term.last_on,
        is_reminder=is_reminder,
        answer_by=day_of(clock.now()) + timedelta(days=ANSWER_DAYS),
        link=tenancy_link(session, term.reservation_id, "/term", term.email),
    )
    put_mail(session, clock, recipient=term.email or "", **mail._asdict())
