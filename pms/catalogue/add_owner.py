"""Adds an owner of buildings."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_owner
from pms.catalogue.editing import add_row
from pms.catalogue.models import Owner
from pms.catalogue.written_facts import WrittenOwner
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def add_owner(session: Session, clock: Clock, actor: str, *, written: WrittenOwner) -> str:
    """Store an owner and return their id; two owners may bear one name."""
    row = Owner(**checked_owner(written), created_at=clock.now())
    return add_row(session, clock, actor, Deed.OWNER_ADDED, row)
