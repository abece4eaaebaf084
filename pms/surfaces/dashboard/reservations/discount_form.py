"""A discount as the office types it: a percentage or yen a month, and the stay that earns it."""

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form, ValidationError

from pms.foundation.bilingual import Bilingual
from pms.pricing.agreed_price import AgreedDiscount
from pms.surfaces.fields import (
    ChoiceField,
    FlagField,
    Optional,
    PercentField,
    TextField,
    WholeNumberField,
    YenField,
)

PERCENT, YEN = "percent", "yen"
_LABEL = Bilingual("割引", "Discount")


class DiscountForm(Form):
    """Frozen with the price once it is booked."""

    discount = ChoiceField(
        lazy_gettext("Discount on the base rent"),
        choices=(
            ("", lazy_gettext("None")),
            (PERCENT, lazy_gettext("Percentage")),
            (YEN, lazy_gettext("Yen a month")),
        ),
    )
    discountPercent = PercentField(lazy_gettext("Discount in percent"), [Optional()])
    discountYen = YenField(lazy_gettext("Discount (yen a month)"), [Optional()], minimum_yen=1)
    discountLabel = TextField(lazy_gettext("Name of the discount"), [Optional()])
    discountOnce = FlagField(lazy_gettext("For the first billed period only"))
    minimumStayDays = WholeNumberField(
        lazy_gettext("Minimum stay in days that earns it"), [Optional()], most=3_660
    )

    def validate_discount(self, field: ChoiceField) -> None:
        """A chosen discount has its figure."""
        if self._figure_is_missing:
            raise ValidationError(_("State how much the discount is."))

    @property
    def agreed(self) -> AgreedDiscount | None:
        """The discount, if one is agreed."""
        if not self.discount.data or self._figure_is_missing:
            return None
        is_percent = self.discount.data == PERCENT
        label = self.discountLabel.data
        return AgreedDiscount(
            Bilingual(label, label) if label else _LABEL,
            percent=self.discountPercent.data if is_percent else None,
            monthly_yen=None if is_percent else self.discountYen.data,
            is_recurring=not self.discountOnce.data,
            minimum_stay_days=self.minimumStayDays.data or 0,
        )

    @property
    def _figure_is_missing(self) -> bool:
        figures = {PERCENT: self.discountPercent.data, YEN: self.discountYen.data}
        return bool(self.discount.data) and not figures.get(self.discount.data)
