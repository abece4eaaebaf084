"""Removes a campaign for good."""

from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, remove_content


def remove_campaign(
    session: Session, clock: Clock, actor: str, *, campaign_id: str, version: int | None = None
) -> None:
    """Take a campaign away; its units stay, no longer offered in it."""
    row = content_in_hand(session, Campaign, campaign_id, version)
    remove_content(session, clock, actor, Deed.CAMPAIGN_REMOVED, row)
