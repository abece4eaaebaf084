"""`pms bank debit` and `pms bank payout` as an operator runs them, from the check to the answer."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.errors import Refused
from pms.ledger.queries import entries_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind
from pms.statements.invoices import invoice_pdf, issue_invoice
from pms.statements.transfer_account import transfer_details
from tests.bank.conftest import Bank
from tests.bank.test_debits import COLLECT_ON, answered, give_mandate, set_office
from tests.bank.test_payouts import PAY_ON, REFUND, refunding
from tests.statements.papers import text_of

__all__ = ["refunding"]


def test_a_direct_debit_from_the_check_to_the_banks_answer(
    run: Any, bank: Bank, tmp_path: Path
) -> None:
    set_office(bank)
    give_mandate(bank, bank.hanako, customer="482915")
    day, open_yen = COLLECT_ON.isoformat(), bank.open_yen(bank.hanako)
    checked = run("debit", "check", day)
    assert (checked["records"], checked["yen"]) == (1, open_yen)
    file_id = run("debit", "make", day)["file"]
    request = tmp_path / "request.txt"
    run("debit", "write", file_id, "--out", str(request))
    assert [line[:1] for line in request.read_bytes().split(b"\r\n")] == [
        b"1",
        b"2",
        b"8",
        b"9",
        b"",
    ]
    run("debit", "hand-over", file_id)
    with pytest.raises(Refused):
        run("debit", "drop", file_id)
    reply = tmp_path / "result.txt"
    reply.write_bytes(answered(request.read_bytes(), "0"))
    bank.books.at(COLLECT_ON)
    run("debit", "result", str(reply))
    assert bank.open_yen(bank.hanako) == 0
    (line,) = run("debit", "list")
    assert (line["id"], line["collected_yen"]) == (file_id, open_yen)


def test_a_debit_that_was_given_up_can_be_made_again(run: Any, bank: Bank) -> None:
    set_office(bank)
    give_mandate(bank, bank.hanako, customer="482915")
    first = run("debit", "make", COLLECT_ON.isoformat())["file"]
    assert run("debit", "drop", first) == {"dropped": first}
    assert run("debit", "make", COLLECT_ON.isoformat())["file"] != first


def test_a_payout_from_waiting_to_handed_over(run: Any, refunding: Bank, tmp_path: Path) -> None:
    (one,) = run("payout", "waiting")
    assert one["yen"] == REFUND
    file_id = run("payout", "make", PAY_ON.isoformat(), "--payout", one["payout"])["file"]
    assert run("payout", "waiting") == []
    with pytest.raises(Refused):
        run("payout", "make", PAY_ON.isoformat(), "--payout", one["payout"])
    result = run("payout", "write", file_id, "--out", str(tmp_path / "payout.txt"))
    assert result["bytes"] == 4 * 122
    run("payout", "hand-over", file_id)
    (line,) = run("payout", "list")
    assert (line["state"], line["total_yen"]) == ("handed_over", REFUND)


def test_an_invoice_shows_the_account_the_sender_and_the_amount_as_a_picture(bank: Bank) -> None:
    set_office(bank)
    with bank.books.writing() as session:
        row = session.scalars(select(Reservation).where(Reservation.id == bank.hanako)).one()
        row.payment_reference = "400013"
    with bank.books.reading() as session:
        details = transfer_details(session, bank.hanako, None)
        entries = entries_of(session, bank.hanako)
    held = (details.qr_text("ja", 83_000) or "").splitlines()
    assert held[-2:] == [details.sender, "83000"]
    assert details.sender.startswith(details.reference)
    entry_id = next(one.id for one in entries if one.kind is EntryKind.RENT)
    invoice = bank.books.do(issue_invoice, entry_id)
    with bank.books.reading() as session:
        text = text_of(invoice_pdf(session, invoice.id))
    assert "お振込先・依頼人名・金額" in text
    assert details.reference in text
