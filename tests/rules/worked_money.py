"""How our chapters of money answer the worked cases."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from pms.rules.cancellation import arrears_of
from pms.rules.contract_dates import move_in_invoice_due_on, rent_issued_on, row_due_on
from pms.rules.days import Days, add_months, free_runs, month_of, share_a_day
from pms.rules.deposit import (
    Deduction,
    DepositMove,
    ReportedReservation,
    deposit_balance,
    deposit_transfer,
    exclusion_of,
    settle,
    settlement_state,
)
from pms.rules.enumerations import DepositMoveKind, RowKind, TaxTreatment
from pms.rules.invoices import (
    OneTimeAmounts,
    TaxedAmount,
    contained_taxes,
    invoice_months,
    one_time_lines,
)
from pms.rules.ledger_entries import (
    EntryBalance,
    EntryHistory,
    EntryPayment,
    EntryPosting,
    standings_on,
)
from pms.rules.notices import FiledNotice, edited_notice
from pms.rules.penalties import FORFEIT_YEN, Departure, PenaltyComputation, penalty_of
from pms.rules.price_changes import PriceSpan, monthly_yen
from pms.rules.rent_lines import Discount, Price, RentLine, rent_lines, total_yen
from pms.rules.rent_rows import (
    BillableRow,
    IssuedRow,
    overridden_rows,
    repriced_rows,
    row_lines,
    rows_to_issue,
    standing_lines,
)
from pms.rules.unit_stays import billable_span
from tests.rules.worked_cases import (
    Answer,
    Given,
    certain_day,
    day,
    forced_flag,
    kind,
    policy_of,
    tenancy,
    term,
    written,
)

BEGINNING_OF_TIME = date(1900, 1, 1)


def item_of(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def name_of(item: str) -> str:
    return re.sub(r"_([a-z])", lambda letter: letter[1].upper(), item)


def amounts(given: Mapping[str, int]) -> dict[str, int]:
    return {item_of(name): yen for name, yen in given.items()}


def price_periods(given: Given) -> tuple[PriceSpan, ...]:
    if "prices" in given:
        return tuple(
            PriceSpan(certain_day(period, "from"), day(period, "to"), amounts(period["amounts"]))
            for period in given["prices"]
        )
    monthly = given.get("monthly") or {"baseRent": given.get("baseRent", 0)}
    return (PriceSpan(BEGINNING_OF_TIME, None, amounts(monthly)),)


def discount(given: Given) -> Discount | None:
    found = given.get("discount")
    if found is None:
        return None
    return Discount(
        percent=Decimal(found["percent"]) if "percent" in found else None,
        yen=found.get("yen"),
        is_recurring=found.get("recurring", True),
        minimum_stay_days=found.get("minStayDays", 0),
    )


def price(given: Given) -> Price:
    return Price(price_periods(given), discount(given))


def one_time(given: Given) -> OneTimeAmounts:
    return OneTimeAmounts(given.get("reservationFee", 0), given.get("deposit", 0))


def written_lines(lines: Iterable[RentLine]) -> list[Answer]:
    return [
        {
            "item": name_of(line.item),
            "first": written(line.first_on),
            "last": written(line.last_on),
            "amount": line.yen,
        }
        for line in lines
    ]


def written_row(row: BillableRow, given: Given) -> Answer:
    lines = row_lines(price(given), row, term(given).start_on)
    return {
        "kind": row.kind.value,
        "first": written(row.first_on),
        "last": written(row.last_on),
        "total": total_yen(lines),
        "lines": written_lines(lines),
    }


def issued_rows(given: Given) -> list[IssuedRow]:
    return [
        IssuedRow(RowKind(row.get("kind", "rent")), certain_day(row, "first"), day(row, "last"))
        for row in given.get("issued", ())
    ]


def answer_price(given: Given) -> Answer:
    if "item" in given:
        item = item_of(given["item"])
        return {"amount": monthly_yen(price_periods(given), item, certain_day(given, "day"))}
    days = Days(certain_day(given, "first"), certain_day(given, "last"))
    lines = rent_lines(price(given), days, given.get("firstPeriod", False))
    return {"total": total_yen(lines), "lines": written_lines(lines)}


def answer_plan(given: Given) -> Answer:
    start_on = term(given).start_on
    ordinary_on = add_months(start_on.replace(day=1), invoice_months(start_on))
    answer: Answer = {"firstOrdinaryMonth": ordinary_on.isoformat()[:7]}
    if "billingDay" not in given:
        return answer
    through_on = certain_day(given, "month" if "month" in given else "through")
    facts = tenancy(given), issued_rows(given), certain_day(given, "billingDay")
    rows = rows_to_issue(*facts, through_on, policy_of(given))
    if "month" in given:
        return answer_month(rows, through_on)
    answer["rows"] = [written_row(row, given) for row in rows]
    invoice = [row for row in answer["rows"] if row["kind"] == RowKind.MOVE_IN]
    answer["invoiceTotal"] = sum(row["total"] for row in invoice) + sum(
        line.yen for line in one_time_lines(one_time(given))
    )
    return answer


def answer_month(rows: Iterable[BillableRow], month_on: date) -> Answer:
    """The kind of the row that bills a month first, and how many of its days the rows bill."""
    month = month_of(month_on)
    covers = {
        Days(row.first_on, row.last_on): row.kind
        for row in sorted(rows, key=lambda row: row.first_on)
        if share_a_day(Days(row.first_on, row.last_on), month)
    }
    if not covers:
        return {"entry": None, "shape": "not_billed"}
    has_gap = any(free_runs(month, [*covers]))
    entry = next(iter(covers.values())).value
    return {"entry": entry, "shape": "prorated" if has_gap else "full"}


def answer_reprice(given: Given) -> Answer:
    on = certain_day(given, "on")
    span = billable_span(tenancy(given), on, policy_of(given))
    assert span is not None
    rows = repriced_rows(issued_rows(given), span)
    start_on = term(given).start_on
    answer: Answer = {
        "rows": [
            {
                "first": written(row.first_on),
                "last": written(row.last_on),
                "total": total_yen(standing_lines(price(given), row, start_on)),
            }
            for row in rows
        ]
    }
    if "through" in given:
        through_on = certain_day(given, "through")
        to_bill = rows_to_issue(tenancy(given), rows, on, through_on, policy_of(given))
        answer["toBill"] = [written_row(row, given) for row in to_bill]
    return answer


def answer_override(given: Given) -> Answer:
    span = billable_span(tenancy(given), certain_day(given, "on"), policy_of(given))
    rows = overridden_rows(issued_rows(given), span)
    kept = [(row, standing_lines(price(given), row, term(given).start_on)) for row in rows.kept]
    return {
        "invoice": [written_row(row, given) for row in rows.invoice],
        "created": [written_row(row, given) for row in rows.created],
        "voided": [written(row.first_on) for row in rows.voided],
        "kept": [
            {
                "first": written(row.first_on),
                "last": written(row.last_on),
                "total": total_yen(lines),
            }
            for row, lines in kept
        ],
    }


def answer_due(given: Given) -> Answer:
    if "month" in given:
        month_on = certain_day(given, "month")
        issued_on = rent_issued_on(month_on, policy_of(given))
        return {"issuedOn": written(issued_on), "dueOn": written(row_due_on(month_on, issued_on))}
    if "bookedOn" in given:
        booked_on = certain_day(given, "bookedOn")
        return {"dueOn": written(move_in_invoice_due_on(term(given).start_on, booked_on))}
    first_on, issued_on = certain_day(given, "rowFirst"), certain_day(given, "issuedOn")
    return {"dueOn": written(row_due_on(first_on, issued_on))}


def departure(given: Given) -> Departure:
    return Departure(
        term=term(given),
        filed_on=certain_day(given, "filedOn"),
        move_out_on=certain_day(given, "moveOut"),
        kind=kind(given),
        forced=forced_flag(given),
        is_amendment=given.get("amendment", False),
    )


def written_computation(computation: PenaltyComputation) -> Answer:
    return {
        "days": computation.days,
        "amount": computation.yen,
        "uncapped": computation.uncapped_yen,
        "capped": computation.is_capped,
        "lines": written_lines(computation.lines),
    }


def answer_penalty(given: Given) -> Answer:
    penalty = penalty_of(departure(given), price_periods(given), policy_of(given))
    return {
        "noticeOwed": penalty.notice.owed_days,
        "noticeGiven": penalty.notice.given_days,
        "noticeMissing": penalty.notice.missing_days,
        "earlyExit": written_computation(penalty.early_exit),
        "shortNotice": written_computation(penalty.short_notice),
        "amount": penalty.yen,
        "days": penalty.days,
        "kind": penalty.kind.value,
        "basis": penalty.basis.value,
        "capped": penalty.is_capped,
        "forfeit": FORFEIT_YEN,
        "runsUntil": written(penalty.runs_until_on),
    }


def answer_edit(given: Given) -> Answer:
    notice = FiledNotice(certain_day(given, "filedOn"), certain_day(given, "moveOut"))
    for edit in given["edits"]:
        notice = edited_notice(notice, certain_day(edit, "on"), certain_day(edit, "moveOut"))
    filed_on, move_out_on = written(notice.filed_on), written(notice.move_out_on)
    penalty = answer_penalty({**given, "filedOn": filed_on, "moveOut": move_out_on})
    return {"filedOn": filed_on, **penalty}


def ledger_entries(given: Given) -> list[EntryHistory]:
    """The entries in the order told, an arrears charge raised on what stood when it was issued."""
    entries: list[EntryHistory] = []
    for line in given["entries"]:
        issued_on = certain_day(line, "issuedOn")
        stood = {standing.id: standing for standing in standings_on(entries, issued_on)}
        named = stood.get(line.get("arrearsFor"))
        entries.append(
            EntryHistory(
                id=line["id"],
                due_on=day(line, "dueOn") or issued_on,
                postings=(EntryPosting(issued_on, line["amount"], line.get("deposit", 0)),),
                payments=tuple(
                    EntryPayment(certain_day(payment, "on"), payment["amount"])
                    for payment in line.get("payments", ())
                ),
                arrears_of=arrears_of(named, line["amount"]) if named else None,
                voided_on=issued_on if line.get("voided") else None,
            )
        )
    return entries


def deposit_moves(given: Given) -> list[DepositMove]:
    return [
        DepositMove(certain_day(move, "on"), DepositMoveKind(move["kind"]), move["amount"])
        for move in given.get("depositMoves", ())
    ]


def answer_balance(
    entries: Sequence[EntryHistory], moves: Sequence[DepositMove], on: date
) -> dict[str, int]:
    balance = deposit_balance(standings_on(entries, on), moves, on)
    return {
        "held": balance.held_yen,
        "unpaid": balance.unpaid_yen,
        "overpaid": balance.overpaid_yen,
        "balance": balance.balance_yen,
    }


def answer_deposit(given: Given) -> Answer:
    return answer_balance(ledger_entries(given), deposit_moves(given), certain_day(given, "on"))


def answer_transfer(given: Given) -> Answer:
    entries = {name: ledger_entries(line) for name, line in given["reservations"].items()}
    moves = {name: deposit_moves(line) for name, line in given["reservations"].items()}
    moved: list[int] = []
    for line in given["transfers"]:
        one, other, on = line["from"], line["to"], certain_day(line, "on")
        transfer = deposit_transfer(answer_balance(entries[one], moves[one], on)["held"], on)
        assert transfer is not None
        moves[one].append(transfer.out)
        moves[other].append(transfer.into)
        moved.append(transfer.into.yen)
    on = certain_day(given, "on")
    found = {name: answer_balance(entries[name], moves[name], on) for name in entries}
    return {
        "amounts": moved,
        "held": {name: balance["held"] for name, balance in found.items()},
        "balance": {name: balance["balance"] for name, balance in found.items()},
    }


def answer_settlement(given: Given) -> Answer:
    overpaid, unpaid = given.get("overpaid", 0), given.get("unpaid", 0)
    standings = [
        EntryBalance("overpaid", BEGINNING_OF_TIME, payable_yen=0, paid_yen=overpaid),
        EntryBalance("unpaid", BEGINNING_OF_TIME, payable_yen=unpaid),
    ]
    deductions = [
        Deduction(str(number), yen) for number, yen in enumerate(given.get("deductions", ()))
    ]
    settlement = settle(given["held"], standings, deductions)
    left = settlement.remainder_yen, settlement.owed_yen
    return {
        "deducted": settlement.deducted_yen,
        "netted": settlement.netted_yen,
        "remainder": settlement.remainder_yen,
        "owed": settlement.owed_yen,
        "state": settlement_state(*left, given.get("sent", 0)).value,
    }


def answer_reporting(given: Given) -> Answer:
    reservation = ReportedReservation(
        kind=kind(given),
        is_imported=given.get("imported", False),
        has_moved_in=given.get("movedIn", True),
        is_move_in_invoice_paid=given.get("moveInInvoicePaid", True),
    )
    return {"included": exclusion_of(reservation) is None}


def answer_tax(given: Given) -> Answer:
    lines = [TaxedAmount(TaxTreatment(line["tax"]), line["amount"]) for line in given["lines"]]
    return {"contained": {tax.treatment.value: tax.tax_yen for tax in contained_taxes(lines)}}


ANSWERS_ON_MONEY: Mapping[str, Callable[[Given], dict[str, Any]]] = {
    "price": answer_price,
    "plan": answer_plan,
    "reprice": answer_reprice,
    "override": answer_override,
    "due": answer_due,
    "penalty": answer_penalty,
    "edit": answer_edit,
    "deposit": answer_deposit,
    "transfer": answer_transfer,
    "settlement": answer_settlement,
    "reporting": answer_reporting,
    "tax": answer_tax,
}
