"""Gives a workspace of the demo its suppliers' orders: matched, waiting, repeated, set aside."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.access.issue_key import issue_key
from pms.channels.receive_order import receive_order
from pms.channels.set_order_aside import set_order_aside
from pms.channels.written_order import WrittenItem, WrittenOrder
from pms.foundation.clock import FixedClock
from pms.foundation.paging import Paging
from pms.rules.days import day_of
from pms.rules.enumerations import FeeCategory, Scope
from pms.upkeep.project_list import ProjectSearch, project_list
from pms.upkeep.project_record import ProjectRecord

_DEMO: Final = "demo"
_SUPPLIER, _OTHER = "墨東住設センター", "江東電材"
_FEW: Final = 3
_CLEANING, _OTHERS = FeeCategory.CLEANING, FeeCategory.OTHER


class Ordered(NamedTuple):
    """One order: how many days ago, from whom, what, and which open project it names if any."""

    days_ago: int
    supplier: str
    number: str
    items: Sequence[tuple[str, int, int, FeeCategory]]
    names: int | None = None
    is_at: int | None = None
    is_aside_because: str | None = None
    names_nobody: str | None = None


_REPAIR: Final = FeeCategory.REPAIR
ORDERS: Final = (
    Ordered(
        26, _SUPPLIER, "BT-20417",
        (("混合水栓 シングルレバー", 1, 14_800, _REPAIR), ("止水栓パッキン", 4, 120, _REPAIR)),
        names=0,
    ),
    Ordered(
        19, _OTHER, "K-8831",
        (("LEDダウンライト 昼白色", 6, 2_380, _REPAIR), ("取付費", 1, 9_000, _REPAIR)), names=1,
    ),
    Ordered(
        12, _SUPPLIER, "BT-20466", (("給湯器リモコン", 1, 18_600, _REPAIR),), is_at=0,
        is_aside_because="キャンセル済み。別の型番で再注文。",
    ),
    Ordered(
        8, _SUPPLIER, "BT-20490",
        (("給湯器リモコン 新型", 1, 21_400, _REPAIR), ("配線カバー", 2, 680, _REPAIR)), is_at=0,
    ),
    Ordered(
        5, _OTHER, "K-8902",
        (("換気扇フィルター", 12, 480, _CLEANING), ("業務用洗剤 4L", 2, 1_980, _CLEANING)),
        names_nobody="PRJ-0988",
    ),
    Ordered(
        3, _SUPPLIER, "BT-20417",
        (("混合水栓 シングルレバー", 1, 14_800, _REPAIR), ("止水栓パッキン", 4, 120, _REPAIR)),
        names=0,
    ),
    Ordered(
        1, _SUPPLIER, "BT-20533",
        (("ドアクローザー", 2, 6_200, _REPAIR), ("カタログ", 1, 0, _OTHERS)), names=2,
    ),
    Ordered(0, _OTHER, "K-8940", (("非常灯バッテリー", 5, 3_150, _REPAIR),)),
)  # fmt: skip


def keep_orders(session: Session, now: datetime) -> None:
    """Keep eight orders of two suppliers; those that name an open project are its cost."""
    projects = project_list(session, ProjectSearch(), Paging(1, _FEW)).projects
    if not projects:
        return
    began = _clock(now, 40)
    keys = {
        name: issue_key(session, began, _DEMO, name=name, scopes=(Scope.PURCHASES_WRITE,)).id
        for name in (_SUPPLIER, _OTHER)
    }
    for one in ORDERS:
        clock = _clock(now, one.days_ago)
        actor = f"key/{keys[one.supplier]}"
        got = receive_order(
            session, clock, actor, order=_written(one, clock, projects), key_id=keys[one.supplier]
        )
        if one.is_aside_because:
            set_order_aside(session, clock, _DEMO, order_id=got.id, why=one.is_aside_because)
    session.flush()


def _written(one: Ordered, clock: FixedClock, projects: Sequence[ProjectRecord]) -> WrittenOrder:
    items = tuple(
        WrittenItem(description=what, quantity=count, unit_price_yen=yen, category=category)
        for what, count, yen, category in one.items
    )
    named = None if one.names is None else projects[one.names % len(projects)].name
    place = None if one.is_at is None else projects[one.is_at % len(projects)].building_id
    return WrittenOrder(
        supplier=one.supplier,
        order_number=one.number,
        ordered_on=day_of(clock.now()),
        items=items,
        total_yen=sum(item.yen for item in items),
        building_id=place,
        project_number=named or one.names_nobody,
    )


def _clock(now: datetime, days_ago: int) -> FixedClock:
    return FixedClock(now - timedelta(days=days_ago))
