"""Links that give access: invitations, mailed sign-in links, and the second factor after them."""

from flask import Response, current_app, request, session, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.exceptions import NotFound as NoPage

from pms.access import code_sign_in, invitations, own_sessions, second_factors
from pms.access.invitations import NamedInvitation, NewPerson
from pms.access.session_openings import OpenedSession
from pms.access.sessions import FoundSession
from pms.foundation.errors import NotFound, Refused
from pms.foundation.settings import Settings
from pms.rules.enumerations import UserKind
from pms.surfaces.auth.blueprint import blueprint
from pms.surfaces.code_screens import format_wait
from pms.surfaces.fields import PasswordField, Required, TextField
from pms.surfaces.forms import mark_unaccepted
from pms.surfaces.hypermedia import UNACCEPTED, go, page, safe_path
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import (
    auth_context,
    held_session,
    remember_device,
    sign_in,
    signed_in,
    visitor,
    write_of_people,
)

_BACK = "back"


def asked_way_back() -> str | None:
    """Return the page this request wants to return to, or that of its stored form."""
    kept = request.values.get("kept", "")
    if kept.isalnum():
        return url_for("auth.kept_text", token=kept)
    return safe_path(request.values.get("next"))


def remember_way_back(path: str | None) -> None:
    """Store the return path in the session while another sign-in page is shown."""
    session[_BACK] = path


def remembered_way_back() -> str | None:
    """Return the stored return path."""
    return safe_path(session.get(_BACK))


def go_back(path: str | None) -> Response:
    """Redirect to the return path, else to the workspaces."""
    return go(safe_path(path) or url_for("auth.workspaces"))


SETTINGS = "pms.auth.settings"


def arrive(opened: OpenedSession, back: str | None) -> Response:
    """Set the browser's session and redirect to the second factor or the return path."""
    # Once the cookie is replaced, nothing can reach the former session.
    former = held_session(UserKind.STAFF)
    if former is not None:
        write_of_people(lambda session: own_sessions.sign_out(session, clock(), former.id))
    sign_in(opened)
    if opened.waits_for_factor:
        remember_way_back(back)
        return go(url_for("auth.second_factor"))
    settings: Settings = current_app.extensions[SETTINGS]
    response = remember_device(go_back(back), opened.address)
    if opened.locale and "lang" not in request.cookies:
        response.set_cookie(
            "lang",
            opened.locale,
            max_age=365 * 24 * 60 * 60,
            secure=settings.has_secure_cookies,
            httponly=True,
            samesite="Lax",
        )
    return response


_GONE = 410


@blueprint.get("/sign-in/link/<token>", endpoint="sign_in_link")
def show_sign_in_link(token: str) -> Response:
    """Return the page of the link; only its button signs in, so no mail scanner uses it up."""
    account = code_sign_in.linked_account(auth_context(), UserKind.STAFF, None, token)
    response = page("auth/link.html", account=account, token=token)
    response.status_code = 200 if account else _GONE
    return response


@blueprint.post("/sign-in/link/<token>")
def use_sign_in_link(token: str) -> Response:
    """Sign in by the link, once; a second factor is still required."""
    account = code_sign_in.linked_account(auth_context(), UserKind.STAFF, None, token)
    opened = account and code_sign_in.sign_in_staff_with_link(
        auth_context(), visitor(account.address), token
    )
    return arrive(opened, None) if opened else show_sign_in_link(token)


class FactorForm(FlaskForm):
    """Six digits of an authenticator app, or a recovery code."""

    code = TextField(lazy_gettext("Code from the app, or a recovery code"), [Required()])


@blueprint.get("/sign-in/second-factor", endpoint="second_factor")
def show_second_factor() -> Response:
    """Return the page that asks for the second factor."""
    if _find_waiting_session() is None:
        return go(url_for("auth.sign_in"))
    return page("auth/second_factor.html", form=FactorForm(formdata=None))


