"""Viewings: who is shown which unit, when, by whom, and the result."""

from datetime import datetime, time
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.availability import units
from pms.catalogue import records
from pms.enquiries import enquiries, enquiry_lists, viewing_lists, viewings
from pms.enquiries.viewing_lists import ListedViewing
from pms.enquiries.viewings import WantedViewing
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.mail_texts import format_day
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.availability import Availability
from pms.rules.days import JAPAN, ONE_DAY, read_day, readable
from pms.rules.enquiry_steps import LONGEST_MINUTES, RESULTS, SHORTEST_MINUTES, may_change, may_end
from pms.rules.enumerations import AvailabilityState, Locale, ViewingStatus
from pms.surfaces.dashboard.gate import OFFICE, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.record_choices import building_choices, office_choices
from pms.surfaces.dashboard.rooms import room_seeker
from pms.surfaces.dashboard.unit_list import reason_words
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Either,
    EmailField,
    FlagField,
    HiddenField,
    LongTextField,
    Optional,
    PhoneField,
    PickField,
    Required,
    TextField,
    TimeField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import database, today


class ViewingResultForm(FlaskForm):
    """Whether the viewing took place, and a note."""

    result = PickField(lazy_gettext("Result"), [Required()])
    note = LongTextField(lazy_gettext("Internal note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.result.choices = [(result.value, label_of(result)) for result in RESULTS]


class ShownUnit(NamedTuple):
    """A unit with its availability: the words for the visitor, and the reason for staff."""

    id: str
    name: str
    building: Bilingual
    availability: Availability
    availability_text: str
    reason: str


def shown_unit(unit_id: str) -> ShownUnit:
    """Return the unit of a viewing with today's availability."""
    unit, explained = (
        records.unit_record(reading(), unit_id),
        units.explain_unit(reading(), unit_id, today()),
    )
    label = explained.availability
    return ShownUnit(
        unit_id,
        unit.written.name,
        unit.building,
        label,
        _say_availability(label),
        reason_words(explained.reason),
    )


def _say_availability(label: Availability) -> str:
    day = format_day(label.on, chosen_language()) if label.on else None
    if label.state == AvailabilityState.AVAILABLE_NOW:
        return str(_("Free: the visitor can move in at once."))
    if label.move_in_from is not None:
        return str(_("Occupied until %(day)s. You can offer it from that day.", day=day))
    if label.is_possible and day:
        return str(
            _(
                "May become free on %(day)s. Tell the visitor, and do not promise a move-in date.",
                day=day,
            )
        )
    if label.is_possible:
        return str(_("May become free. Tell the visitor, and do not promise a move-in date."))
    if label.state == AvailabilityState.RESERVED:
        return str(_("Reserved. You can show it but not offer it."))
    return str(_("Occupied, no end date. You can show it but not offer it."))


@dashboard.get("/viewings/<viewing_id>", roles=OFFICE)
def viewing(viewing_id: str) -> Response:
    """Show the viewing."""
    return render_viewing(viewing_id, None)


def render_viewing(viewing_id: str, form: ViewingResultForm | None) -> Response:
    """Show the viewing with the typed result."""
    viewing = viewing_lists.viewing_record(reading(), viewing_id)
    return page(
        "dashboard/viewings/viewing.html",
        viewing=viewing,
        form=form
        or ViewingResultForm(
            formdata=None, data={"result": viewing.status.value, "note": viewing.note}
        ),
        unit=shown_unit(viewing.unit_id),
        may_change=may_change(viewing.status),
        may_end=may_end(viewing.status, viewing.starts_at, today()),
    )


class ViewedUnitForm(FlaskForm):
    """The unit of a viewing; fields are listed in the order in which they are declared."""

    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])
    unit = TextField(lazy_gettext("Unit"), [Required()])


