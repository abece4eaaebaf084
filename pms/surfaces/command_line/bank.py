"""`pms bank ...`: reads files of a bank and shows or records which bills their transfers pay."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pms.bank import payers as bank_payers
from pms.bank import transfers as bank_transfers
from pms.bank.account_merges import merge_accounts, plan_merge
from pms.bank.accounts import find_account, list_accounts
from pms.bank.bank_day import Matched
from pms.bank.book_files import match_statements, read_book
from pms.bank.import_lists import imports_in_force
from pms.bank.import_undoing import undo_all_of_import, undo_import
from pms.bank.imports import AskedImport, Imported, import_read_file, read_for_account
from pms.bank.statement_files import answers, read_bank_file
from pms.bank.transfers import place_certain
from pms.bank.verdicts import (
    BankDay,
    match_waiting,
    renew_verdicts,
    show_transfer,
    waiting_day,
)
from pms.foundation.errors import Refused, no_such
from pms.foundation.lists import Paging
from pms.rules.bank_columns import TableRole
from pms.rules.enumerations import TransferState
from pms.surfaces.command_line.bank_orders import debit, payout
from pms.surfaces.command_line.import_listing import FILE, bytes_of, printable
from pms.surfaces.command_line.listing import as_json, json_text, show, show_record, show_rows
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    command_clock,
    of_workspace,
    open_workspace,
    reading,
    writing,
)


@click.group()
def bank() -> None:
    """Import bank statements and record their transfers as payments.

    A statement is a file of the bankers' association (01 or 03), a CSV of the bank, or .xlsx.
    """


bank.add_command(debit)
bank.add_command(payout)


@bank.command("match")
@click.argument("file", type=FILE)
@click.option("--residents", type=FILE, required=True, help="The residents and bills, as JSON.")
@as_json
def match(file: Path, residents: Path, as_json: bool) -> None:
    """Show what the transfers of a file pay, without a workspace; nothing is saved."""
    found = read_bank_file(bytes_of(file), command_clock().today())
    matches = match_statements(found.statements, read_book(residents.read_bytes()))
    if as_json:
        click.echo(json_text(answers(matches)))
        return
    show(
        [
            {
                "number": matched.row.number,
                "day": matched.row.booked_on,
                "yen": matched.row.yen,
                "payer": printable(matched.row.payer),
                "verdict": matched.verdict.value,
                "residents": matched.person_ids,
                "because": matched.payer_reason.value,
            }
            for matched in matches
        ],
        as_json=False,
    )


@bank.command("import")
@click.argument("file", type=FILE)
@of_workspace
@click.option(
    "--account",
    help="The account: its name, number or id. A new name adds an account. Needed for a list that"
    " names none.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="PART=TITLE",
    help="Map a part to a column title of the CSV, or to a column's number as #3; repeatable.",
)
@click.option("--head-line", type=click.IntRange(1), help="The line of the headings.")
@click.option("--accept-gap", "accepts_gap", is_flag=True, help="Import even if rows are missing.")
@click.option(
    "--same", "are_same", is_flag=True, help="Rows that may be known ones are the known ones."
)
@click.option(
    "--new-line",
    "distinct",
    multiple=True,
    help="The row of this line is new, though it may be a known one; in a workbook `Sheet!7`."
    " Repeatable.",
)
@click.option(
    "--other-account",
    "accepts_copy",
    is_flag=True,
    help="Import even if the payments are known for another account.",
)
@click.option(
    "--old-days", "accepts_days", is_flag=True, help="Import even rows of more than a year ago."
)
def import_(
    *,
    file: Path,
    at: CommandWorkspace,
    columns: tuple[str, ...],
    are_same: bool,
    distinct: tuple[str, ...],
    **answers: Any,
) -> None:
    """Import a bank's file into the workspace; known rows change nothing."""
    known = [role.value for role in TableRole]
    chosen: dict[TableRole, str] = {}
    for column in columns:
        part, sign, title = column.partition("=")
        if not sign or part.strip() not in known:
            wanted = f"wanted: PART=TITLE with one of {', '.join(known)}"
            raise click.BadParameter(f"'{column}'; {wanted}", param_hint="--column")
        chosen[TableRole(part.strip())] = title.strip()
    chosen_columns = chosen or None
    asked = AskedImport(
        file_name=file.name,
        chosen=chosen_columns or {},
        distinct=distinct if distinct or are_same else None,
        **answers,
    )
    with reading(at) as (session, clock):
        found = read_for_account(
            session, clock.today(), bytes_of(file), asked.chosen, asked.head_line
        )
    with writing(at) as work:
        done = import_read_file(work, found, asked)
    show([_import_facts(account_import) for account_import in done], as_json=at.as_json)


