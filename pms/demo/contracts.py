"""Contracts of the demo: a template, and documents that are signed, wait, or are out of date."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.change_esign_status import change_esign_status
from pms.arrivals.correct_dates import correct_dates
from pms.contracts.issue_contract import issue_contract
from pms.contracts.merge_contract import builtin_text
from pms.contracts.models import Contract, ContractSignature
from pms.contracts.queries import RESIDENT
from pms.contracts.write_template import write_template
from pms.demo.portal_people import APPLICANT
from pms.demo.portal_people import RESIDENT as KNOWN_RESIDENT
from pms.foundation.clock import FixedClock
from pms.reservations.models import Reservation
from pms.reservations.name_co_occupants import NamedPerson, name_co_occupants
from pms.rules.contract_dates import effective_day
from pms.rules.days import readable
from pms.rules.enumerations import EsignStatus, Lifecycle, ReservationKind

_OFFICE: Final = "demo"
_DEVICE: Final = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)"
_NAME: Final = "定期建物賃貸借契約（標準）"
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
            earlier_on = end_on - timedelta(days=7)
            correct_dates(
                session,
                clock,
                _OFFICE,
                reservation_id=row.id,
                override_contract_end_date=earlier_on,
            )
            break


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


def _sent(session: Session, clock: FixedClock, row: Reservation, at: datetime) -> None:
    contract = _issued(session, row, at)
    contract.sent_at = at + timedelta(minutes=10)
    # Who applied with a known address may not have been asked to sign yet, or had let it expire.
    change_esign_status(session, clock, _OFFICE, reservation_id=row.id, status=EsignStatus.SENT)


def _issued(session: Session, row: Reservation, at: datetime) -> Contract:
    contract_id = issue_contract(session, FixedClock(at), _OFFICE, reservation_id=row.id)
    return session.scalars(select(Contract).where(Contract.id == contract_id)).one()
