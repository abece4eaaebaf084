"""Files to a bank: what a field cannot hold is refused with its line, its name and what it may hold."""

from datetime import date
from typing import Any

import pytest

from pms.rules.bank_letters import (
    OF_BANKS,
    OF_MESSAGES,
    OF_NAMES,
    UnwritableLetter,
    bank_bytes,
    half_width_length,
)
from pms.rules.bank_orders import (
    Client,
    DebitOrder,
    Payout,
    debit_request,
    payout_file,
    read_debit_result,
)
from pms.rules.bank_records import BankFileFault, RecordFault
from pms.rules.bank_statements import BankAccount, BankStatement, gap_before

OFFICE = BankAccount("0001", "123", "1", "1234567", "カワセミフドウサン", "ミズホ", "トウキヨウ")
PAYER = BankAccount("0005", "321", "1", "7654321", "ヤマダ タロウ", "ミツビシ", "シンジユク")
DAY = date(2026, 11, 27)
CLIENT = Client("0000012345", "カワセミフドウサン", OFFICE)
ONE = DebitOrder(PAYER, 93_000, "1000017")


def fault_of(make: Any, *rows: Any) -> BankFileFault:
    with pytest.raises(BankFileFault) as raised:
        make(CLIENT, "1127", rows)
    return raised.value


def lines_of(content: bytes) -> list[str]:
    return content.decode("cp932").split("\r\n")


@pytest.mark.parametrize("customer", ["12A4", "１２", "1" * 21])
def test_a_customer_that_is_no_number_of_twenty_digits_is_refused(customer: str) -> None:
    fault = fault_of(debit_request, ONE, ONE._replace(customer=customer))
    assert (fault.fault, fault.line, fault.field) == (RecordFault.NOT_DIGITS, 3, "顧客番号")
    assert (fault.found, fault.wanted) == (customer, 20)


@pytest.mark.parametrize("make", [debit_request, payout_file])
def test_nothing_and_less_are_no_amounts(make: Any) -> None:
    row = ONE if make is debit_request else Payout(PAYER, 93_000)
    fault = fault_of(make, row, row._replace(yen=0))
    assert (fault.fault, fault.line) == (RecordFault.TOTAL, 3)
    assert (fault.found, fault.wanted) == (0, 1)


def test_a_name_that_a_bank_cannot_write_names_its_line_and_field() -> None:
    wrong = PAYER._replace(holder="山田")
    fault = fault_of(debit_request, ONE, ONE._replace(account=wrong))
    assert (fault.line, fault.field, fault.found) == (3, "預金者名", "山")
    with pytest.raises(BankFileFault) as raised:
        debit_request(CLIENT._replace(name="山田"), "1127", [ONE])
    assert (raised.value.line, raised.value.field) == (1, "委託者名")


def test_a_sum_too_large_for_its_field_names_the_last_line_but_one() -> None:
    fault = fault_of(payout_file, *[Payout(PAYER, 9_999_999_999)] * 101)
    assert (fault.fault, fault.line, fault.field) == (RecordFault.TOO_LARGE, 103, "合計金額")


def test_a_number_of_twenty_digits_comes_back_without_its_zeros() -> None:
    content = debit_request(CLIENT, "1127", [ONE, ONE._replace(customer="9" * 20)])
    assert content[3:4] == b"0"
    sums = content.replace(
        b"8000002000000186000" + b"0" * 36, b"8000002000000186000000002000000186000" + b"0" * 18
    )
    answers = read_debit_result(sums).answers
    assert [one.customer for one in answers] == ["1000017", "9" * 20]
    with pytest.raises(BankFileFault) as raised:
        read_debit_result(content)
    fault = raised.value
    assert (fault.fault, fault.field, fault.found, fault.wanted) == (
        *(RecordFault.COUNT, "振替済件数"),
        *(0, 2),
    )
    with pytest.raises(BankFileFault) as raised:
        read_debit_result(sums.replace(b"8000002000000186000", b"8000002000000186001"))
    assert (raised.value.fault, raised.value.field) == (RecordFault.TOTAL, "合計金額")


def test_a_file_of_payouts_is_no_result_of_debits() -> None:
    with pytest.raises(BankFileFault) as raised:
        read_debit_result(payout_file(CLIENT, "1127", [Payout(PAYER, 1)]))
    fault = raised.value
    assert (fault.fault, fault.field, fault.found, fault.wanted) == (
        *(RecordFault.UNKNOWN_KIND, "種別コード"),
        *("21", "91"),
    )


