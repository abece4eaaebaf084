"""The list of enquiries: its filters, its columns, and the assignment of several at once."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import lazy_gettext, ngettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm

from pms.availability import units
from pms.enquiries import enquiries as enquiry_records
from pms.enquiries import enquiry_lists
from pms.enquiries.enquiry_lists import EnquirySearch, FoundEnquiries, ListedEnquiry
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.availability import Availability
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import EnquirySource, EnquiryState
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    Spot,
    Tags,
    ValueKind,
    ask,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.record_choices import building_choices, office_choices
from pms.surfaces.fields import ChoiceField, ManyField, Optional, TextField
from pms.surfaces.forms import TabbedForm, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

_OPEN: Final = "open"
_TO_ANSWER: Final = "to_answer"
_NOBODY: Final = "nobody"


class EnquiryFilterForm(TabbedForm):
    """The filters of the enquiries; the state is in the tabs, by default all open ones."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()])
    search = TextField(lazy_gettext("Name, email, phone, text"), [Optional()])
    source = ChoiceField(lazy_gettext("Source"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])
    unit = TextField(lazy_gettext("Unit"), [Optional()])

    def offer(self, staff: Iterable[tuple[str, str]]) -> None:
        """Fill the lists of the filters."""
        both = (
            (_OPEN, str(lazy_gettext("All open"))),
            (_TO_ANSWER, str(lazy_gettext("To answer"))),
        )
        self.state.choices = [*both, *choices(EnquiryState)]
        self.source.choices = [("", str(lazy_gettext("All"))), *choices(EnquirySource)]
        nobody = (_NOBODY, str(lazy_gettext("Unassigned")))
        self.assigneeId.choices = [("", str(lazy_gettext("Everyone"))), nobody, *staff]
        self.buildingId.choices = [("", str(lazy_gettext("All buildings"))), *building_choices()]

    @property
    def query(self) -> EnquirySearch:
        """The search of a valid form."""
        who = self.assigneeId.data
        return EnquirySearch(
            states=self._chosen_states,
            is_to_answer=self.state.data == _TO_ANSWER,
            source=EnquirySource(self.source.data) if self.source.data else None,
            assignee_id=who if who and who != _NOBODY else None,
            is_nobodys=who == _NOBODY,
            building_id=self.buildingId.data or None,
            unit=self.unit.data or None,
            text=self.search.data or "",
        )

    @property
    def _chosen_states(self) -> Sequence[EnquiryState]:
        chosen = self.state.data or _OPEN
        return OPEN if chosen in (_OPEN, _TO_ANSWER) else (EnquiryState(chosen),)


class EnquiryRow(NamedTuple):
    """An enquiry, and the availability of its unit."""

    enquiry: ListedEnquiry
    availability: Availability | None


def _describe_wanted_place(row: EnquiryRow) -> str:
    if not row.enquiry.building_id:
        return _("Any building")
    return f"{row.enquiry.building.in_language(chosen_language())} {row.enquiry.unit_name or ''}".strip()


def _states_of(row: EnquiryRow) -> Tags:
    """Return the tags of the state, of an unsent answer and of an earlier enquiry."""
    unheard = [(_("Not delivered"), "bad")] if row.enquiry.is_unheard else []
    again = [(_("Previous enquiry"), "soft")] if row.enquiry.duplicate_of_id else []
    return [*unheard, *tags_of(row.enquiry.state), *again]


