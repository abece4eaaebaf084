"""How the use cases answer the worked cases of balances, settlements, transfers and reporting."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pms.deposits.deposit_report import balance_on, deposit_report
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.models import Amendment
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import paper_of, release_refund
from pms.deposits.settlement_records import settlement_of
from pms.deposits.settlements import AskedDeduction, WornTerms, preview_settlement, settle
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_arrears_charge
from pms.ledger.models import DepositMoveRow
from pms.ledger.payment_plan import record_payment
from pms.ledger.planned_entries import ITEM_WORDS, PlannedEntry, PlannedLine
from pms.ledger.posting import post_entries, void_entry
from pms.ledger.queries import standings
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import (
    DepositExclusion,
    DepositMoveKind,
    EntryKind,
    Lifecycle,
    LineItem,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.wear import USEFUL_LIFE_MONTHS, DeductionBearer, WornItem
from tests.cases.stage import Stage
from tests.cast import LONG_AGO, external_block
from tests.departures.desk import STAFF, Desk, day, open_desk
from tests.rules.worked_cases import Answer, Given
from tests.rules.worked_money import item_of


def post(desk: Desk, reservation_id: str, given: Given, issued: Mapping[str, str]) -> str:
    """Post one entry of a case, and have its payments arrive on their days."""
    desk.on(given["issuedOn"])
    if given.get("arrearsFor"):
        named = issued[given["arrearsFor"]]
        entry_id = desk.do(post_arrears_charge, entry_id=named, amount_yen=given["amount"])
    else:
        entry_id = desk.do(posted, planned=[planned_entry(reservation_id, given)])
    for payment in given.get("payments", ()):
        desk.on(payment["on"])
        facts = {"reservation_id": reservation_id, "amount_yen": payment["amount"]}
        desk.do(record_payment, entry_id=entry_id, **facts)
    if given.get("voided"):
        desk.on(given["issuedOn"])
        desk.do(void_entry, entry_id=entry_id)
    return entry_id


def posted(work: Work, planned: list[PlannedEntry]) -> str:
    return post_entries(work, planned)[0]


def planned_entry(reservation_id: str, given: Given) -> PlannedEntry:
    return PlannedEntry(
        reservation_id=reservation_id,
        kind=EntryKind.MOVE_IN if given.get("deposit") else EntryKind.CHARGE,
        period=given["id"],
        label=Bilingual(given["id"], given["id"]),
        due_on=day(given.get("dueOn") or given["issuedOn"]),
        lines=tuple(lines_of(given)),
        rows=(),
    )


def lines_of(given: Given) -> Iterator[PlannedLine]:
    amounts = (
        (LineItem.RESERVATION_FEE, given["amount"]),
        (LineItem.DEPOSIT, given.get("deposit", 0)),
    )
    for item, yen in amounts:
        if yen:
            yield PlannedLine(
                item.value, ITEM_WORDS[item].with_class(TaxTreatment.EXEMPT), None, None, yen
            )


def tell(desk: Desk, data: Given, **given: Any) -> str:
    """A reservation with the ledger of a case."""
    id_ = desk.resident("2025-12-01", "2027-11-30", **given)
    issued: dict[str, str] = {}
    for entry in data["entries"]:
        issued[entry["id"]] = post(desk, id_, entry, issued)
    desk.add(*(move_row(id_, move) for move in data.get("depositMoves", ())))
    return id_


def move_row(reservation_id: str, given: Given) -> DepositMoveRow:
    is_settled = given["kind"] == DepositMoveKind.SETTLED
    return DepositMoveRow(
        reservation_id=reservation_id,
        kind=DepositMoveKind(given["kind"]),
        moved_on=day(given["on"]),
        amount_yen=given["amount"],
        settlement_id=new_id() if is_settled else None,
        transfer_id=None if is_settled else new_id(),
        written_at=LONG_AGO,
        written_by=STAFF,
    )


def answer_of(balance: DepositBalance) -> Answer:
    return {
        "held": balance.held_yen,
        "unpaid": balance.unpaid_yen,
        "overpaid": balance.overpaid_yen,
        "balance": balance.balance_yen,
    }


def answer_deposit(stage: Stage, given: Given) -> Answer:
    desk = open_desk(stage.database, stage.clock)
    return answer_of(desk.ask(balance_on, tell(desk, given), day(given["on"])))


def answer_transfer(stage: Stage, given: Given) -> Answer:
    desk = open_desk(stage.database, stage.clock)
    ids = {
        name: tell(desk, line, lifecycle=lifecycle)
        for (name, line), lifecycle in zip(
            given["reservations"].items(), (Lifecycle.TRANSFERRED, Lifecycle.LIVING), strict=True
        )
    }
    amounts = []
    for line in given["transfers"]:
        desk.on(line["on"])
        amend(desk, ids[line["from"]], ids[line["to"]], day(line["on"]))
        transfer = desk.do(transfer_deposit, reservation_id=ids[line["from"]])
        assert transfer.out.line_yen + transfer.into.line_yen == 0
        amounts.append(transfer.into.yen)
    found = {name: desk.ask(balance_on, id_, day(given["on"])) for name, id_ in ids.items()}
    return {
        "amounts": amounts,
        "held": {name: balance.held_yen for name, balance in found.items()},
        "balance": {name: balance.balance_yen for name, balance in found.items()},
    }


def amend(desk: Desk, old: str, new: str, last_on: date) -> None:
    ids = {"old_reservation_id": old, "new_reservation_id": new}
    desk.add(Amendment(**ids, last_on=last_on, written_at=desk.clock.now(), written_by=STAFF))


def answer_settlement(stage: Stage, given: Given) -> Answer:
    """Foretold and written alike; nothing else is left."""
    desk = open_desk(stage.database, stage.clock)
    id_ = desk.resident("2025-12-01", "2026-03-31", lifecycle=Lifecycle.MOVED_OUT)
    for line in entries_before(given):
        post(desk, id_, line, {})
    desk.on("2026-04-05")
    deductions = [
        AskedDeduction(f"deduction {number}", yen)
        for number, yen in enumerate(given.get("deductions", ()))
    ]
    asked = {"reservation_id": id_, "deductions": deductions}
    foretold = desk.ask(preview_settlement, desk.clock, **asked).settlement
    settled = desk.do(settle, **asked)
    if given.get("sent"):
        desk.do(release_refund, reservation_id=id_, reason="電話で合意")
        settled = desk.do(send_refund, reservation_id=id_, amount_yen=given["sent"])
    stored = desk.ask(settlement_of, id_)
    assert stored is not None
    assert stored.state == settled.state
    row = stored.settlement
    assert (foretold.remainder_yen, foretold.owed_yen) == (row.remainder_yen, row.owed_yen)
    after = desk.ask(balance_on, id_, desk.clock.today())
    assert (after.held_yen, after.overpaid_yen, after.unpaid_yen) == (0, 0, row.owed_yen)
    return {
        "deducted": row.deducted_yen,
        "netted": row.netted_yen,
        "remainder": row.remainder_yen,
        "owed": row.owed_yen,
        "state": stored.state.value,
    }


def entries_before(given: Given) -> Iterator[Given]:
    """What a case of a settlement starts from, as entries and payments."""
    held, overpaid, unpaid = (given.get(name, 0) for name in ("held", "overpaid", "unpaid"))
    issued = {"issuedOn": "2025-12-01"}
    if held:
        paid = [{"on": "2025-12-05", "amount": held}]
        yield {"id": "move-in", "amount": 0, "deposit": held, "payments": paid, **issued}
    if overpaid:
        paid = [{"on": "2025-12-05", "amount": overpaid + 1}]
        yield {"id": "overpaid", "amount": 1, "payments": paid, **issued}
    if unpaid:
        yield {"id": "unpaid", "amount": unpaid, **issued}


def answer_settlement_paper(stage: Stage, given: Given) -> Answer:
    """A paper as it is settled, with the lines that the rule worked out."""
    desk = open_desk(stage.database, stage.clock)
    id_ = desk.resident(given["moveIn"], given["moveOut"], lifecycle=Lifecycle.MOVED_OUT)
    desk.on(given["moveIn"])
    for line in entries_before({**given, "unpaid": 0}):
        post(desk, id_, {**line, "issuedOn": given["moveIn"]}, {})
    issued = {
        entry["entry"]: post(
            desk, id_, {**entry, "id": entry["entry"], "issuedOn": given["moveIn"]}, {}
        )
        for entry in given.get("unpaid", ())
    }
    desk.on(given["moveOut"])
    settled = desk.do(settle, reservation_id=id_, deductions=asked_lines(given))
    if given.get("sent"):
        desk.do(release_refund, reservation_id=id_, reason="電話で合意")
        settled = desk.do(send_refund, reservation_id=id_, amount_yen=given["sent"])
    paper = desk.ask(paper_of, id_, desk.clock.today())
    assert paper is not None
    row = settled.settlement
    unpaid = {entry.id: entry for entry in desk.ask(standings, [id_], desk.clock.today())[id_]}
    entries = sorted(given.get("unpaid", ()), key=lambda entry: entry["dueOn"])
    return {
        "parts": [
            {
                "cost": line.cost_yen,
                "months": line.used_months,
                "resident": line.resident_yen,
                "lessor": line.cost_yen - line.resident_yen,
            }
            for line in paper.lines
        ],
        "deductions": sum(line.resident_yen for line in paper.lines),
        "deducted": row.deducted_yen,
        "charge": sum(part.asked_yen - part.reached_yen for part in settled.deductions),
        "netted": row.netted_yen,
        "entries": [
            {
                "entry": entry["entry"],
                "netted": unpaid[issued[entry["entry"]]].paid_yen,
                "open": unpaid[issued[entry["entry"]]].unpaid_yen,
            }
            for entry in entries
        ],
        "remainder": row.remainder_yen,
        "owed": row.owed_yen,
        "state": settled.state.value,
        "contained": {paper.tax.treatment.value: paper.tax.tax_yen},
    }


def asked_lines(given: Given) -> list[AskedDeduction]:
    """The lines of a case as they are asked for, by the lives of the guideline."""
    lines = []
    for line in given.get("deductions", ()):
        names = {item.value for item in WornItem}
        item = item_of(line.get("what", "other"))
        worn = WornItem(item if item in names else "other")
        terms = WornTerms(
            worn,
            Decimal(line.get("quantity", "1")),
            line["unitPrice"],
            DeductionBearer(line.get("bearer", "resident")),
            line["life"] if "life" in line else USEFUL_LIFE_MONTHS[worn],
            day(line["fitted"]) if line.get("fitted") else None,
        )
        lines.append(AskedDeduction(line.get("what", "-"), 0, terms=terms))
    return lines


def answer_reporting(stage: Stage, given: Given) -> Answer:
    desk = open_desk(stage.database, stage.clock)
    start = "2025-12-01" if given.get("movedIn", True) else "2026-12-01"
    kind = ReservationKind(given.get("record", "resident"))
    if given.get("imported"):
        # Rows of a rent roll are external blocks, never reservations.
        desk.add(external_block(unit_id=desk.room(), source="rent_roll"))
    else:
        id_ = desk.resident(start, "2027-11-30", kind=kind)
        facts = {"id": "move-in", "amount": 0, "deposit": 200_000, "issuedOn": "2025-11-20"}
        entry_id = post(desk, id_, facts, {})
        if given.get("moveInInvoicePaid", True):
            desk.pay(id_, 200_000, entry_id)
    report = desk.ask(deposit_report, day("2026-06-10"))
    assert len(report.deposits) + sum(report.excluded.values()) == 1
    assert set(report.excluded) == set(DepositExclusion)
    return {"included": bool(report.deposits)}


ANSWERS_ON_DEPOSITS: Mapping[str, Callable[[Stage, Given], Answer]] = {
    "deposit": answer_deposit,
    "transfer": answer_transfer,
    "settlement": answer_settlement,
    "reporting": answer_reporting,
    "settlement-paper": answer_settlement_paper,
}
