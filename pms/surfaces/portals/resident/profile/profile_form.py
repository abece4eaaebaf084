"""What a resident corrects about themselves, and asks for about who lives with them."""

from typing import Any

from flask_babel import lazy_gettext
from wtforms import Form

from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
)


class ProfileForm(Form):
    """Phone, reading and language; the rest is the office's."""

    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of mails and papers"), [Required()])
    version = HiddenField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)

    @property
    def seen_version(self) -> int | None:
        """The version of the reservation that was read."""
        text = self.version.data or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


class PeopleForm(Form):
    """What should change about who lives there."""

    text = LongTextField(lazy_gettext("What should change?"), [Required()])
