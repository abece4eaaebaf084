"""The form that posts a charge, prefilled from the fee catalogue."""

from collections.abc import Sequence
from typing import Any, Self

from flask_babel import gettext, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.foundation.bilingual import Bilingual
from pms.foundation.wording import said_yen
from pms.ledger.chargeable_fees import ChargeableFee
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.reader_choice import chosen_language


class ChargeForm(Form):
    """One item billed once."""

    feeCode = ChoiceField(lazy_gettext("Fee of the catalogue"), [Optional()])
    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    labelJa = TextField(lazy_gettext("What for, in Japanese"), [Required()])
    labelEn = TextField(lazy_gettext("What for, in English"), [Optional()])
    category = ChoiceField(lazy_gettext("Category"), [Required()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Required()])
    dueOn = DayField(lazy_gettext("Due on"), [Required()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @classmethod
    def of(
        cls, fees: Sequence[ChargeableFee], typed: MultiDict[str, str] | None, **given: Any
    ) -> Self:
        """Return the form with the one-time fees to choose from."""
        form = cls(typed, **given)
        form.feeCode.choices = [("", gettext("None, a charge of its own")), *map(_offered, fees)]
        form.category.choices = choices(FeeCategory)
        form.taxTreatment.choices = choices(TaxTreatment)
        return form

    @property
    def category_words(self) -> str:
        """The words of the category that is chosen."""
        return next((text for word, text in choices(FeeCategory) if word == self.category.data), "")

    @property
    def label(self) -> Bilingual:
        """What the charge is for, in both languages where both were given."""
        return Bilingual(self.labelJa.data, self.labelEn.data)


def filled_from(fee: ChargeableFee) -> dict[str, Any]:
    """Return what a fee of the catalogue fills in; all but its category can be changed."""
    return {
        "feeCode": fee.code,
        "amountYen": fee.yen,
        "labelJa": fee.label.ja,
        "labelEn": fee.label.en,
        "category": fee.category.value,
        "taxTreatment": fee.tax_treatment.value,
    }


def _offered(fee: ChargeableFee) -> tuple[str, str]:
    label = fee.label.said(chosen_language()) or fee.code
    return fee.code, label if fee.yen is None else f"{label} ({said_yen(fee.yen)})"
