"""The owner's profile: the language of mails and documents, and the open sessions."""

from typing import Any, Final

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.access.own_sessions import end_other_sessions, portal_sessions
from pms.access.sign_in_events import Account, portal_events
from pms.catalogue.owners import choose_owner_language, language_of_owners
from pms.foundation.lists import Paging
from pms.rules.enumerations import Locale
from pms.surfaces.fields import ChoiceField, Required
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.portals.owner import own
from pms.surfaces.portals.owner.blueprint import blueprint
from pms.surfaces.portals.portal import portal, reading
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import doorway, write_of_people
from pms.surfaces.visitor import visitor

_MOST_EVENTS: Final = 8


class LanguageForm(FlaskForm):
    """The language for mails and documents to the owner."""

    locale = ChoiceField(lazy_gettext("Language of emails and documents"), [Required()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)


@blueprint.get("/profile", endpoint="profile")
def show() -> Response:
    """Show the page."""
    return _shown(
        LanguageForm(formdata=None, data={"locale": language_of_owners(reading(), own.owner_ids())})
    )


@blueprint.post("/profile", endpoint="change_profile")
def change() -> Response:
    """Save the language."""
    form = LanguageForm()
    return submitted(
        form,
        act=lambda work: choose_owner_language(
            work, owner_ids=own.owner_ids(), locale=Locale(form.locale.data)
        ),
        # The chosen language is also used for reading on in this browser.
        then=lambda _none: go(url_for(".profile", lang=form.locale.data), message=_("Saved.")),
        again=lambda: _shown(form),
    )


@blueprint.post("/profile/sessions", endpoint="end_other_sessions")
def end_others() -> Response:
    """End every other session of this address."""
    at = portal()
    ended = write_of_people(
        lambda session: end_other_sessions(
            session,
            clock(),
            door=at.door,
            workspace_id=at.workspace_id,
            by=visitor(at.address),
            but=at.session_id,
        )
    )
    message = ngettext(
        "Signed out on %(num)d other device.", "Signed out on %(num)d other devices.", ended
    )
    return go(url_for(".profile"), message=message)


def _shown(form: LanguageForm) -> Response:
    at = portal()
    with doorway().reading() as session:
        sessions = portal_sessions(
            session, clock(), door=at.door, workspace_id=at.workspace_id, address=at.address
        )
        account = Account(at.door, at.workspace_id, at.address)
        sign_ins = portal_events(session, account, Paging(1, _MOST_EVENTS)).events
    return page(
        "portals/owner/profile.html",
        form=form,
        sessions=sessions,
        session_here=at.session_id,
        sign_ins=sign_ins,
    )
