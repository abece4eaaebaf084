"""The lines of an entry as a paper shows them: what was reversed is gone, the rest in order."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.ledger.models import LedgerLine
from pms.rules.enumerations import LineItem, RecurringItem, TaxTreatment

# The rent and what is taken off it, the other monthly amounts, a workspace's own fees, the rest.
_ORDER: Final = [
    RecurringItem.BASE_RENT,
    LineItem.DISCOUNT,
    *(item for item in RecurringItem if item is not RecurringItem.BASE_RENT),
]
_OWN_FEE: Final = len(_ORDER)


class PaperLine(NamedTuple):
    """One item over one run of days, in whole tax-inclusive yen."""

    item: str
    label: Bilingual
    first_on: date | None
    last_on: date | None
    treatment: TaxTreatment
    is_deposit: bool
    yen: int


def entry_lines(session: Session, entry_id: str, through_on: date) -> tuple[PaperLine, ...]:
    """Return the lines of an entry as they stand at the end of a day."""
    rows = session.scalars(
        select(LedgerLine).where(
            LedgerLine.entry_id == entry_id, LedgerLine.posted_on <= through_on
        )
    )
    return netted(rows.all())


def count_of_lines(session: Session, entry_id: str) -> int:
    """Return how many lines were written to an entry; it only ever grows."""
    asked = select(func.count(LedgerLine.id)).where(LedgerLine.entry_id == entry_id)
    return session.scalar(asked) or 0


def netted(rows: Iterable[LedgerLine]) -> tuple[PaperLine, ...]:
    """Return the lines in their order; a line and its reversal leave no trace but the total."""
    sums: defaultdict[PaperLine, int] = defaultdict(int)
    for row in rows:
        sums[_without_amount(row)] += row.amount_yen
    lines = [line._replace(yen=yen) for line, yen in sums.items() if yen]
    return tuple(sorted(lines, key=_place))


def total_yen(lines: Sequence[PaperLine]) -> int:
    """The sum of the lines (specification, Money 2)."""
    return sum(line.yen for line in lines)


def _without_amount(row: LedgerLine) -> PaperLine:
    return PaperLine(
        item=row.item,
        label=Bilingual(row.label_ja, row.label_en),
        first_on=row.first_on,
        last_on=row.last_on,
        treatment=TaxTreatment(row.tax_treatment),
        is_deposit=row.is_deposit,
        yen=0,
    )


def _place(line: PaperLine) -> tuple[bool, bool, date, int, str, date, int]:
    """Periods in their order, then what has no days, the deposit last."""
    first_on = line.first_on or date.max
    rank = next((place for place, item in enumerate(_ORDER) if item == line.item), _OWN_FEE)
    return (
        line.is_deposit,
        line.first_on is None,
        _month_of(first_on),
        rank,
        line.item,
        first_on,
        -line.yen,
    )


def _month_of(day: date) -> date:
    return day.replace(day=1)
