"""What is typed of a link for a contractor."""

from datetime import date, timedelta
from typing import Any, Final, Self, TypedDict

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    DayField,
    Optional,
    PhoneField,
    PickField,
    Required,
    TextField,
    YenField,
)
from pms.upkeep.share_links import SharedLink

_USUAL_DAYS: Final = timedelta(days=30)


class Shared(TypedDict):
    """What a valid form says, as the use case takes it."""

    contractor_name: str | None
    contractor_phone: str | None
    locale: str
    hourly_yen: int | None
    expires_on: date | None


class ShareForm(Form):
    """Who works through the link, until when, at what price of an hour."""

    contractorName = TextField(_("Contractor"), [Required()])
    contractorPhone = PhoneField(_("Phone of the contractor"), [Optional()])
    locale = PickField(_("Language of the page"), [Required()], default=Locale.JA.value)
    expiresOn = DayField(_("Open through"), [Optional()])
    hourlyYen = YenField(_("Price of an hour (yen)"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    @classmethod
    def empty(cls, today: date) -> Self:
        """Return the form of a first link: it ends by itself unless one says otherwise."""
        return cls(data={"expiresOn": today + _USUAL_DAYS, "locale": Locale.JA.value})

    @classmethod
    def again(cls, link: SharedLink, today: date) -> Self:
        """Return the form of a link in the place of another."""
        return cls(
            data={
                "contractorName": link.contractor_name,
                "contractorPhone": link.contractor_phone,
                "locale": link.locale,
                "hourlyYen": link.hourly_yen,
                "expiresOn": today + _USUAL_DAYS,
            }
        )

    @property
    def shared(self) -> Shared:
        """What was typed, as the use case takes it."""
        return Shared(
            contractor_name=self.contractorName.data,
            contractor_phone=self.contractorPhone.data,
            locale=self.locale.data or Locale.JA.value,
            hourly_yen=self.hourlyYen.data,
            expires_on=self.expiresOn.data,
        )
