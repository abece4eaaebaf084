"""Chooses units for a campaign: one, or all of a building."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Campaign, CampaignUnit, Unit
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand


def choose_campaign_units(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    campaign_id: str,
    building_id: str | None = None,
    unit_id: str | None = None,
) -> int:
    """Put a unit, or every unit of a building, into a campaign; return how many were not in it."""
    row = content_in_hand(session, Campaign, campaign_id)
    wanted = _wanted(session, building_id, unit_id)
    chosen = select(CampaignUnit.unit_id).where(CampaignUnit.campaign_id == row.id)
    there = set(session.scalars(chosen))
    new = {id_: name for id_, name in wanted.items() if id_ not in there}
    if not new:
        return 0
    session.add_all(CampaignUnit(campaign_id=row.id, unit_id=one) for one in new)
    note_deed(
        session,
        clock,
        actor,
        Deed.CAMPAIGN_UNITS_CHOSEN,
        subject_of(row),
        after={"units": list(new.values())},
    )
    row.updated_at, row.updated_by = clock.now(), actor
    session.flush()
    return len(new)


def _wanted(session: Session, building_id: str | None, unit_id: str | None) -> dict[str, str]:
    asked = (
        select(Unit.id, Building.name, Unit.name)
        .join(Unit.building)
        .where(Unit.id == unit_id if unit_id else Unit.building_id == building_id)
        .order_by(Unit.name, Unit.id)
    )
    rows = session.execute(asked).all() if is_id(unit_id or building_id or "") else []
    if not rows:
        raise Refused("buildingId: choose a building that has units.")
    return {id_: f"{building} {name}" for id_, building, name in rows}
