"""Today and its worklist: ranked lines with who or what, where, how much, and one action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import zip_longest
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext, pgettext
from markupsafe import Markup

from pms.arrivals import days_work
from pms.arrivals.days_work import DueKind
from pms.arrivals.tenancy_ways import reservation_ways
from pms.availability import block_conflicts, occupancy
from pms.bank import bank_day, payouts
from pms.channels.inbox_items import first_of_each
from pms.channels.inbox_sources import InboxItem, InboxKind, InboxSource
from pms.collections import failed_collections
from pms.contracts import ending_terms
from pms.contracts.ending_terms import PressingReason
from pms.enquiries import viewing_lists
from pms.foundation.clock import is_transfer_awaited
from pms.foundation.runs import newest_run, stopped_runs
from pms.ledger import debts
from pms.offers.applicants import waiting_applicants
from pms.rules.contract_dates import billed_through_on
from pms.rules.enumerations import (
    CollectionState,
    TransferState,
)
from pms.statements import debtors
from pms.surfaces.dashboard.actor_names import actor_name, run_label, run_subject
from pms.surfaces.dashboard.billing import KIND
from pms.surfaces.dashboard.gate import EVERYBODY, actor, current_member, dashboard, may, reading
from pms.surfaces.dashboard.inbox_list import KIND_WORDS, address_of_item, inbox_scope
from pms.surfaces.dashboard.set_up import find_due_set_up
from pms.surfaces.dashboard.worklist_lines import (
    LineButton,
    When,
    WorklistLine,
    arrival_on_site_line,
    dashboard_address,
    departure_on_site_line,
    ending_term_lines,
    expiring_lines,
    explanation_lines,
    leaving_reason_lines,
    management_form_lines,
    master_lease_lines,
    month_to_month_lines,
    neglected_task_lines,
    outdated_contract_lines,
    own_task_lines,
    place_text,
    rent_proposal_lines,
    screening_lines,
    split_at_today,
    text_with_day,
    visit_lines,
    way_line,
)
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import brief_day, brief_instant, month, yen
from pms.surfaces.labels.provider_calls import (
    call_label,
    event_kind_label,
    event_reason_label,
)
from pms.surfaces.request_scope import clock, today
from pms.workspaces import queries

PART_LABELS: Final = {
    When.NOW: lazy_gettext("Due or waiting"),
    When.TODAY: lazy_gettext("Today's work"),
    When.WEEK: lazy_gettext("This week"),
}


@dataclass(frozen=True)
class Worklist:
    """The lines by part; `is_whole` if none was left out."""

    parts: Sequence[tuple[str, Sequence[WorklistLine]]]
    shown: int
    is_whole: bool


MOST_SHOWN: Final = 12
_MOST_OF_ALL: Final = 100
_SHARES: Final = {When.NOW: 8, When.TODAY: 3, When.WEEK: 1}
"""How many lines each part has while the others fill theirs."""


def worklist(*, shows_all: bool) -> Worklist:
    """Return this person's lines, at most twelve by default, the first of each subject first."""
    few = _MOST_OF_ALL if shows_all else MOST_SHOWN
    found = _lines_by_subject(few + 1)
    chosen = {when: _in_turns(found, when) for when in When}
    total = sum(map(len, chosen.values()))
    if not shows_all:
        _cut_to_most_shown(chosen)
    parts = [
        (str(PART_LABELS[when]), _in_order(found, chosen[when])) for when in When if chosen[when]
    ]
    shown = sum(map(len, chosen.values()))
    return Worklist(parts, shown, shown == total)


def _in_turns(found: Sequence[Sequence[WorklistLine]], when: When) -> list[WorklistLine]:
    """Return the lines of one part: the first of each subject, the second of each, and so on."""
    own = [[line for line in lines if line.when is when] for lines in found]
    turns = zip_longest(*own)
    return [line for turn in turns for line in turn if line is not None]


def _cut_to_most_shown(chosen: dict[When, list[WorklistLine]]) -> None:
    """Keep twelve lines; unused lines of a part's share go to the first part that needs them."""
    spare = MOST_SHOWN - sum(min(len(chosen[when]), share) for when, share in _SHARES.items())
    for when, share in _SHARES.items():
        most = min(len(chosen[when]), share + spare)
        spare -= max(most - share, 0)
        chosen[when] = chosen[when][:most]


def _in_order(
    found: Sequence[Sequence[WorklistLine]], chosen: Sequence[WorklistLine]
) -> Sequence[WorklistLine]:
    """Return the chosen lines subject by subject."""
    kept = set(map(id, chosen))
    return [line for lines in found for line in lines if id(line) in kept]


