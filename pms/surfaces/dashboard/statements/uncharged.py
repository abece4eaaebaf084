"""What projects cost and no statement has yet, shown with a month that is still to be decided."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from pms.rules.days import month_last
from pms.statements.owner_months import OwnerBuildingMonth, PublishingBar
from pms.statements.uncharged_costs import UnchargedCost, uncharged_costs
from pms.surfaces.dashboard.desk import reading, today


def uncharged_of(
    found: Iterable[OwnerBuildingMonth], month_on: date
) -> Mapping[str, Sequence[UnchargedCost]]:
    """Return by building what projects cost through the month, in one question for all."""
    open_ids = [one.building_id for one in found if one.is_to_publish or takes_charges(one)]
    return uncharged_costs(reading(), open_ids, min(month_last(month_on), today()))


def takes_charges(one: OwnerBuildingMonth) -> bool:
    """Whether `charge_into_month` would accept the month."""
    is_closed = one.bar in {PublishingBar.NO_OWNER, PublishingBar.PASSED_OVER}
    return one.published is None and not is_closed and one.figures.month_on <= today()
