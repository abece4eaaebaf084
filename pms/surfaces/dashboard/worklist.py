"""What waits for a person today, as ranked lines: each says who or what, where, how much, and one act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from itertools import zip_longest
from typing import Any, Final

from flask import url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext, pgettext
from markupsafe import Markup

from pms.arrivals import days_work
from pms.arrivals.days_work import DueKind, DueStay
from pms.availability import block_conflicts
from pms.bank import bank_day
from pms.channels.inbox_items import first_of_each
from pms.channels.inbox_sources import InboxItem, InboxKind, Source
from pms.collections import failed_collections
from pms.contracts import outdated_papers
from pms.enquiries import viewing_lists
from pms.foundation.phrases import Bilingual
from pms.foundation.runs import stopped_runs
from pms.ledger import debts
from pms.rules.enumerations import (
    CollectionState,
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    TaskState,
    TransferState,
)
from pms.statements import arrival_reminders
from pms.surfaces.dashboard.actor_names import run_about, run_word
from pms.surfaces.dashboard.desk import desk, may, reading, today
from pms.surfaces.dashboard.inbox_list import KIND_WORDS, address_of_item, inbox_scope
from pms.surfaces.dashboard.integrations import call_words
from pms.surfaces.enumeration_words import word
from pms.surfaces.page_words import brief_day, brief_instant, yen
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep import task_days, visits
from pms.upkeep.boards import TaskCard
from pms.upkeep.reach import Reach
from pms.workspaces import queries


class When(IntEnum):
    """The three parts of the list, the most pressing first."""

    NOW = 0
    TODAY = 1
    WEEK = 2


PART_WORDS: Final = {
    When.NOW: lazy_gettext("Due or waiting"),
    When.TODAY: lazy_gettext("Today's work"),
    When.WEEK: lazy_gettext("This week"),
}


@dataclass(frozen=True)
class Act:
    """What the button of a line does: opens an address, or with `fields` sends a form to it."""

    text: str
    href: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """One line of the list."""

    when: When
    subject: str
    """What kind of thing this is, in a word or two."""
    what: str | Markup
    href: str
    act: Act
    place: str = ""
    fact: str | Markup = ""
    tags: Sequence[tuple[str, str]] = ()
    is_late: bool = False
    task_id: str | None = None


@dataclass(frozen=True)
class Worklist:
    """The lines that are shown, in their parts; `is_whole` when none was left out."""

    parts: Sequence[tuple[str, Sequence[Line]]]
    shown: int
    is_whole: bool


MOST_SHOWN: Final = 12
_MOST_OF_ALL: Final = 100
_SHARES: Final = {When.NOW: 8, When.TODAY: 3, When.WEEK: 1}
"""How many lines each part has while the others need theirs."""


def worklist(*, shows_all: bool) -> Worklist:
    """Return the lines of this person: at most twelve, the first of each subject before the rest."""
    few = _MOST_OF_ALL if shows_all else MOST_SHOWN
    found = _sources(few + 1)
    chosen = {when: _in_turns(found, when) for when in When}
    total = sum(map(len, chosen.values()))
    if not shows_all:
        _cut(chosen)
    parts = [
        (str(PART_WORDS[when]), _in_order(found, chosen[when])) for when in When if chosen[when]
    ]
    shown = sum(map(len, chosen.values()))
    return Worklist(parts, shown, shown == total)


def _in_turns(found: Sequence[Sequence[Line]], when: When) -> list[Line]:
    """Return the lines of one part: the first of each subject, the second of each, and so on."""
    own = [[line for line in lines if line.when is when] for lines in found]
    turns = zip_longest(*own)
    return [line for turn in turns for line in turn if line is not None]


def _cut(chosen: dict[When, list[Line]]) -> None:
    """Leave twelve lines; what one part does not need of its share goes to the first that does."""
    spare = MOST_SHOWN - sum(min(len(chosen[when]), share) for when, share in _SHARES.items())
    for when, share in _SHARES.items():
        most = min(len(chosen[when]), share + spare)
        spare -= max(most - share, 0)
        chosen[when] = chosen[when][:most]


def _in_order(found: Sequence[Sequence[Line]], chosen: Sequence[Line]) -> Sequence[Line]:
    """Return the chosen lines subject by subject."""
    kept = set(map(id, chosen))
    return [line for lines in found for line in lines if id(line) in kept]


def _sources(few: int) -> Sequence[Sequence[Line]]:
    """Ask every subject of this person's role, in the order of the list."""
    if desk().is_office:
        return _of_the_office(few)
    return _on_site(few)


