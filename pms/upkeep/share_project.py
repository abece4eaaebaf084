"""Hands a project to an outside contractor: a link that is a credential of the building."""

from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import (
    LONGEST_NAME,
    checked_number,
    checked_phone,
    needed_text,
)
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.named_links import LinkKind
from pms.foundation.tokens import Sealer, new_token, token_hash
from pms.rules.deeds import Deed
from pms.rules.enumerations import Locale
from pms.upkeep.log_hours import MOST_HOURLY_YEN
from pms.upkeep.models import ShareLink
from pms.upkeep.upkeep_in_hand import open_project_in_hand

SHARE_LINK: Final = LinkKind("share-link", ShareLink.token_hash, is_hashed=True)
"""What the token of a share link is signed for."""


def share_project(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    contractor_name: str | None,
    contractor_phone: str | None = None,
    locale: str = Locale.JA,
    hourly_yen: int | None = None,
    expires_on: date | None = None,
    sealer: Sealer,
) -> str:
    """Return the token of a new link, which nothing here can tell again.

    `hourly_yen` prices the hours logged through it, in whole yen; `expires_on` is the last day in
    Japan on which it opens. Raises `Refused` for a day that is past and for a project that is over.
    """
    open_project_in_hand(session, project_id)
    if expires_on is not None and expires_on < clock.today():
        raise Refused("expiresOn: {day} is past.", day=expires_on)
    chance = new_token()
    link = ShareLink(
        id=new_id(),
        project_id=project_id,
        contractor_name=needed_text("contractorName", contractor_name, LONGEST_NAME),
        contractor_phone=checked_phone("contractorPhone", contractor_phone),
        locale=Locale(locale).value,
        hourly_yen=checked_number("hourlyYen", hourly_yen, 0, MOST_HOURLY_YEN),
        token_hash=token_hash(chance),
        expires_on=expires_on,
        created_at=clock.now(),
        created_by=actor,
    )
    session.add(link)
    note_change(session, clock, actor, Deed.PROJECT_SHARED, link)
    session.flush()
    return sealer.short(SHARE_LINK.purpose, chance)
