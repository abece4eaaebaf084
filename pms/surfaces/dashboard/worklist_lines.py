"""The lines of the worklist: who or what, where, how much, one action; those about work and stays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import IntEnum
from typing import Any, Final

from flask import url_for
from flask_babel import gettext as _
from flask_babel import pgettext
from markupsafe import Markup

from pms.arrivals import days_work
from pms.arrivals.days_work import DueKind, DueStay
from pms.arrivals.set_up import read_set_up
from pms.arrivals.tenancy_ways import ReservationWay
from pms.contracts import ending_terms, expiring_people, outdated_papers, rent_proposals
from pms.contracts.ending_terms import PressingReason
from pms.contracts.waiting_talks import UnexplainedContract
from pms.departures import leaving_reasons
from pms.foundation.phrases import Bilingual
from pms.offers.applicants import OfferToExplain, WaitingApplicants
from pms.rules.contract_people import PeopleKind
from pms.rules.days import JAPAN, day_of
from pms.rules.enumerations import Lifecycle, ReservationKind, TaskState
from pms.rules.tenancy_way import Because
from pms.statements.master_leases import lease_notices
from pms.surfaces.dashboard.gate import current_member, reading
from pms.surfaces.dashboard.next_steps import next_button, open_tags
from pms.surfaces.labels.enumerations import label_of, tone
from pms.surfaces.labels.formats import brief_day, yen
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.upkeep import task_days, visits
from pms.upkeep.boards import TaskCard
from pms.upkeep.task_visibility import TaskVisibility
from pms.workspaces import queries


class When(IntEnum):
    """The three parts of the list, the most urgent first."""

    NOW = 0
    TODAY = 1
    WEEK = 2


@dataclass(frozen=True)
class LineButton:
    """The action of a line's button: opens an address, or sends `fields` to it as a form."""

    text: str
    href: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WorklistLine:
    """One line of the list."""

    when: When
    subject: str
    """The kind of thing, in a word or two."""
    what: str | Markup
    href: str
    act: LineButton
    place: str = ""
    fact: str | Markup = ""
    tags: Sequence[tuple[str, str]] = ()
    is_late: bool = False
    task_id: str | None = None


def place_text(building: Bilingual, unit: str | None) -> str:
    """Return building and unit as one text."""
    return f"{building.in_language(chosen_language()) or ''} {unit or ''}".strip()


def dashboard_address(endpoint: str, **values: Any) -> str:
    """Return an address of the dashboard."""
    return url_for(f"dashboard.{endpoint}", **values)


def stay_address(endpoint: str, stay: DueStay) -> str:
    """Return the address of one of the pages of a stay."""
    return dashboard_address(endpoint, reservation_id=stay.reservation_id)


def day_text(on: date) -> str | Markup:
    """Return a day as a line shows it: "Today", or the date."""
    return _("Today") if on == today() else brief_day(on, today())


def text_with_day(text: str, on: date | None) -> Markup:
    """Return a text with the day filled in; a cancelled booking may have no last day."""
    return Markup(text) % {"day": "" if on is None else brief_day(on, today())}


def when_due(on: date) -> When:
    """Return the part for a day: NOW if it is due, else WEEK."""
    return When.NOW if on <= today() else When.WEEK


def own_task_lines(few: int) -> Sequence[WorklistLine]:
    """Return this person's tasks of today; for staff on site, also the unassigned ones."""
    person_id = current_member().person_id
    visibility = TaskVisibility.of_staff(current_member().role, person_id)
    is_own_alone = person_id if current_member().is_office else None
    cards = task_days.open_tasks_of_today(
        reading(), visibility, today(), few, assignee_id=is_own_alone
    )
    return [_task_line(card, _next_step(card)) for card in cards]


def neglected_task_lines(few: int) -> Sequence[WorklistLine]:
    """Return the tasks that are late, unassigned, or were sent back to this person."""
    cards = task_days.neglected_tasks(reading(), today(), few, current_member().person_id)
    return [_task_line(card, _act_of_neglected(card)) for card in cards]