def _import_facts(done: Imported) -> dict[str, Any]:
    """Return the result for an account, and in words what of the file was not read."""
    facts = done._asdict()
    facts["passed"] = [
        printable(f"line {line.line} ({line.reason}): {line.text}") for line in done.passed
    ]
    facts["unread_columns"] = [
        printable(f"{column.title} ({column.example})") for column in done.unread_columns
    ]
    facts["unread_sheets"] = [printable(sheet) for sheet in done.unread_sheets]
    return facts


@bank.command("accounts")
@of_workspace
def accounts(*, at: CommandWorkspace) -> None:
    """List the accounts whose statements are imported, that of the settings first."""
    with reading(at) as (session, _clock):
        found = list_accounts(session)
    rows = [
        {
            "account_id": account.id,
            "name": printable(account.name),
            "number": account.numbers,
            "statements": account.imports,
            "until": account.last_on,
        }
        for account in found
    ]
    show_rows(rows, as_json=at.as_json, empty="No account yet.")


@bank.command("merge")
@click.argument("account", metavar="ACCOUNT")
@click.argument("into", metavar="INTO")
@of_workspace
@click.option(
    "--same",
    "also_same",
    multiple=True,
    metavar="TRANSFER",
    help="This transfer is also one of the other account, in other words; repeatable.",
)
@click.option("--commit", is_flag=True, help="Merge. Without it the result is only shown.")
def merge(
    *, account: str, into: str, at: CommandWorkspace, also_same: tuple[str, ...], commit: bool
) -> None:
    """Merge two accounts of the list that were one; each transfer is counted once."""
    with writing(at) as work:
        rows = [find_account(work.session, name) for name in (account, into)]
        if None in rows:
            raise no_such("account", account if rows[0] is None else into)
        ids = [row.id for row in rows if row is not None]
        plan = plan_merge(work.session, *ids)
        if commit:
            reason = "recorded twice because two accounts were one"
            merge_accounts(work, *ids, also_same=also_same, reason=reason)
    doubtful = [
        {
            "transfer": pair.transfer_id,
            "day": pair.row.booked_on,
            "amount_yen": pair.row.yen,
            "payer": printable(pair.row.payer or pair.row.text),
            "known_as": printable(pair.other.payer or pair.other.text),
        }
        for pair in plan.doubtful
    ]
    facts = {
        "merged": commit,
        "moved": plan.moved,
        "same": plan.same,
        "paid_twice": plan.paid_twice,
    }
    show_record(facts, as_json=at.as_json, doubtful=doubtful)


@bank.command("status")
@of_workspace
def status(*, at: CommandWorkspace) -> None:
    """Show waiting transfers by certainty, and the imported files."""
    with reading(at) as (session, clock):
        day = waiting_day(session, clock.today(), is_bounded=False)
        files = imports_in_force(session)
    facts = {
        "certain": len(day.certain),
        "likely": len(day.likely),
        "unknown": len(day.unknown),
        "kept": len(day.kept),
    }
    rows = [
        {
            "import": file.id,
            "account": file.account,
            "file": printable(file.file_name),
            "from": file.first_on,
            "until": file.last_on,
            "rows": file.new_rows,
            **{state.value: file.states.get(state, 0) for state in TransferState},
        }
        for file in files
    ]
    show_record(facts, as_json=at.as_json, imports=rows)


@bank.command("place")
@of_workspace
def place(*, at: CommandWorkspace) -> None:
    """Record every transfer that is certain; those that cannot be recorded are named."""
    _renew_verdicts(at)
    with writing(at) as work:
        done = place_certain(work)
    refused = [
        {"transfer": transfer.transfer, "row": printable(transfer.row), "reason": transfer.message}
        for transfer in done.refused
    ]
    show_record({"placed": done.number}, as_json=at.as_json, refused=refused)


@bank.command("undo")
@click.argument("import_id", metavar="IMPORT")
@of_workspace
@click.option("--with-payments", is_flag=True, help="First reverse the payments recorded from it.")
def undo(*, import_id: str, at: CommandWorkspace, with_payments: bool) -> None:
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


_MOST_PAYERS = 10_000
_ASIDE = (TransferState.KEPT, TransferState.NOT_OURS, TransferState.WAITING)
_transfer_id = click.argument("transfer_id", metavar="TRANSFER")


@bank.command("transfers")
@of_workspace
def transfers(*, at: CommandWorkspace) -> None:
    """List the waiting transfers, the most certain first, with numbered suggestions."""
    with reading(at) as (session, clock):
        day = match_waiting(session, clock.today())
    kept = {matched.transfer_id for matched in day.kept}
    rows = [
        {
            "transfer": matched.transfer_id,
            "day": matched.match.row.booked_on,
            "amount_yen": matched.match.row.yen,
            "payer": printable(matched.match.row.payer or matched.match.row.text),
            "state": "kept" if matched.transfer_id in kept else matched.match.verdict.value,
            "offers": " | ".join(_list_offers(matched, day)),
        }
        for matched in day.every_one
    ]
    show_rows(rows, as_json=at.as_json, empty="No transfer waits.")


