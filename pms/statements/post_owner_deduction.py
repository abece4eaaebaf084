"""Posts what an owner bears of a building's costs, or gives some of it back."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.audit import note_change
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
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
    is_here = select(Building.id).where(Building.id == building_id)
    if not is_id(building_id) or session.scalar(is_here) is None:
        raise NotFound("There is no building '{building_id}'.", building_id=building_id[:60])
    if amount_yen == 0:
        raise Refused("amount: 0 is no deduction; it is 1 or more, or negative to correct one.")
    if on > clock.today():
        raise Refused("deductedOn: {day} has not come yet.", day=on)
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
    about = ("building", building_id)
    note_change(session, clock, actor, Deed.OWNER_DEDUCTION_POSTED, deduction, subject=about)
    session.flush()
    return deduction
