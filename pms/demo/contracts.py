"""Contracts of the demo: a template, and documents that are signed, wait, or are out of date."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.change_esign_status import change_esign_status
from pms.arrivals.correct_dates import correct_dates
from pms.contracts.explanations import (
    confirm_explanation,
    consent_to_explanation,
    explanation_to_read,
)
from pms.contracts.issue_contract import issue_contract
from pms.contracts.merge_contract import builtin_text
from pms.contracts.models import Contract, ContractSignature, ContractTemplate
from pms.contracts.outdated_papers import mark_outdated
from pms.contracts.queries import RESIDENT, contract_record
from pms.contracts.write_template import write_template
from pms.demo.portal_people import APPLICANT
from pms.demo.portal_people import RESIDENT as KNOWN_RESIDENT
from pms.foundation.clock import FixedClock
from pms.foundation.outbox import OutboxMail
from pms.ledger.queries import entries_of
from pms.reservations.models import Reservation
from pms.reservations.name_co_occupants import NamedPerson, name_co_occupants
from pms.rules.contract_dates import effective_day
from pms.rules.days import readable
from pms.rules.enumerations import EntryKind, EsignStatus, LeaseKind, Lifecycle, ReservationKind
from pms.statements.issue_invoice import issue_invoice

_OFFICE: Final = "demo"
_DEVICE: Final = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)"
_NAME: Final = "定期建物賃貸借契約（標準）"
_ORDINARY: Final = "普通建物賃貸借契約（標準）"
_PARTNER: Final = "高橋 さくら"
_REASON: Final = "入居日を1週間遅らせたいです。"


def keep_contracts(session: Session, now: datetime) -> None:
    """Write the template, and documents of residents whose signature stands as the record says."""
    clock = FixedClock(now)
    write_template(
        session,
        clock,
        _OFFICE,
        template_id=None,
        name=_NAME,
        body_ja=builtin_text("ja"),
        body_en=builtin_text("en"),
    )
    write_template(
        session,
        clock,
        _OFFICE,
        template_id=None,
        name=_ORDINARY,
        body_ja=builtin_text("ja", LeaseKind.ORDINARY),
        body_en=builtin_text("en", LeaseKind.ORDINARY),
        lease_kind=LeaseKind.ORDINARY,
    )
    for row in _some(session, Lifecycle.LIVING, EsignStatus.SIGNED, KNOWN_RESIDENT.email, 3):
        _signed(session, row, now)
    for row in _some(session, Lifecycle.BOOKED, EsignStatus.SENT, APPLICANT.email, 2):
        if row.esign_status is EsignStatus.SIGNED:
            _signed(session, row, now)
        else:
            _sent(session, clock, row, now - timedelta(days=1, hours=3))
    _changed(session, clock, now)
    for row in _some(session, Lifecycle.BOOKED, EsignStatus.DECLINED, "", 1):
        declined = _issued(session, row, now - timedelta(days=3))
        declined.sent_at = now - timedelta(days=3)
        declined.declined_at, declined.decline_reason = now - timedelta(days=2), _REASON
    session.flush()


def _changed(session: Session, clock: FixedClock, now: datetime) -> None:
    """Change a stay after its contract was sent, and another after it was signed."""
    living = _some(session, Lifecycle.LIVING, EsignStatus.SIGNED, "", 4)
    for row in living[-1:]:
        _signed(session, row, now)
        together = [NamedPerson(_PARTNER)]
        name_co_occupants(session, clock, _OFFICE, reservation_id=row.id, people=together)
    for row in _some(session, Lifecycle.BOOKED, EsignStatus.PENDING, "", 5):
        end_on = readable(effective_day(row.contract_end_date, row.override_contract_end_date))
        if end_on is not None and row.email:
            _sent(session, clock, row, now - timedelta(hours=5))
            for entry in entries_of(session, row.id):
                if entry.kind is EntryKind.MOVE_IN and entry.voided_on is None:
                    issue_invoice(session, clock, _OFFICE, entry.id)
            earlier_on = end_on - timedelta(days=7)
            correct_dates(
                session,
                clock,
                _OFFICE,
                reservation_id=row.id,
                override_move_in_date=_later(row),
                override_contract_end_date=earlier_on,
            )
            session.flush()
            mark_outdated(session, [row.id])
            session.flush()
            # Nobody is to find it in the post today.
            told = select(OutboxMail).where(
                OutboxMail.recipient == row.email, OutboxMail.due_at.is_not(None)
            )
            for mail in session.scalars(told):
                mail.sent_at, mail.due_at = mail.written_at, None
            break


def _later(row: Reservation) -> date | None:
    """Three days after the day that was agreed."""
    start_on = readable(effective_day(row.move_in_date, row.override_move_in_date))
    return start_on and start_on + timedelta(days=3)


def _some(
    session: Session, lifecycle: Lifecycle, status: EsignStatus, known: str, most: int
) -> list[Reservation]:
    """The reservation of the known address, whatever its signature, and others that stand so."""
    asked = (
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == lifecycle,
            Reservation.starts_on.is_not(None),
            (Reservation.esign_status == status) | (Reservation.email == known),
        )
        .order_by((Reservation.email == known).desc(), Reservation.id)
        .limit(most)
    )
    return list(session.scalars(asked))


def _signed(session: Session, row: Reservation, now: datetime) -> None:
    at = min(row.created_at + timedelta(hours=2), now - timedelta(days=2))
    contract = _issued(session, row, at)
    contract.sent_at = at + timedelta(minutes=10)
    _explained(session, contract, row, at + timedelta(hours=20))
    session.add(
        ContractSignature(
            contract_id=contract.id,
            signer=RESIDENT,
            name=row.name,
            email=row.email,
            signed_at=at + timedelta(days=1),
            document_hash=contract.body_hash,
            device=_DEVICE,
        )
    )


def _explained(session: Session, contract: Contract, row: Reservation, at: datetime) -> None:
    """Let the resident have agreed to the electronic explanation, and read it some minutes later."""
    if not contract.needs_explanation:
        return
    text, _ = explanation_to_read(session, contract_record(session, contract.id))
    facts = {"contract_id": contract.id, "document_hash": text.body_hash}
    actor = f"reservation/{row.id}"
    consent_to_explanation(session, FixedClock(at), actor, device=_DEVICE, **facts)
    read_at = FixedClock(at + timedelta(minutes=6))
    confirm_explanation(session, read_at, actor, **facts)


def _sent(session: Session, clock: FixedClock, row: Reservation, at: datetime) -> None:
    contract = _issued(session, row, at)
    contract.sent_at = at + timedelta(minutes=10)
    # Who applied with a known address may not have been asked to sign yet, or had let it expire.
    change_esign_status(session, clock, _OFFICE, reservation_id=row.id, status=EsignStatus.SENT)


def _issued(session: Session, row: Reservation, at: datetime) -> Contract:
    end_on = effective_day(row.contract_end_date, row.override_contract_end_date)
    asked = select(ContractTemplate.id).where(ContractTemplate.lease_kind == LeaseKind.ORDINARY)
    contract_id = issue_contract(
        session,
        FixedClock(at),
        _OFFICE,
        reservation_id=row.id,
        template_id=None if end_on else session.scalars(asked).one(),
    )
    return session.scalars(select(Contract).where(Contract.id == contract_id)).one()
