"""What stands on entries and rows, line by line, and the lines that reverse it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.ledger.models import LedgerLine
from pms.ledger.planned_entries import PlannedLine
from pms.ledger.wording import ItemWords
from pms.rules.enumerations import FeeCategory, TaxTreatment

_SAYS = (
    LedgerLine.item,
    LedgerLine.first_on,
    LedgerLine.last_on,
    LedgerLine.label_ja,
    LedgerLine.label_en,
    LedgerLine.category,
    LedgerLine.tax_treatment,
)


def lines_of_rows(
    session: Session, row_ids: Iterable[str]
) -> Mapping[str, tuple[PlannedLine, ...]]:
    """Return the lines that billed rows stand at: what was reversed is left out."""
    return _standing_lines(session, LedgerLine.row_id, row_ids)


def lines_of_entry(session: Session, entry_id: str) -> tuple[PlannedLine, ...]:
    """Return the lines an entry stands at, those of its rows included."""
    return _standing_lines(session, LedgerLine.entry_id, [entry_id]).get(entry_id, ())


def reversed_lines(lines: Iterable[PlannedLine]) -> tuple[PlannedLine, ...]:
    """Return the credits that mirror the lines to the yen (Money 2)."""
    return tuple(line._replace(yen=-line.yen) for line in lines)


def _standing_lines(
    session: Session, column: InstrumentedAttribute[Any], ids: Iterable[str]
) -> Mapping[str, tuple[PlannedLine, ...]]:
    # A reversal mirrors its line, so that what stands is what does not sum to 0.
    found = session.execute(
        select(column, *_SAYS, func.sum(LedgerLine.amount_yen))
        .where(column.in_(list(ids)))
        .group_by(column, *_SAYS)
        .having(func.sum(LedgerLine.amount_yen) != 0)
        .order_by(LedgerLine.first_on, LedgerLine.item)
    )
    lines: defaultdict[str, list[PlannedLine]] = defaultdict(list)
    for owner_id, item, first_on, last_on, label_ja, label_en, category, tax, yen in found:
        words = ItemWords(label_ja, label_en, FeeCategory(category), TaxTreatment(tax))
        lines[owner_id].append(PlannedLine(item, words, first_on, last_on, int(yen)))
    return {id_: tuple(of_owner) for id_, of_owner in lines.items()}