def _of_the_office(few: int) -> Sequence[Sequence[Line]]:
    items = _inbox(few)
    stays = days_work.due_stays(reading(), list(DueKind), today(), few)
    now, later = _parted(stays[DueKind.ARRIVAL])
    leaving, left_later = _parted(stays[DueKind.DEPARTURE])
    own = _own_tasks(few)
    known = {line.task_id for line in own}
    return [
        items[Source.DISPUTE],
        [*items[Source.CALL], *items[Source.MAIL]],
        [_arrival(stay) for stay in now],
        [_departure(stay) for stay in leaving],
        _collections(few),
        _arrears(few),
        items[Source.CONVERSATION],
        _transfers(),
        _conflicts(),
        _viewings(),
        [_settlement(stay) for stay in stays[DueKind.SETTLEMENT]],
        own,
        [line for line in _neglected(few) if line.task_id not in known],
        items[Source.REPORT],
        items[Source.LEAD],
        items[Source.ORDER],
        items[Source.EVENT],
        _stopped(),
        [_arrival(stay) for stay in later],
        [_departure(stay) for stay in left_later],
        [_notice(stay) for stay in stays[DueKind.NOTICE]],
        _papers(few),
        _month_to_month(),
    ]


def _on_site(few: int) -> Sequence[Sequence[Line]]:
    kinds = [DueKind.ARRIVAL, DueKind.DEPARTURE]
    stays = days_work.due_stays(reading(), kinds, today(), few)
    arriving, leaving = (_parted(stays[kind]) for kind in kinds)
    items = _inbox(few) if may("inbox") else {}
    return [
        _own_tasks(few),
        _trips(),
        [_coming(stay) for stay in arriving[0]],
        [_going(stay) for stay in leaving[0]],
        *(items.get(source, ()) for source in (Source.CONVERSATION, Source.REPORT, Source.ORDER)),
        [_coming(stay) for stay in arriving[1]],
        [_going(stay) for stay in leaving[1]],
    ]


def _parted(stays: Sequence[DueStay]) -> tuple[Sequence[DueStay], Sequence[DueStay]]:
    """Part what is due by today from what comes later."""
    return (
        [stay for stay in stays if stay.on <= today()],
        [stay for stay in stays if stay.on > today()],
    )


def _at(building: Bilingual, unit: str | None) -> str:
    return f"{building.in_language(chosen_language()) or ''} {unit or ''}".strip()


def _to(endpoint: str, **values: Any) -> str:
    return url_for(f"dashboard.{endpoint}", **values)


def _of_stay(endpoint: str, stay: DueStay) -> str:
    return _to(endpoint, reservation_id=stay.reservation_id)


def _day(on: date) -> str | Markup:
    return _("Today") if on == today() else brief_day(on, today())


def _with_day(text: str, on: date) -> Markup:
    """Return a text with its day in it."""
    return Markup(text) % {"day": brief_day(on, today())}


def _when(on: date) -> When:
    return When.NOW if on <= today() else When.WEEK


def _inbox(few: int) -> Mapping[Source, Sequence[Line]]:
    items = first_of_each(reading(), inbox_scope(), few)
    return {source: [line_of_item(item) for item in items.get(source, ())] for source in Source}


