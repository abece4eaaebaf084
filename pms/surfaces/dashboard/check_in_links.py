"""The office's check-in links: making, sending, renewing, revoking, and the register of guests."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final, TypeVar

from flask import Response, abort, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, pgettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm
from wtforms import Form, ValidationError

from pms.arrivals import free_units
from pms.arrivals.free_units import BookableUnit
from pms.foundation.ids import new_id
from pms.foundation.spreadsheet import Cell
from pms.foundation.work import Work
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import Locale, RegisterField
from pms.stays import check_in_links as stays_check_in_links
from pms.stays import guests, stay_links, stays
from pms.stays.check_in_links import MOST_GUESTS
from pms.stays.guests import RegisterLine, export_register, guests_of
from pms.stays.stay_links import StayLink
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, actor, current_member, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    HiddenField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import csv_answer, go, page
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database, files, today
from pms.surfaces.signed_in import auth_context


@dashboard.post("/check-in-links/<check_in_link_id>/guests/<guest_id>/passport", roles=OPERATOR)
def open_passport(check_in_link_id: str, guest_id: str) -> Response:
    """Show the picture of a guest's passport; it is never cached."""
    key = database().write(
        current_member().workspace_id,
        lambda session: guests.open_passport(
            Work(session, clock(), actor()), link_id=check_in_link_id, guest_id=guest_id
        ),
    )
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp", headers={"Content-Disposition": "inline"})


class SpanForm(FlaskForm):
    """The first and last day, both included; the names are those in the use case's refusal."""

    since = DayField(lazy_gettext("From"), [Required()])
    through = DayField(lazy_gettext("Through"), [Required()])


_USUAL_DAYS = timedelta(days=30)


@dashboard.get("/check-in-links/register", roles=OFFICE, is_secret=True)
def guest_register() -> Response:
    """Show the form for the days of the guest register."""
    return _render_register(
        SpanForm(data={"since": today() - _USUAL_DAYS, "through": today()}), None
    )


@dashboard.post("/check-in-links/register", roles=OFFICE)
def print_guest_register() -> Response:
    """Show the guest register of the days as a page to print."""
    form = SpanForm()
    return _answer_register(form, lambda lines: _render_register(form, lines))


@dashboard.post("/check-in-links/register.csv", roles=OFFICE)
def export_guest_register() -> Response:
    """Give the guest register of the days as a CSV file."""
    form = SpanForm()
    return _answer_register(
        form,
        lambda lines: csv_answer(
            f"guests-{form.since.data}-{form.through.data}.csv",
            _list_heads(),
            map(_list_cells, lines),
        ),
    )


def _answer_register(
    form: SpanForm, then: Callable[[Sequence[RegisterLine]], Response]
) -> Response:
    return submitted(
        form,
        act=lambda work: export_register(work, first_on=form.since.data, last_on=form.through.data),
        then=then,
        again=lambda: _render_register(form, None),
    )


def _list_heads() -> Sequence[str]:
    return [
        _("Building"),
        _("Unit"),
        pgettext("stay", "Check-in"),
        pgettext("stay", "Check-out"),
        _("Guest"),
        _("Full name"),
        _("Lives in Japan"),
        _("Home address"),
        _("Phone or email"),
        _("Nationality"),
        _("Passport number"),
        _("Copy of the passport"),
        *map(label_of, RegisterField),
    ]


def _list_cells(line: RegisterLine) -> Sequence[Cell]:
    link, facts = line.link, line.guest.facts
    return [
        link.building.in_language(chosen_language()),
        link.unit_name,
        link.check_in_on,
        link.check_out_on,
        line.guest.position,
        facts.name,
        _("Yes") if facts.lives_in_japan else _("No"),
        facts.address,
        facts.contact,
        facts.nationality,
        facts.passport_number,
        _("Yes") if facts.has_passport_copy else _("No"),
        *(facts.extras.get(field.value) for field in RegisterField),
    ]


def _render_register(form: SpanForm, lines: Sequence[RegisterLine] | None) -> Response:
    return page(
        "dashboard/check_in_links/register.html",
        form=form,
        lines=lines,
        words={field.value: label_of(field) for field in RegisterField},
    )


@dashboard.get("/check-in-links", roles=OFFICE, is_secret=True)
def check_in_links() -> Response:
    """Show the current and future stays, or the past ones."""
    return render_links(FlaskForm())


