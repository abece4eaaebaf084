"""One charge for many tenancies, as it is asked for and as a run keeps it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Self

from pms.foundation.bilingual import Bilingual
from pms.rules.days import strict_day
from pms.rules.enumerations import FeeCategory, TaxTreatment


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyCharge:
    """The charge: whole yen, or a percentage of each rent in force; no building means all."""

    item: str
    label: Bilingual
    amount_yen: int | None
    percent: str | None
    category: FeeCategory
    tax_treatment: TaxTreatment
    due_on: date
    building_ids: tuple[str, ...] = ()

    @property
    def asked(self) -> dict[str, Any]:
        """The charge as a run keeps it."""
        return {**asdict(self), "label": list(self.label), "due_on": self.due_on.isoformat()}

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Self:
        """Return the charge a run was asked for."""
        return cls(
            item=asked["item"],
            label=Bilingual(*asked["label"]),
            amount_yen=asked["amount_yen"],
            percent=asked["percent"],
            category=FeeCategory(asked["category"]),
            tax_treatment=TaxTreatment(asked["tax_treatment"]),
            due_on=strict_day(asked["due_on"]) or date.min,
            building_ids=tuple(asked["building_ids"]),
        )
