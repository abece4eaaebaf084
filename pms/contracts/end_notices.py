"""The notice that a fixed term ends: written, sent, and proved to have reached the resident."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import facts_of_reservation
from pms.contracts.ending_terms import EndingTerm, terms_of_residents
from pms.contracts.merged_documents import merge_template, paper_text
from pms.contracts.models import EndNotice
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.work import Work, find_row, locked
from pms.reservations.locks import reservation_to_change
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.term_endings import NoticeWay
from pms.statements.invoices import home_of, operator_of
from pms.workspaces.page_links import tenancy_link

_MOST_OF_A_REASON: Final = 500


WrittenNotice: TypeAlias = EndNotice
"""A notice as the surfaces read it."""


def send_end_notices(work: Work, *, reservation_ids: Collection[str]) -> int:
    """Write the notice of the end of each of these terms that needs one; return how many.

    Residents with an address get a link by mail; the others' notices are printed and handed over or
    posted. A term whose end was told in time or late, or that needs no notice, gets none.
    """
    terms = terms_of_residents(work.session, reservation_ids)
    written = 0
    for reservation_id in sorted(terms):
        reservation_to_change(work.session, reservation_id)
        term = terms[reservation_id]
        if not term.waits_for_notice:
            continue
        notice = _write_notice(work, term)
        if term.email:
            _mail_notice(work.session, work.clock, term, notice)
            notice.sent_at = work.clock.now()
        facts = {"title": notice.title, "last_on": notice.last_on, "document": notice.body_hash}
        about = of_reservation(reservation_id)
        note_audit_event(work, AuditEvent.END_NOTICE_WRITTEN, about, after=facts)
        written += 1
    work.session.flush()
    return written


def _write_notice(work: Work, term: EndingTerm) -> EndNotice:
    facts = facts_of_reservation(work.session, term.reservation_id, work.clock.today())
    facts = replace(facts, start_on=term.first_on, end_on=term.last_on)
    merged = merge_template(paper_text("end-notice", term.locale), facts, term.locale)
    notice = EndNotice(
        id=new_id(),
        reservation_id=term.reservation_id,
        first_on=term.first_on,
        last_on=term.last_on,
        locale=term.locale,
        title=merged.title,
        body=merged.body,
        body_hash=merged.body_hash,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(notice)
    return notice


def _mail_notice(session: Session, clock: Clock, term: EndingTerm, notice: EndNotice) -> None:
    operator, home = operator_of(session), home_of(session, term.reservation_id)
    mail = mail_text(
        "end-notice",
        term.locale,
        hue=operator.hue,
        operator=operator.name.in_language(term.locale),
        recipient=term.name,
        home=home.in_language(term.locale),
        title=notice.title,
        last_on=notice.last_on,
        link=tenancy_link(session, term.reservation_id, "/term", term.email),
    )
    put_mail(session, clock, recipient=term.email or "", **mail._asdict())


def open_end_notice(work: Work, *, notice_id: str) -> EndNotice:
    """Note that the resident opened the notice signed in; opening it again changes nothing."""
    notice = _lock_notice(work, notice_id)
    if notice.reached_on is None:
        _note_reached(work, notice, work.clock.today(), NoticeWay.OPENED)
    return notice


def record_reached(work: Work, *, notice_id: str, reached_on: date, way: NoticeWay) -> EndNotice:
    """Store the day and the way in which a notice reached the resident, as staff know it.

    Raises `Refused` for a day in the future or before the notice was written, and `Collision` when
    it had reached them already.
    """
    notice = _lock_notice(work, notice_id)
    if notice.reached_on is not None:
        raise Collision("The day on which this notice arrived is already recorded.")
    written_on = day_of(notice.written_at)
    if not written_on <= reached_on <= work.clock.today():
        raise Refused(
            "reachedOn: {day} is not possible. Choose a day from {first_on} to {today}.",
            day=reached_on,
            first_on=written_on,
            today=work.clock.today(),
        )
    _note_reached(work, notice, reached_on, way)
    return notice


def _note_reached(work: Work, notice: EndNotice, on: date, way: NoticeWay) -> None:
    notice.reached_on, notice.reached_way = on, way
    notice.reached_at, notice.reached_by = work.clock.now(), work.actor
    facts = {"title": notice.title, "reached_on": on, "way": way, "document": notice.body_hash}
    about = of_reservation(notice.reservation_id)
    note_audit_event(work, AuditEvent.END_NOTICE_REACHED, about, after=facts)
    work.session.flush()


def withdraw_end_notice(work: Work, *, notice_id: str, reason: str) -> EndNotice:
    """Withdraw a notice with a reason, so that it counts no more; it stays readable."""
    notice = _lock_notice(work, notice_id)
    reason = " ".join(reason.split())[:_MOST_OF_A_REASON]
    if not reason:
        raise Refused("reason: enter why the notice is withdrawn.")
    notice.withdrawn_at, notice.withdrawn_by = work.clock.now(), work.actor
    notice.withdrawn_reason = reason
    facts = {"title": notice.title, "last_on": notice.last_on, "reason": reason}
    about = of_reservation(notice.reservation_id)
    note_audit_event(work, AuditEvent.END_NOTICE_WITHDRAWN, about, after=facts)
    work.session.flush()
    return notice


def _lock_notice(work: Work, notice_id: str) -> EndNotice:
    found = find_row(work.session, EndNotice, notice_id)
    reservation_to_change(work.session, found.reservation_id)
    notice = locked(work.session, EndNotice, notice_id)
    if notice.withdrawn_at is not None:
        raise Collision("This notice was withdrawn.")
    return notice


def notices_of(session: Session, reservation_id: str) -> Sequence[EndNotice]:
    """Return the notices of a reservation, withdrawn ones included, the newest first."""
    asked = select(EndNotice).where(EndNotice.reservation_id == reservation_id)
    return session.scalars(asked.order_by(EndNotice.written_at.desc(), EndNotice.id)).all()


def end_notice(session: Session, notice_id: str) -> EndNotice:
    """Return one notice; raise `NotFound` for an unknown id."""
    return find_row(session, EndNotice, notice_id)
