"""The entries of one guest, and the passport photo that may replace some of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.datastructures import FileStorage, MultiDict
from wtforms import FileField
from wtforms.validators import StopValidation

from pms.catalogue.photos import LARGEST_BYTES, plain_picture
from pms.foundation.errors import Refused
from pms.rules.check_in import GuestFacts, missing_entries
from pms.rules.enumerations import RegisterField
from pms.surfaces.fields import PickField, Required, TextField
from pms.surfaces.forms import LinkForm
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.refusals import refusal_text

YES: Final = "yes"
NO: Final = "no"


class PassportForm(LinkForm):
    """A photo of the passport's picture page; `picture` holds it after validation."""

    passport = FileField(_("Photo of the passport"))
    picture: bytes | None = None
    needs_one = True

    @classmethod
    def of(cls, photo: FileStorage | None) -> Self:
        """Return the form with the uploaded file, if any."""
        form = cls(formdata=None)
        form.passport.data = photo
        return form

    def validate_passport(self, field: FileField) -> None:
        """Check the file itself, once; an invalid picture gets an error."""
        if not getattr(field.data, "filename", ""):
            if self.needs_one:
                raise StopValidation(gettext("Choose a photo."))
            return
        if self.picture is not None:
            return
        content = field.data.read(LARGEST_BYTES + 1)
        try:
            self.picture = plain_picture(content)
        except Refused as problem:
            raise StopValidation(f"{field.data.filename[:60]}: {refusal_text(problem)}") from None


class GuestForm(PassportForm):
    """One guest; where they live decides which entries the register requires."""

    livesInJapan = PickField(_("Do you live in Japan?"), [Required()])
    name = TextField(_("Full name"))
    nationality = TextField(_("Nationality"))
    passportNumber = TextField(_("Passport number"))
    address = TextField(_("Home address"))
    contact = TextField(_("Phone or email"))

    needs_one = False
    asked: Sequence[RegisterField] = ()
    has_copy = False
    has_new_copy = False

    @property
    def facts(self) -> GuestFacts:
        """The entered values, as the register takes them."""
        return GuestFacts(
            name=self.name.data,
            lives_in_japan=self.livesInJapan.data == YES,
            address=self.address.data,
            contact=self.contact.data,
            nationality=self.nationality.data,
            passport_number=self.passportNumber.data,
            has_passport_copy=self.has_copy or self.picture is not None,
            extras={one.value: self[one.value].data or "" for one in self.asked},
        )

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Mark each entry that the register requires and that is missing."""
        is_valid = super().validate(extra_validators)
        if self.livesInJapan.data in (YES, NO):
            for name in missing_entries(self.facts, self.asked):
                self[name].errors = [*self[name].errors, gettext("Please fill this in.")]
                is_valid = False
        return bool(is_valid)


def guest_form(
    asked: Sequence[RegisterField],
    *,
    given: MultiDict[str, str] | None = None,
    photo: FileStorage | None = None,
    has_copy: bool = False,
    facts: GuestFacts | None = None,
) -> GuestForm:
    """Return the form, including the extra entries that the workspace asks for."""
    extras = {one.value: TextField(label_of(one)) for one in asked}
    made = type("AskedGuestForm", (GuestForm,), {**extras, "asked": tuple(asked)})
    form: GuestForm = made(given, data=_data(facts) if facts else None)
    form.livesInJapan.choices = [(NO, gettext("No")), (YES, gettext("Yes"))]
    form.passport.data = photo
    form.has_copy = has_copy
    return form


def _data(facts: GuestFacts) -> dict[str, Any]:
    return {
        **facts.extras,
        "livesInJapan": YES if facts.lives_in_japan else NO,
        "name": facts.name,
        "nationality": facts.nationality,
        "passportNumber": facts.passport_number,
        "address": facts.address,
        "contact": facts.contact,
    }