_ANSWERED: Final = frozenset({InboxKind.MESSAGES, InboxKind.TICKETS, InboxKind.ENQUIRIES})
_ACTS: Final = {
    Source.CONVERSATION: lazy_gettext("Reply"),
    Source.REPORT: lazy_gettext("Decide"),
    Source.LEAD: lazy_gettext("Reply"),
    Source.ORDER: lazy_gettext("Assign to project"),
    Source.DISPUTE: lazy_gettext("See ledger"),
    Source.EVENT: lazy_gettext("Decide"),
    Source.CALL: lazy_gettext("Try again"),
    Source.MAIL: lazy_gettext("Find recipient"),
}


def line_of_item(item: InboxItem) -> Line:
    """Return what came in as a line; who wrote and what is for the office alone."""
    is_shown = desk().is_office or item.source is not Source.CONVERSATION
    place = _at(item.about, item.room)
    who = call_words(item.who) if item.source is Source.CALL else item.who
    href = address_of_item(item)
    is_pressing = item.has_failed or item.kind in _ANSWERED
    when = brief_instant(item.at, today())
    return Line(
        When.NOW if is_pressing else When.TODAY,
        str(KIND_WORDS[item.kind]),
        who if is_shown else place or _("A resident"),
        href,
        Act(str(_ACTS[item.source]), href),
        " · ".join(filter(None, (place, item.words))) if is_shown else "",
        when if item.yen is None else Markup("<b>{}</b> {}").format(yen(item.yen), when),
        [(_("Not delivered"), "bad")]
        if item.source is Source.CONVERSATION and item.has_failed
        else [],
    )


def _arrival(stay: DueStay) -> Line:
    tags = []
    if stay.esign_status is not EsignStatus.SIGNED:
        tags.append((_("Not signed"), "warn"))
    if stay.payment_status is not PaymentStatus.PAID:
        tags.append((_("Not paid"), "bad"))
    return Line(
        _when(stay.on),
        pgettext("stay", "Arrival"),
        stay.name,
        _of_stay("reservation", stay),
        _act_of_arrival(stay),
        _at(stay.building, stay.unit),
        _day(stay.on),
        tags,
        stay.on < today(),
    )


def _act_of_arrival(stay: DueStay) -> Act:
    if stay.esign_status is EsignStatus.PENDING:
        return Act(_("Send contract"), _of_stay("move_in_papers", stay))
    if stay.esign_status is not EsignStatus.SIGNED:
        return Act(_("Send contract"), _of_stay("reservation_contracts", stay))
    if stay.payment_status is not PaymentStatus.PAID:
        return Act(_("Record payment"), _of_stay("new_payment", stay))
    if stay.on > today():
        return Act(pgettext("act", "Open"), _of_stay("reservation", stay))
    address = _to("move_in_reservation", reservation_id=stay.reservation_id, back="today")
    return Act(_("Move in"), address, {"version": str(stay.version)})


def _departure(stay: DueStay) -> Line:
    is_resident = stay.lifecycle is Lifecycle.NOTICE_FILED
    href = _of_stay("reservation_departure" if is_resident else "reservation", stay)
    return Line(
        _when(stay.on),
        _("Departure"),
        stay.name,
        _of_stay("reservation", stay),
        Act(pgettext("act", "Move-out") if is_resident else pgettext("act", "Open"), href),
        _at(stay.building, stay.unit),
        _day(stay.on),
    )


def _settlement(stay: DueStay) -> Line:
    return Line(
        When.NOW,
        _("Deposit"),
        stay.name,
        _of_stay("reservation", stay),
        Act(_("Settle"), _of_stay("reservation_deposit", stay)),
        _at(stay.building, stay.unit),
        _with_day(_("left %(day)s"), stay.on),
    )


