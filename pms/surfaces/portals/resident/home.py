"""The resident's home, the steps before moving in, and the handbook."""

from collections.abc import Sequence
from typing import Final

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, lazy_pgettext
from flask_wtf import FlaskForm

from pms.arrivals import reservation_headers
from pms.arrivals.reservation_headers import ReservationHeader
from pms.arrivals.tenancy_ways import ReservationWay, reservation_ways
from pms.catalogue import handbook
from pms.ledger import queries
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.handbook_copies import ResidentFacts
from pms.rules.tenancy_way import Stage, StageState
from pms.site.queries import site_facts
from pms.statements import debtors, transfer_account
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.gate import MenuEntry, MenuItem, menu_items
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import today
from pms.workspaces.queries import policy

_LIVING = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)


@blueprint.get("/<reservation_id>/handbook", endpoint="handbook")
def show_handbook(reservation_id: str) -> Response:
    """Show the pages, without codes."""
    return _render_handbook(reservation_id)


@blueprint.post("/<reservation_id>/handbook/<page_id>", endpoint="reveal_code")
def reveal(reservation_id: str, page_id: str) -> Response:
    """Show the pages, one of them with its code."""
    tenancy = own.tenancy(reservation_id)
    return submitted(
        FlaskForm(),
        act=lambda work: handbook.reveal_copied_code(
            work,
            page_id=page_id,
            building_id=tenancy.building_id,
            reader=_build_resident_facts(tenancy),
        ),
        then=lambda code: _render_handbook(reservation_id, page_id, code),
        again=lambda: _render_handbook(reservation_id),
    )


def _render_handbook(
    reservation_id: str, page_id: str | None = None, code: str | None = None
) -> Response:
    tenancy = own.tenancy(reservation_id)
    reader = _build_resident_facts(tenancy)
    # A resident who has left or does not live there yet is shown no pages.
    pages = (
        handbook.handbook_copy(reading(), building_id=tenancy.building_id, reader=reader)
        if reader.is_living
        else ()
    )
    return page(
        "portals/resident/handbook.html",
        tenancy=tenancy,
        pages=pages,
        revealed=page_id,
        code=code,
    )


def _build_resident_facts(tenancy: own.OwnTenancy) -> ResidentFacts:
    # The lifecycle changes during the night job; codes are shown up to the day of leaving.
    is_over = tenancy.ends_on is not None and tenancy.ends_on < today()
    return ResidentFacts(tenancy.unit_id, tenancy.lifecycle in _LIVING and not is_over)


_BEFORE = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
MoveInStep = tuple[str, str]
"""The label, and "done", "current" or "later"."""


def steps_in(header: ReservationHeader, way: ReservationWay) -> Sequence[MoveInStep]:
    """Return the steps of a tenancy that has not begun; none once the resident lives there."""
    if header.lifecycle not in _BEFORE or header.kind is not ReservationKind.RESIDENT:
        return ()
    states = dict(way.stages)
    steps = (
        (_("Application"), True),
        (_("Contract signed"), states[Stage.SIGNATURE] is StageState.DONE),
        (_("Move-in invoice paid"), states[Stage.PAYMENT] is StageState.DONE),
        (_("Moving in"), False),
    )
    current = next(number for number, (_words, is_done) in enumerate(steps) if not is_done)
    return [
        (str(words), "done" if is_done else "current" if number == current else "later")
        for number, (words, is_done) in enumerate(steps)
    ]


@blueprint.get("/", endpoint="home")
def show_home() -> Response:
    """Redirect to the only tenancy, or show a list to choose from."""
    owned = own.tenancies()
    if len(owned) == 1:
        return go(url_for(".tenancy", reservation_id=owned[0].id))
    return page("portals/resident/chooser.html", tenancies=owned)


@blueprint.get("/<reservation_id>", endpoint="tenancy")
def show_tenancy(reservation_id: str) -> Response:
    """Show a summary of a tenancy: what is to be paid, what comes next, what can be done."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    way = reservation_ways(reading(), [header.way_record], today())[reservation_id]
    standing = queries.standings(reading(), [reservation_id], today()).get(reservation_id, ())
    money, site = debtors.due_money(standing, today()), site_facts(reading())
    return page(
        "portals/resident/home.html",
        tenancy=own.tenancy(reservation_id),
        header=header,
        way=way,
        notice_days=policy(reading()).long_notice_days,
        money=money,
        steps=steps_in(header, way),
        office_phone=site.contact_phone if site else None,
        transfer=transfer_account.transfer_of_day(reading(), reservation_id, today())
        if money.entry_id
        else None,
    )


# An entry is named by its endpoint, and shown only if the portal has that endpoint.
MENU_ENTRIES: Final = (
    MenuEntry("tenancy", lazy_pgettext("portal", "Home"), "owner"),
    MenuEntry("invoices", lazy_gettext("Invoices"), "billing", ("invoice", "pay", "payment")),
    MenuEntry("tickets", lazy_gettext("Messages"), "message", ("ticket", "report_problem")),
    MenuEntry("documents", lazy_gettext("Documents"), "statement"),
    MenuEntry("profile", lazy_pgettext("portal", "My page"), "person", ("people",)),
)


def menu() -> tuple[MenuItem, ...]:
    """Return the bar's entries for this tenancy; none before one is chosen."""
    tenancy = own.current_tenancy()
    return menu_items(MENU_ENTRIES, reservation_id=tenancy.id) if tenancy else ()
