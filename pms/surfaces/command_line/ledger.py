"""`pms ledger ...`: what is owed and paid, payments, charges and corrections."""

from datetime import date
from typing import Any

import click

from pms.foundation.clock import Clock
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_arrears_charge, post_charge, post_credit
from pms.ledger.payment_plan import (
    check_typed_day,
    check_typed_reference,
    record_payment,
)
from pms.ledger.payments import reservation_of_payment
from pms.ledger.posting import void_unpaid_entry
from pms.ledger.queries import entry_record
from pms.ledger.statement import Statement
from pms.ledger.statement import statement as statement_of
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.statements.receipts import TakenBack, reverse_payment, send_payment_back
from pms.surfaces.command_line.listing import DAY, POSITIVE_YEN, show_record, values
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    reservation_id,
    writing,
)

entry_id = click.argument("entry_id", metavar="ENTRY")
payment_id = click.argument("payment_id", metavar="PAYMENT")
amount = click.argument("amount", type=POSITIVE_YEN, metavar="YEN")


@click.group()
def ledger() -> None:
    """Show what is owed; record payments and charges. Entries are corrected by opposite ones."""


@ledger.command("show")
@reservation_id
@of_workspace
@click.option("--lines", "with_lines", is_flag=True, help="Show the lines of each entry.")
def show_entries(*, reservation_id: str, at: CommandWorkspace, with_lines: bool) -> None:
    """Show the entries of a reservation as of a day."""
    with reading(at) as (session, clock):
        found = statement_of(session, reservation_id, clock.today())
    if with_lines:
        lines = [
            {
                "entry": entry.label,
                "line": line.label,
                "from": line.first_on,
                "through": line.last_on,
                "posted": line.posted_on,
                "amount_yen": line.amount_yen,
            }
            for entry in found.entries
            for line in entry.lines
        ]
    else:
        lines = []
    standing = {entry.id: entry for entry in found.standings}
    entries = [
        {
            "entry": entry.label,
            "issued": entry.issued_on,
            "due": entry.due_on,
            "total_yen": entry.total_yen,
            "paid_yen": standing[entry.id].paid_yen,
            "open_yen": standing[entry.id].open_yen,
            "voided": entry.voided_on,
            "id": entry.id,
        }
        for entry in found.entries
        if entry.id in standing
    ]
    show_record(
        _list_totals(found),
        as_json=at.as_json,
        entries=entries,
        lines=lines,
    )


