"""What the office types of an offer."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Self, TypedDict

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.foundation.bilingual import Bilingual
from pms.offers.create_reservation_link import MOST_VALID_DAYS, USUAL_VALID_DAYS
from pms.offers.template_choices import TemplateChoice
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.days import read_day, readable
from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    HiddenField,
    Optional,
    PercentField,
    PickField,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)

_LABEL: Final = Bilingual("割引", "Discount")


class Offered(TypedDict):
    """What a valid form says, as the use case takes it."""

    unit_id: str
    move_in_on: date
    contract_end_on: date | None
    name: str | None
    email: str | None
    locale: str
    discount: AgreedDiscount | None
    template_id: str | None
    enquiry_id: str | None
    place_id: str | None
    valid_days: int


class OfferForm(Form):
    """From when until when, for whom, with which discount and document, and how long it is open."""

    unitId = HiddenField()
    enquiryId = HiddenField()
    placeId = HiddenField()
    moveInDate = DayField(_("Move-in"), [Required()])
    contractEndDate = DayField(_("Contract end"), [Optional()])
    name = TextField(_("Name"), [Optional()])
    email = EmailField(_("E-mail"), [Optional()])
    locale = PickField(_("Language of the page"), [Required()])
    validDays = WholeNumberField(
        _("Open for so many days"), [Required()], least=1, most=MOST_VALID_DAYS
    )
    templateId = ChoiceField(_("Contract"), [Optional()])
    discountPercent = PercentField(_("Discount in percent"), [Optional()])
    discountYen = YenField(_("Discount (yen a month)"), [Optional()], minimum_yen=1)
    discountLabel = TextField(_("Name of the discount"), [Optional()])
    discountOnce = FlagField(_("For the first billed period only"))
    minimumStayDays = WholeNumberField(
        _("Minimum stay in days that earns it"), [Optional()], most=3_660
    )

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    @classmethod
    def known(cls, asked: Mapping[str, str], usual_on: date, usual_end_on: date) -> Self:
        """Return the form filled in with what led here: a place, an enquiry, a day."""
        move_in_on = readable(read_day(asked.get("moveInDate"))) or usual_on
        end_on = readable(read_day(asked.get("contractEndDate"))) or usual_end_on
        locale = asked.get("locale")
        return cls(
            data={
                "unitId": asked.get("unitId"),
                "enquiryId": asked.get("enquiryId"),
                "placeId": asked.get("placeId"),
                "name": asked.get("name"),
                "email": asked.get("email"),
                "moveInDate": move_in_on,
                "contractEndDate": end_on,
                "locale": locale if locale in set(Locale) else Locale.JA.value,
                "validDays": USUAL_VALID_DAYS,
            }
        )

    def offer_templates(self, templates: Sequence[TemplateChoice], usual: str) -> None:
        """Give the form the templates in use; without a choice it is the workspace's usual one."""
        self.templateId.choices = [("", usual), *templates]

    @property
    def agreed(self) -> AgreedDiscount | None:
        """The discount, if a figure is stated."""
        if not (self.discountPercent.data or self.discountYen.data):
            return None
        label = self.discountLabel.data
        return AgreedDiscount(
            Bilingual(label, label) if label else _LABEL,
            percent=self.discountPercent.data or None,
            monthly_yen=self.discountYen.data or None,
            is_recurring=not self.discountOnce.data,
            minimum_stay_days=self.minimumStayDays.data or 0,
        )

    @property
    def offered(self) -> Offered:
        """What was typed, as the use case takes it."""
        return Offered(
            unit_id=self.unitId.data or "",
            move_in_on=self.moveInDate.data,
            contract_end_on=self.contractEndDate.data,
            name=self.name.data,
            email=self.email.data,
            locale=self.locale.data or Locale.JA.value,
            discount=self.agreed,
            template_id=self.templateId.data or None,
            enquiry_id=self.enquiryId.data or None,
            place_id=self.placeId.data or None,
            valid_days=self.validDays.data or USUAL_VALID_DAYS,
        )
