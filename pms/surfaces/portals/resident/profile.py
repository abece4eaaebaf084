"""The resident's profile: contact data, household and open sessions."""

from typing import Any

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals import contacts
from pms.contracts import people_changes
from pms.contracts.contract_people import named_people, people_of_reservation
from pms.reservations import residents
from pms.rules.contract_people import PeopleKind
from pms.rules.enumerations import Locale
from pms.surfaces.fields import (
    ChoiceField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    SeenField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.people_forms import EmergencyContactForm
from pms.surfaces.portals.auth import own_sign_ins, sign_out_elsewhere
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.upkeep import ticket_updates


@blueprint.post("/<reservation_id>/profile/sessions", endpoint="end_other_sessions")
def end_others(reservation_id: str) -> Response:
    """End every other session of this address."""
    address = url_for(".profile", reservation_id=reservation_id)
    return go(address, message=sign_out_elsewhere())


class ResidentProfileForm(FlaskForm):
    """Phone, reading of the name and language; the office changes the rest."""

    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of emails and documents"), [Required()])
    version = SeenField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)


class PeopleForm(FlaskForm):
    """The requested change of the household."""

    text = LongTextField(lazy_gettext("What should we change?"), [Required()])


def _contact_form(reservation_id: str, *, is_sent: bool = False) -> EmergencyContactForm:
    """Return the form of the emergency contact, filled with whom the office has."""
    people_id = people_of_reservation(reading(), reservation_id)
    known = named_people(reading(), people_id).emergency_contact
    form = EmergencyContactForm.of(None if is_sent else known, is_sent=is_sent)
    for field in form:
        # The page has the resident's own phone and reading too.
        field.id = f"contact-{field.id}"
    return form


@blueprint.post("/<reservation_id>/profile/emergency-contact", endpoint="name_emergency_contact")
def name_emergency_contact(reservation_id: str) -> Response:
    """Save whom the office reaches in an emergency; the history of the tenancy has the change."""
    form = _contact_form(reservation_id, is_sent=True)
    return submitted(
        form,
        act=lambda work: people_changes.write_party(
            work,
            people_id=people_changes.hold_people(
                work.session, work.clock, reservation_id=reservation_id
            ),
            kind=PeopleKind.EMERGENCY_CONTACT,
            written=form.written,
        ),
        then=lambda _none: _answer_saved(reservation_id, None),
        again=lambda: _render_profile(
            reservation_id, _profile_form(reservation_id), contact_form=form
        ),
    )


@blueprint.get("/<reservation_id>/profile", endpoint="profile")
def show(reservation_id: str) -> Response:
    """Show the resident's profile."""
    return _render_profile(reservation_id, _profile_form(reservation_id))


def _profile_form(reservation_id: str) -> ResidentProfileForm:
    """Return the form filled with the recorded contact."""
    recorded = contacts.recorded_contact(reading(), reservation_id)
    contact = recorded.contact
    facts = {"phone": contact.phone, "nameKana": contact.name_kana, "locale": contact.locale}
    return ResidentProfileForm(formdata=None, data={**facts, "version": str(recorded.version)})


@blueprint.post("/<reservation_id>/profile", endpoint="change_profile")
def change(reservation_id: str) -> Response:
    """Save phone, reading of the name and language."""
    form = ResidentProfileForm()
    former = own.tenancy(reservation_id).locale
    return submitted(
        form,
        act=lambda work: (
            contacts.correct_own_contact(
                work,
                reservation_id=reservation_id,
                phone=form.phone.data,
                name_kana=form.nameKana.data,
                locale=Locale(form.locale.data),
                expected_version=form.version.seen_value,
            ).locale
        ),
        then=lambda locale: _answer_saved(reservation_id, None if locale == former else locale),
        again=lambda: _render_profile(reservation_id, form),
    )


def _answer_saved(reservation_id: str, language: str | None) -> Response:
    # The chosen language is also used for reading on in this browser.
    return go(
        url_for(".profile", reservation_id=reservation_id, lang=language), message=_("Saved.")
    )


def _render_profile(
    reservation_id: str,
    form: ResidentProfileForm,
    *,
    contact_form: EmergencyContactForm | None = None,
) -> Response:
    return page(
        "portals/resident/profile.html",
        tenancy=own.tenancy(reservation_id),
        form=form,
        contact_form=contact_form or _contact_form(reservation_id),
        people=residents.co_occupants(reading(), reservation_id),
        **own_sign_ins(),
    )


@blueprint.get("/<reservation_id>/profile/people", endpoint="people")
def show_people(reservation_id: str) -> Response:
    """Show the household, with a form to request a change."""
    return _render_people(reservation_id, PeopleForm(formdata=None))


@blueprint.post("/<reservation_id>/profile/people", endpoint="ask_about_people")
def ask(reservation_id: str) -> Response:
    """Send the requested change to the office."""
    form = PeopleForm()
    return submitted(
        form,
        act=lambda work: ticket_updates.open_ticket(
            work,
            reservation_id=reservation_id,
            subject=_("Who lives with me"),
            text=form.text.data,
        ),
        then=lambda ticket_id: go(
            url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id),
            message=_("Sent to the office."),
        ),
        again=lambda: _render_people(reservation_id, form),
    )


def _render_people(reservation_id: str, form: PeopleForm) -> Response:
    return page(
        "portals/resident/people.html",
        tenancy=own.tenancy(reservation_id),
        form=form,
        people=residents.co_occupants(reading(), reservation_id),
    )
