"""Adds something bought for a project; its receipt is a photo of it."""

from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, LONGEST_NAME, checked_text, needed_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES
from pms.rules.yen import LARGEST_YEN
from pms.upkeep.checked_log import refuse_coming, task_of_project
from pms.upkeep.models import Purchase
from pms.upkeep.upkeep_in_hand import open_project_in_hand

MOST_YEN: Final = min(100_000_000, LARGEST_YEN)
"""More than any single thing bought here costs; a figure above it is a slip of the hand."""


def add_purchase(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    bought_on: date,
    what: str | None,
    amount_yen: int,
    shop: str | None = None,
    category: FeeCategory = FeeCategory.REPAIR,
    task_id: str | None = None,
    key: str | None = None,
) -> str | None:
    """Return the id of the purchase in whole yen as paid, or nothing when this key arrived before.

    Raises `Refused` for a day to come, no amount, no words, and for a project that is over.
    """
    if not is_new(session, clock, actor, key):
        return None
    open_project_in_hand(session, project_id)
    refuse_coming("boughtOn", bought_on, clock.today())
    if category not in PURCHASE_CATEGORIES:
        raise Refused("category: '{category}' is no cost.", category=category)
    if type(amount_yen) is not int or not 1 <= amount_yen <= MOST_YEN:
        raise Refused("amountYen: whole yen from 1 to {most}.", most=MOST_YEN)
    row = Purchase(
        id=new_id(),
        project_id=project_id,
        task_id=task_of_project(session, project_id, task_id),
        bought_on=bought_on,
        shop=checked_text("shop", shop, LONGEST_NAME),
        what=needed_text("what", what, LONGEST_LINE),
        amount_yen=amount_yen,
        category=category,
        logged_at=clock.now(),
        logged_by=actor,
    )
    session.add(row)
    about = ("maintenance_project", project_id)
    note_change(session, clock, actor, Deed.PURCHASE_ADDED, row, subject=about)
    session.flush()
    return row.id
