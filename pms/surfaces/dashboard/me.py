"""A person's own page: name, language, password, second factor and sessions."""

from collections.abc import Callable
from typing import Final, TypeVar

from flask import Response, session, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.access import members, own_sessions, passwords, second_factors, sign_in_events
from pms.access.members import LOCALES
from pms.access.second_factors import FactorSecret
from pms.access.sessions import FoundSession
from pms.foundation.errors import Refused, Unauthenticated
from pms.foundation.lists import Paging
from pms.rules.enumerations import UserKind
from pms.surfaces.dashboard.gate import EVERYBODY, WAY_ON, current_member, dashboard
from pms.surfaces.fields import PasswordField, PickField, Required, TextField
from pms.surfaces.forms import asked_paging, mark_unaccepted, place_problem
from pms.surfaces.hypermedia import go, page, safe_path
from pms.surfaces.page_templates import qr_picture
from pms.surfaces.reader_choice import LANGUAGES
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import auth_context, held_session, signed_in, visitor, write_of_people


@dashboard.post("/me/sessions/<session_id>/revocation", roles=EVERYBODY)
def revoke_session(session_id: str) -> Response:
    """End one session, for example on a lost phone."""
    by = visitor(current_member().email)
    write_of_people(
        lambda session: own_sessions.revoke_session(
            session, clock(), current_member().person_id, session_id, by=by
        )
    )
    return go(url_for("dashboard.me"), message=_("That device has been signed out."))


@dashboard.post("/me/sessions/revocation", roles=EVERYBODY)
def sign_out_everywhere() -> Response:
    """End all sessions except this one."""
    person = signed_in()
    but = person.held.id if person else None
    by = visitor(current_member().email)
    write_of_people(
        lambda session: own_sessions.sign_out_everywhere(
            session, clock(), current_member().person_id, but=but, by=by
        )
    )
    return go(url_for("dashboard.me"), message=_("All other devices have been signed out."))


class MemberProfileForm(FlaskForm):
    """A name, and the language of pages and mails."""

    name = TextField(lazy_gettext("Name"), [Required()])
    locale = PickField(
        lazy_gettext("Language"), [Required()], choices=[(key, LANGUAGES[key]) for key in LOCALES]
    )


class PasswordForm(FlaskForm):
    """A new password, and the current one."""

    currentPassword = PasswordField(lazy_gettext("Current password"))
    newPassword = PasswordField(lazy_gettext("New password"), [Required()])


class ProofForm(FlaskForm):
    """The current password, where no mailed code proved shortly before who is there."""

    currentPassword = PasswordField(lazy_gettext("Current password"))


class FactorCodeForm(FlaskForm):
    """The current code of an authenticator app."""

    code = TextField(lazy_gettext("Code from the app"), [Required()])


class RemovalForm(FlaskForm):
    """The current code of an authenticator app, or a recovery code."""

    code = TextField(lazy_gettext("Code from the app, or a recovery code"), [Required()])


Result = TypeVar("Result")


