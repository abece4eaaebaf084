"""`pms reservation ...`: a tenancy from booking to departure, by hand."""

from datetime import date
from typing import Any

import click

from pms.departures.departures import notice_in_force
from pms.departures.expected_departures import clear_expected_departure, record_expected_departure
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import file_notice, reschedule_move_out, withdraw_notice
from pms.deposits.deposit_report import balance_on
from pms.deposits.settlement_records import settlement_of
from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.pricing.prices import agreed_prices
from pms.reservations.month_to_month import (
    clear_forced_month_to_month,
    force_month_to_month,
    month_to_month_of,
)
from pms.reservations.residents import (
    ResidentRecord,
    ResidentSearch,
    list_residents,
    resident_record,
)
from pms.rules.contract_dates import effective_day
from pms.rules.enumerations import MonthToMonthState
from pms.surfaces.command_line import (
    reservation_booking,
)
from pms.surfaces.command_line.listing import DAY, repriced_rows, show_record, show_rows
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    clock_on,
    of_workspace,
    reading,
    reservation_id,
    writing,
)
from pms.workspaces.queries import policy


@click.command()
@reservation_id
@of_workspace
@click.option("--move-out", "move_out_on", type=DAY, required=True, help="The move-out date.")
@click.option("--filed", "filed_on", type=DAY, help="When the notice was given, if before today.")
@click.option("--preview", is_flag=True, help="Show the result without saving.")
def notice(
    *,
    reservation_id: str,
    at: CommandWorkspace,
    move_out_on: date,
    filed_on: date | None,
    preview: bool,
) -> None:
    """File a move-out notice, or change the date of a filed one."""
    asked: dict[str, Any] = {
        "reservation_id": reservation_id,
        "move_out_on": move_out_on,
        "filed_at": clock_on(filed_on).now() if filed_on else None,
    }
    if preview:
        with reading(at) as (session, clock):
            found = preview_notice(session, clock, **asked)
        counted, penalty, repriced = found.filed_on, found.penalty, found.repriced
        charged_yen = found.charged_yen
    else:
        with writing(at) as work:
            is_filed = notice_in_force(work.session, reservation_id) is not None
            done = (reschedule_move_out if is_filed else file_notice)(work, **asked)
            counted, penalty, repriced = done.notice.filed_on, done.penalty, done.repriced
        charged_yen = done.charged_yen
    facts = {"reservation": reservation_id, "filed": counted, "move_out": move_out_on}
    if charged_yen != penalty.yen:
        facts["charged_here_yen"] = charged_yen
    penalty_lines = [
        {"from": line.first_on, "through": line.last_on, "amount_yen": line.yen}
        for line in penalty.lines
    ]
    penalty_facts = {
        "notice_owed_days": penalty.notice.owed_days,
        "notice_given_days": penalty.notice.given_days,
        "notice_missing_days": penalty.notice.missing_days,
        "early_exit_yen": penalty.early_exit.yen,
        "short_notice_yen": penalty.short_notice.yen,
        "penalty_yen": penalty.yen,
        "penalty_days": penalty.days,
        "kind": penalty.kind,
        "basis": penalty.basis,
        "contract_runs_until": penalty.runs_until_on,
    }
    show_record(
        {**facts, **penalty_facts},
        as_json=at.as_json,
        penalty_lines=penalty_lines,
        repriced=repriced_rows(repriced),
    )


