"""API keys on screens; a key itself is shown once, on the page that answers its making."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Final

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.access.issue_key import IssuedKey, issue_key as issue_key_verb
from pms.access.key_calls import key_calls
from pms.access.key_hours import key_hours
from pms.access.queries import KeyOfWorkspace, keys_of_workspaces
from pms.access.replace_key import replace_key as replace_key_verb
from pms.access.revoke_key import revoke_key as revoke_key_verb
from pms.foundation.errors import NotFound
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.keys.key_form import KeyForm
from pms.surfaces.dashboard.keys.lines_to_try import lines_to_try
from pms.surfaces.hypermedia import go, page

_CREATED: Final = 201


@dashboard.get("/keys", roles=OPERATOR)
def keys() -> Response:
    """Show the keys with what they asked over the last day."""
    keys = keys_of_workspaces(reading())
    hours = key_hours(reading(), clock().now())
    return page("dashboard/keys/index.html", keys=keys, hours=hours)


@dashboard.get("/keys/new", roles=OPERATOR)
def new_key() -> Response:
    """Show the form of a new key."""
    return _form(KeyForm())


@dashboard.post("/keys", roles=OPERATOR)
def issue_key() -> Response:
    """Make a key and show it, this once."""
    form = KeyForm(request.form)
    return submitted(
        form,
        act=lambda session: issue_key_verb(
            session,
            clock(),
            actor(),
            name=form.name.data or "",
            scopes=form.granted(),
            is_public=form.isPublic.data,
            budget_per_hour=form.budget.data,
        ),
        then=_once,
        again=lambda: _form(form),
    )


@dashboard.get("/keys/<key_id>", roles=OPERATOR)
def key(key_id: str) -> Response:
    """Show one key, what it asked over the last day, and its last calls."""
    key, hours = _key(key_id), key_hours(reading(), clock().now())
    calls = key_calls(reading(), key_id)
    return page("dashboard/keys/key.html", key=key, hours=hours.get(key_id), calls=calls)


@dashboard.get("/keys/<key_id>/revocation", roles=OPERATOR, endpoint="confirm_key_revocation")
@dashboard.get("/keys/<key_id>/replacement", roles=OPERATOR, endpoint="confirm_key_replacement")
def confirm(key_id: str) -> Response:
    """Show what revoking or replacing does before it is done."""
    is_replaced = request.endpoint == "dashboard.confirm_key_replacement"
    return page("dashboard/keys/ending.html", key=_key(key_id), is_replaced=is_replaced)


@dashboard.post("/keys/<key_id>/revocation", roles=OPERATOR)
def revoke_key(key_id: str) -> Response:
    """Revoke a key; its next request is refused."""
    return submitted(
        Form(),
        act=lambda session: revoke_key_verb(session, clock(), actor(), key_id).name,
        then=lambda name: go(url_for("dashboard.keys"), said=_("%(name)s is revoked.", name=name)),
        again=lambda: key(key_id),
    )


@dashboard.post("/keys/<key_id>/replacement", roles=OPERATOR)
def replace_key(key_id: str) -> Response:
    """Make a key in the place of this one, and show it, this once."""
    return submitted(
        Form(),
        act=lambda session: replace_key_verb(session, clock(), actor(), key_id),
        then=_once,
        again=lambda: key(key_id),
    )


def _form(form: KeyForm) -> Response:
    return page("dashboard/keys/new.html", form=form)


def _once(issued: IssuedKey) -> Response:
    key = _key(issued.id)
    lines = lines_to_try(key.scopes, issued.plaintext, current_app.config["BASE_URL"])
    response = page("dashboard/keys/once.html", key=key, plaintext=issued.plaintext, lines=lines)
    response.status_code = _CREATED
    response.headers["Cache-Control"] = "no-store"
    return response


def _key(key_id: str) -> KeyOfWorkspace:
    found = (key for key in keys_of_workspaces(reading()) if key.id == key_id)
    key = next(found, None)
    if key is None:
        raise NotFound("There is no such key.")
    return key
