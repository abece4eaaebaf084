"""Direct debits: a mandate, the request of a day, the bank's answer, and what follows from it."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.bank import debit_file_lists, debit_files, mandates
from pms.bank.debit_files import DebitBar
from pms.bank.debit_results import ReadResult, open_result, read_result
from pms.bank.models import DebitMandate
from pms.foundation.errors import Collision, Refused
from pms.foundation.outbox import OutboxMail
from pms.ledger.models import Payment
from pms.reservations.models import Reservation
from pms.rules.enumerations import BankOrderState, DebitOutcome, MandateState
from pms.workspaces.office_bank import CheckedAccount, check_account, set_office_bank
from tests.bank.conftest import Bank

COLLECT_ON = date(2026, 11, 27)


def account(**given: str) -> CheckedAccount:
    facts = {
        "bank_code": "9802",
        "bank_name": "ハナミズキ",
        "branch_code": "101",
        "branch_name": "チュウオウ",
        "kind": "1",
        "number": "0034567",
        "holder": "サトウ　ハナコ",
    }
    return check_account(**(facts | given))


def set_office(bank: Bank, **given: Any) -> None:
    facts = {
        "expected_version": 0,
        "account": account(
            bank_code="9801", bank_name="ミドリノ", number="21788", holder="カ）ミドリリビング"
        ),
        "debit_client": "9000012345",
        "payout_client": "9000012345",
        "needs_second_person": False,
        "debit_attempts": 2,
    }
    bank.books.do(set_office_bank, **(facts | given))


def give_mandate(bank: Bank, reservation_id: str, **given: Any) -> str:
    facts: dict[str, Any] = {
        "account": account(),
        "state": MandateState.ACTIVE,
        "from_on": date(2026, 11, 1),
    }
    id_: str = bank.books.do(
        mandates.write_mandate, reservation_id=reservation_id, **(facts | given)
    )
    return id_


def made(bank: Bank, on: date = COLLECT_ON) -> str:
    file_id: str = bank.books.do(debit_files.make_debit_file, collect_on=on)
    return file_id


def content(bank: Bank, file_id: str) -> bytes:
    with bank.books.reading() as session:
        return debit_files.debit_file_bytes(session, file_id)


def answered(request: bytes, codes: str) -> bytes:
    """The bank's answer to a request: a code for each record, and the sums of both kinds."""
    records = request.split(b"\r\n")[:-1]
    came = failed = came_yen = failed_yen = 0
    data = iter(codes)
    found = []
    for record in records:
        written = record
        if record[:1] == b"2":
            code, yen = next(data), int(record[80:90])
            written = record[:111] + code.encode() + record[112:]
            came, came_yen = came + (code == "0"), came_yen + yen * (code == "0")
            failed, failed_yen = failed + (code != "0"), failed_yen + yen * (code != "0")
        if record[:1] == b"8":
            sums = f"{came:06}{came_yen:012}{failed:06}{failed_yen:012}".encode()
            written = record[:19] + sums + record[55:]
        found.append(written + b"\r\n")
    return b"".join(found)


def answer(bank: Bank, file_id: str, codes: str) -> ReadResult:
    found: ReadResult = bank.books.do(
        read_result, open_result(answered(content(bank, file_id), codes))
    )
    return found


@pytest.fixture
def debiting(bank: Bank) -> Bank:
    """Both residents have a mandate in force."""
    set_office(bank)
    give_mandate(bank, bank.hanako, customer="482915")
    give_mandate(bank, bank.taro, customer="731064", account=account(holder="ヤマダ　タロウ"))
    return bank


def test_a_day_collects_what_is_open_by_the_end_of_its_month(debiting: Bank) -> None:
    with debiting.books.reading() as session:
        plan = debit_files.plan_debits(session, debiting.books.clock.today(), COLLECT_ON)
    assert [one.line.mandate.reservation_id for one in plan.debits] == debiting.residents
    wanted = [debiting.open_yen(one) for one in debiting.residents]
    assert [one.yen for one in plan.debits] == wanted
    assert plan.total_yen == sum(wanted)
    with debiting.books.reading() as session, pytest.raises(Refused, match="not after today"):
        debit_files.plan_debits(session, COLLECT_ON, COLLECT_ON)


