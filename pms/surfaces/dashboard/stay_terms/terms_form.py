"""What is typed of how guests are taken in."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import RegisterField
from pms.stays.set_stay_terms import NUMBERS, StatedTerms
from pms.stays.stay_terms import Terms
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    FlagField,
    LongTextField,
    ManyField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
)


def _number(name: str, label: object) -> WholeNumberField:
    _field, least, most = NUMBERS[name]
    return WholeNumberField(label, [Required()], least=least, most=most)


class TermsForm(Form):
    """Times, what opens the codes, what the register asks, and the rules of the house."""

    checkInTime = TextField(_("Check-in from"), [Required()])
    checkOutTime = TextField(_("Check-out by"), [Required()])
    releaseMinutes = _number("release_minutes", _("Codes are shown before the check-in (minutes)"))
    codesNeedRegister = FlagField(_("Codes need a complete register"))
    wantsPassportCopy = FlagField(_("Ask guests from abroad for a photo of the passport"))
    registerFields = ManyField(_("The register also asks for"), [Optional()])
    registerKeptYears = _number("register_kept_years", _("The register is kept (years)"))
    rulesJa = LongTextField(_("Rules of the house in Japanese"), [Optional()])
    rulesEn = LongTextField(_("Rules of the house in English"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.registerFields.choices = choices(RegisterField)

    @classmethod
    def of(cls, terms: Terms) -> Self:
        """Return the form that shows the terms."""
        return cls(
            data={
                "checkInTime": terms.check_in_time,
                "checkOutTime": terms.check_out_time,
                "releaseMinutes": terms.release_minutes,
                "codesNeedRegister": terms.codes_need_register,
                "wantsPassportCopy": terms.wants_passport_copy,
                "registerFields": [one.value for one in terms.register_fields],
                "registerKeptYears": terms.register_kept_years,
                "rulesJa": terms.rules.ja,
                "rulesEn": terms.rules.en,
            }
        )

    @property
    def stated(self) -> StatedTerms:
        """What was typed, as the use case takes it."""
        return {
            "check_in_time": self.checkInTime.data,
            "check_out_time": self.checkOutTime.data,
            "release_minutes": self.releaseMinutes.data,
            "codes_need_register": self.codesNeedRegister.data,
            "wants_passport_copy": self.wantsPassportCopy.data,
            "register_fields": self.registerFields.data or [],
            "register_kept_years": self.registerKeptYears.data,
            "rules_ja": self.rulesJa.data,
            "rules_en": self.rulesEn.data,
        }
