"""Enquiries: who asks for a home, the answers, and the outcome."""

from typing import Any, Final, NamedTuple, Self

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm

from pms.availability import units
from pms.availability.units import ExplainedUnit
from pms.catalogue import records
from pms.enquiries import enquiries as enquiry_records
from pms.enquiries import enquiry_answers, enquiry_lists
from pms.enquiries.enquiries import WrittenEnquiry
from pms.enquiries.enquiry_lists import EnquiryRecord
from pms.foundation.work import Work
from pms.rules.enquiry_steps import CLOSED, may_move, next_states, reopened_state
from pms.rules.enumerations import EnquirySource, Locale
from pms.surfaces.dashboard.enquiry_actions import ActingForm, EnquiryActions
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.unit_list import reason_words
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Either,
    EmailField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


class EnquiryForm(FlaskForm):
    """The person who enquires, how to reach them, and the home they ask for."""

    name = TextField(lazy_gettext("Name"), [Required()])
    email = EmailField(lazy_gettext("Email"), [Either()])
    phone = PhoneField(lazy_gettext("Phone"), [Either()])
    source = ChoiceField(lazy_gettext("Source"), [Required()])
    locale = ChoiceField(lazy_gettext("Language"), [Required()])
    buildingId = ChoiceField(worded("enquiry", "Interested in"), [Optional()])
    unit = TextField(lazy_gettext("Unit"), [Optional()])
    moveInDate = DayField(lazy_gettext("Preferred move-in"), [Optional()])
    message = LongTextField(lazy_gettext("Message"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.buildingId.choices = [("", str(lazy_gettext("Any building"))), *building_choices()]
        self.locale.choices = choices(Locale)
        self.source.choices = choices(EnquirySource)

    @classmethod
    def of(cls, record: EnquiryRecord) -> Self:
        """Return the form filled with the recorded enquiry."""
        enquiry = record.enquiry
        return cls(
            formdata=None,
            data={
                "name": enquiry.name,
                "email": enquiry.email,
                "phone": enquiry.phone,
                "locale": enquiry.locale,
                "source": enquiry.source.value,
                "buildingId": enquiry.building_id,
                "unit": enquiry.unit_name,
                "moveInDate": enquiry.move_in_on,
                "message": enquiry.message,
            },
        )

    def written_enquiry(self, work: Work) -> WrittenEnquiry:
        """Return the enquiry of a valid form; raise `Refused` for an unknown unit."""
        return WrittenEnquiry(
            name=self.name.data,
            source=EnquirySource(self.source.data),
            email=self.email.data,
            phone=self.phone.data,
            message=self.message.data,
            unit_id=enquiry_records.room_of(work.session, self.buildingId.data, self.unit.data),
            building_id=self.buildingId.data or None,
            move_in_on=self.moveInDate.data,
            locale=self.locale.data,
        )


@dashboard.get("/enquiries/new", roles=OFFICE)
def new_enquiry() -> Response:
    """Show the empty form, with the unit of the query filled in."""
    given: dict[str, object] = {
        "locale": chosen_language(),
        "source": EnquirySource.PHONE.value,
    }
    unit_id = request.args.get("unitId")
    if unit_id:
        unit = records.unit_record(reading(), unit_id)
        given |= {"buildingId": unit.building_id, "unit": unit.written.name}
    return _render_new_enquiry(EnquiryForm(data=given))


@dashboard.post("/enquiries", roles=OFFICE)
def receive_enquiry() -> Response:
    """Store the enquiry and show it, beside an earlier one of the same person."""
    form = EnquiryForm()
    return submitted(
        form,
        act=lambda work: enquiry_records.receive_enquiry(work, enquiry=form.written_enquiry(work)),
        then=lambda enquiry_id: go(
            url_for("dashboard.enquiry", enquiry_id=enquiry_id), message=_("Enquiry saved.")
        ),
        again=lambda: _render_new_enquiry(form),
    )


def _render_new_enquiry(form: EnquiryForm) -> Response:
    return page("dashboard/enquiries/new.html", form=form)


_OFFERING: Final = "dashboard.new_reservation_link"


class WantedUnit(NamedTuple):
    """The unit an enquiry is about, its availability, and the reason for it in words."""

    explained: ExplainedUnit
    reason: str


@dashboard.get("/enquiries/<enquiry_id>", roles=OFFICE)
def enquiry(enquiry_id: str) -> Response:
    """Show the enquiry."""
    return render_enquiry(enquiry_id, ActingForm.fresh())


def render_enquiry(enquiry_id: str, form: ActingForm) -> Response:
    """Show the enquiry with the typed answer or note."""
    record = enquiry_lists.enquiry_record(reading(), enquiry_id)
    form.offer(record.enquiry.assignee_id)
    if record.enquiry.unit_id is None:
        unit = None
    else:
        explained = units.explain_unit(reading(), record.enquiry.unit_id, today())
        unit = WantedUnit(explained, reason_words(explained.reason))
    # The states it can be moved to; a closed one reopens as answered or not, as it was before.
    enquiry = record.enquiry
    steps = (
        (reopened_state(was_answered=enquiry.answered_at is not None),)
        if enquiry.state in CLOSED
        else next_states(enquiry.state)
    )
    return page_or_block(
        "dashboard/enquiries/enquiry.html",
        "enquiry",
        record=record,
        enquiry=record.enquiry,
        form=form,
        unit=unit,
        steps=steps,
        offer_at=_offer_at(record, unit),
    )


def _offer_at(record: EnquiryRecord, unit: WantedUnit | None) -> str | None:
    """Return the address for offering the unit; the move-in day is filled in only if certain."""
    if _OFFERING not in current_app.view_functions:
        return None
    enquiry = record.enquiry
    asked: dict[str, Any] = {"enquiryId": enquiry.id, "name": enquiry.name, "email": enquiry.email}
    free_on = unit.explained.availability.move_in_from if unit else None
    if unit is not None:
        asked["unitId"] = enquiry.unit_id
    if free_on is not None:
        asked["moveInDate"] = max(free_on, enquiry.move_in_on or free_on).isoformat()
    return url_for(_OFFERING, **asked)


_ACTIONS: Final = EnquiryActions("enquiry", render_enquiry)


@dashboard.post("/enquiries/<enquiry_id>/answers", roles=OFFICE)
def answer_enquiry(enquiry_id: str) -> Response:
    """Mail an answer."""
    return _ACTIONS.reply(
        enquiry_id,
        lambda work, text, key: enquiry_answers.answer_enquiry(
            work, enquiry_id=enquiry_id, text=text, key=key
        ),
    )


@dashboard.post("/enquiries/<enquiry_id>/answers/<enquiry_note_id>/retry", roles=OFFICE)
def send_enquiry_again(enquiry_id: str, enquiry_note_id: str) -> Response:
    """Send an answer again that could not be sent."""
    return _ACTIONS.retry(
        enquiry_id,
        lambda work: enquiry_answers.send_enquiry_again(
            work, enquiry_id=enquiry_id, note_id=enquiry_note_id
        ),
    )


@dashboard.post("/enquiries/<enquiry_id>/notes", roles=OFFICE)
def note_enquiry(enquiry_id: str) -> Response:
    """Store a note."""
    return _ACTIONS.note(
        enquiry_id,
        lambda work, text, key: enquiry_records.note_enquiry(
            work, enquiry_id=enquiry_id, text=text, key=key
        ),
    )


@dashboard.post("/enquiries/<enquiry_id>/assignee", roles=OFFICE)
def assign_enquiry(enquiry_id: str) -> Response:
    """Assign the enquiry to a person, or to nobody."""
    return _ACTIONS.assign(
        enquiry_id,
        lambda work, person_id: enquiry_records.assign_enquiry(
            work, enquiry_id=enquiry_id, person_id=person_id
        ),
    )


@dashboard.post("/enquiries/<enquiry_id>/state", roles=OFFICE)
def move_enquiry(enquiry_id: str) -> Response:
    """Change the state; the confirmation offers to undo it where that is possible."""
    return _ACTIONS.move(
        enquiry_id,
        enquiry_lists.enquiry_record(reading(), enquiry_id).enquiry.state,
        lambda work, into: enquiry_records.move_enquiry(work, enquiry_id=enquiry_id, into=into),
        lambda into: _("Status of the enquiry: %(state)s.", state=label_of(into)),
        may_move,
    )


@dashboard.get("/enquiries/<enquiry_id>/facts", roles=OFFICE)
def enquiry_facts(enquiry_id: str) -> Response:
    """Show the form with the enquiry's facts."""
    record = enquiry_lists.enquiry_record(reading(), enquiry_id)
    return _render_edit(enquiry_id, Edit.of(EnquiryForm.of(record), record.version))


@dashboard.post("/enquiries/<enquiry_id>/facts", roles=OFFICE)
def edit_enquiry(enquiry_id: str) -> Response:
    """Save the facts, merged with changes that others saved meanwhile."""
    enquiry_lists.enquiry_record(reading(), enquiry_id)
    form = EnquiryForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = enquiry_lists.enquiry_record(work.session, enquiry_id)
        edit.merge(
            work,
            Edit.of(EnquiryForm.of(record), record.version),
            subject=("enquiry", enquiry_id),
            columns={"unit": "unit_id", "moveInDate": "move_in_on"},
        )
        return enquiry_records.edit_enquiry(
            work, enquiry_id=enquiry_id, version=record.version, written=form.written_enquiry(work)
        )

    return edit.save(
        act,
        url_for("dashboard.enquiry", enquiry_id=enquiry_id),
        again=lambda: _render_edit(enquiry_id, edit),
    )


def _render_edit(enquiry_id: str, edit: Edit) -> Response:
    record = enquiry_lists.enquiry_record(reading(), enquiry_id)
    return page("dashboard/enquiries/edit.html", form=edit.form, edit=edit, record=record)