def _task_line(card: TaskCard, act: LineButton) -> WorklistLine:
    tags = []
    if card.rework:
        tags.append((pgettext("inspection", "Sent back"), "bad"))
    elif card.state is not TaskState.TODO:
        tags.append((label_of(card.hold_reason or card.state), "info"))
    elif not card.assignee_id:
        tags.append((_("Unassigned"), "plain"))
    return WorklistLine(
        When.TODAY,
        pgettext("work", "Work"),
        card.title or label_of(card.kind),
        dashboard_address("task", task_id=card.id),
        act,
        place_text(card.building, card.unit_name) + (f" · {card.rework}" if card.rework else ""),
        day_text(card.due_on) if card.due_on else _("Any day"),
        tags,
        card.is_overdue(today()),
        card.id,
    )


def _next_step(card: TaskCard) -> LineButton:
    facts = {
        TaskState.TODO: pgettext("task", "Start"),
        TaskState.ON_HOLD: pgettext("task", "Resume"),
        TaskState.DOING: pgettext("task", "Done"),
    }
    to = TaskState.DONE if card.state is TaskState.DOING else TaskState.DOING
    address = dashboard_address("move_task", task_id=card.id, back="today")
    return LineButton(facts[card.state], address, {"moves": str(card.moves), "state": to.value})


def _act_of_neglected(card: TaskCard) -> LineButton:
    text = pgettext("act", "Open") if card.assignee_id else _("Assign")
    return LineButton(text, dashboard_address("task", task_id=card.id))


def visit_lines() -> Sequence[WorklistLine]:
    """Return this person's visits of today."""
    return [
        WorklistLine(
            When.TODAY,
            _("Visit"),
            place_text(trip.building, None),
            dashboard_address("visit", visit_id=trip.id),
            LineButton(pgettext("act", "Open"), dashboard_address("visit", visit_id=trip.id)),
            _("%(done)s of %(count)s tasks done", done=trip.done, count=trip.tasks),
        )
        for trip in visits.visits_of_day(reading(), current_member().person_id, today())
    ]


def split_at_today(
    lines: Sequence[WorklistLine],
) -> tuple[Sequence[WorklistLine], Sequence[WorklistLine]]:
    """Split the lines of a dated kind into those due by today and later ones."""
    return (
        [line for line in lines if line.when is When.NOW],
        [line for line in lines if line.when is not When.NOW],
    )


def way_line(kind: DueKind, stay: DueStay, way: ReservationWay) -> WorklistLine | None:
    """Return the line of a stay for the office: its next step, and what else is open.

    None if nothing is open, so that nothing can be done.
    """
    if kind in (DueKind.SETTLEMENT, DueKind.REFUND) and (
        not way.missing or way.next.because is Because.UNANSWERED
    ):
        return None
    if kind is DueKind.MOVED_IN and not way.open_before_move_in:
        return None
    lacks_keys = any(each.because is Because.NO_KEYS for each in way.missing)
    if kind is DueKind.KEYS and not lacks_keys:
        return None
    if kind is DueKind.ARRIVAL and way.keys_on and stay.on <= today() and not stay.is_coming:
        # Who came today and got the keys has arrived.
        return None
    is_guest = stay.kind is ReservationKind.GUEST
    subjects = {
        DueKind.ARRIVAL: pgettext("stay", "Check-in") if is_guest else pgettext("stay", "Arrival"),
        DueKind.NO_SHOW: pgettext("stay", "Moved in?"),
        DueKind.MOVED_IN: pgettext("worklist", "Moved in"),
        DueKind.KEYS: pgettext("home", "Keys"),
        DueKind.DEPARTURE: pgettext("stay", "Check-out") if is_guest else _("Departure"),
        DueKind.SETTLEMENT: _("Deposit"),
        DueKind.REFUND: pgettext("worklist", "Refund"),
        DueKind.NOTICE: pgettext("worklist", "Notice"),
    }
    is_cancelled = stay.lifecycle is Lifecycle.CANCELLED
    texts = {
        DueKind.NO_SHOW: _("contract from %(day)s"),
        DueKind.MOVED_IN: _("moved in %(day)s"),
        DueKind.KEYS: _("living since %(day)s"),
        DueKind.SETTLEMENT: _("cancelled, was to start %(day)s")
        if is_cancelled
        else _("left %(day)s"),
        DueKind.REFUND: _("settled %(day)s"),
        DueKind.NOTICE: _("filed %(day)s"),
    }
    button = next_button(way, stay.reservation_id, stay.version, back="today")
    asks = "reservation_no_show" if kind is DueKind.NO_SHOW else "reservation"
    address = stay_address(asks, stay)
    has_tags = kind in (DueKind.ARRIVAL, DueKind.NO_SHOW, DueKind.MOVED_IN)
    return WorklistLine(
        when_due(stay.on) if kind in _DATED else _PARTS[kind],
        subjects[kind],
        stay.name,
        address,
        LineButton(button.text, button.href, button.fields)
        if button
        else LineButton(pgettext("act", "Open"), address),
        place_text(stay.building, stay.unit),
        text_with_day(texts[kind], stay.on) if kind in texts else _arrival_day(stay),
        open_tags(way) if has_tags else [],
        kind in _DATED and stay.on < today(),
    )


