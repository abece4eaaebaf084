"""How a resident is reached: phone, reading and language are theirs to correct."""

from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.portal_sessions import portal_sessions
from pms.access.sign_in_events import Account, portal_events
from pms.arrivals.correct_own_contact import correct_own_contact
from pms.arrivals.recorded_contact import recorded_contact
from pms.foundation.paging import Paging
from pms.reservations.co_occupants import co_occupants
from pms.rules.enumerations import Locale
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, portal, reading, submitted
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.profile.profile_form import ProfileForm
from pms.surfaces.signed_in import doorway

_MOST_EVENTS: Final = 8


def show(reservation_id: str) -> Response:
    """Show the resident's own page."""
    recorded = recorded_contact(reading(), reservation_id)
    contact = recorded.contact
    facts = {"phone": contact.phone, "nameKana": contact.name_kana, "locale": contact.locale}
    return _shown(reservation_id, ProfileForm(data={**facts, "version": str(recorded.version)}))


def change(reservation_id: str) -> Response:
    """Correct phone, reading and language."""
    form = ProfileForm(request.form)
    former = own.tenancy(reservation_id).locale
    return submitted(
        form,
        act=lambda session: (
            correct_own_contact(
                session,
                clock(),
                own.actor(),
                reservation_id=reservation_id,
                phone=form.phone.data,
                name_kana=form.nameKana.data,
                locale=Locale(form.locale.data),
                expected_version=form.seen_version,
            ).locale
        ),
        then=lambda locale: _saved(reservation_id, None if locale == former else locale),
        again=lambda: _shown(reservation_id, form),
    )


def _saved(reservation_id: str, language: str | None) -> Response:
    # A language just chosen is the one to read on in, also in this browser.
    return go(url_for(".profile", reservation_id=reservation_id, lang=language), said=_("Saved."))


def _shown(reservation_id: str, form: ProfileForm) -> Response:
    at = portal()
    with doorway().reading() as session:
        sessions = portal_sessions(
            session, clock(), door=at.door, workspace_id=at.workspace_id, address=at.address
        )
        account = Account(at.door, at.workspace_id, at.address)
        sign_ins = portal_events(session, account, Paging(1, _MOST_EVENTS)).events
    return page(
        "portals/resident/profile.html",
        tenancy=own.tenancy(reservation_id),
        form=form,
        people=co_occupants(reading(), reservation_id),
        sessions=sessions,
        session_here=at.session_id,
        sign_ins=sign_ins,
    )
