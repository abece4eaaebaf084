"""Takes a purchase back; the row and its receipt stay, and cost nothing any more."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.upkeep.models import Purchase
from pms.upkeep.upkeep_in_hand import open_project_in_hand


def remove_purchase(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    purchase_id: str,
    only_own: bool = False,
) -> None:
    """Take a purchase back; one that is gone already stays gone, and nothing is written.

    With `only_own` only what the actor added is found. Raises `NotFound`, and `Refused` when the
    project is over.
    """
    open_project_in_hand(session, project_id)
    wanted = select(Purchase).where(Purchase.id == purchase_id, Purchase.project_id == project_id)
    if only_own:
        wanted = wanted.where(Purchase.logged_by == actor)
    row = session.scalar(wanted) if is_id(purchase_id) else None
    if row is None:
        raise NotFound(
            "There is no purchase '{purchase_id}' in this project.", purchase_id=purchase_id[:60]
        )
    if row.removed_at is not None:
        return
    row.removed_at, row.removed_by = clock.now(), actor
    told = {"what": row.what, "amount_yen": row.amount_yen}
    about = ("maintenance_project", project_id)
    note_change(session, clock, actor, Deed.PURCHASE_REMOVED, row, subject=about, also=told)
    session.flush()
