"""Takes units out of a campaign."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Campaign, CampaignUnit, Unit
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand


def drop_campaign_units(
    session: Session, clock: Clock, actor: str, *, campaign_id: str, unit_ids: Sequence[str]
) -> Sequence[str]:
    """Take these units out, as far as they are in it, and return which were."""
    row = content_in_hand(session, Campaign, campaign_id)
    chosen = select(CampaignUnit).where(CampaignUnit.campaign_id == row.id)
    wanted = [one for one in unit_ids if is_id(one)]
    links = session.scalars(chosen.where(one_of(CampaignUnit.unit_id, wanted))).all()
    if not links:
        raise Refused("unitIds: tick the units to take out.")
    gone = [link.unit_id for link in links]
    asked = select(Building.name, Unit.name).select_from(Unit).join(Unit.building)
    named = session.execute(asked.where(one_of(Unit.id, gone)).order_by(Building.name, Unit.name))
    names = [f"{building} {name}" for building, name in named]
    for link in links:
        session.delete(link)
    note_deed(
        session,
        clock,
        actor,
        Deed.CAMPAIGN_UNITS_DROPPED,
        subject_of(row),
        before={"units": names},
    )
    row.updated_at, row.updated_by = clock.now(), actor
    session.flush()
    return gone
