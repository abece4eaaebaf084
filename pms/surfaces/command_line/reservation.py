"""`pms reservation ...`: a tenancy from booking to departure, by hand."""

from datetime import date
from typing import Any

import click

from pms.departures.departures import notice_in_force
from pms.deposits.deposit_report import balance_on, settlement_of
from pms.foundation.lists import Paging
from pms.pricing.prices import agreed_prices
from pms.reservations.residents import (
    ResidentRecord,
    ResidentSearch,
    list_residents,
    resident_record,
)
from pms.reservations.tenancies import month_to_month_of
from pms.rules.contract_dates import effective_day
from pms.rules.enumerations import MonthToMonthState
from pms.surfaces.command_line import reservation_booking, reservation_leaving
from pms.surfaces.command_line.listing import show_record, show_rows
from pms.surfaces.command_line.workspace_access import Place, of_workspace, reading, reservation_id
from pms.workspaces.queries import policy


@click.group()
def reservation() -> None:
    """Book a unit, change the tenancy, and end it.

    Amounts are whole yen such as 93000 or 93,000, days are written 2026-07-16.
    """


for command in (*reservation_booking.COMMANDS, *reservation_leaving.COMMANDS):
    reservation.add_command(command)


@reservation.command("list")
@of_workspace
@click.option("--search", help="Part of a name, email address, phone number, unit or building.")
@click.option("--unit", help="The unit's name or id.")
@click.option("--most", type=click.IntRange(1, 500), default=50, show_default=True)
def list_all(*, at: Place, search: str | None, unit: str | None, most: int) -> None:
    """List reservations, newest first."""
    with reading(at) as (session, _):
        asked = ResidentSearch(search=search, unit=unit)
        records, total = list_residents(session, asked, Paging(1, most))
    show_rows([_line(record) for record in records], as_json=at.as_json, empty="No reservations.")
    if not at.as_json and total > len(records):
        click.echo(f"{len(records)} of {total}.")


@reservation.command("show")
@reservation_id
@of_workspace
def show_one(*, reservation_id: str, at: Place) -> None:
    """Show one reservation with its price, its notice and its balance."""
    with reading(at) as (session, clock):
        record = resident_record(session, reservation_id)
        facts = {
            **_facts(record),
            **_month_to_month(session, record, clock.today()),
            **_notice(session, reservation_id),
            **_money(session, reservation_id, clock.today()),
        }
        prices = _prices(session, reservation_id)
    show_record(facts, as_json=at.as_json, prices=prices)


def _line(record: ResidentRecord) -> dict[str, Any]:
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


def _facts(record: ResidentRecord) -> dict[str, Any]:
    return {
        **_line(record),
        "expected_departure": record.expected_departure_date,
        "arrival": record.arrival_date,
        "payment": record.payment_status,
        "signature": record.esign_status,
        "lives_with": record.co_occupants or None,
    }


def _month_to_month(session: Any, record: ResidentRecord, on: date) -> dict[str, Any]:
    found = month_to_month_of(record, on, policy(session))
    if found.state is MonthToMonthState.NONE:
        return {"month_to_month": found.state}
    return {"month_to_month": f"{found.state} since {found.since}"}


def _notice(session: Any, reservation_id: str) -> dict[str, Any]:
    notice = notice_in_force(session, reservation_id)
    if notice is None:
        return {}
    return {"notice_filed": notice.filed_on, "penalty_yen": notice.penalty_yen}


def _money(session: Any, reservation_id: str, on: date) -> dict[str, Any]:
    settled = settlement_of(session, reservation_id)
    balance = balance_on(session, reservation_id, on)
    return {
        "deposit_balance_yen": balance.balance_yen,
        "settlement": settled.state if settled else None,
    }


def _prices(session: Any, reservation_id: str) -> list[dict[str, Any]]:
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    return [
        {"from": period.first_on, "through": period.last_on, "item": item, "monthly_yen": yen}
        for period in (agreed.price.periods if agreed else ())
        for item, yen in period.amounts.items()
        if yen
    ]
