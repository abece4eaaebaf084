"""`pms billing ...`: looks at what a month would bill, and bills it."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import click

from pms.foundation.runs import long_work
from pms.surfaces.command_line.listing import MONTH, show_record
from pms.surfaces.command_line.workspace_access import (
    ACTOR,
    CommandWorkspace,
    of_workspace,
    open_workspace,
    reading,
    refuse_replay,
    writing,
)
from pms.workspaces.queries import policy
from pms.workspaces.settings import set_policy

through = click.option(
    "--through", type=MONTH, help="The last month to bill; by default the one that is due."
)


@click.group()
def billing() -> None:
    """Bill the rent that is due: preview, then run; nothing is billed twice."""


@billing.command("preview")
@of_workspace
@through
@click.option(
    "--all", "with_same", is_flag=True, help="Also show bills that equal the month before."
)
def preview(*, at: CommandWorkspace, through: date | None, with_same: bool) -> None:
    """Preview a run, exceptions first; nothing is saved."""
    with open_workspace(at) as found:
        preview_facts = long_work("billing_run", "billing_preview")(
            found.database, found.clock, found.workspace_id, through_on=through
        )
    rows = [
        {
            "look": row.look.name.lower(),
            "unit": row.unit,
            "name": row.name,
            "to_issue_yen": row.to_issue_yen,
            "month_yen": row.month_yen,
            "before_yen": row.month_before_yen,
            "difference_yen": row.difference_yen,
            "about": row.about,
            "reservation": row.reservation_id,
        }
        for row in preview_facts.rows
    ]
    shown = rows if with_same or at.as_json else [row for row in rows if row["look"] != "same"]
    show_record(
        _sum_preview(preview_facts.through_on, rows), as_json=at.as_json, reservations=shown
    )


@billing.command("run")
@of_workspace
@through
def run(*, at: CommandWorkspace, through: date | None) -> None:
    """Bill all rent that is due; an interrupted run can be started again."""
    refuse_replay(at.on)
    with open_workspace(at) as found:
        done = long_work("billing_run")(
            found.database, found.clock, ACTOR, found.workspace_id, through_on=through
        )
    facts = {
        "month": done.subject,
        "run": done.number,
        "reservations_looked_at": done.done,
        "reservations_billed": done.result.get("reservations", 0),
        "entries": done.result.get("entries", 0),
        "total_yen": done.result.get("total_yen", 0),
        "not_billed": done.problems,
    }
    show_record(facts, as_json=at.as_json, not_billed_because=done.result.get("unbilled", []))


@billing.command("policy")
@click.option(
    "--use-overpayments/--keep-overpayments",
    default=None,
    help="Whether a run uses overpayments for the resident's unpaid bills.",
)
@of_workspace
def set_billing_policy(*, at: CommandWorkspace, use_overpayments: bool | None) -> None:
    """Show the billing day and whether overpayments pay next bills; change the latter."""
    if use_overpayments is not None:
        with writing(at) as work:
            set_policy(work, overpayments_pay_next_bills=use_overpayments)
    with reading(at) as (session, _clock):
        figures = policy(session)
    facts = {
        "billing_day": figures.billing_day,
        "overpayments_pay_next_bills": figures.overpayments_pay_next_bills,
    }
    show_record(facts, as_json=at.as_json)


def _sum_preview(through_on: date, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    of_kind = {row["look"] for row in rows}
    counts = [
        f"{sum(r['look'] == kind for r in rows)} {kind}" for kind in _ORDER if kind in of_kind
    ]
    total = {name: sum(row[name] for row in rows) for name in _SUMMED}
    return {"month": f"{through_on:%Y-%m}", "counted": ", ".join(counts) or "nobody", **total}


_ORDER = ("problem", "missed", "ended", "new", "changed", "same")
_SUMMED = ("to_issue_yen", "month_yen", "before_yen", "difference_yen")
