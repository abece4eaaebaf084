"""Marks documents that differ from their changed stay, informs signers, and lists them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, aliased

from pms.contracts.contract_facts import facts_of_document
from pms.contracts.issuing import take_back
from pms.contracts.models import Contract, ContractSignature
from pms.contracts.queries import ContractRecord, contracts_of, find_newest_signed
from pms.contracts.stated_terms import ChangedTerm, changed_terms, stated_terms
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.move_in import change_esign_status
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import EsignStatus, Lifecycle
from pms.statements.invoices import home_of, operator_of
from pms.workspaces.page_links import tenancy_link

_OVER = (Lifecycle.CANCELLED, Lifecycle.TRANSFERRED)


class OutdatedPaper(NamedTuple):
    """A document that differs from its stay, with the resident's name."""

    reservation_id: str
    name: str
    title: str
    is_signed: bool
    outdated_at: datetime


class OutdatedPapers(NamedTuple):
    """The first few outdated documents, and the number of all."""

    papers: Sequence[OutdatedPaper]
    total: int


def mark_outdated(work: Work, reservation_ids: Collection[str]) -> None:
    """Compare the documents of these stays with the stays.

    It is called by every change of dates, room, people or price. A document that differs is
    outdated: an unsigned one can no longer be signed, and its signer is informed once; a signed one
    needs an amendment until both agree again.
    """
    asked = select(Contract.reservation_id).where(
        Contract.replaced_at.is_(None),
        Contract.declined_at.is_(None),
        Contract.expired_at.is_(None),
        one_of(Contract.reservation_id, reservation_ids),
    )
    for reservation_id in sorted(set(work.session.scalars(asked))):
        row = work.session.scalars(
            select(Reservation).where(Reservation.id == reservation_id)
        ).one()
        records = contracts_of(work.session, reservation_id)
        agreed = find_newest_signed(records)
        for record in records:
            if record.may_be_signed and _differs_from_stay(work.session, record):
                _close_paper(work, row, record)
        if agreed is not None:
            _follow_agreed(work, row, agreed)


def close_left_behind(work: Work, reservation_ids: Collection[str]) -> None:
    """Close the unsigned documents of stays that continue in another reservation.

    It is called by every amendment.
    """
    asked = select(Reservation).where(
        Reservation.lifecycle == Lifecycle.TRANSFERRED, one_of(Reservation.id, reservation_ids)
    )
    for row in work.session.scalars(asked.order_by(Reservation.id)):
        for record in contracts_of(work.session, row.id):
            if record.may_be_signed:
                _close_paper(work, row, record)


def changes_since(session: Session, record: ContractRecord) -> tuple[ChangedTerm, ...]:
    """Return the terms in which the stay now differs from the document."""
    facts = facts_of_document(
        session, record.reservation_id, record.term_id, day_of(record.issued_at)
    )
    return changed_terms(record.stated, stated_terms(facts))


def outdated_papers(session: Session, few: int) -> OutdatedPapers:
    """Return the documents to be renewed or amended, the longest outdated first."""
    rows = session.execute(
        _select_outdated()
        .add_columns(func.count().over())
        .order_by(Contract.outdated_at, Contract.id)
        .limit(few)
    ).all()
    return OutdatedPapers([_build_paper(row[:-1]) for row in rows], rows[0][-1] if rows else 0)


def outdated_paper_of(session: Session, reservation_id: str) -> OutdatedPaper | None:
    """Return the document of a stay to be renewed or amended, or None."""
    asked = _select_outdated().where(Contract.reservation_id == reservation_id)
    row = session.execute(asked.order_by(Contract.number.desc()).limit(1)).first()
    return None if row is None else _build_paper(row)


def refuse_outdated(session: Session, reservation_id: str) -> None:
    """Raise `Refused` when the unsigned document no longer matches what is agreed."""
    paper = outdated_paper_of(session, reservation_id)
    if paper is not None and not paper.is_signed:
        raise Refused(
            "esignStatus: '{title}' no longer matches what is agreed and cannot be signed. "
            "Renew it first.",
            title=paper.title,
        )


@cache
def _select_outdated() -> Select[*tuple[Any, ...]]:
    """Return the query of outdated documents without a later one that is signed or waits."""
    later = aliased(Contract)
    is_followed = (
        select(later.id)
        .where(
            later.workspace_id == Contract.workspace_id,
            later.reservation_id == Contract.reservation_id,
            later.number > Contract.number,
            later.replaced_at.is_(None),
            later.declined_at.is_(None),
            later.expired_at.is_(None),
        )
        .exists()
    )
    return (
        select(
            Contract.reservation_id,
            Reservation.name,
            Contract.title,
            ContractSignature.id.is_not(None),
            Contract.outdated_at,
        )
        .join(Reservation, refers_to(Contract.reservation_id, Reservation))
        .outerjoin(ContractSignature, refers_to(ContractSignature.contract_id, Contract))
        .where(
            Contract.outdated_at.is_not(None),
            Contract.replaced_at.is_(None),
            Reservation.lifecycle.not_in(_OVER),
            ~is_followed,
        )
    )


def _build_paper(row: Sequence[Any]) -> OutdatedPaper:
    return OutdatedPaper(*row)


def _differs_from_stay(session: Session, record: ContractRecord) -> bool:
    """Whether the stay differs from the document; unreadable days count as a difference."""
    try:
        return bool(changes_since(session, record))
    except Refused:
        return True


def _close_paper(work: Work, row: Reservation, record: ContractRecord) -> None:
    """Mark an unsigned document as outdated, so that it cannot be signed, and inform its signer."""
    contract = work.session.scalars(select(Contract).where(Contract.id == record.id)).one()
    contract.outdated_at = work.clock.now()
    _note_outdated(work, record)
    take_back(work.session, work.clock, contract)
    if record.sent_at is None:
        return
    change_esign_status(work, reservation_id=row.id, status=EsignStatus.EXPIRED)
    if row.email and row.cancelled_at is None:
        _mail_signer(work.session, work.clock, record)


def _follow_agreed(work: Work, row: Reservation, record: ContractRecord) -> None:
    """Mark a signed document while the stay differs; a stay that is over counts as equal."""
    is_over = Lifecycle(row.lifecycle) in _OVER
    differs = not is_over and _differs_from_stay(work.session, record)
    if differs is (record.outdated_at is not None):
        return
    contract = work.session.scalars(select(Contract).where(Contract.id == record.id)).one()
    contract.outdated_at = work.clock.now() if differs else None
    if differs:
        _note_outdated(work, record)
    work.session.flush()


def _note_outdated(work: Work, record: ContractRecord) -> None:
    facts = {"contract_id": record.id, "number": record.number, "title": record.title}
    about = of_reservation(record.reservation_id)
    note_audit_event(work, AuditEvent.CONTRACT_OUTDATED, about, after=facts)
    work.session.flush()


def _mail_signer(session: Session, clock: Clock, record: ContractRecord) -> None:
    home, operator = home_of(session, record.reservation_id), operator_of(session)
    mail = mail_text(
        "contract-outdated",
        record.locale,
        hue=operator.hue,
        operator=operator.name.in_language(record.locale),
        recipient=home.resident,
        home=home.in_language(record.locale),
        title=record.title,
        link=tenancy_link(session, record.reservation_id, "/documents", home.email),
    )
    put_mail(session, clock, recipient=home.email or "", **mail._asdict())