def _lines_by_subject(few: int) -> Sequence[Sequence[WorklistLine]]:
    """Return the lines of the subjects for this person's role, in the order of the list."""
    if current_member().is_office:
        return _office_lines(few)
    return _on_site_lines(few)


def _office_lines(few: int) -> Sequence[Sequence[WorklistLine]]:
    items = _inbox_lines(few)
    stays = _stay_lines(few)
    arriving, arriving_later = split_at_today(stays[DueKind.ARRIVAL])
    leaving, leaving_later = split_at_today(stays[DueKind.DEPARTURE])
    own = own_task_lines(few)
    known = {line.task_id for line in own}
    applicants = waiting_applicants(reading(), clock().now(), few)
    explained = {line.act.href for lines in stays.values() for line in lines}
    explaining, explaining_later = split_at_today(
        [line for line in explanation_lines(applicants) if line.act.href not in explained]
    )
    return [
        [*items[InboxSource.DISPUTE], *items[InboxSource.REFUND]],
        [*items[InboxSource.CALL], *items[InboxSource.MAIL]],
        # One subject each, so that none pushes the others off the first twelve lines.
        [*stays[DueKind.NO_SHOW], *arriving, *stays[DueKind.MOVED_IN], *stays[DueKind.KEYS]],
        leaving,
        explaining,
        screening_lines(applicants),
        [*_payout_file_lines(), *_collection_lines(few)] if may("collection_list") else [],
        _arrears_lines(few),
        items[InboxSource.CONVERSATION],
        _transfer_lines() if may("bank_day") else [],
        _conflict_lines(),
        leaving_reason_lines(few),
        ending_term_lines(few),
        rent_proposal_lines(few),
        _viewing_lines(few),
        [*stays[DueKind.SETTLEMENT], *stays[DueKind.REFUND]],
        own,
        [line for line in neglected_task_lines(few) if line.task_id not in known],
        items[InboxSource.REPORT],
        items[InboxSource.LEAD],
        items[InboxSource.ORDER],
        items[InboxSource.EVENT],
        _stopped_run_lines() if may("run") else [],
        arriving_later,
        leaving_later,
        explaining_later,
        stays[DueKind.NOTICE],
        management_form_lines(),
        master_lease_lines(),
        outdated_contract_lines(few),
        month_to_month_lines(few),
        expiring_lines(few),
    ]


def _on_site_lines(few: int) -> Sequence[Sequence[WorklistLine]]:
    kinds = [DueKind.ARRIVAL, DueKind.DEPARTURE]
    stays = days_work.due_stays(reading(), kinds, today(), few)
    arriving = split_at_today([arrival_on_site_line(stay) for stay in stays[DueKind.ARRIVAL]])
    leaving = split_at_today([departure_on_site_line(stay) for stay in stays[DueKind.DEPARTURE]])
    items = _inbox_lines(few) if may("inbox") else {}
    return [
        own_task_lines(few),
        visit_lines(),
        arriving[0],
        leaving[0],
        *(
            items.get(source, ())
            for source in (InboxSource.CONVERSATION, InboxSource.REPORT, InboxSource.ORDER)
        ),
        arriving[1],
        leaving[1],
    ]


def _stay_lines(few: int) -> Mapping[DueKind, Sequence[WorklistLine]]:
    """Return the lines of the stays with a due day; each says the next step of its way."""
    stays = days_work.due_stays(reading(), list(DueKind), today(), few)
    records = {stay.reservation_id: stay.record for found in stays.values() for stay in found}
    ways = reservation_ways(reading(), records.values(), today())
    lines: dict[DueKind, Sequence[WorklistLine]] = {}
    known: set[str] = set()
    for kind in DueKind:
        fresh = [stay for stay in stays[kind] if stay.reservation_id not in known]
        found = [(stay, way_line(kind, stay, ways[stay.reservation_id])) for stay in fresh]
        lines[kind] = [line for _stay, line in found if line is not None]
        # One line a tenancy: it names its next step, whatever else it is due for.
        known |= {stay.reservation_id for stay, line in found if line is not None}
    return lines


