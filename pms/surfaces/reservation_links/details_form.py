"""What an applicant types of themselves."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.offers.opened_link import OpenedOffer
from pms.offers.stated_details import StatedDetails
from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    DayField,
    EmailField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    PickField,
    Required,
    TextField,
)
from pms.surfaces.reader_choice import chosen_language


class DetailsForm(Form):
    """Who moves in, how they are reached, when they arrive, who comes along."""

    name = TextField(_("Your full name"), [Required()])
    nameKana = KanaField(_("Reading of your name (kana)"), [Optional()])
    email = EmailField(_("E-mail"), [Required()])
    phone = PhoneField(_("Phone"), [Required()])
    arrivalDate = DayField(_("Day you arrive, if later"), [Optional()])
    coOccupants = LongTextField(_("Who moves in with you"), [Optional()])
    locale = PickField(_("Language of mails and papers"), [Required()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    @classmethod
    def known(cls, offer: OpenedOffer) -> Self:
        """Return the form with what was typed before, else with what the office knows."""
        stated = offer.details
        if stated is None:
            known = {"name": offer.name, "email": offer.email, "locale": chosen_language()}
            return cls(data=known)
        return cls(
            data={
                "name": stated.name,
                "nameKana": stated.name_kana,
                "email": stated.email,
                "phone": stated.phone,
                "arrivalDate": stated.arrival_on,
                "coOccupants": "\n".join(stated.co_occupants),
                "locale": stated.locale.value,
            }
        )

    @property
    def stated(self) -> StatedDetails:
        """What a valid form says."""
        lines = (self.coOccupants.data or "").splitlines()
        return StatedDetails(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            email=self.email.data,
            phone=self.phone.data,
            arrival_on=self.arrivalDate.data,
            co_occupants=tuple(line.strip() for line in lines if line.strip()),
            locale=Locale(self.locale.data or Locale.JA),
        )
