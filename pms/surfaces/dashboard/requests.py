"""Reports of problems: reporting, one report with its photos, and closing it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Response, url_for
from flask import request as asked
from flask_babel import gettext as _
from flask_babel import lazy_gettext, lazy_pgettext
from flask_wtf import FlaskForm
from wtforms import Form
from wtforms.validators import StopValidation

from pms.catalogue import records
from pms.catalogue.buildings import NamedBuilding, building_names
from pms.catalogue.units import unit_names
from pms.channels import conversation_threads
from pms.channels.conversation_lists import InboxVisibility
from pms.foundation.audit import Subject
from pms.foundation.errors import no_such
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.surfaces.dashboard.gate import (
    EVERYBODY,
    MAINTENANCE,
    PHOTO_BYTES,
    actor,
    current_member,
    dashboard,
    may,
    reading,
)
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
)
from pms.surfaces.forms import PhotosForm, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.request_scope import clock, today
from pms.upkeep import reported_words, reporting_residents, request_lists, requests, ticket_lists
from pms.upkeep.photos import REQUEST, add_upkeep_photo, photos_of
from pms.upkeep.reporting_residents import ReportingResident
from pms.upkeep.request_lists import FoundRequests, RequestSearch
from pms.upkeep.requests import ReportedProblem
from pms.upkeep.ticket_lists import ListedTicket, TicketSearch
from pms.upkeep.tickets import TicketVisibility


class TakenPhotosForm(PhotosForm):
    """A form with optional photos of a report, a task or a purchase."""

    needs_photo = False

    def keep(self, work: Work, subject: Subject) -> int:
        """Store the photos of a report, a task or a purchase; return their number."""
        for sized in self.sized:
            add_upkeep_photo(work, subject=subject, sized=sized)
        return len(self.sized)


class RequestPhotosForm(TakenPhotosForm):
    """A form with photos only."""

    needs_photo = True


_MOST: Final = Paging(1, 50)


def conversations_about(
    *, project_id: str | None = None, request_id: str | None = None
) -> Sequence[ListedTicket]:
    """Return the conversations, open or closed; staff on site see those of their own projects."""
    search = TicketSearch(state=None, project_id=project_id, request_id=request_id)
    visibility = TicketVisibility.of_staff(current_member().role, current_member().person_id)
    return ticket_lists.list_tickets(reading(), search, _MOST, visibility).rows


@dashboard.get("/requests/<request_id>", roles=MAINTENANCE)
def request(request_id: str) -> Response:
    """Show the report."""
    return render_request(request_id, RequestPhotosForm())


def render_request(request_id: str, form: Any) -> Response:
    """Show the report with the form for more photos."""
    found = request_lists.request_record(reading(), request_id)
    if not found.unit_id:
        of_unit = []
    else:
        search = RequestSearch(unit_id=found.unit_id)
        of_unit = list(request_lists.request_list(reading(), search, Paging(1, 6)).requests)
    return page(
        "dashboard/requests/request.html",
        found=found,
        form=form,
        twins=[twin for twin in of_unit if twin.id != found.id],
        photos=photos_of(reading(), REQUEST, [found.id]).get(found.id, ()),
        tickets=conversations_about(request_id=found.id),
    )


@dashboard.post("/requests/<request_id>/photos", roles=MAINTENANCE, most_bytes=PHOTO_BYTES)
def add_request_photos(request_id: str) -> Response:
    """Store the photos and show the report."""
    found, form = request_lists.request_record(reading(), request_id), RequestPhotosForm()
    return submitted(
        form,
        act=lambda work: form.keep(work, (REQUEST, found.id)),
        then=lambda count: go(
            url_for("dashboard.request", request_id=request_id),
            message=_("Photos added: %(count)s.", count=count),
        ),
        again=lambda: render_request(request_id, form),
    )


@dashboard.post("/requests/<request_id>/unfolding", roles=MAINTENANCE)
def unfold_request(request_id: str) -> Response:
    """Take the report out of its project, so that it is open again."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: reported_words.unfold_request(work, request_id=request_id),
        then=lambda _none: go(
            url_for("dashboard.request", request_id=request_id),
            message=_("The report has been removed from the project."),
        ),
        again=lambda: _answer_refused(request_id, form),
    )


