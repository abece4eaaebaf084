"""Withdraws a campaign: units are no longer offered in it."""

from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, write_changes


def withdraw_campaign(
    session: Session, clock: Clock, actor: str, *, campaign_id: str, version: int | None = None
) -> None:
    """Hide a campaign at once; its texts, days and units stay."""
    row = content_in_hand(session, Campaign, campaign_id, version)
    columns = {"is_published": False}
    write_changes(session, clock, actor, Deed.CAMPAIGN_WITHDRAWN, row, columns=columns)
