"""Posts what an owner bears of a building's costs, or gives some of it back."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.rules.enumerations import FeeCategory
from pms.statements.models import OwnerDeduction


def post_owner_deduction(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    building_id: str,
    category: FeeCategory,
    label: Bilingual,
    amount_yen: int,
    deducted_on: date | None = None,
) -> OwnerDeduction:
    """Return a deduction in whole yen; a negative one corrects an earlier one.

    Raises `NotFound` for an unknown building, `Refused` for no amount, no words or a coming day.
    """
    on = deducted_on or clock.today()
    if session.scalar(select(Building.id).where(Building.id == building_id)) is None:
        raise NotFound(f"There is no building '{building_id[:60]}'.")
    if amount_yen == 0:
        raise Refused("amount: 0 is no deduction; it is 1 or more, or negative to correct one.")
    if on > clock.today():
        raise Refused(f"deducted on: {on} has not come yet.")
    if not (label.ja or label.en):
        raise Refused("label: say what the deduction is for, in Japanese or in English.")
    deduction = OwnerDeduction(
        building_id=building_id,
        deducted_on=on,
        category=category,
        label_ja=label.said("ja"),
        label_en=label.said("en"),
        amount_yen=amount_yen,
        written_at=clock.now(),
        written_by=actor,
    )
    session.add(deduction)
    session.flush()
    return deduction