ENQUIRIES: Final[Listing[EnquiryRow]] = listing(
    "enquiries",
    lazy_gettext("Enquiries"),
    ListColumn(
        "name",
        lazy_gettext("Name"),
        lambda row: row.enquiry.name,
        spot=Spot.NAME,
        href=lambda row: url_for("dashboard.enquiry", enquiry_id=row.enquiry.id),
    ),
    ListColumn(
        "wants", worded("enquiry", "Interested in"), _describe_wanted_place, spot=Spot.PLACE
    ),
    ListColumn(
        "availability",
        lazy_gettext("Availability"),
        lambda row: tags_of(row.availability.state) if row.availability else (),
        ValueKind.TAGS,
        is_sortable=False,
        is_first_shown=False,
    ),
    ListColumn(
        "moveIn", lazy_gettext("Move-in"), lambda row: row.enquiry.move_in_on, ValueKind.DAY
    ),
    ListColumn("state", lazy_gettext("Status"), _states_of, ValueKind.TAGS, Spot.STATE),
    ListColumn(
        "source",
        lazy_gettext("Source"),
        lambda row: label_of(row.enquiry.source),
        is_first_shown=False,
    ),
    ListColumn(
        "received",
        worded("enquiry", "Received"),
        lambda row: row.enquiry.received_at,
        ValueKind.INSTANT,
        Spot.AMOUNT,
    ),
    ListColumn("assignee", lazy_gettext("Assigned to"), lambda row: row.enquiry.assignee),
    ListColumn("email", lazy_gettext("Email"), lambda row: row.enquiry.email, is_first_shown=False),
    ListColumn("phone", lazy_gettext("Phone"), lambda row: row.enquiry.phone, is_first_shown=False),
)


class EnquiryAssigneeForm(FlaskForm):
    """The chosen enquiries, and their assignee."""

    enquiryIds = ManyField(lazy_gettext("Enquiries"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])

    def offer(self, staff: Iterable[tuple[str, str]]) -> None:
        """Fill the list of office staff, and accept the enquiries that were sent."""
        self.assigneeId.choices = [("", str(lazy_gettext("Unassigned"))), *staff]
        self.enquiryIds.choices = [(id_, id_) for id_ in self.enquiryIds.raw_data or ()]


@dashboard.get("/enquiries", roles=OFFICE)
def enquiries() -> Response:
    """Show one page of the enquiries, each with the availability of its unit."""
    return _render_enquiries(EnquiryAssigneeForm(formdata=None))


def _render_enquiries(assigning: EnquiryAssigneeForm) -> Response:
    form, asked = EnquiryFilterForm(request.args), ask(ENQUIRIES)
    staff = office_choices()
    form.offer(staff)
    assigning.offer(staff)
    is_sound = form.validate()
    if is_sound:
        search = form.query._replace(**asked.sorting)
        found = enquiry_lists.list_enquiries(reading(), search, asked.paging)
    else:
        found = FoundEnquiries([], 0)
    every = list(found.enquiries)
    unit_ids = sorted({enquiry.unit_id for enquiry in every if enquiry.unit_id})
    labels = units.unit_labels(reading(), unit_ids, today())
    rows = [EnquiryRow(enquiry, labels.get(enquiry.unit_id or "")) for enquiry in every]
    if asked.file_type and is_sound:
        return asked.file_of(rows)
    response = page_or_block(
        "dashboard/enquiries/inbox.html",
        "results",
        form=form,
        assigning=assigning,
        rows=rows,
        total=found.total,
        counts=enquiry_lists.count_enquiries(reading()),
        asked=asked,
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.post("/enquiries/assignments", roles=OFFICE)
def assign_enquiries() -> Response:
    """Assign the chosen enquiries to one person."""
    form = EnquiryAssigneeForm()
    form.offer(office_choices())

    def act(work: Work) -> int:
        if not form.enquiryIds.data:
            raise Refused("enquiryIds: select at least one enquiry.")
        for id_ in form.enquiryIds.data:
            enquiry_records.assign_enquiry(
                work, enquiry_id=id_, person_id=form.assigneeId.data or None
            )
        return len(form.enquiryIds.data)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            url_for("dashboard.enquiries"),
            message=ngettext("%(num)d enquiry assigned.", "%(num)d enquiries assigned.", count),
        ),
        again=lambda: _render_enquiries(form),
    )
