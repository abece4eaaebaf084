"""The words of entries and lines, and the category and tax treatment of what is always the same."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision
from pms.foundation.phrases import Bilingual
from pms.ledger.models import LedgerEntry, Payment, PaymentReturn
from pms.reservations.changes import locked_reservation
from pms.rules.days import month_first, month_last
from pms.rules.enumerations import FeeCategory, LineItem, RecurringItem, TaxTreatment


# A row of the ledger is never changed, so the number of rows tells whether anything happened since:
# a second click, or a colleague at the next desk.
def ledger_mark(session: Session, reservation_id: str) -> int:
    """Return how many entries, payments, and returns of payments a reservation has."""
    entries = select(func.count()).where(LedgerEntry.reservation_id == reservation_id)
    payments = select(func.count()).where(Payment.reservation_id == reservation_id)
    returns = select(func.count()).where(PaymentReturn.reservation_id == reservation_id)
    asked = select(
        entries.scalar_subquery() + payments.scalar_subquery() + returns.scalar_subquery()
    )
    return session.scalar(asked) or 0


def hold_ledger(session: Session, reservation_id: str, seen: int) -> None:
    """Lock a reservation whose ledger stands as it was seen; raise `Collision` when it moved on."""
    locked_reservation(session, reservation_id)
    if ledger_mark(session, reservation_id) != seen:
        raise Collision(
            "The ledger was written to since this page was opened. Look at it again before you send"
            " this."
        )


class ItemWords(NamedTuple):
    """What a line says besides its amount and days."""

    label_ja: str
    label_en: str
    category: FeeCategory
    tax_treatment: TaxTreatment


_EXEMPT, _TAXABLE = TaxTreatment.EXEMPT, TaxTreatment.TAXABLE_10

# Letting a home is exempt with what is charged for it by the month; a fee for a service is taxed.
ITEM_WORDS: Final[Mapping[str, ItemWords]] = MappingProxyType(
    {
        RecurringItem.BASE_RENT: ItemWords("賃料", "Rent", FeeCategory.RENT, _EXEMPT),
        RecurringItem.UTILITIES: ItemWords(
            "水道光熱費", "Utilities", FeeCategory.UTILITIES, _EXEMPT
        ),
        RecurringItem.BUILDING_MAINTENANCE: ItemWords(
            "共益費", "Building maintenance", FeeCategory.BUILDING_MAINTENANCE, _EXEMPT
        ),
        RecurringItem.SHORT_TERM_SURCHARGE: ItemWords(
            "短期契約追加料金", "Short-term surcharge", FeeCategory.SURCHARGE, _EXEMPT
        ),
        RecurringItem.GUEST_SURCHARGE: ItemWords(
            "同居人追加料金", "Guest surcharge", FeeCategory.SURCHARGE, _EXEMPT
        ),
        LineItem.DISCOUNT: ItemWords("割引", "Discount", FeeCategory.RENT, _EXEMPT),
        LineItem.RESERVATION_FEE: ItemWords(
            "予約金", "Reservation fee", FeeCategory.RESERVATION_FEE, _TAXABLE
        ),
        LineItem.DEPOSIT: ItemWords("敷金", "Deposit", FeeCategory.DEPOSIT, _EXEMPT),
        LineItem.PENALTY: ItemWords("違約金", "Move-out penalty", FeeCategory.PENALTY, _EXEMPT),
    }
)

MOVE_IN_INVOICE: Final = Bilingual("初期費用", "Move-in invoice")
PENALTY: Final = Bilingual("違約金", "Move-out penalty")


@lru_cache(maxsize=2_000)
def rent_label(first_on: date, last_on: date) -> Bilingual:
    """Return the label of rent: of its month, or of its days when they are not the whole month."""
    month_ja, month_en = f"{first_on.year}年{first_on.month}月", f"{first_on:%B} {first_on.year}"
    if first_on == month_first(first_on) and last_on == month_last(first_on):
        return Bilingual(f"{month_ja}分 賃料等", f"Rent for {month_en}")
    days_ja, days_en = f"{first_on.day}日〜{last_on.day}日", f"{first_on.day}–{last_on.day}"
    return Bilingual(f"{month_ja}{days_ja}分 賃料等", f"Rent for {days_en} {month_en}")


def opening_label(of: Bilingual) -> Bilingual:
    """Return the label of what came along with a tenancy that was taken over."""
    return Bilingual(f"引継ぎ: {of.ja}", f"Taken over: {of.en}")


def arrears_label(of: Bilingual) -> Bilingual:
    """Return the label of an arrears charge."""
    return Bilingual(f"未収金: {of.ja}", f"Arrears: {of.en}")


def void_label(of: Bilingual) -> Bilingual:
    """Return the label of the opposite entry that voids another."""
    return Bilingual(f"取消: {of.ja}", f"Void: {of.en}")