class TimeForm(FlaskForm):
    """The time, the length and the host; two viewings at once only if confirmed."""

    onDay = DayField(lazy_gettext("Day"), [Required()])
    atTime = TimeField(lazy_gettext("Time"), [Required()])
    minutes = WholeNumberField(
        lazy_gettext("Minutes"), [Required()], least=SHORTEST_MINUTES, most=LONGEST_MINUTES
    )
    hostId = ChoiceField(lazy_gettext("Shown by"), [Optional()])
    mayOverlap = FlagField(lazy_gettext("Book both at the same time"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hostId.choices = [("", str(lazy_gettext("Unassigned"))), *office_choices()]

    @property
    def starts_at(self) -> datetime:
        """The instant of a valid form, in Japan's time."""
        return datetime.combine(self.onDay.data, self.atTime.data, JAPAN)


class ViewingForm(ViewedUnitForm, TimeForm):
    """A viewing of a unit for a visitor, optionally from an enquiry."""

    enquiryId = HiddenField()
    name = TextField(lazy_gettext("Visitor"), [Required()])
    email = EmailField(lazy_gettext("Email"), [Either()])
    phone = PhoneField(lazy_gettext("Phone"), [Either()])
    locale = ChoiceField(lazy_gettext("Language"), [Required()])
    note = LongTextField(lazy_gettext("Internal note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.buildingId.choices = [("", str(lazy_gettext("Choose"))), *building_choices()]
        self.locale.choices = choices(Locale)

    def chosen_unit(self, session: WorkspaceSession) -> str | None:
        """Return the unit, or None while the typed one is unknown."""
        try:
            return enquiries.room_of(session, self.buildingId.data, self.unit.data)
        except Refused:
            return None

    def wanted_viewing(self, work: Work) -> WantedViewing:
        """Return the viewing of a valid form; raise `Refused` for an unknown unit."""
        return WantedViewing(
            unit_id=enquiries.room_of(work.session, self.buildingId.data, self.unit.data) or "",
            starts_at=self.starts_at,
            minutes=self.minutes.data,
            visitor_name=self.name.data,
            visitor_email=self.email.data,
            visitor_phone=self.phone.data,
            visitor_locale=self.locale.data,
            host_id=self.hostId.data or None,
            note=self.note.data,
            enquiry_id=self.enquiryId.data or None,
        )


@dashboard.get("/viewings/<viewing_id>/time", roles=OFFICE)
def viewing_time(viewing_id: str) -> Response:
    """Show the form for the time and the host."""
    viewing = viewing_lists.viewing_record(reading(), viewing_id)
    return _render_change(viewing, Edit.of(_form_of(viewing), viewing.version))


_COLUMNS: Final = {"onDay": "starts_at", "atTime": "starts_at", "minutes": "duration_minutes"}


@dashboard.post("/viewings/<viewing_id>/time", roles=OFFICE)
def move_viewing(viewing_id: str) -> Response:
    """Move the viewing, merged with other changes; a new time is mailed to the visitor."""
    form = TimeForm()
    edit = Edit.from_typed(form, request.form)
    viewing = viewing_lists.viewing_record(reading(), viewing_id)

    def act(work: Work) -> bool:
        viewing = viewing_lists.viewing_record(work.session, viewing_id)
        now = Edit.of(_form_of(viewing), viewing.version)
        edit.merge(work, now, subject=("viewing", viewing_id), columns=_COLUMNS)
        return viewings.move_viewing(
            work,
            Files(database().settings),
            viewing_id=viewing_id,
            version=viewing.version,
            starts_at=form.starts_at,
            minutes=form.minutes.data,
            host_id=form.hostId.data or None,
            may_overlap=form.mayOverlap.data,
        )

    def then(is_mailed: bool) -> Response:
        message = _say_whether_mailed(_("Viewing changed."), is_mailed)
        return _return_to_viewing(viewing_id, edit.message(message))

    return submitted(form, act, then, again=lambda: _render_change(viewing, edit))


@dashboard.post("/viewings/<viewing_id>/cancellation", roles=OFFICE)
def cancel_viewing(viewing_id: str) -> Response:
    """Cancel the viewing."""
    return submitted(
        FlaskForm(),
        act=lambda work: viewings.cancel_viewing(
            work, Files(database().settings), viewing_id=viewing_id
        ),
        then=lambda is_mailed: _return_to_viewing(
            viewing_id, _say_whether_mailed(_("Viewing cancelled."), is_mailed)
        ),
        again=lambda: render_viewing(viewing_id, None),
    )


@dashboard.post("/viewings/<viewing_id>/result", roles=OFFICE)
def end_viewing(viewing_id: str) -> Response:
    """Record the result."""
    form = ViewingResultForm()
    return submitted(
        form,
        act=lambda work: viewings.end_viewing(
            work, viewing_id=viewing_id, result=ViewingStatus(form.result.data), note=form.note.data
        ),
        then=lambda _none: _return_to_viewing(viewing_id, _("Result saved.")),
        again=lambda: render_viewing(viewing_id, form),
    )


def _form_of(viewing: ListedViewing) -> TimeForm:
    return TimeForm(
        formdata=None,
        data={
            "onDay": viewing.on,
            "atTime": viewing.there.time(),
            "minutes": viewing.minutes,
            "hostId": viewing.host_id,
        },
    )


def _render_change(viewing: ListedViewing, edit: Edit) -> Response:
    unit = shown_unit(viewing.unit_id)
    return page(
        "dashboard/viewings/change.html", viewing=viewing, form=edit.form, edit=edit, unit=unit
    )


def _say_whether_mailed(words: str, is_mailed: bool) -> str:
    mailed = _("The visitor gets an email.") if is_mailed else _("No email will be sent.")
    return f"{words} {mailed}"


def _return_to_viewing(viewing_id: str, message: str) -> Response:
    return go(url_for("dashboard.viewing", viewing_id=viewing_id), message=message)


_USUAL_TIME: Final = time(14, 0)
_USUAL_MINUTES: Final = 30


@dashboard.get("/viewings/new", roles=OFFICE)
def new_viewing() -> Response:
    """Show the form, filled from the enquiry or the unit of the query."""
    if request.args.get("part") == "unit":
        return _render_booking(ViewingForm(request.args), "unit")
    given: dict[str, Any] = {
        "onDay": readable(read_day(request.args.get("onDay"))) or today() + ONE_DAY,
        "atTime": _USUAL_TIME,
        "minutes": _USUAL_MINUTES,
        "hostId": current_member().person_id,
        "locale": chosen_language(),
    }
    enquiry_id, unit_id = request.args.get("enquiryId"), request.args.get("unitId")
    if enquiry_id:
        enquiry = enquiry_lists.enquiry_record(reading(), enquiry_id).enquiry
        of_enquiry = {
            "enquiryId": enquiry.id,
            "buildingId": enquiry.building_id,
            "unit": enquiry.unit_name,
            "name": enquiry.name,
            "email": enquiry.email,
            "phone": enquiry.phone,
            "locale": enquiry.locale,
        }
        given |= of_enquiry
    elif seeker := room_seeker():
        given |= seeker.person
    if unit_id:
        unit = records.unit_record(reading(), unit_id)
        given |= {"buildingId": unit.building_id, "unit": unit.written.name}
    return _render_booking(ViewingForm(data=given))


@dashboard.post("/viewings", roles=OFFICE)
def book_viewing() -> Response:
    """Book the viewing; it is mailed to the visitor if there is an address."""
    form = ViewingForm()
    return submitted(
        form,
        act=lambda work: viewings.book_viewing(
            work,
            Files(database().settings),
            wanted=form.wanted_viewing(work),
            may_overlap=form.mayOverlap.data,
        ),
        then=lambda viewing_id: go(
            url_for("dashboard.viewing", viewing_id=viewing_id),
            message=_("Viewing booked. The visitor gets an email.")
            if form.email.data
            else _("Viewing booked. No email will be sent."),
        ),
        again=lambda: _render_booking(form),
    )


def _render_booking(form: ViewingForm, block: str = "booking") -> Response:
    unit_id = form.chosen_unit(reading())
    unit = shown_unit(unit_id) if unit_id else None
    return page_or_block("dashboard/viewings/new.html", block, form=form, unit=unit)
