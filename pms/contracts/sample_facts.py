"""A tenancy that nobody has, for looking at a template."""

from datetime import date
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import (
    AgreedReduction,
    ContractFacts,
    MonthlyLine,
    written_address,
)
from pms.foundation.bilingual import Bilingual
from pms.ledger.wording import ITEM_WORDS
from pms.rules.discounts import Discount
from pms.rules.enumerations import RecurringItem
from pms.workspaces.models import Workspace

_RENT_YEN, _UTILITIES_YEN, _FEE_YEN = 86_000, 12_000, 30_000


def sample_facts(session: Session, on: date, locale: str) -> ContractFacts:
    """Return facts to fill every place with, of the session's workspace."""
    workspace = session.scalars(select(Workspace)).one()
    words = {item: ITEM_WORDS[item] for item in (RecurringItem.BASE_RENT, RecurringItem.UTILITIES)}
    labels = [Bilingual(one.label_ja, one.label_en) for one in words.values()]
    return ContractFacts(
        operator=Bilingual(workspace.name, workspace.name_en),
        operator_address=written_address(workspace.postcode, workspace.address),
        bank_details=workspace.bank_details,
        building=Bilingual("見本ハウス", "Sample House"),
        address=Bilingual("東京都墨田区見本一丁目2番3号", "1-2-3 Mihon, Sumida, Tokyo"),
        unit_id="",
        unit="101",
        resident="見本 花子",
        resident_kana="ミホン ハナコ",
        email="hanako@example.com",
        phone="03-0000-0000",
        co_occupants=("見本 次郎",),
        start_on=on,
        end_on=on.replace(year=on.year + 1, day=min(on.day, 28)),
        base_rent_yen=_RENT_YEN,
        monthly=tuple(
            MonthlyLine(item, label, yen)
            for item, label, yen in zip(words, labels, (_RENT_YEN, _UTILITIES_YEN), strict=True)
        ),
        reduction=AgreedReduction(
            Bilingual("長期割引", "Long stay"),
            Discount(percent=Decimal(5), minimum_stay_days=180),
        ),
        reservation_fee_yen=_FEE_YEN,
        deposit_yen=_RENT_YEN,
        move_in_total_yen=_RENT_YEN + _UTILITIES_YEN + _FEE_YEN + _RENT_YEN,
        locale=locale,
    )
