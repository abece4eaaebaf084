"""What happens to a reservation's ledger in each step of a story."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from pms.rules.cancellation import arrears_of, kept_fee_yen
from pms.rules.contract_dates import charge_due_on, move_in_invoice_due_on
from pms.rules.deposit import (
    Deduction,
    DepositMove,
    DepositSettlement,
    ReportedReservation,
    deposit_transfer,
    exclusion_of,
    settle,
    settlement_state,
)
from pms.rules.enumerations import DepositMoveKind, LineItem, RowKind
from pms.rules.invoices import one_time_lines
from pms.rules.ledger_entries import (
    ArrearsOf,
    EntryPosting,
    standings_on,
)
from pms.rules.notices import FiledNotice, edited_notice
from pms.rules.payments import followed_payments
from pms.rules.penalties import penalty_of
from pms.rules.policy import DEFAULT_POLICY
from pms.rules.price_changes import period_on, with_new_period
from pms.rules.rent_lines import total_yen
from pms.rules.rent_rows import overridden_rows, repriced_rows, rows_to_issue
from tests.rules.story_account import (
    MOVE_IN,
    PENALTY,
    Account,
    LedgerRow,
    entry_of,
    written_ledger_row,
)
from tests.rules.worked_cases import (
    Answer,
    Given,
    answer_notice,
    answer_state,
    certain_day,
    kind,
    tenancy,
    term,
    written,
)
from tests.rules.worked_money import (
    amounts,
    answer_balance,
    departure,
    name_of,
    one_time,
)


def book(account: Account, step: Given) -> Answer:
    on, start_on = certain_day(step, "on"), term(account.given).start_on
    one_time_yen = {line.item: line.yen for line in one_time_lines(one_time(account.given))}
    posting = EntryPosting(
        on, one_time_yen.get(LineItem.RESERVATION_FEE, 0), one_time_yen.get(LineItem.DEPOSIT, 0)
    )
    account.post(MOVE_IN, posting, move_in_invoice_due_on(start_on, on))
    to_issue = rows_to_issue(tenancy(account.given), (), on, start_on, DEFAULT_POLICY)
    rows = [account.issue(row, MOVE_IN, on) for row in to_issue if row.kind is RowKind.MOVE_IN]
    return {
        "oneTime": {name_of(item): yen for item, yen in one_time_yen.items()},
        "rows": rows,
        "total": sum(one_time_yen.values()) + sum(row["total"] for row in rows),
        "dueOn": rows[0]["dueOn"],
    }


def bill(account: Account, step: Given) -> Answer:
    on, through_on = certain_day(step, "on"), certain_day(step, "through")
    issued = [ledger_row.row for ledger_row in account.rows]
    facts = tenancy(account.given), issued, on, through_on, DEFAULT_POLICY
    rows = [account.issue(row, entry_of(row), on) for row in rows_to_issue(*facts)]
    issued = [ledger_row.row for ledger_row in account.rows]
    assert not rows_to_issue(tenancy(account.given), issued, on, through_on, DEFAULT_POLICY)
    return {"rows": rows}


def pay(account: Account, step: Given) -> Answer:
    entry, on = step["entry"], certain_day(step, "on")
    account.pay(entry, on, step["amount"])
    account.cash_in_yen += step["amount"]
    standing = account.standing(entry, on)
    return {"paid": standing.paid_yen, "total": standing.payable_yen + standing.deposit_yen}


def raise_arrears(account: Account, step: Given) -> Answer:
    on, entry, yen = certain_day(step, "on"), step["entry"], step["amount"]
    arrears: ArrearsOf = arrears_of(account.standing(step["for"], on), yen)
    account.post(entry, EntryPosting(on, yen), charge_due_on(on, certain_day(step, "dueOn")))
    account.entries[entry] = replace(account.entries[entry], arrears_of=arrears)
    return {"cancels": arrears.cancelled_yen}


def change_price(account: Account, step: Given) -> Answer:
    from_on = certain_day(step, "from")
    periods = with_new_period(account.price.periods, from_on, amounts(step["amounts"]))
    account.price = account.price._replace(periods=periods)
    in_force = period_on(periods, from_on).amounts
    return {"amounts": {name_of(item): yen for item, yen in in_force.items()}}


def reprice(account: Account, on: date) -> list[Answer]:
    """Appends to the entry of every row that an edit changed, and says how they stand."""
    after = repriced_rows([ledger_row.row for ledger_row in account.rows], account.span(on))
    changed: list[Answer] = []
    for place, row in enumerate(after):
        entry, before, standing = account.rows[place]
        if row != before:
            account.rows[place] = LedgerRow(entry, row, account.lines(row))
            change = total_yen(account.rows[place].lines) - total_yen(standing)
            account.post(entry, EntryPosting(on, change), on)
            changed.append(
                {"entry": entry, "change": change, **written_ledger_row(account.rows[place])}
            )
    return changed


def bill_penalty(account: Account, on: date) -> Answer:
    """The penalty worked out anew, and what its entry lacks of it."""
    penalty = penalty_of(departure(account.given), account.price.periods, DEFAULT_POLICY)
    change = penalty.yen - total_yen(account.penalty_lines)
    if account.penalty_lines or penalty.lines:
        account.post(PENALTY, EntryPosting(on, change), charge_due_on(on))
    account.penalty_lines = penalty.lines
    return {
        "earlyExit": penalty.early_exit.yen,
        "shortNotice": penalty.short_notice.yen,
        "amount": penalty.yen,
        "days": penalty.days,
        "kind": penalty.kind.value,
        "basis": penalty.basis.value,
        "capped": penalty.is_capped,
        "runsUntil": written(penalty.runs_until_on),
    }


def file_notice(account: Account, step: Given) -> Answer:
    filed_on = answer_notice({**account.given, **step})["filedOn"]
    account.given.update(filedOn=filed_on, moveOut=step["moveOut"], expectedDeparture=None)
    return answer_filed(account, date.fromisoformat(filed_on))


def edit_notice(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    filed = FiledNotice(
        certain_day(account.given, "filedOn"), certain_day(account.given, "moveOut")
    )
    notice = edited_notice(filed, on, certain_day(step, "moveOut"))
    account.given.update(filedOn=written(notice.filed_on), moveOut=written(notice.move_out_on))
    return answer_filed(account, on)


def answer_filed(account: Account, on: date) -> Answer:
    penalty = bill_penalty(account, on)
    return {**answer_notice(account.given), **penalty, "repriced": reprice(account, on)}


def amend(account: Account, step: Given) -> Answer:
    account.given.update(filedOn=step["on"], moveOut=step["lastDay"], amendment=True)
    on = certain_day(step, "on")
    return {**bill_penalty(account, on), "repriced": reprice(account, on)}


def override_move_in(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    account.given["overrideMoveIn"] = step["to"]
    before = [ledger_row for ledger_row in account.rows if ledger_row.entry == MOVE_IN]
    others = {
        ledger_row.row: ledger_row for ledger_row in account.rows if ledger_row.entry != MOVE_IN
    }
    rows = overridden_rows([ledger_row.row for ledger_row in account.rows], account.span(on))
    account.rows = [others[row] for row in others if row not in rows.voided]
    assert tuple(ledger_row.row for ledger_row in account.rows) == rows.kept
    voided = [others[row].entry for row in rows.voided]
    for entry in voided:
        void_into_invoice(account, entry, on)
    account.post(MOVE_IN, EntryPosting(on, -sum(total_yen(row.lines) for row in before)), on)
    invoice = [account.issue(row, MOVE_IN, on) for row in rows.invoice]
    created = [account.issue(row, entry_of(row), on) for row in rows.created]
    follow_rows(account, [(row["entry"], row["total"]) for row in created], on)
    standing = account.standing(MOVE_IN, on)
    return {
        "invoiceTotal": standing.payable_yen + standing.deposit_yen,
        "rows": invoice,
        "voided": voided,
        "created": created,
    }


def void_into_invoice(account: Account, entry: str, on: date) -> None:
    paid_yen = account.standing(entry, on).paid_yen
    account.pay(entry, on, -paid_yen)
    account.pay(MOVE_IN, on, paid_yen)
    account.entries[entry] = replace(account.entries[entry], voided_on=on)


def follow_rows(account: Account, created: list[tuple[str, int]], on: date) -> None:
    overpaid_yen = account.standing(MOVE_IN, on).overpaid_yen
    for entry, yen in followed_payments(overpaid_yen, created).allocations:
        account.pay(MOVE_IN, on, -yen)
        account.pay(entry, on, yen)


def answer_balance_step(account: Account, step: Given) -> Answer:
    return answer_balance(list(account.entries.values()), account.moves, certain_day(step, "on"))


def settle_step(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    standings = standings_on(account.entries.values(), on)
    transferred_yen = sum(move.line_yen for move in account.moves)
    deductions = [Deduction(given["for"], given["amount"]) for given in step.get("deductions", ())]
    settled = settle(answer_balance_step(account, step)["held"], standings, deductions)
    account.settlement = settled
    billed_yen = sum(standing.payable_yen - standing.cancelled_yen for standing in standings)
    assert account.cash_in_yen + transferred_yen - settled.remainder_yen == (
        billed_yen + sum(deduction.yen for deduction in deductions) - settled.owed_yen
    )
    write_settlement(account, settled, on)
    return {
        "held": settled.held_yen,
        "overpaid": settled.overpaid_yen,
        "deductions": settled.deducted_yen,
        "netted": settled.netted_yen,
        "remainder": settled.remainder_yen,
        "owed": settled.owed_yen,
        "state": settlement_state(settled.remainder_yen, settled.owed_yen).value,
        "cashIn": account.cash_in_yen,
        "billed": billed_yen,
    }


def write_settlement(account: Account, settled: DepositSettlement, on: date) -> None:
    for entry, yen in settled.nettings:
        account.pay(entry, on, yen)
    for entry, yen in settled.draws:
        account.pay(entry, on, -yen)
    for name, yen in settled.charges:
        account.post(name, EntryPosting(on, yen), charge_due_on(on))
    if settled.held_yen:
        account.moves.append(DepositMove(on, DepositMoveKind.SETTLED, settled.held_yen))


def send_refund(account: Account, step: Given) -> Answer:
    settled = account.settlement
    assert settled is not None
    state = settlement_state(settled.remainder_yen, settled.owed_yen, step["amount"])
    return {"state": state.value}


def cancel(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    account.given["cancelled"] = True
    repriced = reprice(account, on)
    fee_yen = one_time(account.given).reservation_fee_yen
    kept_yen = kept_fee_yen(fee_yen, account.standing(MOVE_IN, on).paid_yen)
    account.post(MOVE_IN, EntryPosting(on, kept_yen - fee_yen), on)
    return {"repriced": repriced}


def answer_reported(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    standings = standings_on(account.entries.values(), on)
    reservation = ReportedReservation(
        kind=kind(account.given),
        is_imported=step.get("imported", False),
        has_moved_in=term(account.given).start_on <= on,
        is_move_in_invoice_paid=not any(
            standing.open_yen for standing in standings if standing.id == MOVE_IN
        ),
    )
    return {"included": exclusion_of(reservation) is None}


def answer_of_state(account: Account, step: Given) -> Answer:
    return answer_state({**account.given, "on": step["on"]})


def update_then_state(**changes: Callable[[Given], Any]) -> Callable[[Account, Given], Answer]:
    def happen(account: Account, step: Given) -> Answer:
        account.given.update({name: change(step) for name, change in changes.items()})
        return answer_of_state(account, step)

    return happen


def transfer_deposit(old: Account, new: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    transfer = deposit_transfer(answer_balance_step(old, step)["held"], on)
    assert transfer is not None
    old.moves.append(transfer.out)
    new.moves.append(transfer.into)
    return {"amount": transfer.into.yen}


def expect_departure(account: Account, step: Given) -> Answer:
    account.given["expectedDeparture"] = step["date"]
    return {}


HAPPENINGS: Mapping[str, Callable[[Account, Given], Answer]] = {
    "book": book,
    "bill": bill,
    "pay": pay,
    "arrears": raise_arrears,
    "changePrice": change_price,
    "overrideMoveIn": override_move_in,
    "state": answer_of_state,
    "force": update_then_state(forcedOn=lambda step: step["on"], forcedClearedOn=lambda _: None),
    "successor": update_then_state(successorStart=lambda step: step["start"]),
    "fileNotice": file_notice,
    "editNotice": edit_notice,
    "amend": amend,
    "balance": answer_balance_step,
    "settle": settle_step,
    "sendRefund": send_refund,
    "cancel": cancel,
    "reporting": answer_reported,
    "expectedDeparture": expect_departure,
}