def _answer_refused(request_id: str, form: Form) -> Response:
    pictures = RequestPhotosForm(formdata=None)
    pictures.form_errors = form.form_errors
    return render_request(request_id, pictures)


class ClosingForm(FlaskForm):
    """The reason why no work follows."""

    because = LongTextField(lazy_gettext("Why is no work needed?"), [Required()])


@dashboard.get("/requests/<request_id>/closure", roles=MAINTENANCE)
def check_closing(request_id: str) -> Response:
    """Show the report with the form for the reason."""
    return _render_closing(request_id, ClosingForm())


@dashboard.post("/requests/<request_id>/closure", roles=MAINTENANCE)
def close_request(request_id: str) -> Response:
    """Close the report and go back to the list."""
    form = ClosingForm()
    return submitted(
        form,
        act=lambda work: reported_words.close_request(
            work, request_id=request_id, because=form.because.data
        ),
        then=lambda _none: go(url_for("dashboard.requests"), message=_("Report closed.")),
        again=lambda: _render_closing(request_id, form),
    )


def _render_closing(request_id: str, form: ClosingForm) -> Response:
    found = request_lists.request_record(reading(), request_id)
    return page_or_block(
        "dashboard/requests/closing.html",
        "closing",
        found=found,
        form=form,
        tickets=conversations_about(request_id=found.id),
    )


SHARED: Final = "shared"
MAY_ENTER, STAY_OUT = "yes", "no"


class StaffReportForm(TakenPhotosForm):
    """A problem in a chosen building; `once` recognizes a form sent twice.

    Office staff may report for a resident, who then says whether staff may enter alone.
    """

    buildingId = HiddenField()
    once = HiddenField()
    unitId = ChoiceField(lazy_gettext("Where"), [Required()])
    reservationId = ChoiceField(lazy_gettext("Reported by"), [Optional()])
    # Without `Optional`: it is required below, only for a resident's report.
    mayEnter = PickField(
        lazy_gettext("May we enter alone"),
        choices=[
            (MAY_ENTER, lazy_pgettext("enter alone", "Yes")),
            (STAY_OUT, lazy_gettext("No, only with the resident")),
        ],
    )
    what = LongTextField(lazy_gettext("Problem"), [Required()])

    def offer(self) -> None:
        """Fill the lists of the building's places and, for office staff, of its residents."""
        units = unit_names(reading(), self.buildingId.data or "")
        self.unitId.choices = [
            ("", str(lazy_gettext("Choose"))),
            (SHARED, str(lazy_gettext("Shared areas"))),
            *((unit.id, unit.name) for unit in units),
        ]
        # Only office staff may see who lives where.
        is_office, building_id = current_member().is_office, self.buildingId.data or ""
        self._offer_residents(
            reporting_residents.reporting_residents(reading(), building_id, today())
            if is_office
            else ()
        )

    def narrow(self) -> None:
        """Keep only the residents of the chosen place, if one is chosen."""
        if self.unitId.data:
            self._offer_residents(
                [resident for resident in self.residents if resident.unit_id == self.chosen_unit]
            )

    def validate_reservationId(self, field: ChoiceField) -> None:  # noqa: N802  # WTForms' name
        """Require a resident of the chosen unit, as in the resident's own portal."""
        homes = {resident.reservation_id: resident.unit_id for resident in self.residents}
        if field.data and homes.get(field.data) != self.chosen_unit:
            raise StopValidation(
                str(lazy_gettext("This person does not live there. Choose their unit above."))
            )

    def validate_mayEnter(self, field: PickField) -> None:  # noqa: N802  # WTForms' name
        """Require the answer to this question for a resident's report."""
        if self.reservationId.data and not field.data:
            raise StopValidation(str(lazy_gettext("Ask the resident and choose one of the two.")))

    def _offer_residents(self, residents: Sequence[ReportingResident]) -> None:
        self.residents = residents
        self.reservationId.choices = [
            ("", str(lazy_gettext("None: reported by the office"))),
            *(
                (resident.reservation_id, f"{resident.unit_name} {resident.name}")
                for resident in residents
            ),
        ]

    @property
    def chosen_unit(self) -> str | None:
        """The chosen unit, or None for the shared areas."""
        chosen: str | None = self.unitId.data
        return chosen if chosen != SHARED else None

    @property
    def reported_problem(self) -> ReportedProblem:
        """The report of a valid form."""
        return ReportedProblem(
            building_id=self.buildingId.data, unit_id=self.chosen_unit, what=self.what.data
        )


