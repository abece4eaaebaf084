"""A fee that a bank took off a transfer: written off with a reason, learnt, and taken back."""

import pytest

from pms.bank.bank_day import list_recent_transfers
from pms.bank.transfers import place_as_offered, place_certain, take_off
from pms.bank.write_offs import known_fees, small_differences, write_fees_off
from pms.foundation.errors import Refused
from tests.bank.conftest import Bank
from tests.bank.statement_files import Moved, statement_file

FEE = 440


@pytest.fixture
def short(bank: Bank) -> Bank:
    """Hanako paid everything less a fee."""
    owed = bank.open_yen(bank.hanako)
    bank.read(statement_file([Moved("サトウ ハナコ", owed - FEE)]))
    assert bank.books.do(place_certain).number == 1
    return bank


def differences(bank: Bank) -> list[tuple[str, int]]:
    with bank.books.reading() as session:
        found = small_differences(session, bank.books.clock.today())
    return [(one.entry_id, one.yen) for one in found]


def test_what_a_fee_left_open_is_written_off_with_a_reason(short: Bank) -> None:
    ((entry_id, yen),) = differences(short)
    assert (yen, short.open_yen(short.hanako)) == (FEE, FEE)
    with pytest.raises(Refused) as refusal:
        short.books.do(write_fees_off, entry_ids=[entry_id], reason=" ")
    assert refusal.value.field == "reason"
    assert short.books.do(write_fees_off, entry_ids=[entry_id], reason="borne by us") == 1
    assert short.open_yen(short.hanako) == 0
    assert differences(short) == []


def test_a_transfer_that_is_taken_off_is_owed_whole_again(short: Bank) -> None:
    before = short.open_yen(short.hanako)
    ((entry_id, _yen),) = differences(short)
    short.books.do(write_fees_off, entry_ids=[entry_id], reason="borne by us")
    (placed,) = _placed(short)
    short.books.do(take_off, placed, reason="of somebody else")
    assert short.open_yen(short.hanako) - short.overpaid_yen(short.hanako) > before


def test_an_unusual_fee_is_known_once_it_was_written_off(bank: Bank) -> None:
    owed = bank.open_yen(bank.hanako)
    bank.read(statement_file([Moved("サトウ ハナコ", owed - 385)]))
    with bank.books.reading() as session:
        assert 385 not in known_fees(session)
    for one in bank.day().likely:
        bank.books.do(place_as_offered, one.transfer_id, one.match.offers[0].mark)
    ((entry_id, yen),) = differences(bank)
    assert yen == 385
    bank.books.do(write_fees_off, entry_ids=[entry_id], reason="borne by us")
    with bank.books.reading() as session:
        assert 385 in known_fees(session)


def _placed(bank: Bank) -> list[str]:
    with bank.books.reading() as session:
        return [id_ for id_, _row, _parts in list_recent_transfers(session)]
