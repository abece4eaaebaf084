"""Setting up one's second factor: a picture for the app, its digits, recovery codes once."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
import segno
from flask import Response, request, session, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.access.confirm_second_factor import confirm_second_factor
from pms.access.own_sessions import own_doors
from pms.access.remove_second_factor import remove_second_factor
from pms.access.start_second_factor import FactorSecret, start_second_factor, waiting_factor
from pms.surfaces.dashboard.desk import clock, desk
from pms.surfaces.dashboard.gate import WAY_ON
from pms.surfaces.dashboard.me.acting import acted
from pms.surfaces.dashboard.me.own_form import FactorCodeForm, RemovalForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.safe_path import safe_path
from pms.surfaces.signed_in import doorway, write_of_people
from pms.surfaces.visitor import visitor

_CREATED = 201


@dashboard.get("/me/second-factor", roles=EVERYBODY)
def own_factor() -> Response:
    """Show what there is to do: begin, scan and confirm, or remove."""
    return _page(FactorCodeForm(), RemovalForm())


@dashboard.post("/me/second-factor", roles=EVERYBODY)
def start_factor() -> Response:
    """Make a secret that waits to be confirmed."""
    return acted(Form(), act=_start, then=lambda __: _again(), again=own_factor)


@dashboard.post("/me/second-factor/confirmation", roles=EVERYBODY)
def confirm_factor() -> Response:
    """Put it in force and show the recovery codes, this once."""
    form = FactorCodeForm(request.form)
    return acted(
        form,
        act=lambda: _confirm(form.code.data or ""),
        then=_once,
        again=lambda: _page(form, RemovalForm()),
    )


@dashboard.post("/me/second-factor/removal", roles=EVERYBODY)
def remove_factor() -> Response:
    """Take it out of force, for someone who shows it once more."""
    form = RemovalForm(request.form)
    return acted(
        form,
        act=lambda: _remove(form.code.data or ""),
        then=lambda __: go(url_for("dashboard.me"), said=_("The second factor is removed.")),
        again=lambda: _page(FactorCodeForm(), form),
    )


def _start() -> FactorSecret:
    return write_of_people(
        lambda session: start_second_factor(
            session, doorway().sealer, desk().person_id, issuer=desk().workspace_name
        )
    )


def _confirm(typed: str) -> tuple[str, ...]:
    return write_of_people(
        lambda session: confirm_second_factor(
            session, clock(), doorway().sealer, desk().person_id, typed, by=visitor(desk().email)
        )
    )


def _remove(typed: str) -> None:
    write_of_people(
        lambda session: remove_second_factor(
            session, clock(), doorway().sealer, desk().person_id, typed, by=visitor(desk().email)
        )
    )


def _again() -> Response:
    return go(url_for("dashboard.own_factor"))


def _once(codes: tuple[str, ...]) -> Response:
    way_on = safe_path(session.pop(WAY_ON, None)) or url_for("dashboard.me")
    response = page("dashboard/me/recovery_codes.html", codes=codes, way_on=way_on)
    response.status_code = _CREATED
    return response


def _page(form: FactorCodeForm, removal: RemovalForm) -> Response:
    with doorway().reading() as session:
        own = own_doors(session, desk().person_id)
        waiting = waiting_factor(
            session, doorway().sealer, desk().person_id, issuer=desk().workspace_name
        )
    return page(
        "dashboard/me/second_factor.html",
        form=removal if own.has_second_factor else form,
        own=own,
        waiting=waiting,
        picture=_picture(waiting.address) if waiting else None,
    )


def _picture(address: str) -> str:
    return str(segno.make(address, error="m").svg_data_uri(scale=5, border=4, light="#fff"))
