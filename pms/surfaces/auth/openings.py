"""The page of a one-time link that opens a workspace with its first operator in one form."""

import re

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.exceptions import NotFound as NoPage

from pms.access import opening_links, workspace_openings
from pms.access.workspace_openings import NewOperator
from pms.catalogue.slugs import word_of_place
from pms.foundation.errors import Collision, NotFound, Refused
from pms.surfaces.auth.blueprint import blueprint
from pms.surfaces.auth.invitations import arrive
from pms.surfaces.fields import EmailField, Optional, PasswordField, Required, TextField
from pms.surfaces.forms import mark_unaccepted
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import database
from pms.surfaces.signed_in import auth_context, visitor, write_of_people

_GONE = 410
_is_token = re.compile(r"[0-9a-f]{32}").fullmatch


class NewWorkspaceForm(FlaskForm):
    """The new workspace and its operator; where the slug is empty, one is chosen."""

    workspace = TextField(lazy_gettext("Name of your company or house"), [Required()])
    workspaceEn = TextField(lazy_gettext("Name in English"), [Optional()])
    slug = TextField(lazy_gettext("Short name in addresses"), [Optional()])
    name = TextField(lazy_gettext("Your name"), [Required()])
    email = EmailField(lazy_gettext("Email address"), [Required()])
    newPassword = PasswordField(lazy_gettext("New password"), [Required()])

    @property
    def new_operator(self) -> NewOperator:
        """The entered values, as the use case takes them."""
        name, english = self.workspace.data or "", self.workspaceEn.data
        return NewOperator(
            slug=self.slug.data,
            words=tuple(filter(None, [word_of_place(name, None, english)])),
            workspace=name,
            workspace_en=english,
            name=self.name.data or "",
            email=self.email.data or "",
            password=self.newPassword.data or "",
            locale=chosen_language(),
        )


class SignUpForm(FlaskForm):
    """The address to mail a link to."""

    email = EmailField(lazy_gettext("Email address"), [Required()])


@blueprint.get("/sign-up", endpoint="sign_up")
def show_sign_up() -> Response:
    """Return the form for an address, if the installation allows anyone to open a workspace."""
    _refuse_unless_allowed()
    return page("auth/sign_up.html", form=SignUpForm(formdata=None), is_asked=False)


@blueprint.post("/sign-up")
def ask_to_sign_up() -> Response:
    """Mail the link; the answer is the same for every address."""
    _refuse_unless_allowed()
    form = SignUpForm()
    if not form.validate():
        return mark_unaccepted(page("auth/sign_up.html", form=form, is_asked=False))
    who, base_url = visitor(form.email.data or ""), database().settings.base_url
    write_of_people(
        lambda session: opening_links.ask_to_sign_up(
            session, auth_context().clock, who, base_url=base_url, locale=chosen_language()
        )
    )
    return page("auth/sign_up.html", form=form, is_asked=True)


def may_sign_up() -> bool:
    """Whether the installation allows anyone to open a workspace."""
    if not database().settings.sign_up:
        return False
    with auth_context().reading() as session:
        return opening_links.may_sign_up(session)


def _refuse_unless_allowed() -> None:
    if not may_sign_up():
        raise NoPage


@blueprint.get("/open/<token>", endpoint="opening")
def show_opening(token: str) -> Response:
    """Return the page of the one-time link."""
    return _render_opening(token, NewWorkspaceForm(formdata=None), is_open=_is_open(token))


@blueprint.post("/open/<token>")
def open_workspace(token: str) -> Response:
    """Open the workspace and redirect to its first page."""
    form = NewWorkspaceForm()
    if not _is_open(token):
        return _render_opening(token, form, is_open=False)
    if not form.validate():
        return _render_opening(token, form, status=UNACCEPTED)
    try:
        opened = workspace_openings.open_by_address(
            auth_context(), token, form.new_operator, visitor(form.email.data or "")
        )
    except NotFound:
        return _render_opening(token, form, is_open=False)
    except (Refused, Collision) as refusal:
        field = form[refusal.field] if (refusal.field or "") in form else form.newPassword
        field.errors = [refusal_text(refusal, with_field=False)]
        return _render_opening(token, form, status=UNACCEPTED)
    home = url_for("dashboard.today", workspace=opened.slug)
    if opened.session is not None:
        return arrive(opened.session, home)
    message = _("%(name)s is open. Sign in as usual.", name=form.workspace.data)
    return go(url_for("auth.sign_in", email=form.email.data, next=home), message=message)


def _is_open(token: str) -> bool:
    if not _is_token(token):
        raise NoPage
    with auth_context().reading() as session:
        return workspace_openings.is_open(session, auth_context().clock, token)


def _bound_to(token: str) -> str | None:
    """Return the address that the link was mailed to, if it was mailed."""
    with auth_context().reading() as session:
        return workspace_openings.opened_for(session, token)


def _render_opening(
    token: str, form: NewWorkspaceForm, *, is_open: bool = True, status: int = 200
) -> Response:
    bound_to = _bound_to(token) if is_open else None
    if bound_to:
        form.email.data = bound_to
    response = page(
        "auth/opening.html", form=form, token=token, is_open=is_open, is_bound=bool(bound_to)
    )
    response.status_code = status if is_open else _GONE
    # The link is a secret: it must not be sent to other sites as a referrer.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
