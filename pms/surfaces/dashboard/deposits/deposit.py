"""The deposit of one reservation: the balance of any day, and where its settlement stands."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request

from pms.arrivals.reservation_header import ReservationHeader, reservation_header
from pms.deposits.deposit_report import exclusion_on
from pms.deposits.preview_settlement import preview_settlement
from pms.deposits.queries import SettledDeposit, settlement_of
from pms.deposits.settlement_plan import AskedDeduction, SettlementPlan
from pms.foundation.errors import Refused
from pms.ledger.statement import statement
from pms.surfaces.dashboard.deposits.balance_parts import balance_parts
from pms.surfaces.dashboard.deposits.deductions_form import SettlementForm
from pms.surfaces.dashboard.deposits.refund_form import RefundForm
from pms.surfaces.dashboard.desk import clock, reading, today
from pms.surfaces.dashboard.ledger.ledger_form import OnForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.refusal_wording import said

TAB = "reservation_deposit"


@dashboard.get("/reservations/<reservation_id>/deposit", roles=OFFICE)
def reservation_deposit(reservation_id: str) -> Response:
    """Show the deposit with the form of the next step."""
    return shown(reservation_header(reading(), reservation_id, today()))


def shown(
    header: ReservationHeader,
    form: SettlementForm | None = None,
    refund_form: RefundForm | None = None,
) -> Response:
    """Show the deposit with forms as they stand."""
    settled = settlement_of(reading(), header.id)
    form = form or SettlementForm.of(header.version)
    return framed(
        header.id,
        "dashboard/deposits/deposit.html",
        tab=TAB,
        header=header,
        settled=settled,
        form=form,
        refund_form=refund_form or _refund_form(header, settled),
        today=today(),
        left_out=exclusion_on(reading(), header.id, today()),
        **_balance(header.id),
        **(figures(header.id, form.asked) if settled is None else {}),
    )


def figures(reservation_id: str, asked: tuple[AskedDeduction, ...]) -> dict[str, Any]:
    """Return what a settlement of today would write, or why there is none."""
    plan: SettlementPlan | None = None
    refusal = ""
    try:
        plan = preview_settlement(
            reading(), clock(), reservation_id=reservation_id, deductions=asked
        )
    except Refused as problem:
        refusal = said(problem)
    entries = statement(reading(), reservation_id, today()).entries
    return {"plan": plan, "refusal": refusal, "labels": {one.id: one.label for one in entries}}


def _balance(reservation_id: str) -> dict[str, Any]:
    form = OnForm.asked(request.args, today())
    on = form.day(today())
    found = statement(reading(), reservation_id, on)
    return {"on_form": form, "on": on, "balance": found.deposit, "parts": balance_parts(found)}


def _refund_form(header: ReservationHeader, settled: SettledDeposit | None) -> RefundForm:
    unsent_yen = settled.unsent_yen if settled else None
    return RefundForm(amountYen=unsent_yen, sentOn=today(), version=header.version)