def render_links(form: Form) -> Response:
    """Show the list with the errors of the form."""
    is_past = request.args.get("state") == "past"
    paging, terms = asked_paging(), stays.stay_terms(reading())
    return page(
        "dashboard/check_in_links/list.html",
        form=form,
        is_past=is_past,
        found=stays_check_in_links.listed_links(reading(), terms, today(), paging, is_past=is_past),
        without=[] if is_past else stays_check_in_links.unlinked_stays(reading(), today()),
        terms=terms,
        paging=paging,
    )


class NightsForm(QueryForm):
    """The building and the nights."""

    building = ChoiceField(lazy_gettext("Building"), [Required()])
    checkIn = DayField(worded("stay", "Check-in"), [Required()])
    checkOut = DayField(worded("stay", "Check-out"), [Required()])

    def validate_checkOut(self, field: DayField) -> None:  # noqa: N802  # WTForms finds it by name
        """Require at least one night."""
        if self.checkIn.data and field.data and field.data <= self.checkIn.data:
            raise ValidationError(_("The check-out must be after the check-in."))


class StayForm(NightsForm):
    """The unit and the guest; `newReservationId` keeps a form sent twice from booking twice."""

    unitId = ChoiceField(lazy_gettext("Unit"), [Required()])
    guestName = TextField(lazy_gettext("Guest's name"), [Required()])
    guests = WholeNumberField(lazy_gettext("Guests"), [Required()], least=1, most=MOST_GUESTS)
    email = EmailField(lazy_gettext("Email"), [Optional()])
    locale = PickField(lazy_gettext("Language of the page"), [Required()])
    newReservationId = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    def offer(self, units: Sequence[BookableUnit]) -> None:
        """Fill the list of free units; a chosen unit that was taken meanwhile stays a choice."""
        self.unitId.choices = [("", ""), *((unit.id, unit.name) for unit in units)]
        known = {unit.id for unit in units}
        if self.unitId.data and self.unitId.data not in known:
            self.unitId.choices.append((self.unitId.data, _("No longer available")))


Asked = TypeVar("Asked", bound=NightsForm)


@dashboard.get("/check-in-links/new", roles=OFFICE, is_secret=True)
def new_check_in_link() -> Response:
    """Ask for the building and the nights, then for one of the free units and the guest."""
    is_asked = "building" in request.args
    usual = {"checkIn": today(), "checkOut": today() + ONE_DAY}
    nights = _with_buildings(NightsForm(request.args if is_asked else None, data=usual))
    if not is_asked:
        return _render_new(nights, None)
    if not nights.validate():
        return mark_unaccepted(_render_new(nights, None))
    begun = {"guests": 1, "locale": Locale.EN.value, "newReservationId": new_id()}
    return _render_new(nights, _with_buildings(StayForm(data={**nights.data, **begun})))


@dashboard.post("/check-in-links/new", roles=OFFICE)
def create_check_in_link() -> Response:
    """Create the booking and its check-in link."""
    form = _with_buildings(StayForm())
    form.offer(_find_free_units(form))
    return submitted(
        form,
        act=lambda work: stays_check_in_links.create_check_in_link(
            work,
            unit_id=form.unitId.data,
            check_in=form.checkIn.data,
            check_out=form.checkOut.data,
            guest_name=form.guestName.data or "",
            guests=form.guests.data,
            email=form.email.data,
            locale=form.locale.data,
            new_reservation_id=form.newReservationId.data,
        ),
        then=lambda link_id: _go_to_link(link_id, form.newReservationId.data or ""),
        again=lambda: _render_new(form, form),
    )


