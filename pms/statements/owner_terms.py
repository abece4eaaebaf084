"""The terms agreed with the owner of a building."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import count_change
from pms.catalogue.models import Building
from pms.foundation.audit import note_difference
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.sealing import sealed_text
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.rules.account_numbers import hide_both
from pms.rules.audit_events import AuditEvent
from pms.statements.models import OwnerTerms


def agree_terms(
    work: Work,
    *,
    building_id: str,
    from_on: date,
    management_percent: Decimal,
    payout_day: int,
    payout_account: str | None = None,
    version: int | None = None,
) -> OwnerTerms:
    """Set the terms of a building from the first day of a month on; the same day replaces them.

    `version` is that of the building as the caller read it; it counts up with the terms. Raises
    `NotFound` for an unknown building, `Refused` for an invalid day or figure, and `Collision`
    when the building or its terms changed since.
    """
    building = locked(work.session, Building, building_id, version)
    _refuse_impossible_terms(from_on, management_percent, payout_day)
    terms = work.session.scalar(
        select(OwnerTerms).where(
            OwnerTerms.building_id == building_id, OwnerTerms.from_on == from_on
        )
    )
    if terms is None:
        terms = OwnerTerms(building_id=building_id, from_on=from_on)
        work.session.add(terms)
        was: dict[str, Any] = {}
    else:
        was = {
            "management_percent": terms.management_percent,
            "payout_day": terms.payout_day,
            "payout_account": terms.payout_account,
        }
    known = was.get("payout_account")
    if known != payout_account:
        terms.sealed_account = sealed_text(work.session, payout_account)
    terms.management_percent, terms.payout_day = management_percent, payout_day
    terms.written_at, terms.written_by = work.clock.now(), work.actor
    became: dict[str, Any] = {
        "management_percent": management_percent,
        "payout_day": payout_day,
        "from_on": from_on,
    }
    if known != payout_account:
        was["payout_account"], became["payout_account"] = hide_both(known, payout_account)
    about = ("building", building_id)
    note_difference(work, AuditEvent.TERMS_AGREED, about, before=was, after=became)
    count_change(building, work.clock)
    work.session.flush()
    return terms


def terms_of_building(session: Session, building_id: str) -> Sequence[OwnerTerms]:
    """Return the terms of a building by the day they apply from, the oldest first."""
    asked = select(OwnerTerms).where(OwnerTerms.building_id == building_id)
    return session.scalars(asked.order_by(OwnerTerms.from_on)).all()


def select_buildings_without_terms() -> Select[str, str, str | None]:
    """Select id and names of the buildings that have an owner but no terms with the owner."""
    has_terms = exists().where(refers_to(OwnerTerms.building_id, Building))
    return (
        select(Building.id, Building.name, Building.name_en)
        .where(Building.owner_id.is_not(None), ~has_terms)
        .order_by(Building.name, Building.id)
    )


def buildings_without_terms(session: Session) -> Sequence[tuple[str, Bilingual]]:
    """Return the buildings that have an owner but no terms, as pairs of id and name."""
    found = session.execute(select_buildings_without_terms())
    return [(id_, Bilingual(name, english)) for id_, name, english in found]


def _refuse_impossible_terms(from_on: date, percent: Decimal, payout_day: int) -> None:
    if from_on.day != 1:
        raise Refused("fromOn: {from_on} is not the first day of a month.", from_on=from_on)
    if not (percent.is_finite() and 0 <= percent <= 100):
        raise Refused(
            "managementPercent: {percent}% is not possible. Enter 0 to 100.", percent=percent
        )
    if not 1 <= payout_day <= 31:
        raise Refused(
            "payoutDay: Day {payout_day} is not possible. Enter 1 to 31.", payout_day=payout_day
        )