_DATED: Final = (DueKind.ARRIVAL, DueKind.NO_SHOW, DueKind.DEPARTURE)
_PARTS: Final = {
    DueKind.MOVED_IN: When.NOW,
    DueKind.KEYS: When.NOW,
    DueKind.SETTLEMENT: When.NOW,
    DueKind.REFUND: When.NOW,
    DueKind.NOTICE: When.WEEK,
}


def _arrival_day(stay: DueStay) -> str | Markup:
    """Return the day of a stay; that of an arrival beside its contract's start, if they differ."""
    starts_on = stay.record.starts_on
    if stay.on != stay.arrival_on or starts_on is None or starts_on == stay.on:
        return day_text(stay.on)
    return Markup(_("arrives %(day)s (contract from %(start)s)")) % {
        "day": day_text(stay.on),
        "start": brief_day(starts_on, today()),
    }


def month_to_month_lines(few: int) -> Sequence[WorklistLine]:
    """Return the contracts that become month to month this week."""
    found = days_work.entering_month_to_month(reading(), today(), queries.policy(reading()))
    return [
        WorklistLine(
            When.WEEK,
            _("Month to month"),
            stay.name,
            stay_address("reservation", stay),
            LineButton(pgettext("act", "Open"), stay_address("reservation", stay)),
            place_text(stay.building, stay.unit),
            text_with_day(_("from %(day)s"), stay.on),
        )
        for stay in found[:few]
    ]


def arrival_on_site_line(stay: DueStay) -> WorklistLine:
    """Return the line of an arrival for staff on site, without a name."""
    return _room_line(stay, pgettext("stay", "Arrival"))


def departure_on_site_line(stay: DueStay) -> WorklistLine:
    """Return the line of a departure for staff on site, without a name: the home is inspected."""
    line = _room_line(stay, _("Departure"))
    if stay.kind is not ReservationKind.RESIDENT:
        return line
    href = stay_address("move_out_inspection", stay)
    return replace(line, href=href, act=LineButton(_("Inspect"), href))


def _room_line(stay: DueStay, subject: str) -> WorklistLine:
    """Return a line without the resident's name, which staff on site may not see."""
    href = dashboard_address("chart")
    place = place_text(stay.building, stay.unit)
    act = LineButton(_("See dates"), href)
    return WorklistLine(when_due(stay.on), subject, place, href, act, fact=_arrival_day(stay))


def screening_lines(found: WaitingApplicants) -> Sequence[WorklistLine]:
    """Return the applicants whose screening is not decided."""
    return [
        WorklistLine(
            When.NOW,
            pgettext("worklist", "Screening"),
            applicant.name,
            dashboard_address("screening", screening_id=applicant.id),
            LineButton(_("Decide"), dashboard_address("screening", screening_id=applicant.id)),
            place_text(applicant.building, applicant.unit),
            text_with_day(_("since %(day)s"), day_of(applicant.at)),
            [(label_of(applicant.state), tone(applicant.state))],
        )
        for applicant in found.to_screen
    ]


