"""The API keys of machines: issuing, watching, replacing and revoking them."""

import json
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, current_app, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.access import key_calls, key_origins
from pms.access import keys as access_keys
from pms.access.keys import IssuedKey, KeyOfWorkspace
from pms.foundation.errors import no_such
from pms.rules.enumerations import Scope
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.rules.scopes import PRESETS, Preset
from pms.rules.web_origins import NEVER_IN_BROWSERS
from pms.surfaces.dashboard.gate import OPERATOR, dashboard, reading
from pms.surfaces.fields import (
    FlagField,
    LongTextField,
    ManyField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.request_scope import clock, database

CHOSEN: Final = "chosen"
_PURPOSES: Final = (
    (Preset.READ, lazy_gettext("Website: read listings")),
    (Preset.ACTIONS, lazy_gettext("Website: send enquiries")),
    (Preset.TELEMETRY, lazy_gettext("Website: count visits")),
    (CHOSEN, lazy_gettext("Something else")),
)


class KeyForm(FlaskForm):
    """A key's name, its scopes, whether it is public, and its budget of requests."""

    purpose = PickField(lazy_gettext("Purpose"), choices=_PURPOSES, default=Preset.READ)
    name = TextField(lazy_gettext("Name"), [Required()])
    scopes = ManyField(lazy_gettext("Scopes for other uses"), [Optional()])
    isPublic = FlagField(lazy_gettext("It is used on public pages, where anyone can read it"))
    origins = LongTextField(lazy_gettext("Websites that may use it in a browser"), [Optional()])
    budget = WholeNumberField(
        lazy_gettext("Requests an hour"),
        [Required()],
        default=BUDGET_REQUESTS,
        least=1,
        most=1_000_000,
    )

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        # Translated per request, because the labels depend on the reader's language.
        self.scopes.choices = [(each.value, f"{label_of(each)} ({each})") for each in Scope]

    def granted_scopes(self) -> list[str]:
        """Return the scopes of the purpose, or the chosen ones."""
        if self.purpose.data == CHOSEN:
            return list(self.scopes.data or ())
        return sorted(PRESETS[Preset(self.purpose.data)])


class OriginForm(FlaskForm):
    """One more website of a key."""

    origins = TextField(lazy_gettext("Address of a website"), [Required()])


_QUOTE: Final = "'"
_GOES_ON: Final = " \\\n"
_PAGE_VIEW: Final = {"events": [{"type": "page_view", "path": "/"}]}
_READ: Final = lazy_gettext("Lists the units.")
_ENQUIRE: Final = lazy_gettext("Sends an enquiry. You find it under Enquiries.")
_COUNT: Final = lazy_gettext("Reports one page view.")


class LineToTry(NamedTuple):
    """A command for a terminal and what it does; `id` is its anchor on the page."""

    id: str
    what: LazyString
    command: str


def lines_to_try(scopes: Collection[str], key: str, base_url: str) -> Sequence[LineToTry]:
    """Return the commands whose scope the key has: reading, an enquiry, a page view."""
    agent = f"{base_url}/api/agent"
    lines = {
        Scope.PROPERTIES_READ: LineToTry(
            "try-it", _READ, _write_curl_command(key, f"{agent}/properties?limit=200")
        ),
        Scope.INQUIRIES_WRITE: LineToTry(
            "try-enquiry",
            _ENQUIRE,
            _write_curl_command(key, f"{agent}/inquiries", _build_test_enquiry()),
        ),
        Scope.ANALYTICS_WRITE: LineToTry(
            "try-visit", _COUNT, _write_curl_command(key, f"{agent}/analytics", _PAGE_VIEW)
        ),
    }
    return [line for scope, line in lines.items() if scope in scopes]


def _build_test_enquiry() -> dict[str, str]:
    return {
        "name": _("Test of the key"),
        "email": "test@example.com",
        "message": _("This enquiry tests a new key."),
    }


def _write_curl_command(key: str, url: str, body: dict[str, Any] | None = None) -> str:
    words = ["curl", f'-H "Authorization: Bearer {key}"']
    if body is not None:
        # A single quote would end the shell's text, so it is written as a JSON escape.
        body_text = json.dumps(body, ensure_ascii=False).replace(_QUOTE, r"\u0027")
        words += ['-H "Content-Type: application/json"', f"-d '{body_text}'"]
    return _GOES_ON.join([*words, f'"{url}"'])


_CREATED: Final = 201


@dashboard.get("/keys", roles=OPERATOR, is_secret=True)
def keys() -> Response:
    """Show the keys with their requests of the last day."""
    keys = access_keys.keys_of_workspaces(reading())
    hours = key_calls.key_hours(reading(), clock().now())
    websites = key_origins.origins_of_keys(reading())
    return page("dashboard/keys/index.html", keys=keys, hours=hours, websites=websites)


@dashboard.get("/keys/new", roles=OPERATOR, is_secret=True)
def new_key() -> Response:
    """Show the form of a new key."""
    return _render_new_key(KeyForm())


@dashboard.post("/keys", roles=OPERATOR)
def issue_key() -> Response:
    """Make a key and show it once."""
    form = KeyForm()
    return submitted(
        form,
        act=lambda work: access_keys.issue_key(
            work,
            name=form.name.data or "",
            scopes=form.granted_scopes(),
            is_public=form.isPublic.data,
            budget_per_hour=form.budget.data,
            origins=(form.origins.data or "").split(),
            is_development=database().settings.is_development,
        ),
        then=_render_issued_key,
        again=lambda: _render_new_key(form),
    )


@dashboard.get("/keys/<key_id>", roles=OPERATOR, is_secret=True)
def key(key_id: str) -> Response:
    """Show one key, its websites, its requests of the last day, and its last calls."""
    return _render_key(key_id, OriginForm(formdata=None))


@dashboard.post("/keys/<key_id>/origins", roles=OPERATOR)
def add_key_origin(key_id: str) -> Response:
    """Let the pages of one more website use the key."""
    form = OriginForm()
    return submitted(
        form,
        act=lambda work: (
            key_origins.add_origin(
                work,
                key_id,
                form.origins.data or "",
                is_development=database().settings.is_development,
            ).origin
        ),
        then=lambda origin: _show_changed_key(
            key_id, _("%(origin)s may use the key.", origin=origin)
        ),
        again=lambda: _render_key(key_id, form),
    )


@dashboard.post("/keys/<key_id>/origins/<origin_id>/removal", roles=OPERATOR)
def remove_key_origin(key_id: str, origin_id: str) -> Response:
    """Take a website off the key."""
    return submitted(
        FlaskForm(),
        act=lambda work: key_origins.remove_origin(work, key_id, origin_id),
        then=lambda origin: _show_changed_key(
            key_id, _("%(origin)s can no longer use the key.", origin=origin)
        ),
        again=lambda: _render_key(key_id, OriginForm(formdata=None)),
    )


@dashboard.get("/keys/<key_id>/revocation", roles=OPERATOR, endpoint="confirm_key_revocation")
@dashboard.get("/keys/<key_id>/replacement", roles=OPERATOR, endpoint="confirm_key_replacement")
def confirm(key_id: str) -> Response:
    """Show what revoking or replacing the key means before it is done."""
    is_replaced = request.endpoint == "dashboard.confirm_key_replacement"
    return page("dashboard/keys/ending.html", key=_find_key(key_id), is_replaced=is_replaced)


@dashboard.post("/keys/<key_id>/revocation", roles=OPERATOR)
def revoke_key(key_id: str) -> Response:
    """Revoke a key; its next request is refused."""
    return submitted(
        FlaskForm(),
        act=lambda work: access_keys.revoke_key(work, key_id).name,
        then=lambda name: go(
            url_for("dashboard.keys"), message=_("%(name)s is revoked.", name=name)
        ),
        again=lambda: key(key_id),
    )


@dashboard.post("/keys/<key_id>/replacement", roles=OPERATOR)
def replace_key(key_id: str) -> Response:
    """Replace the key with a new one, and show the new one once."""
    return submitted(
        FlaskForm(),
        act=lambda work: access_keys.replace_key(work, key_id),
        then=_render_issued_key,
        again=lambda: key(key_id),
    )


def _render_key(key_id: str, form: OriginForm) -> Response:
    key = _find_key(key_id)
    return page(
        "dashboard/keys/key.html",
        key=key,
        form=form,
        websites=key_origins.origins_of_keys(reading()).get(key_id, ()),
        has_no_browsers=bool(NEVER_IN_BROWSERS.intersection(key.scopes)),
        hours=key_calls.key_hours(reading(), clock().now()).get(key_id),
        calls=key_calls.key_calls(reading(), key_id),
    )


def _show_changed_key(key_id: str, message: str) -> Response:
    return go(url_for("dashboard.key", key_id=key_id), message=message)


def _render_new_key(form: KeyForm) -> Response:
    return page("dashboard/keys/new.html", form=form)


def _render_issued_key(issued: IssuedKey) -> Response:
    key = _find_key(issued.id)
    lines = lines_to_try(key.scopes, issued.plaintext, current_app.config["BASE_URL"])
    response = page("dashboard/keys/once.html", key=key, plaintext=issued.plaintext, lines=lines)
    response.status_code = _CREATED
    response.headers["Cache-Control"] = "no-store"
    return response


def _find_key(key_id: str) -> KeyOfWorkspace:
    found = (key for key in access_keys.keys_of_workspaces(reading()) if key.id == key_id)
    key = next(found, None)
    if key is None:
        raise no_such("key")
    return key