def _notice(stay: DueStay) -> Line:
    return Line(
        When.WEEK,
        pgettext("worklist", "Notice"),
        stay.name,
        _of_stay("reservation", stay),
        Act(pgettext("act", "Move-out"), _of_stay("reservation_departure", stay)),
        _at(stay.building, stay.unit),
        _with_day(_("filed %(day)s"), stay.on),
    )


def _month_to_month() -> Sequence[Line]:
    found = days_work.entering_month_to_month(reading(), today(), queries.policy(reading()))
    return [
        Line(
            When.WEEK,
            _("Month to month"),
            stay.name,
            _of_stay("reservation", stay),
            Act(pgettext("act", "Open"), _of_stay("reservation", stay)),
            _at(stay.building, stay.unit),
            _with_day(_("from %(day)s"), stay.on),
        )
        for stay in found
    ]


def _coming(stay: DueStay) -> Line:
    return _room(stay, pgettext("stay", "Arrival"))


def _going(stay: DueStay) -> Line:
    return _room(stay, _("Departure"))


def _room(stay: DueStay, subject: str) -> Line:
    """Return a line without the name of the resident, which is not for everybody on site."""
    href = _to("chart")
    place = _at(stay.building, stay.unit)
    act = Act(_("Calendar"), href)
    return Line(_when(stay.on), subject, place, href, act, fact=_day(stay.on))


def _arrears(few: int) -> Sequence[Line]:
    owing = [debt for debt in debts.debts(reading(), today()) if debt.overdue_yen][:few]
    people = arrival_reminders.debtors(reading(), [debt.reservation_id for debt in owing])
    return [
        Line(
            When.NOW,
            _("Overdue"),
            people[debt.reservation_id].name,
            _to("reservation_ledger", reservation_id=debt.reservation_id),
            Act(_("Remind"), _to("check_reminders", reservation=debt.reservation_id)),
            _at(people[debt.reservation_id].building, people[debt.reservation_id].unit),
            Markup("<b>{}</b> {}").format(
                yen(debt.overdue_yen), _with_day(_("since %(day)s"), debt.oldest_due_on)
            ),
            is_late=True,
        )
        for debt in owing
    ]


def _collections(few: int) -> Sequence[Line]:
    """Return the cards and stores by which no money came, or nobody knows whether it did."""
    return [
        Line(
            When.NOW,
            word(line.collection.way),
            line.name,
            _to("collection_list"),
            Act(
                _("Ask again") if is_unknown else _("Collect again"),
                _to("collect_again", collection_id=line.collection.id, back="today"),
                {"again": "y"},
            ),
            _at(line.building, line.unit),
            Markup("<b>{}</b>").format(yen(line.collection.amount_yen)),
            [(_("Outcome unknown"), "warn") if is_unknown else (_("Failed"), "bad")],
        )
        for line in failed_collections.failed_collections(reading(), today(), few)
        for is_unknown in [line.collection.state is CollectionState.ASKED]
    ]


def _transfers() -> Sequence[Line]:
    totals = bank_day.waiting_totals(reading())
    facts = {
        TransferState.WAITING: _("Transfers to place"),
        TransferState.KEPT: _("Transfers kept as suspense"),
    }
    return [
        Line(
            When.NOW,
            _("Bank day"),
            facts[state],
            _to("bank_day"),
            Act(pgettext("act", "Record"), _to("bank_day")),
            ngettext("%(num)s transfer", "%(num)s transfers", total.transfers),
            Markup("<b>{}</b>").format(yen(total.yen)),
        )
        for state, total in totals.items()
    ]


def _conflicts() -> Sequence[Line]:
    count = block_conflicts.count_conflicts(reading(), today())
    if not count:
        return []
    href = _to("calendar_conflicts")
    where = ngettext("%(num)s unit taken twice", "%(num)s units taken twice", count)
    act = Act(_("Resolve"), href)
    return [Line(When.NOW, _("Calendar"), _("Overlapping dates"), href, act, where)]