@pytest.mark.parametrize(
    ("given", "field", "kind", "wanted"),
    [
        ({"first_code": "1" * 11}, "顧客コード1", RecordFault.NOT_DIGITS, 10),
        ({"second_code": "12A"}, "顧客コード2", RecordFault.NOT_DIGITS, 10),
        ({"second_code": "１２"}, "顧客コード2", RecordFault.NOT_DIGITS, 10),
        ({"message": "ア" * 21}, "顧客コード1", RecordFault.TOO_LARGE, 20),
        ({"message": "ガ" * 10 + "ア"}, "顧客コード1", RecordFault.TOO_LARGE, 20),
    ],
)
def test_codes_of_a_payout_have_ten_digits_and_a_message_twenty_letters(
    given: dict[str, Any], field: str, kind: RecordFault, wanted: int
) -> None:
    fault = fault_of(payout_file, Payout(PAYER, 1), Payout(PAYER, 1, **given))
    assert (fault.fault, fault.line, fault.field, fault.wanted) == (kind, 3, field, wanted)
    assert fault.found == next(iter(given.values()))


def test_ten_digits_fill_a_code_and_twenty_letters_a_message() -> None:
    coded = payout_file(CLIENT, "1127", [Payout(PAYER, 1, first_code="1234567890")])
    worded = payout_file(CLIENT, "1127", [Payout(PAYER, 1, message="YACHIN 12GATSU BUN 1")])
    assert "12345678900000000000" in lines_of(coded)[1]
    assert "YACHIN 12GATSU BUN 1" in lines_of(worded)[1]
    with pytest.raises(BankFileFault, match="顧客コード1"):
        payout_file(CLIENT, "1127", [Payout(PAYER, 1, message="ヤチン・ダイ")])


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("ヤチン １２ガツブン", "ﾔﾁﾝ 12ｶﾞﾂﾌﾞﾝ"),
        ("ｶﾞｶﾞ", "ｶﾞｶﾞ"),
        ("ガ" * 10, "ｶﾞ" * 10),
        ("ア" * 9 + "ガン", "ｱｱｱｱｱｱｱｱｱｶﾞﾝ"),
    ],
)
def test_a_message_keeps_every_voiced_mark(message: str, written: str) -> None:
    payouts = payout_file(CLIENT, "1127", [Payout(PAYER, 1, message=message)])
    assert f"{written:20}7Y" in lines_of(payouts)[1]


@pytest.mark.parametrize(
    ("text", "allowed", "written"),
    [
        ("ヴ", OF_NAMES, b"\xb3\xde"),
        ("ヷ", OF_NAMES, b"\xdc\xde"),
        ("ヺ", OF_MESSAGES, b"\xa6\xde"),
        ("を", OF_NAMES, b"\xb5"),
        ("を", OF_MESSAGES, b"\xa6"),
        ("「ア」", OF_MESSAGES, b"\xa2\xb1\xa3"),
        ("みずほ-1", OF_BANKS, b"\xd0\xbd\xde\xce-1"),
    ],
)
def test_kana_are_written_as_half_width_bytes(
    text: str, allowed: frozenset[str], written: bytes
) -> None:
    assert bank_bytes(text, allowed) == written


@pytest.mark.parametrize(
    ("text", "allowed", "letter"),
    [
        ("「ア」", OF_NAMES, "「"),
        ("ア。", OF_NAMES, "。"),
        ("ｶﾞ・", OF_NAMES, "・"),
        ("ヸ", OF_NAMES, "ヸ"),
        ("é", OF_NAMES, "É"),
    ],
)
def test_letters_that_are_no_kana_are_refused(
    text: str, allowed: frozenset[str], letter: str
) -> None:
    with pytest.raises(UnwritableLetter) as raised:
        bank_bytes(text, allowed)
    assert raised.value.letter == letter


@pytest.mark.parametrize(
    ("text", "length"), [("ガ", 2), ("パパ ", 4), (" ア", 2), ("ABC", 3), ("", 0)]
)
def test_a_voiced_mark_is_a_byte_of_its_own(text: str, length: int) -> None:
    assert half_width_length(text) == length


@pytest.mark.parametrize(
    ("known", "opening", "gap"),
    [(None, 5_000, 0), (5_000, None, 0), (5_000, 5_000, 0), (5_000, 4_100, -900)],
)
def test_a_gap_is_what_lies_between_two_known_balances(
    known: int | None, opening: int | None, gap: int
) -> None:
    found = BankStatement(OFFICE, DAY, DAY, opening, None, ())
    assert gap_before(found, known) == gap
