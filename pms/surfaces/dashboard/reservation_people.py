"""The people of a reservation: the contract holder's contact data, and the co-occupants."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import FieldList, Form, FormField

from pms.arrivals import co_occupants, contacts, reservation_headers, reservation_record
from pms.arrivals.contacts import HolderContact
from pms.foundation.work import Work
from pms.reservations.residents import MOST_CO_OCCUPANTS, NamedPerson
from pms.rules.enumerations import Locale, ReservationKind
from pms.surfaces.dashboard.contract_people import people_of_tenancy
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import KanaField, Optional, SeenField, TextField
from pms.surfaces.forms import RecipientForm, submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import today

_FREE_ROWS = 2


class ContactForm(RecipientForm):
    """The contact data of the contract holder."""

    @classmethod
    def of(cls, contact: HolderContact) -> Self:
        """Return the form filled with the recorded contact."""
        return cls(formdata=None, data={**asdict(contact), "nameKana": contact.name_kana})

    @property
    def contact(self) -> HolderContact:
        """The typed contact data."""
        return HolderContact(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            email=self.email.data,
            phone=self.phone.data,
            locale=Locale(self.locale.data),
            note=self.note.data,
        )


class ReservationPersonForm(Form):
    """One person; a row without a name is ignored."""

    name = TextField(lazy_gettext("Name"), [Optional()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])


class CoOccupantsForm(FlaskForm):
    """The co-occupants of the contract, in order."""

    version = SeenField()
    coOccupants = FieldList(FormField(ReservationPersonForm), max_entries=MOST_CO_OCCUPANTS)

    @classmethod
    def of(cls, people: Iterable[NamedPerson], version: int) -> Self:
        """Return the form with the recorded people and some empty rows."""
        form = cls(formdata=None, data={"version": version})
        for person in people:
            form.coOccupants.append_entry({"name": person.name, "nameKana": person.name_kana})
        form.make_room()
        return form

    def make_room(self) -> None:
        """Add empty rows, up to the largest number of co-occupants."""
        free = MOST_CO_OCCUPANTS - len(self.coOccupants.entries)
        for _row in range(min(_FREE_ROWS, free)):
            self.coOccupants.append_entry({})

    @classmethod
    def from_typed(cls, given: MultiDict[str, str]) -> Self:
        """Return the form as it was sent."""
        return cls(given)

    @property
    def people(self) -> list[NamedPerson]:
        """The people with a name; a row with only a reading is ignored."""
        rows = (row.form for row in self.coOccupants.entries)
        return [NamedPerson(row.name.data, row.nameKana.data) for row in rows if row.name.data]


@dashboard.get("/reservations/<reservation_id>/people", roles=OFFICE)
def reservation_people(reservation_id: str) -> Response:
    """Show the forms of the contact data and the co-occupants."""
    return _render_people(reservation_id)


@dashboard.post("/reservations/<reservation_id>/contact", roles=OFFICE)
def change_contact(reservation_id: str) -> Response:
    """Save the contact data, merged with changes that others saved meanwhile."""
    form = ContactForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> None:
        recorded = contacts.recorded_contact(work.session, reservation_id)
        now = Edit.of(ContactForm.of(recorded.contact), recorded.version)
        edit.merge(work, now, subject=("reservation", reservation_id))
        contacts.change_contact(
            work,
            reservation_id=reservation_id,
            contact=form.contact,
            expected_version=recorded.version,
        )

    return submitted(
        form,
        act=act,
        then=lambda _row: _answer_saved(reservation_id, edit.message(_("Saved."))),
        again=lambda: _render_people(reservation_id, edit=edit),
    )


@dashboard.post("/reservations/<reservation_id>/co-occupants", roles=OFFICE)
def name_co_occupants(reservation_id: str) -> Response:
    """Save the co-occupants."""
    form = CoOccupantsForm.from_typed(request.form)
    return submitted(
        form,
        act=lambda work: co_occupants.name_co_occupants(
            work,
            reservation_id=reservation_id,
            people=form.people,
            expected_version=form.version.seen_value,
        ),
        then=lambda _people: _answer_saved(reservation_id, _("Saved.")),
        again=lambda: _render_people(reservation_id, people_form=form),
    )


def _answer_saved(reservation_id: str, text: str) -> Response:
    return go(url_for("dashboard.reservation_people", reservation_id=reservation_id), message=text)


def _render_people(
    reservation_id: str, edit: Edit | None = None, people_form: CoOccupantsForm | None = None
) -> Response:
    recorded = contacts.recorded_contact(reading(), reservation_id)
    edit = edit or Edit.of(ContactForm.of(recorded.contact), recorded.version)
    people = reservation_record.people_of(reading(), reservation_id)
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/people.html",
        tab="reservation_people",
        edit=edit,
        form=edit.form,
        people_form=people_form or CoOccupantsForm.of(people, recorded.version),
        header=header,
        people=None if header.kind is ReservationKind.GUEST else people_of_tenancy(reservation_id),
    )
