"""Who a reservation is with, how they are reached, and who lives with them."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Self

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import FieldList, Form, FormField

from pms.arrivals.contact import Contact
from pms.reservations.name_co_occupants import MOST_CO_OCCUPANTS, NamedPerson
from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    EmailField,
    HiddenField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
)

_FREE_ROWS = 2


class ContactForm(Form):
    """The contract holder."""

    name = TextField(lazy_gettext("Name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    email = EmailField(lazy_gettext("E-mail"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of mails and papers"), [Required()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)

    @classmethod
    def of(cls, contact: Contact) -> Self:
        """Return the form as the contact is recorded."""
        return cls(data={**asdict(contact), "nameKana": contact.name_kana})

    @property
    def contact(self) -> Contact:
        """What is wanted."""
        return Contact(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            email=self.email.data,
            phone=self.phone.data,
            locale=Locale(self.locale.data),
            note=self.note.data,
        )


class PersonForm(Form):
    """One person; a row without a name is nobody."""

    name = TextField(lazy_gettext("Name"), [Optional()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])


class CoOccupantsForm(Form):
    """Everybody on the contract beside its holder, in their order."""

    version = HiddenField()
    coOccupants = FieldList(FormField(PersonForm), max_entries=MOST_CO_OCCUPANTS)

    @classmethod
    def of(cls, people: Iterable[NamedPerson], version: int) -> Self:
        """Return the form with the people there are, and room for more."""
        form = cls(data={"version": version})
        for person in people:
            form.coOccupants.append_entry({"name": person.name, "nameKana": person.name_kana})
        form.make_room()
        return form

    def make_room(self) -> None:
        """Add empty rows for those to come."""
        free = MOST_CO_OCCUPANTS - len(self.coOccupants.entries)
        for _row in range(min(_FREE_ROWS, free)):
            self.coOccupants.append_entry({})

    @classmethod
    def typed(cls, given: MultiDict[str, str]) -> Self:
        """Return the form as it was typed."""
        return cls(given)

    @property
    def people(self) -> list[NamedPerson]:
        """Who is named; a reading alone names nobody."""
        rows = (row.form for row in self.coOccupants.entries)
        return [NamedPerson(row.name.data, row.nameKana.data) for row in rows if row.name.data]

    @property
    def seen_version(self) -> int | None:
        """The version of the reservation the names were changed on."""
        text = str(self.version.data or "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