def answer_form(
    form: FlaskForm,
    act: Callable[[], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
) -> Response:
    """Run an action on a valid form, or show the form again (422) with the refusal on its field."""
    if form.validate_on_submit():
        try:
            return then(act())
        except Refused as refusal:
            place_problem(form, refusal)
    return mark_unaccepted(again())


@dashboard.get("/me/password", roles=EVERYBODY, is_secret=True)
def password() -> Response:
    """Show the form for a new password."""
    return _render_password(PasswordForm())


@dashboard.post("/me/password", roles=EVERYBODY)
def change_password() -> Response:
    """Set the new password and end all other sessions."""
    form = PasswordForm()
    return answer_form(
        form,
        act=lambda: passwords.change_password(
            auth_context(),
            own_session(),
            current=form.currentPassword.data,
            new=form.newPassword.data or "",
            by=visitor(own_session().address),
        ),
        then=lambda __: go(
            url_for("dashboard.me"),
            message=_("Your password has been changed and all other devices have been signed out."),
        ),
        again=lambda: _render_password(form),
    )


def own_session() -> FoundSession:
    """Return the session of the member of staff who is asking."""
    held = held_session(UserKind.STAFF)
    if held is None:
        raise Unauthenticated("You are not signed in.")
    return held


def _render_password(form: PasswordForm) -> Response:
    with auth_context().reading() as session:
        own = own_sessions.sign_in_means(session, current_member().person_id)
    wants_current = passwords.needs_current(own_session(), auth_context().clock)
    return page("dashboard/me/password.html", form=form, own=own, wants_current=wants_current)


_MOST_SESSIONS: Final = 12
_MOST_EVENTS: Final = 8


@dashboard.get("/me", roles=EVERYBODY, is_secret=True)
def me() -> Response:
    """Show the person's own page."""
    with auth_context().reading() as session:
        own = own_sessions.sign_in_means(session, current_member().person_id)
    return _render_profile(MemberProfileForm(data={"name": own.name, "locale": own.locale}))


@dashboard.post("/me", roles=EVERYBODY)
def change_profile() -> Response:
    """Change the name and the language."""
    form = MemberProfileForm()
    return answer_form(
        form,
        act=lambda: _change_own_profile(form),
        then=lambda locale: go(url_for("dashboard.me", lang=locale), message=_("Saved.")),
        again=lambda: _render_profile(form),
    )


@dashboard.get("/me/sign-ins", roles=EVERYBODY, is_secret=True)
def own_sign_ins() -> Response:
    """Show the recorded events of the person's own sign-ins."""
    paging = asked_paging()
    with auth_context().reading() as session:
        found = sign_in_events.own_events(session, current_member().person_id, paging)
    return page("dashboard/me/sign_ins.html", sign_ins=found, paging=paging)


def _change_own_profile(form: MemberProfileForm) -> str:
    person = write_of_people(
        lambda session: members.change_profile(
            session,
            current_member().person_id,
            name=form.name.data or "",
            locale=form.locale.data or "",
        )
    )
    return person.locale


def _render_profile(form: MemberProfileForm) -> Response:
    person = signed_in()
    this_one = person.held.id if person else None
    with auth_context().reading() as session:
        sessions = own_sessions.own_sessions(session, clock(), current_member().person_id)
        return page(
            "dashboard/me/page.html",
            form=form,
            own=own_sessions.sign_in_means(session, current_member().person_id),
            sessions=sorted(sessions, key=lambda session: session.id != this_one)[:_MOST_SESSIONS],
            total=len(sessions),
            session_id=this_one,
            sign_ins=sign_in_events.own_events(
                session, current_member().person_id, Paging(1, _MOST_EVENTS)
            ),
        )


_CREATED = 201


@dashboard.get("/me/second-factor", roles=EVERYBODY, is_secret=True)
def own_factor() -> Response:
    """Show the next step of the second factor: start, scan and confirm, or remove."""
    return _render_second_factor(ProofForm(formdata=None))


@dashboard.post("/me/second-factor", roles=EVERYBODY)
def start_factor() -> Response:
    """Make a secret that must be confirmed."""
    form = ProofForm()
    return answer_form(
        form,
        act=lambda: _start_second_factor(form.currentPassword.data),
        then=lambda __: go(url_for("dashboard.own_factor")),
        again=lambda: _render_second_factor(form, FactorCodeForm(formdata=None)),
    )


@dashboard.post("/me/second-factor/confirmation", roles=EVERYBODY)
def confirm_factor() -> Response:
    """Activate the second factor and show the recovery codes once."""
    form = FactorCodeForm()
    return answer_form(
        form,
        act=lambda: _confirm_second_factor(form.code.data or ""),
        then=_render_recovery_codes,
        again=lambda: _render_second_factor(ProofForm(formdata=None), form),
    )


@dashboard.post("/me/second-factor/removal", roles=EVERYBODY)
def remove_factor() -> Response:
    """Remove the second factor, for a person who proves it once more."""
    form = RemovalForm()
    return answer_form(
        form,
        act=lambda: _remove_second_factor(form.code.data or ""),
        then=lambda __: go(url_for("dashboard.me"), message=_("Two-step sign-in removed.")),
        again=lambda: _render_second_factor(ProofForm(formdata=None), removal=form),
    )


def _start_second_factor(current: str | None) -> FactorSecret:
    held = own_session()
    passwords.prove_again(auth_context(), held, current, by=visitor(held.address))
    return write_of_people(
        lambda session: second_factors.start_second_factor(
            session,
            auth_context().signer,
            current_member().person_id,
            issuer=current_member().workspace_name,
        )
    )


def _confirm_second_factor(typed: str) -> tuple[str, ...]:
    return write_of_people(
        lambda session: second_factors.confirm_second_factor(
            session,
            clock(),
            auth_context().signer,
            current_member().person_id,
            typed,
            by=visitor(current_member().email),
        )
    )


def _remove_second_factor(typed: str) -> None:
    write_of_people(
        lambda session: second_factors.remove_second_factor(
            session,
            clock(),
            auth_context().signer,
            current_member().person_id,
            typed,
            by=visitor(current_member().email),
        )
    )


def _render_recovery_codes(codes: tuple[str, ...]) -> Response:
    way_on = safe_path(session.pop(WAY_ON, None)) or url_for("dashboard.me")
    response = page("dashboard/me/recovery_codes.html", codes=codes, way_on=way_on)
    response.status_code = _CREATED
    return response


def _render_second_factor(
    proof: ProofForm, code: FactorCodeForm | None = None, removal: RemovalForm | None = None
) -> Response:
    with auth_context().reading() as session:
        own = own_sessions.sign_in_means(session, current_member().person_id)
        waiting = second_factors.waiting_factor(
            session,
            auth_context().signer,
            current_member().person_id,
            issuer=current_member().workspace_name,
        )
    form: FlaskForm = proof
    if own.has_second_factor:
        form = removal or RemovalForm(formdata=None)
    elif waiting:
        form = code or FactorCodeForm(formdata=None)
    return page(
        "dashboard/me/second_factor.html",
        form=form,
        own=own,
        waiting=waiting,
        picture=qr_picture(waiting.address) if waiting else None,
        wants_current=passwords.needs_current(own_session(), auth_context().clock),
    )