def _payout_file_lines() -> Sequence[WorklistLine]:
    """Return the payout files that wait for this person as the second one, or for anyone at all."""
    lines = []
    for file, rule in payouts.list_unconfirmed_files(reading()):
        if not rule.admits(actor()) and not rule.is_without_confirmer:
            continue
        href = dashboard_address("payout_file", payout_file_id=file.id)
        act = pgettext("act", "Confirm")
        words = _("Created by %(name)s", name=actor_name(file.made_by))
        # The line has no room for sentences: the file's page says the rest.
        if makers := [actor_name(each) for each in rule.next_makers if rule.is_without_confirmer]:
            act = _("Create again")
            words = _("To be created again by %(names)s", names=_(", ").join(makers))
        elif rule.is_without_confirmer:
            act = _("Add a colleague")
        lines.append(
            WorklistLine(
                When.NOW,
                _("Payouts"),
                _("Payouts of %(day)s", day=brief_day(file.due_on, today()).striptags()),
                href,
                LineButton(act, href),
                words,
                Markup("<b>{}</b>").format(yen(file.total_yen)),
                [(_("No one can confirm"), "bad")] if rule.is_without_confirmer else [],
            )
        )
    return lines


def _inbox_lines(few: int) -> Mapping[InboxSource, Sequence[WorklistLine]]:
    items = first_of_each(reading(), inbox_scope(), few)
    return {
        source: [line_of_item(item) for item in items.get(source, ())] for source in InboxSource
    }


_ANSWERED: Final = frozenset({InboxKind.MESSAGES, InboxKind.TICKETS, InboxKind.ENQUIRIES})
_ACTS: Final = {
    InboxSource.CONVERSATION: lazy_gettext("Reply"),
    InboxSource.REPORT: lazy_gettext("Decide"),
    InboxSource.LEAD: lazy_gettext("Reply"),
    InboxSource.ORDER: lazy_gettext("Assign"),
    InboxSource.DISPUTE: lazy_gettext("See ledger"),
    InboxSource.REFUND: lazy_gettext("See ledger"),
    InboxSource.EVENT: lazy_gettext("Decide"),
    InboxSource.CALL: lazy_gettext("Try again"),
    InboxSource.MAIL: lazy_gettext("Find recipient"),
}


def line_of_item(item: InboxItem) -> WorklistLine:
    """Return an item of the inbox as a line; the writer's name and text are for the office only."""
    is_shown = current_member().is_office or item.source is not InboxSource.CONVERSATION
    place = place_text(item.about, item.room)
    who = _writer_of(item)
    href = address_of_item(item)
    is_pressing = item.has_failed or item.kind in _ANSWERED
    when = brief_instant(item.at, today())
    return WorklistLine(
        When.NOW if is_pressing else When.TODAY,
        str(KIND_WORDS[item.kind]),
        who if is_shown else place or _("A resident"),
        href,
        LineButton(str(_ACTS[item.source]), href),
        " · ".join(filter(None, (place, event_reason_label(item.words)))) if is_shown else "",
        when if item.yen is None else Markup("<b>{}</b> {}").format(yen(item.yen), when),
        [(_("Not delivered"), "bad")]
        if item.source is InboxSource.CONVERSATION and item.has_failed
        else [],
    )


def _writer_of(item: InboxItem) -> str:
    """Return whom or what an item is about; a provider's own names say nothing to the office."""
    if item.source is InboxSource.EVENT:
        return str(event_kind_label(item.who))
    return call_label(item.who) if item.source is InboxSource.CALL else item.who


def _arrears_lines(few: int) -> Sequence[WorklistLine]:
    on = today()
    late = (
        debt
        for debt in debts.debts(reading(), on)
        if debt.overdue_yen and not is_transfer_awaited(debt.oldest_due_on, on)
    )
    owing = nlargest(few, late, key=lambda debt: debt.overdue_yen_days)
    people = debtors.debtors(reading(), [debt.reservation_id for debt in owing])
    return [
        WorklistLine(
            When.NOW,
            pgettext("state of a bill", "Overdue"),
            people[debt.reservation_id].name,
            dashboard_address("reservation_ledger", reservation_id=debt.reservation_id),
            LineButton(
                _("Remind"), dashboard_address("check_reminders", reservation=debt.reservation_id)
            ),
            place_text(people[debt.reservation_id].building, people[debt.reservation_id].unit),
            Markup("<b>{}</b> {}").format(
                yen(debt.overdue_yen), text_with_day(_("since %(day)s"), debt.oldest_due_on)
            ),
            is_late=True,
        )
        for debt in owing
    ]


