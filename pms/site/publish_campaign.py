"""Publishes a campaign: it is on from its first day to its last."""

from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, write_changes


def publish_campaign(
    session: Session, clock: Clock, actor: str, *, campaign_id: str, version: int | None = None
) -> None:
    """Show a campaign; publishing what is public changes nothing."""
    row = content_in_hand(session, Campaign, campaign_id, version)
    columns = {"is_published": True}
    write_changes(session, clock, actor, Deed.CAMPAIGN_PUBLISHED, row, columns=columns)