@dashboard.post("/reservations/<reservation_id>/check-in-link", roles=OFFICE)
def link_stay(reservation_id: str) -> Response:
    """Create the link of a booking that has none."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: stays_check_in_links.link_stay(work, reservation_id=reservation_id),
        then=lambda link_id: _go_to_link(link_id, reservation_id),
        again=lambda: render_links(form),
    )


def _go_to_link(link_id: str | None, reservation_id: str) -> Response:
    if link_id is None:
        # The same form made the link before, and its first answer may not have been seen.
        known = stay_links.link_of_reservation(reading(), reservation_id, today())
        if known is None:
            return go(url_for("dashboard.check_in_links"), message=_("Check-in link created."))
        link_id = known.id
    address = url_for("dashboard.check_in_link", check_in_link_id=link_id)
    return go(address, message=_("Check-in link created."))


def _with_buildings(form: Asked) -> Asked:
    names = building_choices()
    form.building.choices = (
        names if len(names) == 1 else [("", str(_("Choose a building"))), *names]
    )
    return form


def _find_free_units(form: NightsForm) -> Sequence[BookableUnit]:
    if not (form.building.data and form.checkIn.data and form.checkOut.data):
        return ()
    return free_units.free_units(
        reading(), form.building.data, form.checkIn.data, form.checkOut.data, today()
    )


def _render_new(nights: NightsForm, form: StayForm | None) -> Response:
    units = _find_free_units(nights) if form else ()
    if form:
        form.offer(units)
    return page(
        "dashboard/check_in_links/new.html",
        nights=nights,
        form=form or nights,
        stay=form,
        units=units,
    )


class MailForm(FlaskForm):
    """The email address the link is sent to."""

    email = EmailField(lazy_gettext("Email"), [Required()])


_ONE_TEMPLATE: Final = "dashboard/check_in_links/one.html"
_RENEWAL: Final = "dashboard/check_in_links/renewal.html"
_REVOCATION: Final = "dashboard/check_in_links/revocation.html"


@dashboard.get("/check-in-links/<check_in_link_id>", roles=OFFICE, is_secret=True)
def check_in_link(check_in_link_id: str) -> Response:
    """Show the link and the guest register of its stay."""
    link = _read_link(check_in_link_id)
    return _render_link(_ONE_TEMPLATE, link, MailForm(data={"email": link.email}))


@dashboard.post("/check-in-links/<check_in_link_id>/mail", roles=OFFICE)
def mail_check_in_link(check_in_link_id: str) -> Response:
    """Mail the link to the guest."""
    link, form = _read_link(check_in_link_id), MailForm()
    return submitted(
        form,
        act=lambda work: stays_check_in_links.mail_check_in_link(
            work, link_id=link.id, email=form.email.data, address=_build_address(link)
        ),
        then=lambda to: _return_to_link(
            link.id, _("The link is being sent to %(address)s.", address=to)
        ),
        again=lambda: _render_link(_ONE_TEMPLATE, link, form),
    )


@dashboard.get("/check-in-links/<check_in_link_id>/renewal", roles=OFFICE)
def check_in_link_renewal(check_in_link_id: str) -> Response:
    """Show what a new link means before it is made."""
    return _render_link(_RENEWAL, _read_link(check_in_link_id), FlaskForm())


@dashboard.post("/check-in-links/<check_in_link_id>/renewal", roles=OFFICE)
def renew_check_in_link(check_in_link_id: str) -> Response:
    """Replace the link; the old one stops working at once."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: stays_check_in_links.renew_check_in_link(work, link_id=check_in_link_id),
        then=lambda _none: _return_to_link(check_in_link_id, _("New link created. Send it again.")),
        again=lambda: _render_link(_RENEWAL, _read_link(check_in_link_id), form),
    )


@dashboard.get("/check-in-links/<check_in_link_id>/revocation", roles=OFFICE)
def check_in_link_revocation(check_in_link_id: str) -> Response:
    """Show what revoking the link means before it is done."""
    return _render_link(_REVOCATION, _read_link(check_in_link_id), FlaskForm())


@dashboard.post("/check-in-links/<check_in_link_id>/revocation", roles=OFFICE)
def revoke_check_in_link(check_in_link_id: str) -> Response:
    """Revoke the link."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: stays_check_in_links.revoke_check_in_link(work, link_id=check_in_link_id),
        then=lambda _none: _return_to_link(check_in_link_id, _("Link revoked.")),
        again=lambda: _render_link(_REVOCATION, _read_link(check_in_link_id), form),
    )


def _read_link(check_in_link_id: str) -> StayLink:
    return stay_links.stay_link(reading(), check_in_link_id, today())


def _build_address(link: StayLink) -> str:
    token = link.token(auth_context().signer)
    return str(current_app.config["BASE_URL"] + url_for("guest_checkin.stay", token=token))


def _return_to_link(check_in_link_id: str, text: str) -> Response:
    return go(url_for("dashboard.check_in_link", check_in_link_id=check_in_link_id), message=text)


def _render_link(template: str, link: StayLink, form: Form) -> Response:
    terms = stays.stay_terms(reading())
    return page(
        template,
        link=link,
        form=form,
        terms=terms,
        words={field.value: label_of(field) for field in RegisterField},
        guests=guests_of(reading(), link.id, terms),
        address=_build_address(link),
        released_at=terms.released_at(link.check_in_on),
    )