@click.command()
@reservation_id
@of_workspace
def withdraw(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Withdraw a notice: the resident stays, the penalty is voided, rent is repriced."""
    with writing(at) as work:
        taken = withdraw_notice(work, reservation_id=reservation_id)
        facts = {"reservation": reservation_id, "withdrawn_move_out": taken.move_out_on}
    show_record(facts, as_json=at.as_json)


@click.command()
@reservation_id
@of_workspace
@click.option(
    "--expected", "expected_on", type=DAY, help="The move-out date the resident mentioned."
)
@click.option("--unknown", is_flag=True, help="Remove the expected date.")
def depart(
    *, reservation_id: str, at: CommandWorkspace, expected_on: date | None, unknown: bool
) -> None:
    """Note an expected departure for the waitlist; it bills and frees nothing."""
    if unknown == (expected_on is not None):
        raise Refused("depart: Give either --expected or --unknown.")
    with writing(at) as work:
        if expected_on is None:
            clear_expected_departure(work, reservation_id=reservation_id)
        else:
            record_expected_departure(
                work,
                reservation_id=reservation_id,
                expected_departure_on=expected_on,
            )
    show_record(
        {"reservation": reservation_id, "expected_departure": expected_on or "unknown"},
        as_json=at.as_json,
    )


@click.command()
@reservation_id
@of_workspace
def force(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Set the tenancy of a current resident to month to month from today."""
    with writing(at) as work:
        force_month_to_month(work, reservation_id=reservation_id)
        facts = {"reservation": reservation_id, "forced_since": work.clock.today()}
    show_record(facts, as_json=at.as_json)


@click.command()
@reservation_id
@of_workspace
def clear(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Undo month to month set by hand: the contract dates apply again."""
    with writing(at) as work:
        clear_forced_month_to_month(work, reservation_id=reservation_id)
        facts = {"reservation": reservation_id, "cleared": work.clock.today()}
    show_record(facts, as_json=at.as_json)


COMMANDS = (notice, withdraw, depart, force, clear)


@click.group()
def reservation() -> None:
    """Book a unit, change the tenancy, and end it.

    Amounts are whole yen such as 93000 or 93,000, days are written 2026-07-16.
    """


for command in (*reservation_booking.COMMANDS, *COMMANDS):
    reservation.add_command(command)


@reservation.command("list")
@of_workspace
@click.option("--search", help="Part of a name, email address, phone number, unit or building.")
@click.option("--unit", help="The unit's name or id.")
@click.option("--most", type=click.IntRange(1, 500), default=50, show_default=True)
def list_all(*, at: CommandWorkspace, search: str | None, unit: str | None, most: int) -> None:
    """List reservations, newest first."""
    with reading(at) as (session, _):
        asked = ResidentSearch(search=search, unit=unit)
        records, total = list_residents(session, asked, Paging(1, most))
    show_rows(
        [_list_summary_facts(record) for record in records],
        as_json=at.as_json,
        empty="No reservations.",
    )
    if not at.as_json and total > len(records):
        click.echo(f"{len(records)} of {total}.")


@reservation.command("show")
@reservation_id
@of_workspace
def show_one(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Show one reservation with its price, its notice and its balance."""
    with reading(at) as (session, clock):
        record = resident_record(session, reservation_id)
        found = month_to_month_of(record, clock.today(), policy(session))
        is_monthly = found.state is not MonthToMonthState.NONE
        notice = notice_in_force(session, reservation_id)
        settled = settlement_of(session, reservation_id)
        facts = {
            **_list_summary_facts(record),
            "expected_departure": record.expected_departure_date,
            "arrival": record.arrival_date,
            "payment": record.payment_status,
            "signature": record.esign_status,
            "lives_with": record.co_occupants or None,
            "month_to_month": f"{found.state} since {found.since}" if is_monthly else found.state,
        }
        if notice is not None:
            facts |= {"notice_filed": notice.filed_on, "penalty_yen": notice.penalty_yen}
        facts |= {
            "deposit_balance_yen": balance_on(session, reservation_id, clock.today()).balance_yen,
            "settlement": settled.state if settled else None,
        }
        agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
        prices = [
            {"from": period.first_on, "through": period.last_on, "item": item, "monthly_yen": yen}
            for period in (agreed.price.periods if agreed else ())
            for item, yen in period.amounts.items()
            if yen
        ]
    show_record(facts, as_json=at.as_json, prices=prices)


def _list_summary_facts(record: ResidentRecord) -> dict[str, Any]:
    return {
        "reservation": record.id,
        "name": record.name,
        "unit": f"{record.building_name} {record.unit_name}",
        "kind": record.kind,
        "lifecycle": record.lifecycle,
        "start": effective_day(record.move_in_date, record.override_move_in_date),
        "end": effective_day(record.contract_end_date, record.override_contract_end_date),
        "move_out": record.move_out_date,
    }