def _viewings() -> Sequence[Line]:
    return [
        Line(
            When.NOW,
            _("Viewing"),
            one.visitor,
            _to("viewing", viewing_id=one.id),
            Act(pgettext("act", "Open"), _to("viewing", viewing_id=one.id)),
            " · ".join((_at(one.building, one.unit_name), one.host or _("Unassigned"))),
            f"{one.there:%H:%M}",
        )
        for one in viewing_lists.viewings_of_day(reading(), today())
    ]


def _own_tasks(few: int) -> Sequence[Line]:
    """Return what this person does today; on site also what nobody has."""
    person_id = desk().person_id
    reach = Reach.of_staff(desk().role, person_id)
    is_own_alone = person_id if desk().is_office else None
    cards = task_days.open_tasks_of_today(reading(), reach, today(), few, assignee_id=is_own_alone)
    return [_task(card, _step(card)) for card in cards]


def _neglected(few: int) -> Sequence[Line]:
    cards = task_days.neglected_tasks(reading(), today(), few, desk().person_id)
    return [_task(card, _act_of_neglected(card)) for card in cards]


def _task(card: TaskCard, act: Act) -> Line:
    tags = []
    if card.rework:
        tags.append((pgettext("inspection", "Sent back"), "bad"))
    elif card.state is not TaskState.TODO:
        tags.append((word(card.hold_reason or card.state), "info"))
    elif not card.assignee_id:
        tags.append((_("Unassigned"), "plain"))
    return Line(
        When.TODAY,
        pgettext("work", "Work"),
        card.title or word(card.kind),
        _to("task", task_id=card.id),
        act,
        _at(card.building, card.unit_name) + (f" · {card.rework}" if card.rework else ""),
        _day(card.due_on) if card.due_on else _("Any day"),
        tags,
        card.is_overdue(today()),
        card.id,
    )


def _step(card: TaskCard) -> Act:
    facts = {
        TaskState.TODO: pgettext("task", "Start"),
        TaskState.ON_HOLD: pgettext("task", "Resume"),
        TaskState.DOING: pgettext("task", "Done"),
    }
    to = TaskState.DONE if card.state is TaskState.DOING else TaskState.DOING
    address = _to("move_task", task_id=card.id, back="today")
    return Act(facts[card.state], address, {"moves": str(card.moves), "state": to.value})


def _act_of_neglected(card: TaskCard) -> Act:
    text = pgettext("act", "Open") if card.assignee_id else _("Assign")
    return Act(text, _to("task", task_id=card.id))


def _trips() -> Sequence[Line]:
    return [
        Line(
            When.TODAY,
            _("Visit"),
            _at(trip.building, None),
            _to("visit", visit_id=trip.id),
            Act(pgettext("act", "Open"), _to("visit", visit_id=trip.id)),
            _("%(done)s of %(count)s tasks done", done=trip.done, count=trip.tasks),
        )
        for trip in visits.visits_of_day(reading(), desk().person_id, today())
    ]


def _papers(few: int) -> Sequence[Line]:
    return [
        Line(
            When.WEEK,
            _("Contract"),
            one.name,
            _to("reservation_contracts", reservation_id=one.reservation_id),
            Act(
                _("Amend") if one.is_signed else _("Renew"),
                _to("reservation_contracts", reservation_id=one.reservation_id),
            ),
            one.title,
            _("out of date"),
        )
        for one in outdated_papers.outdated_papers(reading(), few).papers
    ]


def _stopped() -> Sequence[Line]:
    return [
        Line(
            When.TODAY,
            _("Activity"),
            f"{run_word(run.kind)} {run_about(run)}".strip(),
            _to("run", run_id=run.id),
            Act(pgettext("act", "Open"), _to("run", run_id=run.id)),
            _("stopped"),
            brief_instant(run.moved_at, today()),
        )
        for run in stopped_runs(reading())
    ]