def begun_report(given: Mapping[str, str]) -> StaffReportForm:
    """Return the form with the known facts; only office staff start from a resident."""
    known = _of_resident(given) if current_member().is_office else {}
    return StaffReportForm(formdata=None, data={"once": new_id()} | (known or _of_place(given)))


def _of_place(given: Mapping[str, str]) -> dict[str, Any]:
    unit_id, building_id = given.get("unitId", ""), given.get("buildingId")
    if is_id(unit_id):
        building_id = records.unit_record(reading(), unit_id).building_id
    return {"unitId": unit_id, "buildingId": building_id}


def _of_resident(given: Mapping[str, str]) -> dict[str, Any]:
    reservation_id, words = given.get("reservationId"), None
    if given.get("conversationId"):
        # The query does not carry the words of the message: they would end up in every log.
        report = conversation_threads.words_to_report(
            reading(), given["conversationId"], InboxVisibility.everything()
        )
        reservation_id, words = report.reservation_id, report.text
    if not reservation_id:
        return {}
    home = reporting_residents.home_of(reading(), reservation_id)
    return {
        "buildingId": home.building_id,
        "unitId": home.unit_id,
        "reservationId": reservation_id,
        "what": words,
    }


_OWN: Final = Paging(1, 5)
_ALREADY: Final = Paging(1, 5)


@dashboard.get("/requests/new", roles=EVERYBODY)
def report_problem() -> Response:
    """Show the form; in a workspace with several buildings, first the buildings."""
    return _render_reporting(begun_report(asked.args))


@dashboard.post("/requests/new", roles=EVERYBODY, most_bytes=PHOTO_BYTES)
def send_report() -> Response:
    """Store the report and its photos; people who may read reports see it next."""
    form = StaffReportForm()
    form.offer()
    if form.reservationId.data:
        # Store the report as the resident's own, and show its conversation.
        return submitted(
            form,
            act=lambda work: requests.report_own_problem(
                work,
                reservation_id=form.reservationId.data,
                what=form.what.data,
                may_enter=form.mayEnter.data == MAY_ENTER,
                photos=form.sized,
                key=form.once.data,
            ),
            then=_resident_message,
            again=lambda: _render_reporting(form),
        )

    def act(work: Work) -> str | None:
        if not is_new(work.session, clock(), actor(), form.once.data):
            return None
        made = requests.report_problem(work, reported=form.reported_problem)
        form.keep(work, (REQUEST, made))
        return made

    return submitted(form, act, then=_report_message, again=lambda: _render_reporting(form))


def _resident_message(ticket_id: str | None) -> Response:
    message = _("Report sent. The resident can see it in the resident portal.")
    if ticket_id is None:
        return go(url_for("dashboard.requests"), message=message)
    return go(url_for("dashboard.ticket", ticket_id=ticket_id), message=message)


def _report_message(request_id: str | None) -> Response:
    message = _("Report sent. Thank you.")
    if request_id and may("request"):
        return go(url_for("dashboard.request", request_id=request_id), message=message)
    return go(url_for("dashboard.report_problem"), message=message)


def _render_reporting(form: StaffReportForm) -> Response:
    buildings = building_names(reading())
    building = _chosen_building(buildings, form.buildingId.data)
    form.buildingId.data = building.id if building else ""
    form.offer()
    form.narrow()
    unit_id = form.chosen_unit
    if not unit_id or not is_id(unit_id):
        already = FoundRequests((), 0)
    else:
        already = request_lists.request_list(reading(), RequestSearch(unit_id=unit_id), _ALREADY)
    return page_or_block(
        "dashboard/requests/new.html",
        "already",
        form=form,
        building=building,
        buildings=buildings,
        already=already,
        own=request_lists.request_list(
            reading(), RequestSearch(state=None, reported_by=actor()), _OWN
        ),
    )


def _chosen_building(
    buildings: Sequence[NamedBuilding], building_id: str | None
) -> NamedBuilding | None:
    if building_id:
        found = next((building for building in buildings if building.id == building_id), None)
        if found is None:
            raise no_such("building", building_id)
        return found
    return buildings[0] if len(buildings) == 1 else None