def expiring_lines(few: int) -> Sequence[WorklistLine]:
    """Return the identity papers that expire, and the guarantees to be renewed."""
    lines = []
    for piece in expiring_people.expiring_pieces(reading(), today(), few):
        is_paper = piece.kind is PeopleKind.IDENTITY_PAPER
        href = dashboard_address("reservation_people", reservation_id=piece.reservation_id)
        fact = _("renewal %(day)s")
        if is_paper:
            fact = _("expired %(day)s") if piece.on < today() else _("expires %(day)s")
        what = label_of(piece.paper) if piece.paper is not None else piece.company or ""
        fee = [(yen(piece.fee_yen), "plain")] if piece.fee_yen else []
        lines.append(
            WorklistLine(
                When.NOW if piece.on < today() else When.WEEK,
                label_of(piece.kind),
                piece.name,
                href,
                LineButton(pgettext("act", "Open"), f"{href}#contract-people"),
                place_text(piece.building, piece.unit),
                text_with_day(fact, piece.on),
                [(what, "bad" if piece.on < today() else "plain"), *fee],
            )
        )
    return lines


def leaving_reason_lines(few: int) -> Sequence[WorklistLine]:
    """Return the reasons for leaving that wait for a decision."""
    return [
        WorklistLine(
            When.NOW,
            pgettext("worklist", "Notice"),
            found.name,
            dashboard_address("leaving_reason", reservation_id=found.reservation_id),
            LineButton(
                _("Decide"),
                dashboard_address("leaving_reason", reservation_id=found.reservation_id),
            ),
            place_text(found.building, found.unit),
            text_with_day(_("leaves %(day)s"), found.move_out_on),
            [(label_of(found.reason), "warn")],
        )
        for found in leaving_reasons.open_reasons(reading(), few)
    ]


def ending_term_lines(few: int) -> Sequence[WorklistLine]:
    """Return the terms whose notice is late by law, and whose residents are silent or want to talk."""
    facts = {
        PressingReason.LATE_NOTICE: _("notice was due by %(day)s"),
        PressingReason.NO_ANSWER: _("ends %(day)s, no answer"),
        PressingReason.TALK: _("ends %(day)s, wants to talk"),
    }
    return [
        WorklistLine(
            When.NOW,
            _("Term ends"),
            term.name,
            dashboard_address("reservation_terms", reservation_id=term.reservation_id),
            LineButton(
                _("Send notice") if is_late else pgettext("act", "Open"),
                dashboard_address("check_end_notices", reservation=term.reservation_id)
                if is_late
                else dashboard_address("reservation_terms", reservation_id=term.reservation_id),
            ),
            place_text(term.building, term.unit),
            text_with_day(facts[term.reason], term.notice_by if is_late else term.last_on),
            [(_("Late by law"), "bad")] if is_late else [],
            is_late,
        )
        for term in ending_terms.pressing_terms(reading(), today())[:few]
        for is_late in [term.reason is PressingReason.LATE_NOTICE]
    ]


def rent_proposal_lines(few: int) -> Sequence[WorklistLine]:
    """Return the proposed rents whose residents are silent or want to talk."""
    return [
        WorklistLine(
            When.NOW,
            _("New rent"),
            each.name,
            dashboard_address("reservation_terms", reservation_id=each.proposal.reservation_id),
            LineButton(
                pgettext("act", "Open"),
                dashboard_address("reservation_terms", reservation_id=each.proposal.reservation_id),
            ),
            place_text(each.building, each.unit),
            text_with_day(
                _("from %(day)s, wants to talk")
                if each.proposal.answer is not None
                else _("from %(day)s, no answer"),
                each.proposal.from_on,
            ),
        )
        for each in rent_proposals.pressing_proposals(reading(), today())[:few]
    ]


