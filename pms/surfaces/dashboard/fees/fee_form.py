"""What is typed of a fee."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import FeeCategory, FeeTiming, TaxTreatment
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    Optional,
    PercentField,
    PickField,
    Required,
    TextField,
    YenField,
)
from pms.workspaces.written_fee import WrittenFee


class FeeForm(Form):
    """A fee of the catalogue; its code is asked for once."""

    labelJa = TextField(_("Label in Japanese"), [Optional()])
    labelEn = TextField(_("Label in English"), [Optional()])
    category = ChoiceField(_("Profit-and-loss category"), [Required()])
    timing = PickField(_("Charged"), [Required()], default=FeeTiming.MONTHLY.value)
    amountYen = YenField(_("Amount (yen)"), [Optional()])
    percent = PercentField(_("or percent"), [Optional()])
    taxTreatment = PickField(_("Tax"), [Required()], default=TaxTreatment.EXEMPT.value)

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.category.choices = choices(FeeCategory)
        self.timing.choices = choices(FeeTiming)
        self.taxTreatment.choices = choices(TaxTreatment)

    @classmethod
    def of(cls, fee: WrittenFee) -> Self:
        """Return the form that shows a fee."""
        return cls(
            labelJa=fee.label_ja,
            labelEn=fee.label_en,
            category=fee.category.value,
            timing=(FeeTiming.MONTHLY if fee.is_monthly else FeeTiming.ONE_TIME).value,
            amountYen=fee.amount_yen,
            percent=fee.percent,
            taxTreatment=fee.tax_treatment.value,
        )

    @property
    def written(self) -> WrittenFee:
        """What was typed, as the catalogue takes it."""
        return WrittenFee(
            self.labelJa.data,
            self.labelEn.data,
            FeeCategory(self.category.data),
            self.timing.data == FeeTiming.MONTHLY,
            self.amountYen.data,
            self.percent.data,
            TaxTreatment(self.taxTreatment.data),
        )


class NewFeeForm(FeeForm):
    """A new fee, with the code it keeps for good."""

    code = TextField(_("Code"), [Required()])
