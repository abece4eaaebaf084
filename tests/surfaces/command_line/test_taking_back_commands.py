"""Payments are taken back and credits posted at the command line."""

from tests.surfaces.command_line.conftest import Operator

DAY = "2026-06-20"


def test_a_payment_is_sent_back_in_part_and_then_reversed(operator: Operator) -> None:
    id_ = operator.books()
    before = operator.asks(f"ledger statement {id_}", DAY)["unpaid_yen"]
    payment = operator.asks(f"ledger pay {id_} 50000 --reference FB-1", DAY)["payment"]
    back = operator.asks(f"ledger return {payment} 20000 --reason doubled", DAY)
    assert (back["left_yen"], back["paper"]) == (30_000, None)
    done = operator.asks(f"ledger reverse {payment} --reason neighbour", DAY)
    assert (done["left_yen"], done["unpaid_yen"]) == (0, before)
    (paid,) = operator.asks(f"ledger payments {id_}", DAY)["payments"]
    assert (paid["amount_yen"], paid["returned_yen"], paid["reversed"]) == (50_000, 20_000, DAY)
    refusal = operator.is_refused(f"ledger reverse {payment} --reason again", on=DAY)
    assert "already reversed on 20 June 2026" in refusal


def test_a_credit_is_set_off_at_once(operator: Operator) -> None:
    id_ = operator.books()
    before = operator.asks(f"ledger statement {id_}", DAY)["unpaid_yen"]
    done = operator.asks(f"ledger credit {id_} 5000 --label heating", DAY)
    assert (done["total_yen"], done["unpaid_yen"]) == (-5_000, before - 5_000)