def explanation_lines(found: WaitingApplicants) -> Sequence[WorklistLine]:
    """Return who waits to be explained a fixed term, and the contracts signed without it."""
    contracts = found.contracts
    late = [
        WorklistLine(
            When.NOW,
            _("Contract"),
            contract.name,
            dashboard_address("contract", contract_id=contract.contract_id),
            LineButton(
                pgettext("act", "Open"),
                dashboard_address("contract", contract_id=contract.contract_id),
            ),
            place_text(contract.building, contract.unit),
            text_with_day(_("signed %(day)s"), day_of(contract.at)),
            [(_("Signed without the explanation"), "bad")],
        )
        for contract in contracts
        if contract.is_signed
    ]
    waiting = [
        _explanation_line(
            contract,
            place_text(contract.building, contract.unit),
            f"{dashboard_address('contract', contract_id=contract.contract_id)}#explanation",
        )
        for contract in contracts
        if not contract.is_signed
    ]
    offered = [
        _explanation_line(
            offer,
            place_text(offer.building, offer.unit),
            dashboard_address("offer_explanation", reservation_link_id=offer.id),
        )
        for offer in found.to_explain
    ]
    return [*late, *waiting, *offered]


def _explanation_line(
    waiting: UnexplainedContract | OfferToExplain, place: str, href: str
) -> WorklistLine:
    """Return the line of a document to explain: how and when its reader wants it."""
    at = waiting.wished_at
    is_later = at is not None and day_of(at) > today()
    when: str | Markup = pgettext("explanation", "soon")
    if at is not None:
        when = Markup("{} {:%H:%M}").format(brief_day(day_of(at), today()), at.astimezone(JAPAN))
    elif waiting.wished_way is None:
        when = text_with_day(_("since %(day)s"), day_of(waiting.at))
    return WorklistLine(
        When.WEEK if is_later else When.NOW,
        pgettext("worklist", "Explanation"),
        waiting.name,
        href,
        LineButton(pgettext("act", "Explain"), href),
        place,
        when,
        [] if waiting.wished_way is None else [(label_of(waiting.wished_way), "info")],
    )


def management_form_lines() -> Sequence[WorklistLine]:
    """Return the building whose papers are made as agency until its form is confirmed, if any."""
    building_id = read_set_up(reading()).without_form
    if building_id is None:
        return ()
    address = dashboard_address("building_form", building_id=building_id)
    return [
        WorklistLine(
            When.WEEK,
            _("Management form"),
            _("Confirm who the lessor of a building is"),
            address,
            LineButton(_("Confirm"), address),
            fact=_("papers name the owner as lessor"),
        )
    ]


def master_lease_lines() -> Sequence[WorklistLine]:
    """Return the master leases whose rent is missing or changes soon."""
    lines = []
    for notice in lease_notices(reading(), today()):
        if not notice.is_due(today()):
            continue
        address = dashboard_address("building_lease", building_id=notice.building_id)
        lines.append(
            WorklistLine(
                When.WEEK,
                _("Master lease"),
                notice.name.in_language(chosen_language()) or "",
                address,
                LineButton(_("Enter") if notice.is_missing else _("Check"), address),
                fact=_("the rent to the owner is missing")
                if notice.is_missing
                else text_with_day(_("the rent changes on %(day)s"), notice.revision_on),
            )
        )
    return lines


def outdated_contract_lines(few: int) -> Sequence[WorklistLine]:
    """Return the contracts that no longer match what was agreed."""
    return [
        WorklistLine(
            When.WEEK,
            _("Contract"),
            paper.name,
            dashboard_address("reservation_contracts", reservation_id=paper.reservation_id),
            LineButton(
                _("Amend") if paper.is_signed else _("Renew"),
                dashboard_address("reservation_contracts", reservation_id=paper.reservation_id),
            ),
            paper.title,
            _("out of date"),
        )
        for paper in outdated_papers.outdated_papers(reading(), few).papers
    ]
