"""Following an invitation: somebody new sets up an account, somebody known joins."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound as NoPage

from pms.access.accept_invitation import NewPerson, accept_invitation
from pms.access.open_invitations import NamedInvitation, named_invitation
from pms.foundation.errors import NotFound, Refused
from pms.surfaces.doors.arriving import arrive
from pms.surfaces.doors.invitation_form import NewPersonForm
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.refusal_wording import said
from pms.surfaces.signed_in import doorway
from pms.surfaces.visitor import visitor


def show(token: str) -> Response:
    """The page an invitation's link opens."""
    return _page(token, _named(token), NewPersonForm())


def accept(token: str) -> Response:
    """Take the place."""
    named, form = _named(token), NewPersonForm(request.form)
    if named is None or (not named.is_known and not form.validate()):
        return _page(token, named, form, status=UNACCEPTED)
    try:
        opened = accept_invitation(
            doorway(), token, _new(named, form), visitor=visitor(named.email)
        )
    except NotFound:
        return _page(token, None, form, status=UNACCEPTED)
    except Refused as refusal:
        field = form._fields.get(refusal.field or "", form.newPassword)
        field.errors = [said(refusal, with_field=False)]
        return _page(token, named, form, status=UNACCEPTED)
    if opened is not None:
        return arrive(opened, None)
    told = _("You have joined %(workspace)s. Sign in as always.", workspace=_workspace(named))
    return go(url_for("doors.sign_in", email=named.email), said=told)


def _new(named: NamedInvitation, form: NewPersonForm) -> NewPerson | None:
    if named.is_known:
        return None
    return NewPerson(form.name.data or "", form.newPassword.data or "", chosen_language())


def _named(token: str) -> NamedInvitation | None:
    if len(token) > 400:
        raise NoPage
    with doorway().reading() as session:
        return named_invitation(session, doorway().clock, doorway().sealer, token)


def _workspace(named: NamedInvitation) -> str:
    english = named.workspace_name_en if chosen_language() == "en" else None
    return english or named.workspace_name


def _page(
    token: str, named: NamedInvitation | None, form: NewPersonForm, *, status: int = 200
) -> Response:
    response = page(
        "doors/invitation.html",
        form=form,
        invitation=named,
        workspace=_workspace(named) if named else None,
        token=token,
    )
    response.status_code = status if named else 410
    # The link is a secret: no page it leads to is told where one came from.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
