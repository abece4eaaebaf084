"""Contracts that wait to be explained by a member of staff, and those signed without it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.contracts.explanation_records import (
    ExplanationLack,
    explanations_of,
    lack_of_explanation,
    newest_about,
)
from pms.contracts.models import Contract, ContractSignature, PriorExplanation
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.explanations import ExplanationWay

_MOST_READ: Final = 200
_OPEN: Final = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
)


class UnexplainedContract(NamedTuple):
    """A contract that lacks its explanation, with its holder, their home and what they chose.

    `at` is when it was sent, or signed: a provider may report a signature without an explanation.
    """

    contract_id: str
    name: str
    unit: str
    building: Bilingual
    at: datetime
    is_signed: bool
    wished_way: ExplanationWay | None
    wished_at: datetime | None


def unexplained_contracts(session: Session, few: int) -> Sequence[UnexplainedContract]:
    """Return the contracts whose signers have the document and wait for a member of staff.

    Those that were signed without it come first, unless a later signed document follows; then the
    earliest chosen time, and the longest waiting. Tenancies that are over are left out.
    """
    rows = session.execute(_select_unexplained()).all()
    if not rows:
        return ()
    given = explanations_of(session, [row.reservation_id for row in rows])
    found = []
    for row in rows:
        paper = newest_about(given.get(row.reservation_id, ()), row.stated)
        is_signed = row.signed_at is not None
        lack = lack_of_explanation(session, paper)
        if not is_signed and lack is not ExplanationLack.PERSON:
            continue
        found.append(
            UnexplainedContract(
                row.id,
                row.name,
                row.unit,
                Bilingual(row.building, row.name_en),
                row.signed_at or row.sent_at,
                is_signed,
                paper.wished_way if paper else None,
                paper.wished_at if paper else None,
            )
        )
    found.sort(key=lambda each: (not each.is_signed, each.wished_at or each.at, each.contract_id))
    return found[:few]


def _select_unexplained() -> Select[Any]:
    later, later_signature = aliased(Contract), aliased(ContractSignature)
    is_followed = (
        select(later.id)
        .join(later_signature, refers_to(later_signature.contract_id, later))
        .where(
            later.workspace_id == Contract.workspace_id,
            later.reservation_id == Contract.reservation_id,
            later.number > Contract.number,
        )
        .exists()
    )
    has_paper = (
        select(PriorExplanation.id)
        .where(
            PriorExplanation.workspace_id == Contract.workspace_id,
            PriorExplanation.reservation_id == Contract.reservation_id,
        )
        .exists()
    )
    waits = and_(
        ContractSignature.id.is_(None),
        Contract.declined_at.is_(None),
        Contract.expired_at.is_(None),
        Contract.outdated_at.is_(None),
        has_paper,
    )
    return (
        select(
            Contract.id,
            Contract.reservation_id,
            Contract.stated,
            Contract.sent_at,
            ContractSignature.signed_at,
            Reservation.name,
            Unit.name.label("unit"),
            Building.name.label("building"),
            Building.name_en,
        )
        .join(Reservation, refers_to(Contract.reservation_id, Reservation))
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .join(Unit.building)
        .outerjoin(ContractSignature, refers_to(ContractSignature.contract_id, Contract))
        .where(
            Contract.needs_explanation,
            Contract.sent_at.is_not(None),
            Contract.replaced_at.is_(None),
            Reservation.lifecycle.in_(_OPEN),
            or_(waits, and_(ContractSignature.is_unexplained, ~is_followed)),
        )
        .order_by(Contract.sent_at, Contract.id)
        .limit(_MOST_READ)
    )