def _collection_lines(few: int) -> Sequence[WorklistLine]:
    """Return the collections that failed, whose result is unknown, or that paid another amount."""
    return [
        WorklistLine(
            When.NOW,
            label_of(line.collection.way),
            line.name,
            dashboard_address("collection_list"),
            LineButton(pgettext("act", "Open"), dashboard_address("collection_list"))
            if line.collection.is_of_other_amount
            else LineButton(
                _("Ask again") if is_unknown else _("Collect again"),
                dashboard_address("collect_again", collection_id=line.collection.id, back="today"),
                {"again": "y"},
            ),
            place_text(line.building, line.unit),
            Markup("<b>{}</b>").format(yen(line.collection.amount_yen)),
            [
                (_("Another amount"), "warn")
                if line.collection.is_of_other_amount
                else (_("Outcome unknown"), "warn")
                if is_unknown
                else (_("Failed"), "bad")
            ],
        )
        for line in failed_collections.failed_collections(reading(), today(), few)
        for is_unknown in [line.collection.state is CollectionState.ASKED]
    ]


def _transfer_lines() -> Sequence[WorklistLine]:
    totals = bank_day.waiting_totals(reading(), today())
    facts = {
        TransferState.WAITING: _("Unmatched transfers"),
        TransferState.KEPT: _("Transfers in suspense"),
    }
    return [
        WorklistLine(
            When.NOW,
            _("Bank matching"),
            facts[state],
            dashboard_address("bank_day"),
            LineButton(pgettext("act", "Record"), dashboard_address("bank_day")),
            ngettext("%(num)s transfer", "%(num)s transfers", total.transfers),
            Markup("<b>{}</b>").format(yen(total.yen)),
        )
        for state, total in totals.items()
    ]


def _conflict_lines() -> Sequence[WorklistLine]:
    count = block_conflicts.count_units_taken_twice(reading(), today())
    if not count:
        return []
    href = dashboard_address("calendar_conflicts")
    where = ngettext("%(num)s unit taken twice", "%(num)s units taken twice", count)
    act = LineButton(_("Resolve"), href)
    return [WorklistLine(When.NOW, _("Calendar"), _("Overlapping dates"), href, act, where)]


def _viewing_lines(few: int) -> Sequence[WorklistLine]:
    return [
        WorklistLine(
            When.NOW,
            _("Viewing"),
            viewing.visitor,
            dashboard_address("viewing", viewing_id=viewing.id),
            LineButton(
                pgettext("act", "Open"), dashboard_address("viewing", viewing_id=viewing.id)
            ),
            " · ".join(
                (place_text(viewing.building, viewing.unit_name), viewing.host or _("Unassigned"))
            ),
            f"{viewing.there:%H:%M}",
        )
        for viewing in viewing_lists.viewings_of_day(reading(), today(), few)
    ]


def _stopped_run_lines() -> Sequence[WorklistLine]:
    return [
        WorklistLine(
            When.TODAY,
            _("Activity"),
            f"{run_label(run.kind)} {run_subject(run)}".strip(),
            dashboard_address("run", run_id=run.id),
            LineButton(pgettext("act", "Open"), dashboard_address("run", run_id=run.id)),
            _("stopped"),
            brief_instant(run.moved_at, today()),
        )
        for run in stopped_runs(reading())
    ]


_TEMPLATE: Final = "dashboard/today/page.html"


class Figure(NamedTuple):
    """One figure of the top line, and its page."""

    text: str
    value: str
    href: str


def _list_figures() -> list[Figure]:
    """Return the figures for office staff; those of zero are left out."""
    units = occupancy.occupied_units(reading(), today())
    owed = debts.overdue(reading(), today())
    through_on = billed_through_on(today(), queries.policy(reading()))
    run = newest_run(reading(), KIND, f"{through_on:%Y-%m}")
    found = []
    if units.units:
        message = _("%(count)s of %(all)s", count=units.occupied, all=units.units)
        found.append(Figure(_("Occupied"), message, url_for("dashboard.chart")))
    if owed.yen:
        found.append(Figure(_("Overdue"), yen(owed.yen), url_for("dashboard.arrears")))
    is_billed = run is not None and run.finished_at is not None
    if may("billing") and not is_billed and days_work.has_rent_to_bill(reading()):
        found.append(Figure(_("Months to bill"), month(through_on), url_for("dashboard.billing")))
    # Of what the law has a day for, the number is told whatever the list has room for.
    pressing = ending_terms.pressing_terms(reading(), today())
    late = sum(term.reason is PressingReason.LATE_NOTICE for term in pressing)
    if late:
        found.append(Figure(_("Notices late by law"), str(late), url_for("dashboard.ending_terms")))
    return found


@dashboard.get("/", roles=EVERYBODY, endpoint="today")
def show_today() -> Response:
    """Show the worklist of this person, cut to one screen unless all of it is asked for."""
    return page_or_block(
        _TEMPLATE,
        "worklist",
        today=today(),
        found=worklist(shows_all="all" in request.args),
        find_due_set_up=find_due_set_up,
        figures=_list_figures() if current_member().is_office else (),
    )
