"""What is written of a fee, and how it must be (specification, Fee catalogue; Money 3 and 4)."""

import re
from decimal import Decimal
from typing import Any, Final, NamedTuple

from pms.foundation.errors import Refused
from pms.rules.enumerations import FeeCategory, TaxTreatment

_is_code = re.compile(r"[a-z][a-z0-9_-]{0,39}").fullmatch
_MOST_OF_A_LABEL: Final = 60


class WrittenFee(NamedTuple):
    """A fee without its code: one figure, an amount in whole yen or an exact percentage."""

    label_ja: str | None
    label_en: str | None
    category: FeeCategory
    is_monthly: bool
    amount_yen: int | None
    percent: Decimal | None
    tax_treatment: TaxTreatment


def checked_code(code: str | None) -> str:
    """Return the code, which never changes after this; raise `Refused` for another shape."""
    if not code or not _is_code(code):
        raise Refused(
            "code: '{value}' is refused; a small letter, then small letters, digits, - and _.",
            value=(code or "")[:60],
        )
    return code


def checked_fee(written: WrittenFee) -> dict[str, Any]:
    """Return the columns of a fee; raise `Refused` naming what is wrong."""
    label_ja = written.label_ja or written.label_en
    label_en = written.label_en or written.label_ja
    if not label_ja or not label_en:
        raise Refused("labelJa: a fee needs a label in one language at least.")
    if max(len(label_ja), len(label_en)) > _MOST_OF_A_LABEL:
        raise Refused("labelJa: at most {most} characters.", most=_MOST_OF_A_LABEL)
    if (written.amount_yen is None) == (written.percent is None):
        raise Refused("amountYen: either an amount in yen or a percentage, not both.")
    return {
        "label_ja": label_ja,
        "label_en": label_en,
        "category": written.category,
        "is_monthly": written.is_monthly,
        "amount_yen": written.amount_yen,
        "percent": None if written.percent is None else format(written.percent, "f"),
        "tax_treatment": written.tax_treatment,
    }
