"""What is written of an owner, in one form for a new one and for an edit."""

from dataclasses import asdict
from typing import Any, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.written_facts import WrittenOwner
from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    EmailField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
)


class OwnerForm(Form):
    """The facts of an owner; the address is what the portal lets in by."""

    name = TextField(_("Name"), [Required()])
    nameKana = KanaField(_("Reading (kana)"), [Optional()])
    email = EmailField(_("E-mail"), [Optional()])
    phone = PhoneField(_("Phone"), [Optional()])
    locale = ChoiceField(_("Language of mails and papers"), [Required()])
    note = LongTextField(_("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)

    @classmethod
    def of(cls, written: WrittenOwner) -> Self:
        """Return the form as the owner is recorded."""
        return cls(
            data={
                **asdict(written),
                "nameKana": written.name_kana,
                "locale": written.locale.value,
            }
        )

    @property
    def written(self) -> WrittenOwner:
        """What a valid form says."""
        return WrittenOwner(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            email=self.email.data,
            phone=self.phone.data,
            locale=Locale(self.locale.data),
            note=self.note.data,
        )
