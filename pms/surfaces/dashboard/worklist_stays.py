"""Worklist lines about stays: arrivals, departures, deposits, notices, outdated contracts."""

from collections.abc import Sequence

from flask_babel import gettext as _
from flask_babel import pgettext

from pms.arrivals import days_work
from pms.arrivals.days_work import DueStay
from pms.contracts import outdated_papers
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    PaymentStatus,
)
from pms.surfaces.dashboard.gate import reading
from pms.surfaces.dashboard.worklist_lines import (
    Act,
    Line,
    When,
    dashboard_address,
    day_text,
    place_text,
    stay_address,
    text_with_day,
    when_due,
)
from pms.surfaces.request_scope import today
from pms.workspaces import queries


def split_at_today(stays: Sequence[DueStay]) -> tuple[Sequence[DueStay], Sequence[DueStay]]:
    """Split the stays into those due by today and later ones."""
    return (
        [stay for stay in stays if stay.on <= today()],
        [stay for stay in stays if stay.on > today()],
    )


def arrival_line(stay: DueStay) -> Line:
    """Return the line of an arrival for the office, with what is still missing."""
    tags = []
    if stay.esign_status is not EsignStatus.SIGNED:
        tags.append((_("Not signed"), "warn"))
    if stay.payment_status is not PaymentStatus.PAID:
        tags.append((_("Not paid"), "bad"))
    return Line(
        when_due(stay.on),
        pgettext("stay", "Arrival"),
        stay.name,
        stay_address("reservation", stay),
        _act_of_arrival(stay),
        place_text(stay.building, stay.unit),
        day_text(stay.on),
        tags,
        stay.on < today(),
    )


def _act_of_arrival(stay: DueStay) -> Act:
    if stay.esign_status is EsignStatus.PENDING:
        return Act(_("Send contract"), stay_address("move_in_papers", stay))
    if stay.esign_status is not EsignStatus.SIGNED:
        return Act(_("Send contract"), stay_address("reservation_contracts", stay))
    if stay.payment_status is not PaymentStatus.PAID:
        return Act(_("Record payment"), stay_address("new_payment", stay))
    if stay.on > today():
        return Act(pgettext("act", "Open"), stay_address("reservation", stay))
    address = dashboard_address(
        "move_in_reservation", reservation_id=stay.reservation_id, back="today"
    )
    return Act(_("Move in"), address, {"version": str(stay.version)})


def departure_line(stay: DueStay) -> Line:
    """Return the line of a departure for the office."""
    is_resident = stay.lifecycle is Lifecycle.NOTICE_FILED
    href = stay_address("reservation_departure" if is_resident else "reservation", stay)
    return Line(
        when_due(stay.on),
        _("Departure"),
        stay.name,
        stay_address("reservation", stay),
        Act(pgettext("act", "Move-out") if is_resident else pgettext("act", "Open"), href),
        place_text(stay.building, stay.unit),
        day_text(stay.on),
    )


def settlement_line(stay: DueStay) -> Line:
    """Return the line of a deposit to settle."""
    return Line(
        When.NOW,
        _("Deposit"),
        stay.name,
        stay_address("reservation", stay),
        Act(_("Settle"), stay_address("reservation_deposit", stay)),
        place_text(stay.building, stay.unit),
        text_with_day(_("left %(day)s"), stay.on),
    )


def notice_line(stay: DueStay) -> Line:
    """Return the line of a filed notice."""
    return Line(
        When.WEEK,
        pgettext("worklist", "Notice"),
        stay.name,
        stay_address("reservation", stay),
        Act(pgettext("act", "Move-out"), stay_address("reservation_departure", stay)),
        place_text(stay.building, stay.unit),
        text_with_day(_("filed %(day)s"), stay.on),
    )


def month_to_month_lines(few: int) -> Sequence[Line]:
    """Return the contracts that become month to month this week."""
    found = days_work.entering_month_to_month(reading(), today(), queries.policy(reading()))
    return [
        Line(
            When.WEEK,
            _("Month to month"),
            stay.name,
            stay_address("reservation", stay),
            Act(pgettext("act", "Open"), stay_address("reservation", stay)),
            place_text(stay.building, stay.unit),
            text_with_day(_("from %(day)s"), stay.on),
        )
        for stay in found[:few]
    ]


def arrival_on_site_line(stay: DueStay) -> Line:
    """Return the line of an arrival for staff on site, without a name."""
    return _room_line(stay, pgettext("stay", "Arrival"))


def departure_on_site_line(stay: DueStay) -> Line:
    """Return the line of a departure for staff on site, without a name."""
    return _room_line(stay, _("Departure"))


def _room_line(stay: DueStay, subject: str) -> Line:
    """Return a line without the resident's name, which staff on site may not see."""
    href = dashboard_address("chart")
    place = place_text(stay.building, stay.unit)
    act = Act(_("Calendar"), href)
    return Line(when_due(stay.on), subject, place, href, act, fact=day_text(stay.on))


def outdated_contract_lines(few: int) -> Sequence[Line]:
    """Return the contracts that no longer match what was agreed."""
    return [
        Line(
            When.WEEK,
            _("Contract"),
            one.name,
            dashboard_address("reservation_contracts", reservation_id=one.reservation_id),
            Act(
                _("Amend") if one.is_signed else _("Renew"),
                dashboard_address("reservation_contracts", reservation_id=one.reservation_id),
            ),
            one.title,
            _("out of date"),
        )
        for one in outdated_papers.outdated_papers(reading(), few).papers
    ]
