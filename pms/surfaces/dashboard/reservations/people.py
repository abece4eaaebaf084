"""The people of a reservation: the contract holder's contact data, and who lives there too."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.change_contact import change_contact as change_contact_verb
from pms.arrivals.recorded_contact import recorded_contact
from pms.arrivals.reservation_facts import people_of
from pms.foundation.tenancy import WorkspaceSession
from pms.reservations.name_co_occupants import name_co_occupants as name_co_occupants_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.people_form import ContactForm, CoOccupantsForm
from pms.surfaces.hypermedia import go


@dashboard.get("/reservations/<reservation_id>/people", roles=OFFICE)
def reservation_people(reservation_id: str) -> Response:
    """Show everybody, ready to be corrected."""
    return _shown(reservation_id)


@dashboard.post("/reservations/<reservation_id>/contact", roles=OFFICE)
def change_contact(reservation_id: str) -> Response:
    """Correct the contact data; what somebody else changed meanwhile stays unless it crosses."""
    form = ContactForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> None:
        recorded = recorded_contact(session, reservation_id)
        now = Edit.of(ContactForm.of(recorded.contact), recorded.version)
        edit.merge(session, now, subject=("reservation", reservation_id))
        change_contact_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            contact=form.contact,
            expected_version=recorded.version,
        )

    return submitted(
        form,
        act=act,
        then=lambda _row: _saved(reservation_id, edit.said(_("Saved."))),
        again=lambda: _shown(reservation_id, edit=edit),
    )


@dashboard.post("/reservations/<reservation_id>/co-occupants", roles=OFFICE)
def name_co_occupants(reservation_id: str) -> Response:
    """Name everybody who lives there besides the contract holder."""
    form = CoOccupantsForm.typed(request.form)
    return submitted(
        form,
        act=lambda session: name_co_occupants_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            people=form.people,
            expected_version=form.seen_version,
        ),
        then=lambda _people: _saved(reservation_id, _("Saved.")),
        again=lambda: _shown(reservation_id, people_form=form),
    )


def _saved(reservation_id: str, said: str) -> Response:
    return go(url_for("dashboard.reservation_people", reservation_id=reservation_id), said=said)


def _shown(
    reservation_id: str, edit: Edit | None = None, people_form: CoOccupantsForm | None = None
) -> Response:
    recorded = recorded_contact(reading(), reservation_id)
    edit = edit or Edit.of(ContactForm.of(recorded.contact), recorded.version)
    people = people_of(reading(), reservation_id)
    return framed(
        reservation_id,
        "dashboard/reservations/people.html",
        tab="reservation_people",
        edit=edit,
        form=edit.form,
        people_form=people_form or CoOccupantsForm.of(people, recorded.version),
    )
