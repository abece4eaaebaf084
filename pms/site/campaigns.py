"""Campaigns and their units."""

from collections.abc import Sequence

from sqlalchemy import select

from pms.catalogue.models import Building, Campaign, CampaignUnit, Unit
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.prepared import one_of
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.site.content_changes import remove_content, write_changes
from pms.site.written_content import WrittenCampaign, check_campaign, save_content


def choose_campaign_units(
    work: Work, *, campaign_id: str, building_id: str | None = None, unit_id: str | None = None
) -> int:
    """Add a unit, or every unit of a building, to a campaign; return how many were added."""
    row = locked(work.session, Campaign, campaign_id)
    asked = (
        select(Unit.id, Building.name, Unit.name)
        .join(Unit.building)
        .where(Unit.id == unit_id if unit_id else Unit.building_id == building_id)
        .order_by(Unit.name, Unit.id)
    )
    rows = work.session.execute(asked).all() if is_id(unit_id or building_id or "") else []
    if not rows:
        raise Refused("buildingId: choose a building with units.")
    wanted = {id_: f"{building} {name}" for id_, building, name in rows}
    chosen = select(CampaignUnit.unit_id).where(CampaignUnit.campaign_id == row.id)
    there = set(work.session.scalars(chosen))
    new = {id_: name for id_, name in wanted.items() if id_ not in there}
    if not new:
        return 0
    work.session.add_all(CampaignUnit(campaign_id=row.id, unit_id=id_) for id_ in new)
    note_audit_event(
        work, AuditEvent.CAMPAIGN_UNITS_CHOSEN, subject_of(row), after={"units": list(new.values())}
    )
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    work.session.flush()
    return len(new)


def end_campaign(work: Work, *, campaign_id: str, version: int | None = None) -> None:
    """Make today the last day; raise `Refused` for a campaign that has not begun or is over."""
    row = locked(work.session, Campaign, campaign_id, version)
    today = work.clock.today()
    if row.starts_on > today:
        raise Refused("endsOn: the campaign only starts on {first_on}.", first_on=row.starts_on)
    if row.ends_on is not None and row.ends_on < today:
        raise Refused("endsOn: the campaign ended on {last_on}.", last_on=row.ends_on)
    columns = {"ends_on": today}
    write_changes(work, AuditEvent.CAMPAIGN_ENDED, row, columns=columns)


def withdraw_campaign(work: Work, *, campaign_id: str, version: int | None = None) -> None:
    """Hide a campaign at once; its texts, days and units stay."""
    row = locked(work.session, Campaign, campaign_id, version)
    columns = {"is_published": False}
    write_changes(work, AuditEvent.CAMPAIGN_WITHDRAWN, row, columns=columns)


def publish_campaign(work: Work, *, campaign_id: str, version: int | None = None) -> None:
    """Publish a campaign; one that is public stays as it is."""
    row = locked(work.session, Campaign, campaign_id, version)
    columns = {"is_published": True}
    write_changes(work, AuditEvent.CAMPAIGN_PUBLISHED, row, columns=columns)


def remove_campaign(work: Work, *, campaign_id: str, version: int | None = None) -> None:
    """Delete a campaign; its units are no longer offered in it."""
    row = locked(work.session, Campaign, campaign_id, version)
    remove_content(work, AuditEvent.CAMPAIGN_REMOVED, row)


def drop_campaign_units(work: Work, *, campaign_id: str, unit_ids: Sequence[str]) -> Sequence[str]:
    """Remove these units from the campaign and return those that were in it."""
    row = locked(work.session, Campaign, campaign_id)
    chosen = select(CampaignUnit).where(CampaignUnit.campaign_id == row.id)
    wanted = [unit_id for unit_id in unit_ids if is_id(unit_id)]
    links = work.session.scalars(chosen.where(one_of(CampaignUnit.unit_id, wanted))).all()
    if not links:
        raise Refused("unitIds: select the units to remove.")
    gone = [link.unit_id for link in links]
    asked = select(Building.name, Unit.name).select_from(Unit).join(Unit.building)
    named = work.session.execute(
        asked.where(one_of(Unit.id, gone)).order_by(Building.name, Unit.name)
    )
    names = [f"{building} {name}" for building, name in named]
    for link in links:
        work.session.delete(link)
    note_audit_event(
        work, AuditEvent.CAMPAIGN_UNITS_DROPPED, subject_of(row), before={"units": names}
    )
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    work.session.flush()
    return gone


def write_campaign(
    work: Work,
    *,
    written: WrittenCampaign,
    campaign_id: str | None = None,
    version: int | None = None,
) -> str:
    """Save a campaign, or without an id a new unpublished one, and return its id."""
    if campaign_id is None:
        row = Campaign(id=new_id(), slug="", version=1, is_published=False)
    else:
        row = locked(work.session, Campaign, campaign_id, version)
    columns = check_campaign(written)
    return save_content(work, AuditEvent.CAMPAIGN_WRITTEN, row, columns, written.slug)
