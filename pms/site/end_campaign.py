"""Ends a campaign with today as its last day."""

from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, write_changes


def end_campaign(
    session: Session, clock: Clock, actor: str, *, campaign_id: str, version: int | None = None
) -> None:
    """Make today the last day; raise `Refused` for one that has not begun or is over."""
    row = content_in_hand(session, Campaign, campaign_id, version)
    today = clock.today()
    if row.starts_on > today:
        raise Refused("endsOn: the campaign begins on {first_on} only.", first_on=row.starts_on)
    if row.ends_on is not None and row.ends_on < today:
        raise Refused("endsOn: the campaign ended on {last_on}.", last_on=row.ends_on)
    columns = {"ends_on": today}
    write_changes(session, clock, actor, Deed.CAMPAIGN_ENDED, row, columns=columns)
