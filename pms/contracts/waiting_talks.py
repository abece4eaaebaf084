"""Contracts that wait to be explained by a member of staff, and those signed without it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, String, and_, cast, func, literal, null, or_, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.contracts.explanation_records import (
    ExplanationLack,
    explanations_of,
    lack_of_explanation,
    newest_about,
)
from pms.contracts.models import Contract, ContractSignature, PriorExplanation
from pms.foundation.db import Instant
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.explanations import ExplanationWay

CONTRACT: Final = "contract"
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
    return keep_unexplained(session, session.execute(select_unexplained()).all(), few)


def keep_unexplained(
    session: Session, rows: Sequence[Any], few: int
) -> Sequence[UnexplainedContract]:
    """Return those of `select_unexplained` that lack an explanation, in their order."""
    if not rows:
        return ()
    given = explanations_of(session, [row.reservation_id for row in rows])
    found = []
    for row in rows:
        paper = newest_about(given.get(row.reservation_id, ()), row.details)
        is_signed = row.state is not None
        if not is_signed and lack_of_explanation(session, paper) is not ExplanationLack.PERSON:
            continue
        found.append(
            UnexplainedContract(
                row.id,
                row.name,
                row.unit,
                Bilingual(row.ja, row.en),
                row.at,
                is_signed,
                paper.wished_way if paper else None,
                paper.wished_at if paper else None,
            )
        )
    found.sort(key=lambda each: (not each.is_signed, each.wished_at or each.at, each.contract_id))
    return found[:few]


def select_unexplained() -> Select[Any]:
    """Return the query of contracts that may lack an explanation: `state` is set for signed ones."""
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
            literal(CONTRACT).label("kind"),
            Contract.id,
            Contract.reservation_id,
            Reservation.name,
            Contract.stated.label("details"),
            Unit.name.label("unit"),
            Building.name.label("ja"),
            Building.name_en.label("en"),
            func.coalesce(ContractSignature.signed_at, Contract.sent_at).label("at"),
            cast(null(), String).label("way"),
            cast(null(), Instant).label("wished_at"),
            cast(ContractSignature.signer, String).label("state"),
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
