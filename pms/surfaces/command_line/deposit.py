"""`pms deposit ...`: balances, settlements, refunds and the report."""

from datetime import date
from pathlib import Path
from typing import Any, Final

import click

from pms.arrivals.settlement_sheets import send_settlement, settlement_pdf
from pms.deposits.deposit_report import balance_on, deposit_report
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import paper_of, paper_token, release_refund
from pms.deposits.settlements import AskedDeduction, preview_settlement
from pms.deposits.settlements import settle as settle_deposit
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.deposit import DepositBalance
from pms.rules.yen import Amount, read_typed_amount
from pms.statements.debtors import debtors
from pms.surfaces.command_line.listing import DAY, POSITIVE_YEN, show_record
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    reservation_id,
    writing,
)

_OUT: Final = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.group()
def deposit() -> None:
    """Show, settle, refund and report deposits."""


@deposit.command("balance")
@reservation_id
@of_workspace
def balance(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Show the deposit held, the unpaid and the overpaid amounts on a day."""
    with reading(at) as (session, clock):
        found = balance_on(session, reservation_id, clock.today())
        facts = {"reservation": reservation_id, "on": clock.today(), **_list_balance_parts(found)}
    show_record(facts, as_json=at.as_json)


@deposit.command("settle")
@reservation_id
@of_workspace
@click.option(
    "--deduct", "deductions", multiple=True, metavar="LABEL=YEN", help="A deduction; repeatable."
)
@click.option("--preview", is_flag=True, help="Show the result without saving.")
def settle(
    *, reservation_id: str, at: CommandWorkspace, deductions: tuple[str, ...], preview: bool
) -> None:
    """Settle a deposit: take deductions and unpaid bills, refund the rest, send the settlement."""
    asked = [_read_deduction(text) for text in deductions]
    if preview:
        with reading(at) as (session, clock):
            plan = preview_settlement(
                session, clock, reservation_id=reservation_id, deductions=asked
            )
        json = [
            _deduction_json(
                deduction.asked.words.ja or "", deduction.asked.amount_yen, deduction.reached_yen
            )
            for deduction in plan.deductions
        ]
        facts = _list_settlement_figures(plan.settlement, plan.state)
        made = json
    else:
        with writing(at) as work:
            done = settle_deposit(work, reservation_id=reservation_id, deductions=asked)
            _send_paper(work, reservation_id)
            facts, made = (
                _list_settlement_figures(done.settlement, done.state),
                [
                    _deduction_json(row.label, row.asked_yen, row.reached_yen)
                    for row in done.deductions
                ],
            )
    show_record({"reservation": reservation_id, **facts}, as_json=at.as_json, deductions=made)


def _send_paper(work: Work, reservation_id: str) -> bool:
    settings = Settings.from_environment()
    signer = Signer(settings.secret_key)
    return send_settlement(
        work,
        Files(settings),
        reservation_id=reservation_id,
        link=lambda nonce: f"{settings.base_url}/settlement/{paper_token(signer, nonce)}",
    )


@deposit.command("send")
@reservation_id
@of_workspace
def send(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Send a settlement to the resident, for the first time or again."""
    with writing(at) as work:
        is_mailed = _send_paper(work, reservation_id)
    show_record({"reservation": reservation_id, "mailed": is_mailed}, as_json=at.as_json)


@deposit.command("paper")
@reservation_id
@of_workspace
@click.option("--out", type=_OUT, required=True, help="Where the PDF is written.")
@click.option("--language", type=click.Choice(["ja", "en"]), default="ja", show_default=True)
def paper(*, reservation_id: str, at: CommandWorkspace, out: Path, language: str) -> None:
    """Write a settlement as a PDF, and show what the resident answered."""
    with reading(at) as (session, clock):
        found = paper_of(session, reservation_id, clock.today())
        if found is None:
            raise Refused("settlement: the deposit is not settled yet.")
        content = settlement_pdf(session, Files(Settings.from_environment()), found, language)
        facts = {
            "reservation": reservation_id,
            "state": found.state,
            "sent": found.answers.sent_on,
            "answer_by": found.answer_by_on,
            "refund_ready": found.is_refund_ready,
        }
        objections = [
            {"line": each.position, "on": each.on, "counts": each.counts, "words": each.words}
            for each in found.objections
        ]
    out.write_bytes(content)
    show_record(facts, as_json=at.as_json, objections=objections)


@deposit.command("release")
@reservation_id
@of_workspace
@click.option("--reason", required=True, help="Why it may leave without an agreement.")
def release(*, reservation_id: str, at: CommandWorkspace, reason: str) -> None:
    """Let a refund leave although the resident did not agree to the settlement."""
    with writing(at) as work:
        release_refund(work, reservation_id=reservation_id, reason=reason)
    show_record({"reservation": reservation_id, "released": True}, as_json=at.as_json)


@deposit.command("refund")
@reservation_id
@of_workspace
@click.option("--amount", type=POSITIVE_YEN, help="Part of the refund; by default all of it.")
@click.option("--sent", "sent_on", type=DAY, help="When it was sent; today by default.")
@click.option("--reference", help="The bank's number.")
def refund(
    *,
    reservation_id: str,
    at: CommandWorkspace,
    amount: int | None,
    sent_on: date | None,
    reference: str | None,
) -> None:
    """Record a refund that was sent."""
    with writing(at) as work:
        done = send_refund(
            work,
            reservation_id=reservation_id,
            amount_yen=amount,
            sent_on=sent_on,
            reference=reference,
        )
        facts = {"sent_yen": done.sent_yen, "left_yen": done.unsent_yen, "state": done.state}
    show_record({"reservation": reservation_id, **facts}, as_json=at.as_json)


@deposit.command("report")
@of_workspace
def report(*, at: CommandWorkspace) -> None:
    """Show the deposits on a day, and how many are excluded and why."""
    with reading(at) as (session, clock):
        found = deposit_report(session, clock.today())
        people = debtors(session, [held.reservation_id for held in found.deposits])
    rows = [
        {
            "name": people[held.reservation_id].name,
            "lifecycle": held.lifecycle,
            **_list_balance_parts(held.balance),
            "reservation": held.reservation_id,
        }
        for held in found.deposits
    ]
    left_out = {f"left_out_{reason}": count for reason, count in found.excluded.items()}
    facts = {"on": found.on, "reported": len(rows), **left_out, **_list_balance_parts(found.total)}
    show_record(facts, as_json=at.as_json, deposits=rows)


def _list_balance_parts(found: DepositBalance) -> dict[str, int]:
    return {
        "held_yen": found.held_yen,
        "unpaid_yen": found.unpaid_yen,
        "overpaid_yen": found.overpaid_yen,
        "balance_yen": found.balance_yen,
    }


def _list_settlement_figures(settled: Any, state: Any) -> dict[str, Any]:
    names = ("held", "overpaid", "deducted", "netted", "remainder", "owed")
    return {**{f"{name}_yen": getattr(settled, f"{name}_yen") for name in names}, "state": state}


def _deduction_json(label: str, asked_yen: int, reached_yen: int) -> dict[str, Any]:
    charged_yen = asked_yen - reached_yen
    return {
        "deduction": label,
        "asked_yen": asked_yen,
        "deducted_yen": reached_yen,
        "charged_yen": charged_yen,
    }


def _read_deduction(text: str) -> AskedDeduction:
    label, _, amount = text.rpartition("=")
    reading_ = read_typed_amount(amount, minimum_yen=1)
    if not label.strip() or not isinstance(reading_, Amount):
        raise Refused(
            f"--deduct: '{text[:60]}' is not possible. Write LABEL=YEN, such as cleaning=20,000."
        )
    return AskedDeduction(label.strip(), reading_.yen)
