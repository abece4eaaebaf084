"""`pms bank ...`: reads files of a bank and tells or records what their transfers pay."""

from pathlib import Path

import click

from pms.bank.bank_day import match_waiting
from pms.bank.imports import import_file, imports_in_force, undo_import
from pms.bank.statement_files import answers, match_statements, read_bank_file, read_book
from pms.bank.transfers import place_certain
from pms.bank.undone_imports import undo_all_of_import
from pms.foundation.clock import SystemClock
from pms.rules.bank_columns import TableRole
from pms.rules.enumerations import TransferState
from pms.surfaces.command_line.bank_orders import debit, payout
from pms.surfaces.command_line.bank_transfers import (
    aside,
    forget,
    off,
    payers,
    record,
    transfers,
)
from pms.surfaces.command_line.import_listing import FILE, bytes_of, printable
from pms.surfaces.command_line.listing import as_json, json_text, show, show_record
from pms.surfaces.command_line.workspace_access import Place, of_workspace, reading, writing


@click.group()
def bank() -> None:
    """Import bank statements and record their transfers as payments.

    A statement is a file of the bankers' association (01 or 03), a CSV of the bank, or .xlsx.
    """


bank.add_command(debit)
bank.add_command(payout)
for command in (transfers, record, aside, off, payers, forget):
    bank.add_command(command)


@bank.command("match")
@click.argument("file", type=FILE)
@click.option("--residents", type=FILE, required=True, help="The residents and bills, as JSON.")
@as_json
def match(file: Path, residents: Path, as_json: bool) -> None:
    """Show what the transfers of a file pay, without a workspace; nothing is saved."""
    found = read_bank_file(bytes_of(file), SystemClock().today())
    matches = match_statements(found.statements, read_book(residents.read_bytes()))
    if as_json:
        click.echo(json_text(answers(matches)))
        return
    show(
        [
            {
                "number": one.row.number,
                "day": one.row.booked_on,
                "yen": one.row.yen,
                "payer": printable(one.row.payer),
                "verdict": one.verdict.value,
                "residents": one.person_ids,
                "because": one.payer_reason.value,
            }
            for one in matches
        ],
        as_json=False,
    )


@bank.command("import")
@click.argument("file", type=FILE)
@of_workspace
@click.option("--account", help="The account, for a CSV that does not name it.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="PART=TITLE",
    help="Map a part to a column title of the CSV; repeatable.",
)
@click.option("--accept-gap", "accepts_gap", is_flag=True, help="Import even if rows are missing.")
def import_(
    *, file: Path, at: Place, account: str | None, columns: tuple[str, ...], accepts_gap: bool
) -> None:
    """Import a bank's file into the workspace; known rows change nothing."""
    with writing(at) as work:
        done = import_file(
            work,
            bytes_of(file),
            file_name=file.name,
            account=account,
            chosen=_chosen(columns),
            accepts_gap=accepts_gap,
        )
    show([one._asdict() for one in done], as_json=at.as_json)


@bank.command("status")
@of_workspace
def status(*, at: Place) -> None:
    """Show waiting transfers by certainty, and the imported files."""
    with reading(at) as (session, clock):
        day = match_waiting(session, clock.today())
        files = imports_in_force(session)
    facts = {
        "certain": len(day.certain),
        "likely": len(day.likely),
        "unknown": len(day.unknown),
        "kept": len(day.kept),
    }
    rows = [
        {
            "import": one.id,
            "account": one.account,
            "file": printable(one.file_name),
            "from": one.first_on,
            "until": one.last_on,
            "rows": one.new_rows,
            **{state.value: one.states.get(state, 0) for state in TransferState},
        }
        for one in files
    ]
    show_record(facts, as_json=at.as_json, imports=rows)


@bank.command("place")
@of_workspace
def place(*, at: Place) -> None:
    """Record every transfer that is certain; those that cannot be recorded are named."""
    with writing(at) as work:
        done = place_certain(work)
    refused = [
        {"transfer": one.transfer, "row": printable(one.row), "reason": one.message}
        for one in done.refused
    ]
    show_record({"placed": done.number}, as_json=at.as_json, refused=refused)


@bank.command("undo")
@click.argument("import_id", metavar="IMPORT")
@of_workspace
@click.option("--with-payments", is_flag=True, help="First reverse the payments recorded from it.")
def undo(*, import_id: str, at: Place, with_payments: bool) -> None:
    """Remove the rows of an import that no payment was recorded from."""
    facts = {}
    with writing(at) as work:
        if with_payments:
            reason = "the whole statement was undone"
            undone = undo_all_of_import(work, import_id, reason=reason)
            facts = {"reversed": undone.payments, "taken_out": undone.rows}
        else:
            facts = {"taken_out": undo_import(work, import_id)}
    show_record(facts, as_json=at.as_json)


def _chosen(columns: tuple[str, ...]) -> dict[TableRole, str] | None:
    known = [role.value for role in TableRole]
    chosen: dict[TableRole, str] = {}
    for one in columns:
        part, sign, title = one.partition("=")
        if not sign or part.strip() not in known:
            wanted = f"wanted: PART=TITLE with one of {', '.join(known)}"
            raise click.BadParameter(f"'{one}'; {wanted}", param_hint="--column")
        chosen[TableRole(part.strip())] = title.strip()
    return chosen or None