@ledger.command("statement")
@reservation_id
@of_workspace
def statement(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Show bills and payments by date, with the balance after each."""
    with reading(at) as (session, clock):
        found = statement_of(session, reservation_id, clock.today())
    rows = [
        {
            "on": row.on,
            "what": row.movement,
            "entry": row.label,
            "amount_yen": row.yen or row.deposit_yen,
            "owed_yen": row.owed_yen,
        }
        for row in found.rows
    ]
    show_record(_list_totals(found), as_json=at.as_json, movements=rows)


@ledger.command("payments")
@reservation_id
@of_workspace
def payments(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Show the payments of a reservation and their reversals."""
    with reading(at) as (session, clock):
        found = statement_of(session, reservation_id, clock.today())
    payment_rows = [
        {
            "received": payment.received_on,
            "amount_yen": payment.amount_yen,
            "returned_yen": payment.returned_yen,
            "reversed": payment.reversed_on,
            "reference": payment.reference,
            "id": payment.id,
        }
        for payment in found.payments
    ]
    show_record(_list_totals(found), as_json=at.as_json, payments=payment_rows)


@ledger.command("pay")
@reservation_id
@amount
@of_workspace
@click.option("--entry", "entry_id", help="The entry it pays; the oldest unpaid one by default.")
@click.option("--received", "received_on", type=DAY, help="When it arrived; today by default.")
@click.option("--method", default="bank_transfer", show_default=True)
@click.option("--reference", help="The sender's or provider's number; each is recorded once.")
@click.option("--old-day", "is_meant", is_flag=True, help="The day is right, though years ago.")
def pay(
    *, reservation_id: str, amount: int, at: CommandWorkspace, is_meant: bool, **value: Any
) -> None:
    """Record a payment of YEN."""
    with writing(at) as work:
        check_typed_day(work.clock.today(), value["received_on"], is_meant=is_meant)
        value["reference"] = check_typed_reference(
            work.session, value["method"], value["reference"]
        )
        payment_id = record_payment(work, reservation_id=reservation_id, amount_yen=amount, **value)
        work.session.flush()
        found = statement_of(work.session, reservation_id, work.clock.today())
    reached = {entry.id: entry.label for entry in found.entries}
    parts = [
        {"entry": reached[part.entry_id], "amount_yen": part.yen}
        for part in found.allocations
        if part.payment_id == payment_id
    ]
    show_record({"payment": payment_id, **_list_totals(found)}, as_json=at.as_json, reached=parts)


@ledger.command("charge")
@reservation_id
@amount
@of_workspace
@click.option("--label", "label_ja", required=True, help="What it is for, in Japanese.")
@click.option("--label-en", help="What it is for in English.")
@click.option("--category", type=click.Choice(values(FeeCategory)), default=FeeCategory.OTHER.value)
@click.option(
    "--tax", type=click.Choice(values(TaxTreatment)), help="Its class; by default its category's."
)
@click.option("--due", "due_on", type=DAY, help="When it is due; today by default.")
def charge(*, reservation_id: str, amount: int, at: CommandWorkspace, **value: Any) -> None:
    """Charge YEN once; the tax treatment sets the tax it includes."""
    with writing(at) as work:
        entry = post_charge(
            work,
            reservation_id=reservation_id,
            amount_yen=amount,
            label=Bilingual(value["label_ja"], value["label_en"]),
            category=FeeCategory(value["category"]),
            tax_treatment=TaxTreatment(value["tax"]) if value["tax"] else None,
            due_on=value["due_on"],
        )
        facts = _entry_facts(work.session, entry)
    show_record(facts, as_json=at.as_json)


@ledger.command("credit")
@reservation_id
@amount
@of_workspace
@click.option("--label", "label_ja", required=True, help="What it is for, in Japanese.")
@click.option("--label-en", help="What it is for in English.")
@click.option("--category", type=click.Choice(values(FeeCategory)), default=FeeCategory.RENT.value)
@click.option(
    "--tax", type=click.Choice(values(TaxTreatment)), help="Its class; by default its category's."
)
@click.option("--entry", "entry_id", help="The bill it is set off against; the oldest by default.")
def credit(*, reservation_id: str, amount: int, at: CommandWorkspace, **value: Any) -> None:
    """Credit YEN and use it at once for unpaid bills."""
    with writing(at) as work:
        entry = post_credit(
            work,
            reservation_id=reservation_id,
            amount_yen=amount,
            label=Bilingual(value["label_ja"], value["label_en"]),
            category=FeeCategory(value["category"]),
            tax_treatment=TaxTreatment(value["tax"]) if value["tax"] else None,
            entry_id=value["entry_id"],
        )
        found = statement_of(work.session, reservation_id, work.clock.today())
        facts = _entry_facts(work.session, entry)
    show_record({**facts, **_list_totals(found)}, as_json=at.as_json)


@ledger.command("reverse")
@payment_id
@of_workspace
@click.option("--reason", required=True, help="Why the payment is wrong.")
def reverse(*, payment_id: str, at: CommandWorkspace, reason: str) -> None:
    """Reverse a payment recorded by mistake; its receipt is voided."""
    with writing(at) as work:
        done = reverse_payment(work, payment_id=payment_id, reason=reason)
        facts = _taken_back(work.session, work.clock, payment_id, done)
    show_record(facts, as_json=at.as_json)


@ledger.command("return")
@payment_id
@amount
@of_workspace
@click.option("--reason", required=True, help="Why the money is returned.")
@click.option("--returned", "returned_on", type=DAY, help="When it was sent; today by default.")
@click.option("--reference", help="The bank's number; each is recorded once.")
def send_back(*, payment_id: str, amount: int, at: CommandWorkspace, **value: Any) -> None:
    """Record that YEN of a payment were returned to the payer."""
    with writing(at) as work:
        done = send_payment_back(work, payment_id=payment_id, amount_yen=amount, **value)
        facts = _taken_back(work.session, work.clock, payment_id, done)
    show_record(facts, as_json=at.as_json)


@ledger.command("arrears")
@entry_id
@amount
@of_workspace
@click.option("--due", "due_on", type=DAY, help="When it is due; today by default.")
def arrears(*, entry_id: str, amount: int, at: CommandWorkspace, due_on: date | None) -> None:
    """Charge YEN for the shortfall of an entry; the debt counts once."""
    with writing(at) as work:
        charged = post_arrears_charge(work, entry_id=entry_id, amount_yen=amount, due_on=due_on)
        facts = _entry_facts(work.session, charged)
        facts["takes_over_yen"] = entry_record(work.session, charged).cancelled_yen
    show_record(facts, as_json=at.as_json)


@ledger.command("void")
@entry_id
@of_workspace
def void(*, entry_id: str, at: CommandWorkspace) -> None:
    """Void an unpaid bill with an opposite entry; a paid bill is corrected by a credit."""
    with writing(at) as work:
        facts = _entry_facts(work.session, void_unpaid_entry(work, entry_id))
    show_record({"voided": entry_id, **facts}, as_json=at.as_json)


def _taken_back(session: Any, clock: Clock, payment_id: str, done: TakenBack) -> dict[str, Any]:
    whose = reservation_of_payment(session, payment_id)
    found = statement_of(session, whose, clock.today())
    paid = next(payment for payment in found.payments if payment.id == payment_id)
    return {
        "payment": payment_id,
        "left_yen": paid.left_yen,
        "paper": done.correction_number,
        **_list_totals(found),
    }


def _entry_facts(session: Any, id_: str) -> dict[str, Any]:
    entry = entry_record(session, id_)
    return {
        "entry": entry.id,
        "for": entry.label,
        "due": entry.due_on,
        "total_yen": entry.total_yen,
    }


def _list_totals(found: Statement) -> dict[str, Any]:
    return {
        "reservation": found.reservation_id,
        "on": found.on,
        "unpaid_yen": sum(entry.unpaid_yen for entry in found.standings),
        "overpaid_yen": found.deposit.overpaid_yen,
        "deposit_held_yen": found.deposit.held_yen,
        "deposit_balance_yen": found.deposit.balance_yen,
    }