@blueprint.post("/sign-in/second-factor")
def try_second_factor() -> Response:
    """Try the digits or a recovery code."""
    waiting, form = _find_waiting_session(), FactorForm()
    if waiting is None:
        return go(url_for("auth.sign_in"))
    if form.validate():
        answer = second_factors.check_second_factor(
            auth_context(), visitor(waiting.address), waiting.id, form.code.data or ""
        )
        if answer.opened is not None:
            return arrive(answer.opened, remembered_way_back())
        form.code.errors = [
            _("Too many tries. Wait %(wait)s and try again.", wait=format_wait(answer.wait))
            if answer.wait
            else _("This is not the code your app shows now. Each code works once.")
        ]
    return mark_unaccepted(page("auth/second_factor.html", form=form))


def _find_waiting_session() -> FoundSession | None:
    found = held_session(UserKind.STAFF)
    return found if found is not None and found.waits_for_factor else None


class NewPersonForm(FlaskForm):
    """The person's name and their own password."""

    name = TextField(lazy_gettext("Your name"), [Required()])
    newPassword = PasswordField(lazy_gettext("New password"), [Required()])


@blueprint.get("/invitations/<token>", endpoint="invitation")
def show_invitation(token: str) -> Response:
    """Return the page of an invitation's link."""
    return _render_invitation(token, _named_invitation(token), NewPersonForm(formdata=None))


@blueprint.post("/invitations/<token>")
def accept_invitation(token: str) -> Response:
    """Accept the invitation."""
    named, form = _named_invitation(token), NewPersonForm()
    if named is None or _must_sign_in(named) or (not named.is_known and not form.validate()):
        return _render_invitation(token, named, form, status=UNACCEPTED)
    try:
        if named.is_known:
            new_person = None
        else:
            new_person = NewPerson(
                form.name.data or "", form.newPassword.data or "", chosen_language()
            )
        opened = invitations.accept_invitation(
            auth_context(),
            token,
            new_person,
            visitor=visitor(named.email),
            signed_in_as=_signed_in_address(),
        )
    except NotFound:
        return _render_invitation(token, None, form, status=UNACCEPTED)
    except Refused as refusal:
        field = form[refusal.field] if (refusal.field or "") in form else form.newPassword
        field.errors = [refusal_text(refusal, with_field=False)]
        return _render_invitation(token, named, form, status=UNACCEPTED)
    if opened is not None:
        return arrive(opened, None)
    if named.is_member_elsewhere:
        return go(
            url_for("dashboard.today", workspace=named.workspace_slug),
            message=_("You have joined %(workspace)s.", workspace=_name_workspace(named)),
        )
    message = _(
        "You have joined %(workspace)s. Sign in as usual.", workspace=_name_workspace(named)
    )
    return go(url_for("auth.sign_in", email=named.email), message=message)


def _signed_in_address() -> str | None:
    person = signed_in()
    return person.email if person else None


def _must_sign_in(named: NamedInvitation) -> bool:
    return named.is_member_elsewhere and _signed_in_address() != named.email


def _named_invitation(token: str) -> NamedInvitation | None:
    if len(token) > 400:
        raise NoPage
    with auth_context().reading() as session:
        return invitations.named_invitation(
            session, auth_context().clock, auth_context().signer, token
        )


def _name_workspace(named: NamedInvitation) -> str:
    english = named.workspace_name_en if chosen_language() == "en" else None
    return english or named.workspace_name


def _render_invitation(
    token: str, named: NamedInvitation | None, form: NewPersonForm, *, status: int = 200
) -> Response:
    response = page(
        "auth/invitation.html",
        form=form,
        invitation=named,
        workspace=_name_workspace(named) if named else None,
        token=token,
        must_sign_in=bool(named and _must_sign_in(named)),
        signed_in_as=_signed_in_address(),
    )
    response.status_code = status if named else 410
    # The link is a secret: it must not be sent to other sites as a referrer.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
