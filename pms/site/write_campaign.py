"""Writes a campaign: its texts and its days; the units it is for are chosen beside it."""

from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.site.content_in_hand import add_content, content_in_hand, write_changes
from pms.site.content_slugs import content_slug
from pms.site.written_content import WrittenCampaign, checked_campaign


def write_campaign(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    written: WrittenCampaign,
    campaign_id: str | None = None,
    version: int | None = None,
) -> str:
    """Write a campaign, a new one that is not public without an id, and return its id."""
    if campaign_id is None:
        row = Campaign(id=new_id(), slug="", version=1)
    else:
        row = content_in_hand(session, Campaign, campaign_id, version)
    columns = checked_campaign(written)
    columns["slug"] = content_slug(session, row, written.slug, columns["title_en"])
    if campaign_id is not None:
        write_changes(session, clock, actor, Deed.CAMPAIGN_WRITTEN, row, columns=columns)
        return row.id
    new = Campaign(id=row.id, version=1, is_published=False, **columns)
    return add_content(session, clock, actor, Deed.CAMPAIGN_WRITTEN, new)
