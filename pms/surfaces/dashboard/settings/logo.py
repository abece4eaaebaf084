"""The workspace's logo: shown, changed, taken away."""

from pms.surfaces.dashboard.routes import EVERYBODY, LOGO_BYTES, OPERATOR, dashboard
from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import FileField, Form

from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import files
from pms.workspaces.set_logo import set_logo as set_logo_verb
from pms.workspaces.settings_record import settings_record


class LogoForm(Form):
    """The picture from this device; none takes the logo away."""

    logo = FileField(lazy_gettext("Picture"))


@dashboard.get("/settings/logo", roles=OPERATOR)
def settings_logo() -> Response:
    """Show the logo and the way to change it."""
    return _shown(LogoForm())


@dashboard.post("/settings/logo", roles=OPERATOR, most_bytes=LOGO_BYTES)
def set_logo() -> Response:
    """Store the picture that came, or take the logo away."""
    form = LogoForm()
    sent = request.files.get("logo")
    content = None if "removal" in request.form else (sent.read() if sent else b"")
    return submitted(
        form,
        act=lambda session: set_logo_verb(session, clock(), actor(), files(), content=content),
        then=lambda _row: go(url_for("dashboard.settings_logo"), said=_("Saved.")),
        again=lambda: _shown(form),
    )


@dashboard.get("/logo/<digest>", roles=EVERYBODY)
def logo(digest: str) -> Response:
    """Give the logo itself; its address changes with it, so it may be kept."""
    key = desk().logo_file_key
    if key is None or not key.startswith(digest):
        abort(404)
    content = files().get(key) or abort(404)
    response = Response(content, mimetype="image/webp")
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


def _shown(form: LogoForm) -> Response:
    record = settings_record(reading())
    return page("dashboard/settings/logo.html", form=form, logo_file_key=record.logo_file_key)