def test_the_bills_of_a_file_stand_in_no_other_one_until_it_is_dropped(debiting: Bank) -> None:
    first = made(debiting)
    with pytest.raises(Refused):
        made(debiting)
    with debiting.books.reading() as session:
        plan = debit_files.plan_debits(session, debiting.books.clock.today(), COLLECT_ON)
    assert not plan.debits
    assert {bill.bar for one in plan.left_out for bill in one.bills} == {DebitBar.AWAITED}
    debiting.books.do(debit_files.drop_debits, first)
    assert made(debiting) != first


def test_a_first_collection_is_told_until_the_file_was_handed_over(debiting: Bank) -> None:
    first = made(debiting)
    records = content(debiting, first).split(b"\r\n")
    assert {one[90:91] for one in records if one[:1] == b"2"} == {b"1"}
    debiting.books.do(debit_files.hand_over_debits, first)
    with debiting.books.reading() as session:
        assert not any(session.scalars(select(DebitMandate.is_first)))
    # The file that was handed over stays as it was, byte for byte.
    assert content(debiting, first).split(b"\r\n") == records
    with pytest.raises(Refused):
        debiting.books.do(debit_files.drop_debits, first)


def test_what_came_is_paid_and_what_failed_stays_open_with_its_reason(debiting: Bank) -> None:
    file_id = made(debiting)
    debiting.books.do(debit_files.hand_over_debits, file_id)
    owed = debiting.open_yen(debiting.taro)
    with debiting.books.writing() as session:
        row = session.scalars(select(Reservation).where(Reservation.id == debiting.taro)).one()
        row.email = "taro@example.jp"
    debiting.books.at(date(2026, 12, 1))
    found = answer(debiting, file_id, "01")
    assert (found.collected, found.failed, found.is_new) == (1, 1, True)
    assert debiting.open_yen(debiting.hanako) == 0
    assert debiting.open_yen(debiting.taro) == owed
    with debiting.books.reading() as session:
        record = debit_file_lists.debit_file_record(session, file_id)
        mails = session.scalars(select(OutboxMail).order_by(OutboxMail.id)).all()
    assert record.line.state is BankOrderState.ANSWERED
    assert [one.outcome for one in record.debits] == [DebitOutcome.COLLECTED, DebitOutcome.NO_FUNDS]
    failed = [mail for mail in mails if "口座振替" in mail.subject]
    assert len(failed) == 1
    assert "残高不足" in failed[0].text


def test_the_same_answer_twice_changes_nothing(debiting: Bank) -> None:
    file_id = made(debiting)
    debiting.books.at(COLLECT_ON)
    assert answer(debiting, file_id, "00").is_new
    again = answer(debiting, file_id, "00")
    assert (again.file_id, again.is_new) == (file_id, False)
    assert debiting.overpaid_yen(debiting.hanako) == 0


@pytest.mark.parametrize(
    ("collect_on", "collected_on"),
    [
        (COLLECT_ON, COLLECT_ON),
        # A Sunday: the bank collects on the Monday. And the turn of the year.
        (date(2026, 12, 27), date(2026, 12, 28)),
        (date(2026, 12, 31), date(2027, 1, 4)),
    ],
)
def test_a_result_before_the_bank_collects_is_refused_and_then_dated_on_that_day(
    debiting: Bank, collect_on: date, collected_on: date
) -> None:
    file_id = made(debiting, collect_on)
    owed = debiting.open_yen(debiting.hanako)
    debiting.books.at(collected_on - timedelta(days=1))
    with pytest.raises(Refused) as refusal:
        answer(debiting, file_id, "00")
    assert refusal.value.field == "file"
    days = (collect_on, collected_on - timedelta(days=1), collected_on)
    assert all(str(day) in refusal.value.message for day in days)
    assert debiting.open_yen(debiting.hanako) == owed
    debiting.books.at(collected_on + timedelta(days=2))
    answer(debiting, file_id, "00")
    with debiting.books.reading() as session:
        assert {one.received_on for one in session.scalars(select(Payment))} == {collected_on}