def _list_offers(matched: Matched, day: BankDay) -> Sequence[str]:
    """Each offer by its number: whose bills, and how much of them."""
    return [
        f"{number}: "
        + ", ".join(
            f"{printable(day.book.residents[part.resident_id].name)} {part.yen:,}"
            for part in offer.parts
        )
        for number, offer in enumerate(matched.match.offers, 1)
    ]


@bank.command("record")
@_transfer_id
@of_workspace
@click.option(
    "--offer", "number", type=click.IntRange(1), help="Record the suggestion with this number."
)
@click.option(
    "--bill",
    "bills",
    multiple=True,
    metavar="RESERVATION/ENTRY",
    help="Pay this bill; repeatable, in the order of payment, for one resident or several.",
)
@click.option("--learn", "learns", is_flag=True, help="Remember the payer for these residents.")
def record(
    *,
    transfer_id: str,
    at: CommandWorkspace,
    number: int | None,
    bills: tuple[str, ...],
    learns: bool,
) -> None:
    """Record one transfer as suggested, or for the given bills."""
    if (number is None) == (not bills):
        raise click.UsageError("Give either --offer or one --bill or more.")
    _renew_verdicts(at)
    with writing(at) as work:
        if number is None:
            named = [bill.partition("/") for bill in bills]
            chosen = [(reservation, entry) for reservation, _slash, entry in named]
            done = bank_transfers.place_on_bills(work, transfer_id, chosen, learns=learns)
        else:
            match, _ = show_transfer(work.session, transfer_id, work.clock.today())
            # The mark of an offer; a transfer that does not wait has none, as `place_as_offered`
            # says.
            offers = match.offers if match is not None else ()
            if not offers:
                mark = ""
            else:
                if number > len(offers):
                    raise Refused(
                        "offer: There is no suggestion {number}. Choose one of the {count} listed.",
                        count=len(offers),
                        number=number,
                    )
                mark = offers[number - 1].mark
            done = bank_transfers.place_as_offered(work, transfer_id, mark)
    show_record({"transfer": transfer_id, "payments": len(done)}, as_json=at.as_json)


def _renew_verdicts(at: CommandWorkspace) -> None:
    """Make the verdicts anew before the transaction, which then matches nobody again."""
    with open_workspace(at) as found:
        renew_verdicts(found.database, found.clock, found.workspace_id)


@bank.command("aside")
@_transfer_id
@of_workspace
@click.option(
    "--as",
    "state",
    type=click.Choice([state.value for state in _ASIDE]),
    required=True,
    help="kept (suspense), not_ours (no rent) or waiting.",
)
def set_aside(*, transfer_id: str, at: CommandWorkspace, state: str) -> None:
    """Keep a transfer as suspense, mark it as no rent, or return it to the list."""
    with writing(at) as work:
        bank_transfers.set_transfer_aside(work, transfer_id, TransferState(state))
    show_record({"transfer": transfer_id, "state": state}, as_json=at.as_json)


@bank.command("off")
@_transfer_id
@of_workspace
@click.option("--reason", required=True, help="The reason, for colleagues.")
def take_off(*, transfer_id: str, at: CommandWorkspace, reason: str) -> None:
    """Reverse the payments of a transfer; it is listed as waiting again."""
    with writing(at) as work:
        count = bank_transfers.take_off(work, transfer_id, reason=reason)
    show_record({"transfer": transfer_id, "reversed": count}, as_json=at.as_json)


@bank.command("payers")
@of_workspace
def payers(*, at: CommandWorkspace) -> None:
    """List the remembered payers and their residents."""
    with reading(at) as (session, _clock):
        found = bank_payers.list_payers(session, Paging(1, _MOST_PAYERS))
    rows = [
        {
            "payer_id": payer.id,
            "payer": printable(payer.payer),
            "reservation": payer.reservation_id,
            "name": printable(payer.name),
            "unit": payer.unit,
        }
        for payer in found.payers
    ]
    show_rows(rows, as_json=at.as_json, empty="No payer is remembered.")


@bank.command("forget")
@click.argument("payer_id", metavar="PAYER")
@of_workspace
def forget(*, payer_id: str, at: CommandWorkspace) -> None:
    """Forget a remembered payer; recorded payments are kept."""
    with writing(at) as work:
        bank_payers.forget_payer(work, payer_id)
    show_record({"payer_id": payer_id, "state": "forgotten"}, as_json=at.as_json)
