"""The set-up list: the tasks of a new workspace, how long each takes, and its page.

Beside it a sample workspace to try things in, which can be opened and deleted at once.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.arrivals.set_up import SetUp, SetUpStep, read_set_up, show_set_up
from pms.foundation.errors import Refused
from pms.surfaces.dashboard.gate import OPERATOR, current_member, dashboard, may, reading
from pms.surfaces.forms import mark_unaccepted, place_problem, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import clock, database


class SetUpTask(NamedTuple):
    """A set-up task: its page, its name, and about how many minutes it takes."""

    endpoint: str
    text: LazyString
    minutes: int


_TASKS: Final = {
    SetUpStep.PAPERS: SetUpTask(
        "settings", lazy_gettext("Name, address and T-number for documents"), 3
    ),
    SetUpStep.LOGO: SetUpTask("settings_logo", lazy_gettext("Logo"), 1),
    SetUpStep.BANK: SetUpTask("office_bank_settings", lazy_gettext("Bank account for rent"), 3),
    SetUpStep.BUILDING: SetUpTask("new_building", lazy_gettext("First building"), 3),
    SetUpStep.ROOMS: SetUpTask("new_units", lazy_gettext("Rooms with rents and fees"), 5),
    SetUpStep.PHOTOS: SetUpTask("new_photos", lazy_gettext("Photos of rooms"), 10),
    SetUpStep.FEES: SetUpTask("fee_preset", lazy_gettext("Fee catalogue"), 3),
    SetUpStep.CONTRACT: SetUpTask("new_contract_template", lazy_gettext("Contract template"), 10),
    SetUpStep.TEAM: SetUpTask("new_member", lazy_gettext("Invite your team"), 2),
    SetUpStep.TAKEOVER: SetUpTask("takeover", lazy_gettext("Import tenancies"), 30),
    SetUpStep.WEBSITE: SetUpTask("new_key", lazy_gettext("First API key for your website"), 2),
}


class TaskLine(NamedTuple):
    """A task of the list as it is shown."""

    text: LazyString
    href: str
    minutes: int
    is_done: bool


class SetUpList(NamedTuple):
    """The tasks, the unfinished ones first."""

    lines: Sequence[TaskLine]
    done: int
    is_shown: bool
    is_sample: bool

    @property
    def minutes(self) -> int:
        """The minutes that the unfinished tasks take together."""
        return sum(line.minutes for line in self.lines if not line.is_done)


def find_due_set_up() -> SetUpList | None:
    """Return the list if Today shows it to this person, or in a sample."""
    if not may("show_set_up_list"):
        return None
    found = read_set_up(reading())
    return _list_steps(found) if found.is_due or found.is_sample else None


def _list_steps(found: SetUp) -> SetUpList:
    lines = [
        TaskLine(task.text, url_for(f"dashboard.{task.endpoint}"), task.minutes, step in found.done)
        for step, task in _TASKS.items()
    ]
    if found.without_terms:
        terms = url_for("dashboard.building_terms", building_id=found.without_terms)
        lines.append(TaskLine(lazy_gettext("Terms with the owner"), terms, 3, is_done=False))
    if found.without_form:
        form = url_for("dashboard.building_form", building_id=found.without_form)
        lines.append(TaskLine(lazy_gettext("Management form"), form, 2, is_done=False))
    lines.sort(key=lambda line: line.is_done)
    return SetUpList(lines, len(found.done), not found.is_hidden, found.is_sample)


@dashboard.get("/set-up", roles=OPERATOR)
def set_up() -> Response:
    """Show the whole list, and whether Today shows it."""
    return _render_page()


@dashboard.post("/set-up", roles=OPERATOR)
def show_set_up_list() -> Response:
    """Hide the list on Today, or show it there again."""
    is_shown = "shown" in request.form
    message = (
        _("Today now shows the set-up list.")
        if is_shown
        else _("Set-up list hidden. You can open it from Settings.")
    )
    return submitted(
        FlaskForm(),
        act=lambda work: show_set_up(work.session, work.clock, is_shown=is_shown),
        then=lambda _none: go(url_for("dashboard.today"), message=message),
        again=_render_page,
    )


@dashboard.post("/sample", roles=OPERATOR)
def open_sample() -> Response:
    """Open the sample of this workspace; it is filled on first use."""
    # Imported here and below, because few requests need the demo.
    from pms.demo import sample

    form = FlaskForm()
    try:
        slug = sample.open_sample(
            database(),
            clock(),
            workspace_id=current_member().workspace_id,
            person_id=current_member().person_id,
        )
    except Refused as refusal:
        place_problem(form, refusal)
        return mark_unaccepted(_render_page(form))
    return go(url_for("dashboard.today", workspace=slug))


@dashboard.post("/sample/removal", roles=OPERATOR)
def throw_sample_away() -> Response:
    """Delete this sample; a workspace that is not a sample is refused."""
    from pms.demo import sample

    form = FlaskForm()
    try:
        slug = sample.throw_sample_away(database(), current_member().workspace_id)
    except Refused as refusal:
        place_problem(form, refusal)
        return mark_unaccepted(_render_page(form))
    return go(
        url_for("dashboard.today", workspace=slug), message=_("The sample data has been deleted.")
    )


def _render_page(form: FlaskForm | None = None) -> Response:
    listed = _list_steps(read_set_up(reading()))
    return page("dashboard/set_up/page.html", list=listed, form=form or FlaskForm())
