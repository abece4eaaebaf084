"""The sample files of a bank, with the truth of each transfer and each fault."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pms.bank.book_files import match_statements, read_book
from pms.bank.statement_files import answers, read_bank_file
from pms.foundation.clock import FixedClock
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.rules.bank_orders import (
    Client,
    DebitOrder,
    Payout,
    debit_request,
    payout_file,
    read_debit_result,
)
from pms.rules.bank_records import LENGTH_OF, BankFileFault, FileKind
from pms.rules.bank_statements import BankAccount, MoneyMove, gap_before, read_statements
from tests.commands import run_command
from tests.imports.test_workbooks import row as sheet_row
from tests.imports.test_workbooks import workbook

SAMPLES = Path(__file__).parent.parent / "samples" / "bank"
TODAY = date(2026, 11, 20)
FORMS = ("transfers_zengin.txt", "transfers_large_bank_cp932.csv", "transfers_net_bank_utf8.csv")


def _json(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


def _bytes(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_statement_tells_the_same_movements(form: str) -> None:
    truth = _json("truth.json")
    (statement,) = read_bank_file(_bytes(form), TODAY).statements
    assert (statement.opening_yen, statement.closing_yen) == (
        truth["openingBalance"],
        truth["closingBalance"],
    )
    wanted = {one["inquiry"]: one for one in (*truth["rows"], *truth["otherRows"])}
    assert len(statement.rows) == len(wanted)
    for row in statement.rows:
        found = wanted[row.number]
        assert (row.booked_on.isoformat(), row.yen) == (found["date"], found["amount"])
        assert row.is_deposit == (found.get("io", 1) == 1)
        if "habit" in found:
            assert row.move is MoneyMove.TRANSFER
            assert row.message == found["edi"]


def test_a_workbook_of_a_bank_is_read_like_its_list() -> None:
    heads = sheet_row(1, "日付", "内容", "出金", "入金", "残高")
    data = workbook(S=heads + sheet_row(2, "2026/11/01", "振込 ヤマダ タロウ", "", 70000, 100000))
    (statement,) = read_bank_file(data, TODAY).statements
    assert [(one.yen, one.payer) for one in statement.rows] == [(70000, "ヤマダ タロウ")]


@pytest.mark.parametrize("form", FORMS)
def test_the_sample_is_answered_as_a_careful_clerk_would(form: str) -> None:
    book = read_book(_bytes("residents.json"))
    found = answers(match_statements(read_bank_file(_bytes(form), TODAY).statements, book))
    for row in _json("truth.json")["rows"]:
        answer = found[row["inquiry"]]
        assert answer["verdict"] == row["certainty"], row
        bills = {one["bill"]: one["amount"] for one in row["allocations"]}
        if row["certainty"] == "certain":
            paid = {one["bill"]: one["amount"] for one in answer["allocations"]}
            assert (paid, answer["residents"]) == (bills, row["residents"]), row
        elif row["certainty"] == "likely":
            offered = [one["bill"] for one in answer["allocations"][:3]]
            assert set(bills) <= set(offered), row
            assert answer["residents"][0] == row["residents"][0]
        else:
            assert answer["allocations"] == []


def test_the_command_answers_without_a_workspace(clock: FixedClock, settings: Settings) -> None:
    lines = [str(SAMPLES / FORMS[0]), "--residents", str(SAMPLES / "residents.json"), "--json"]
    result = run_command(["bank", "match", *lines], clock, settings)
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert found["00000001"]["verdict"] == "certain"
    assert found["00000001"]["allocations"] == [
        {"resident": "R0089", "bill": "B0092", "amount": 70000}
    ]


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r", b"", b"\r\n\x1a"])
def test_whatever_ends_the_records_they_are_read(end: bytes) -> None:
    records = _bytes(FORMS[0]).split(b"\r\n")[:-1]
    joined = (end.removesuffix(b"\x1a")).join(records) + end
    (statement,) = read_statements(joined, TODAY)
    assert len(statement.rows) == 132


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong_trailer_total.txt", ("389000", "388000", "record 8")),
        ("truncated_record.txt", ("131", "200", "record 5")),
        ("unknown_code.txt", ("入払区分", "'3'", "record 4", "byte 22")),
    ],
)
def test_a_faulty_file_is_refused_whole_with_its_place(name: str, words: tuple[str, ...]) -> None:
    with pytest.raises(Refused) as refusal:
        read_bank_file(_bytes(f"faults/{name}"), TODAY)
    assert all(word in refusal.value.message for word in words)


def test_letters_that_are_none_are_shown_and_the_rest_is_untouched() -> None:
    (broken,) = read_statements(_bytes("faults/broken_kana.txt"), TODAY)
    (good,) = read_statements(_bytes("faults/small_good.txt"), TODAY)
    assert [row.is_broken for row in broken.rows] == [False, True, False, False, False, False]
    assert "<81><FD>" in broken.rows[1].payer
    assert [row.yen for row in broken.rows] == [row.yen for row in good.rows]


def test_a_gap_between_two_files_is_told() -> None:
    closing = _json("truth.json")["closingBalance"]
    (good,) = read_statements(_bytes("faults/small_good.txt"), TODAY)
    (gap,) = read_statements(_bytes("faults/balance_gap.txt"), TODAY)
    assert (gap_before(good, closing), gap_before(gap, closing)) == (0, 12345)


def _account(values: dict[str, str]) -> BankAccount:
    return BankAccount(
        values["bank"],
        values["branch"],
        values["kind"],
        values["number"],
        values.get("holder", ""),
        values["bankName"],
        values["branchName"],
    )


def _client(values: dict[str, str]) -> Client:
    return Client(values["code"], values["name"], _account(values))


@pytest.mark.parametrize("name", ["five", "all_codes"])
def test_a_request_of_direct_debits_is_the_sample_byte_by_byte(name: str) -> None:
    body = _json(f"direct_debit/{name}_request.json")
    debits = [
        DebitOrder(_account(one), one["amount"], one["customer"], one["first"])
        for one in body["payers"]
    ]
    written = debit_request(_client(body["client"]), body["debitDay"], debits)
    assert written == _bytes(f"direct_debit/{name}_request.txt")


@pytest.mark.parametrize("name", ["five", "all_codes"])
def test_a_result_of_direct_debits_is_read_with_its_codes(name: str) -> None:
    wanted = _json(f"direct_debit/{name}_result.expected.json")
    result = read_debit_result(_bytes(f"direct_debit/{name}_result.txt"))
    assert [one.customer for one in result.answers if one.is_collected] == wanted["collected"]
    failed = {one.customer: int(one.code) for one in result.answers if not one.is_collected}
    assert failed == wanted["failed"]
    assert (result.collected_yen, result.failed_yen) == (
        wanted["collectedTotal"],
        wanted["failedTotal"],
    )


def test_a_result_whose_sums_do_not_hold_is_refused() -> None:
    data = _bytes("direct_debit/five_result.txt")
    with pytest.raises(BankFileFault, match="振替済"):
        read_debit_result(data.replace(b"4829150 ", b"4829151 "))


def test_a_code_of_a_collection_service_is_kept_as_a_failure() -> None:
    data = _bytes("direct_debit/five_result.txt").replace(b"7310641 ", b"731064E ")
    codes = {one.customer: (one.code, one.outcome) for one in read_debit_result(data).answers}
    assert codes["731064"] == ("E", "9")


def test_a_file_of_payouts_is_the_sample_byte_by_byte() -> None:
    body = _json("payout/six.json")
    payouts = [
        Payout(
            _account(one),
            one["amount"],
            one.get("customer1", ""),
            one.get("customer2", ""),
            one.get("edi", ""),
            one["first"],
        )
        for one in body["payees"]
    ]
    written = payout_file(_client(body["client"]), body["transferDay"], payouts)
    assert written == _bytes("payout/six.txt")
    assert sum(one.yen for one in payouts) == body["total"]


def test_a_name_without_half_width_letters_is_refused_with_the_letter() -> None:
    body = _json("payout/six.json")
    account = _account(body["payees"][0])._replace(holder="小川 武彦")
    with pytest.raises(BankFileFault, match="小"):
        payout_file(_client(body["client"]), "1130", [Payout(account, 1000)])


def test_every_record_adds_up_to_its_length() -> None:
    assert LENGTH_OF == {
        FileKind.STATEMENT: 200,
        FileKind.NOTICE: 200,
        FileKind.DEBIT: 120,
        FileKind.PAYOUT: 120,
    }
