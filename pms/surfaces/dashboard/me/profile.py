"""A person's own page: who they are here, how they get in, where they are signed in."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.change_profile import change_profile as change_profile_verb
from pms.access.own_sessions import own_doors, own_sessions
from pms.access.sign_in_events import own_events
from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import clock, desk
from pms.surfaces.dashboard.me.acting import acted
from pms.surfaces.dashboard.me.own_form import ProfileForm
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import doorway, signed_in, write_of_people

_MOST_SESSIONS: Final = 12
_MOST_EVENTS: Final = 8


@dashboard.get("/me", roles=EVERYBODY)
def me() -> Response:
    """Show the page."""
    with doorway().reading() as session:
        own = own_doors(session, desk().person_id)
    return _page(ProfileForm(data={"name": own.name, "locale": own.locale}))


@dashboard.post("/me", roles=EVERYBODY)
def change_profile() -> Response:
    """Change name and language."""
    form = ProfileForm(request.form)
    return acted(
        form,
        act=lambda: _change(form),
        then=lambda locale: go(url_for("dashboard.me", lang=locale), said=_("Saved.")),
        again=lambda: _page(form),
    )


@dashboard.get("/me/sign-ins", roles=EVERYBODY)
def own_sign_ins() -> Response:
    """Show everything that is kept of the person's own sign-ins."""
    paging = asked_paging()
    with doorway().reading() as session:
        found = own_events(session, desk().person_id, paging)
    return page("dashboard/me/sign_ins.html", sign_ins=found, paging=paging)


def _change(form: ProfileForm) -> str:
    person = write_of_people(
        lambda session: change_profile_verb(
            session, desk().person_id, name=form.name.data or "", locale=form.locale.data or ""
        )
    )
    return person.locale


def _page(form: ProfileForm) -> Response:
    person = signed_in()
    this_one = person.session_id if person else None
    with doorway().reading() as session:
        sessions = own_sessions(session, clock(), desk().person_id)
        return page(
            "dashboard/me/page.html",
            form=form,
            own=own_doors(session, desk().person_id),
            sessions=sorted(sessions, key=lambda one: one.id != this_one)[:_MOST_SESSIONS],
            total=len(sessions),
            session_id=this_one,
            sign_ins=own_events(session, desk().person_id, Paging(1, _MOST_EVENTS)),
        )
