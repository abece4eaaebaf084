"""Settlements and refunds of a story, with the control totals told beside them."""

from collections.abc import Callable, Mapping

from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import release_refund
from pms.deposits.settlements import AskedDeduction, settle
from tests.rules.worked_cases import Answer, Given
from tests.stories.recomputation import entry_figures
from tests.stories.telling import Telling

_TRANSFERRED = """
    SELECT sum(CASE kind WHEN 'in' THEN amount_yen ELSE -amount_yen END) FROM deposit_move
    WHERE workspace_id = :workspace AND reservation_id = :reservation AND kind <> 'settled'"""


def settle_story(telling: Telling, step: Given) -> Answer:
    """Every yen is told, and what came in is what was billed, deducted, left and owed."""
    id_ = telling.id_of(step)
    deductions = [
        AskedDeduction(given["for"], given["amount"]) for given in step.get("deductions", ())
    ]
    figures = entry_figures(telling.books, id_, telling.house.today)
    billed_yen = sum(entry.billed_yen for entry in figures)
    settled = telling.house.do(settle, reservation_id=id_, deductions=deductions)
    telling.house.do(release_refund, reservation_id=id_, reason="電話で合意")
    answer = _settlement(telling, id_)
    cash_in_yen = telling.books.number(
        "SELECT sum(amount_yen) FROM payment"
        " WHERE workspace_id = :workspace AND reservation_id = :reservation",
        reservation=id_,
    )
    transferred_yen = telling.books.number(_TRANSFERRED, reservation=id_)
    asked_yen = sum(deduction.amount_yen for deduction in deductions)
    assert cash_in_yen + transferred_yen - answer["remainder"] == (
        billed_yen + asked_yen - answer["owed"]
    )
    return {
        **answer,
        "state": settled.state.value,
        "cashIn": cash_in_yen,
        "billed": billed_yen,
    }


def _settlement(telling: Telling, reservation_id: str) -> Answer:
    (found,) = telling.books.ask(
        "SELECT held_yen, overpaid_yen, deducted_yen, netted_yen, remainder_yen, owed_yen"
        " FROM settlement WHERE workspace_id = :workspace AND reservation_id = :reservation",
        reservation=reservation_id,
    )
    names = ("held", "overpaid", "deductions", "netted", "remainder", "owed")
    return dict(zip(names, found, strict=True))


def refund_story(telling: Telling, step: Given) -> Answer:
    id_ = telling.id_of(step)
    after = telling.house.do(send_refund, reservation_id=id_, amount_yen=step["amount"])
    sent_yen = telling.books.number(
        "SELECT sum(r.amount_yen) FROM refund r JOIN settlement s"
        " ON s.workspace_id = r.workspace_id AND s.id = r.settlement_id"
        " WHERE r.workspace_id = :workspace AND s.reservation_id = :reservation",
        reservation=id_,
    )
    assert sent_yen <= _settlement(telling, id_)["remainder"]
    return {"state": after.state.value}


SETTLEMENTS: Mapping[str, Callable[[Telling, Given], Answer]] = {
    "settle": settle_story,
    "sendRefund": refund_story,
}
