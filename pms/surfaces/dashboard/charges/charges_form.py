"""What is typed of a charge for many: a fee of the catalogue or one of its own, where, and when due."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from flask_babel import gettext, lazy_gettext
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.foundation.bilingual import Bilingual
from pms.foundation.wording import said_yen
from pms.ledger.fees_for_many import OneTimeFee
from pms.ledger.many_charges import ManyCharge
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    ManyField,
    Optional,
    PickField,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.reader_choice import chosen_language

_NEVER: Final = FeeCategory.RESERVATION_FEE
_OWN: Final = "own"
_OWN_ITEM: Final = "charge"


class ChargesForm(Form):
    """A fee says everything but the day; without one the label and the amount are typed."""

    feeCode = PickField(lazy_gettext("What is charged"), [Required()])
    labelJa = TextField(lazy_gettext("What for, in Japanese"), [Optional()])
    labelEn = TextField(lazy_gettext("What for, in English"), [Optional()])
    amountYen = YenField(lazy_gettext("Amount each (yen)"), [Optional()], minimum_yen=1)
    category = ChoiceField(lazy_gettext("Category"), [Optional()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Optional()])
    dueOn = DayField(lazy_gettext("Due on"), [Required()])
    buildingIds = ManyField(lazy_gettext("Buildings"), [Optional()])
    chargeId = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self._fees: dict[str, OneTimeFee] = {}

    def offer(self, fees: Sequence[OneTimeFee], buildings: Sequence[NamedBuilding]) -> None:
        """Give the form its fees and buildings."""
        self._fees = {fee.code: fee for fee in fees}
        named = [(fee.code, _offered(fee)) for fee in fees]
        self.feeCode.choices = [*named, (_OWN, gettext("A charge of its own"))]
        self.category.choices = [one for one in choices(FeeCategory) if one[0] != _NEVER]
        self.taxTreatment.choices = choices(TaxTreatment)
        locale = chosen_language()
        self.buildingIds.choices = [(one.id, one.name.said(locale) or "") for one in buildings]

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask for a label and an amount where no fee says them."""
        is_sound = super().validate(extra_validators)
        if self.feeCode.data != _OWN:
            return is_sound
        for field in (self.labelJa, self.amountYen):
            if not field.data and not field.errors:
                field.errors = [gettext("Please fill this in.")]
        return is_sound and not (self.labelJa.errors or self.amountYen.errors)

    def is_past(self, today: date) -> bool:
        """Tell whether the due day is over, and say so beside it."""
        due_on = self.dueOn.data
        if due_on is None or due_on >= today:
            return False
        self.dueOn.errors = [gettext("This day is over. A charge is due today at the earliest.")]
        return True

    @property
    def charge(self) -> ManyCharge:
        """The charge of a valid form."""
        fee = self._fees.get(self.feeCode.data or "") or self._own
        return ManyCharge(
            item=fee.code,
            label=fee.label,
            amount_yen=fee.amount_yen,
            percent=fee.percent,
            category=fee.category,
            tax_treatment=fee.tax_treatment,
            due_on=self.dueOn.data,
            building_ids=tuple(self.buildingIds.data or ()),
        )

    @property
    def _own(self) -> OneTimeFee:
        label = self.labelJa.data or "", self.labelEn.data or self.labelJa.data or ""
        category = FeeCategory(self.category.data or FeeCategory.OTHER)
        tax = TaxTreatment(self.taxTreatment.data or TaxTreatment.EXEMPT)
        return OneTimeFee(_OWN_ITEM, Bilingual(*label), self.amountYen.data, None, category, tax)


def _offered(fee: OneTimeFee) -> str:
    label = fee.label.said(chosen_language()) or fee.code
    figure = f"{fee.percent} %" if fee.percent else said_yen(fee.amount_yen or 0)
    return f"{label} ({figure})"