def test_want_of_money_is_tried_again_as_often_as_the_office_says(debiting: Bank) -> None:
    first = made(debiting)
    debiting.books.at(date(2026, 11, 28))
    answer(debiting, first, "01")
    # 27 December is a Sunday: the bank collects on the Monday.
    second = made(debiting, date(2026, 12, 27))
    debiting.books.at(date(2026, 12, 28))
    answer(debiting, second, "1")
    with debiting.books.reading() as session:
        plan = debit_files.plan_debits(session, date(2026, 12, 28), date(2027, 1, 27))
    (left_out,) = plan.left_out
    tried = [bill for bill in left_out.bills if bill.bar is DebitBar.FAILED_TOO_OFTEN]
    assert tried
    assert left_out.line.mandate.reservation_id == debiting.taro


def test_a_wrong_account_is_not_tried_again_until_the_mandate_names_another(debiting: Bank) -> None:
    file_id = made(debiting)
    debiting.books.at(date(2026, 11, 28))
    answer(debiting, file_id, "02")
    with pytest.raises(Refused):
        made(debiting, date(2026, 12, 27))
    give_mandate(
        debiting,
        debiting.taro,
        account=account(number="7654321", holder="ヤマダ　タロウ"),
        expected_version=1,
    )
    assert made(debiting, date(2026, 12, 27))


def test_an_answer_to_another_request_is_refused_whole(debiting: Bank) -> None:
    file_id = made(debiting)
    debiting.books.at(COLLECT_ON)
    right = answered(content(debiting, file_id), "00")
    for wrong in (
        right.replace(b"9000012345", b"9000012346"),
        right.replace(b"482915", b"482916"),
    ):
        with pytest.raises(Refused):
            debiting.books.do(read_result, open_result(wrong))
    assert debiting.open_yen(debiting.hanako) > 0


def test_a_bill_paid_meanwhile_leaves_an_overpayment(debiting: Bank) -> None:
    file_id = made(debiting)
    owed = debiting.open_yen(debiting.hanako)
    debiting.books.pay(debiting.books.clock.today(), debiting.hanako, owed)
    debiting.books.at(COLLECT_ON)
    answer(debiting, file_id, "00")
    assert debiting.open_yen(debiting.hanako) == 0
    assert debiting.overpaid_yen(debiting.hanako) == owed


def test_a_total_that_changed_since_it_was_looked_at_is_refused(debiting: Bank) -> None:
    with pytest.raises(Refused) as refusal:
        debiting.books.do(debit_files.make_debit_file, collect_on=COLLECT_ON, expected_yen=1)
    assert refusal.value.field == "total"


def test_a_mandate_is_one_a_tenancy_and_its_number_one_a_workspace(bank: Bank) -> None:
    give_mandate(bank, bank.hanako, customer="482915")
    with pytest.raises(Collision):
        give_mandate(bank, bank.hanako)
    with pytest.raises(Refused) as refusal:
        give_mandate(bank, bank.taro, customer="0482915")
    assert refusal.value.field == "customer"
    bank.books.do(mandates.end_mandate, bank.hanako)
    with bank.books.reading() as session:
        assert mandates.mandate_of(session, bank.hanako) is None
    assert give_mandate(bank, bank.hanako)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"bank_code": "98"}, "bankCode"),
        ({"number": "12345678"}, "accountNumber"),
        ({"holder": "佐藤花子"}, "accountHolder"),
        ({"branch_name": "ア" * 16}, "branchName"),
        ({"kind": "3"}, "accountKind"),
    ],
)
def test_an_account_that_no_file_can_name_is_refused(given: dict[str, str], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        account(**given)
    assert refusal.value.field == field
