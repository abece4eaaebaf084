"""Writes down what an owner and the operator agreed on for a building, from a month on."""

from datetime import date
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.rules.deeds import Deed
from pms.statements.models import OwnerTerms


def agree_terms(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    building_id: str,
    from_on: date,
    management_percent: Decimal,
    payout_day: int,
    payout_account: str | None = None,
) -> OwnerTerms:
    """Return the terms of a building from the first day of a month on; the same day replaces.

    Raises `NotFound` for an unknown building, `Refused` for a figure that cannot be.
    """
    _refuse(session, building_id, from_on, management_percent, payout_day)
    terms = session.scalar(
        select(OwnerTerms).where(
            OwnerTerms.building_id == building_id, OwnerTerms.from_on == from_on
        )
    )
    if terms is None:
        terms = OwnerTerms(building_id=building_id, from_on=from_on)
        session.add(terms)
    terms.management_percent, terms.payout_day = management_percent, payout_day
    terms.payout_account = payout_account
    terms.written_at, terms.written_by = clock.now(), actor
    about, month = ("building", building_id), {"from_on": from_on}
    note_change(session, clock, actor, Deed.TERMS_AGREED, terms, subject=about, also=month)
    session.flush()
    return terms


def _refuse(
    session: Session, building_id: str, from_on: date, percent: Decimal, payout_day: int
) -> None:
    if session.scalar(select(Building.id).where(Building.id == building_id)) is None:
        raise NotFound("There is no building '{building_id}'.", building_id=building_id[:60])
    if from_on.day != 1:
        raise Refused("from: {from_on} is not the first day of a month.", from_on=from_on)
    if not (percent.is_finite() and 0 <= percent <= 100):
        raise Refused("managementPercent: {percent} is not from 0 to 100.", percent=percent)
    if not 1 <= payout_day <= 31:
        raise Refused("payoutDay: {payout_day} is not from 1 to 31.", payout_day=payout_day)
