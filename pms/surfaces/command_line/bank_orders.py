"""`pms bank debit ...` and `pms bank payout ...`: the office's files to its bank."""

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import click

from pms.access.members import member_of_address
from pms.bank import debit_file_lists, debit_files, payouts
from pms.bank.debit_results import open_result, read_result
from pms.bank.second_person import office_names
from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.surfaces.command_line.import_listing import FILE, bytes_of, printable
from pms.surfaces.command_line.listing import DAY, show, show_record
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    writing,
)

_OUT = click.Path(dir_okay=False, writable=True, path_type=Path)
_FILES = Paging(1, 50)
file_id = click.argument("file_id", metavar="FILE-ID")
out = click.option("--out", type=_OUT, required=True, help="Where the file is written.")


@click.group()
def debit() -> None:
    """Collect bills by direct debit: the request file of a day and the bank's answer."""


@debit.command("check")
@click.argument("collect_on", type=DAY, metavar="DAY")
@of_workspace
def check(*, collect_on: date, at: CommandWorkspace) -> None:
    """Show what would be collected on a day; no file is made."""
    with reading(at) as (session, clock):
        plan = debit_files.plan_debits(session, clock.today(), collect_on)
    rows = [
        {
            "resident": printable(planned_debit.line.name),
            "customer": planned_debit.line.mandate.customer,
            "bills": len(planned_debit.chosen),
            "yen": planned_debit.yen,
            "left_out": ", ".join(
                sorted({bill.bar.value for bill in planned_debit.bills if bill.bar})
            ),
        }
        for planned_debit in dict.fromkeys((*plan.debits, *plan.left_out))
    ]
    facts = {"collect_on": plan.collected_on, "records": len(plan.debits), "yen": plan.total_yen}
    show_record(facts, as_json=at.as_json, debits=rows)


@debit.command("make")
@click.argument("collect_on", type=DAY, metavar="DAY")
@of_workspace
def make_debits(*, collect_on: date, at: CommandWorkspace) -> None:
    """Make the request file of a day."""
    with writing(at) as work:
        made = debit_files.make_debit_file(work, collect_on=collect_on)
    show_record({"file": made}, as_json=at.as_json)


@debit.command("list")
@of_workspace
def list_debits(*, at: CommandWorkspace) -> None:
    """Show the latest requests."""
    with reading(at) as (session, _clock):
        found, _total = debit_file_lists.list_debit_files(session, _FILES)
    _show_files(found, at)


def _show_files(found: Iterable[Any], at: CommandWorkspace) -> None:
    rows = [{**file._asdict(), "state": file.state.value} for file in found]
    show(rows, as_json=at.as_json)


@debit.command("write")
@file_id
@of_workspace
@out
def write_debits(*, file_id: str, at: CommandWorkspace, out: Path) -> None:
    """Write a request to a file for the bank."""
    with reading(at) as (session, _clock):
        content = debit_files.debit_file_bytes(session, file_id)
    _write_file(out, content, at)


def _write_file(path: Path, content: bytes, at: CommandWorkspace) -> None:
    path.write_bytes(content)
    show_record({"written": str(path), "bytes": len(content)}, as_json=at.as_json)


def _change_file(
    verb: Callable[[Work, str], object], file_id: str, at: CommandWorkspace, done: str
) -> None:
    with writing(at) as work:
        verb(work, file_id)
    show_record({done: file_id}, as_json=at.as_json)


@debit.command("hand-over")
@file_id
@of_workspace
def hand_over_debits(*, file_id: str, at: CommandWorkspace) -> None:
    """Mark a request as handed to the bank."""
    _change_file(debit_files.hand_over_debits, file_id, at, "handed_over")


@debit.command("drop")
@file_id
@of_workspace
def drop_debits(*, file_id: str, at: CommandWorkspace) -> None:
    """Discard a request that was not handed over."""
    _change_file(debit_files.drop_debits, file_id, at, "dropped")


@debit.command("result")
@click.argument("file", type=FILE)
@of_workspace
def result(*, file: Path, at: CommandWorkspace) -> None:
    """Read the bank's answer: record collected payments; failed ones remain unpaid."""
    opened = open_result(bytes_of(file))
    with writing(at) as work:
        found = read_result(work, opened)
    show_record(found._asdict(), as_json=at.as_json)


@click.group()
def payout() -> None:
    """Pay out owners and deposits with one transfer file for the bank."""


@payout.command("waiting")
@of_workspace
def waiting(*, at: CommandWorkspace) -> None:
    """Show what is to be paid out and is not in a file yet."""
    with reading(at) as (session, clock):
        found = payouts.waiting_payouts(session, clock.today())
    show(
        [
            {
                "payout": waiting_payout.mark,
                "payee": printable(waiting_payout.payee),
                "for": printable(waiting_payout.detail.en or waiting_payout.detail.ja or ""),
                "account": printable(waiting_payout.account.holder)
                if waiting_payout.account
                else "missing",
                "yen": waiting_payout.yen,
                "held": waiting_payout.held and waiting_payout.held.state,
            }
            for waiting_payout in found
        ],
        as_json=at.as_json,
    )


@payout.command("make")
@click.argument("pay_on", type=DAY, metavar="DAY")
@of_workspace
@click.option(
    "--payout", "marks", multiple=True, help="Only these payouts; by default all with an account."
)
def make_payouts(*, pay_on: date, at: CommandWorkspace, marks: tuple[str, ...]) -> None:
    """Make a file of payouts for a day."""
    with writing(at) as work:
        made = payouts.make_payout_file(
            work,
            pay_on=pay_on,
            marks=marks or None,
        )
    show_record({"file": made}, as_json=at.as_json)


@payout.command("list")
@of_workspace
def list_payouts(*, at: CommandWorkspace) -> None:
    """Show the latest files."""
    with reading(at) as (session, _clock):
        found, _total = payouts.list_payout_files(session, _FILES)
    _show_files(found, at)


@payout.command("write")
@file_id
@of_workspace
@out
def write_payouts(*, file_id: str, at: CommandWorkspace, out: Path) -> None:
    """Write a payout file for the bank; it must be confirmed first if the workspace requires it."""
    with reading(at) as (session, _clock):
        content = payouts.payout_file_bytes(session, file_id)
    _write_file(out, content, at)


@payout.command("confirm")
@file_id
@of_workspace
@click.option("--by", "email", required=True, help="The address of the member who confirms it.")
def confirm_payouts(*, file_id: str, at: CommandWorkspace, email: str) -> None:
    """Confirm a file that another person made, as an operator or a member of the office."""
    with writing(at) as work:
        member = member_of_address(work.session, folded_address(email))
        person = f"person/{member.person_id}"
        if person not in office_names(work.session):
            raise Refused(f"--by: {member.email} is no operator and not of the office.")
        payouts.confirm_payouts(Work(work.session, work.clock, person), file_id, way=work.actor)
    show_record({"confirmed": file_id, "by": member.email}, as_json=at.as_json)


@payout.command("hand-over")
@file_id
@of_workspace
def hand_over_payouts(*, file_id: str, at: CommandWorkspace) -> None:
    """Mark a file as handed to the bank; the refunds in it are recorded as sent."""
    _change_file(payouts.hand_over_payouts, file_id, at, "handed_over")


@payout.command("drop")
@file_id
@of_workspace
def drop_payouts(*, file_id: str, at: CommandWorkspace) -> None:
    """Discard a file that was not handed over."""
    _change_file(payouts.drop_payouts, file_id, at, "dropped")
