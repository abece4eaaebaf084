"""A transfer is taken once, whatever file it comes in, and nothing about that is silent."""

import random
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import permutations

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.bank.account_merges import merge_accounts, plan_merge
from pms.bank.accounts import AccountFacts, add_account, edit_account, list_accounts
from pms.bank.imports import read_for_account
from pms.bank.models import BankAccountRow, BankTransfer
from pms.bank.statement_previews import StatementPreview, preview_file
from pms.bank.transfers import place_certain, set_transfer_aside
from pms.foundation.errors import Refused
from pms.rules.enumerations import TransferState
from tests.bank.conftest import TODAY, Bank
from tests.bank.statement_files import Moved, statement_file
from tests.bank.statement_forms import FORMS, written
from tests.bank.test_bank_samples import FORMS as FORMS_OF_SAMPLE
from tests.bank.test_bank_samples import SAMPLES
from tests.imports.test_workbooks import row as sheet_row
from tests.imports.test_workbooks import workbook

RENT = 83_000
NAMES = (
    "ヤマダ タロウ",
    "サトウ ハナコ",
    "731964 ホアン タイン ヒエウ",
    "ド)マツカゼコウムテン",
    "ジヨンソン ルーシー",
    "NGUYEN VAN ANH",
    "コンスタンチノープル アレクサンドロヴィツチ ザ グレート",
    "スズキ ガブリエル ドミンゲス ゴンザレス ベルナルド ゴメス",
)
HEAD = "日付,摘要,出金,入金\n"


def rows_of(bank: Bank) -> int:
    with bank.books.reading() as session:
        return session.scalar(select(func.count()).select_from(BankTransfer)) or 0


def accounts_of(bank: Bank) -> list[tuple[str, str | None]]:
    with bank.books.reading() as session:
        return [(one.name, one.number) for one in list_accounts(session)]


def id_of(bank: Bank, name: str) -> str:
    with bank.books.reading() as session:
        return str(
            session.scalars(select(BankAccountRow.id).where(BankAccountRow.name == name)).one()
        )


def previewed(
    session: Session, data: bytes, account: str | None = None
) -> Sequence[StatementPreview]:
    found = read_for_account(session, TODAY, data, None)
    return preview_file(session, TODAY, found, account=account)


def month(chance: random.Random) -> list[Moved]:
    """Some movements; several are equal, and several of a day have the same amount."""
    start = date(2026, 10, 1)
    moved = [
        Moved(
            chance.choice(NAMES),
            chance.choice((50_000, 65_000, 70_000, 70_001)),
            start + timedelta(days=chance.randrange(0, 6)),
            is_deposit=chance.random() < 0.85,
        )
        for _ in range(chance.randrange(6, 25))
    ]
    return sorted(moved, key=lambda one: one.on)


@pytest.mark.parametrize("seed", range(12))
def test_a_month_in_any_three_forms_in_any_order_counts_each_transfer_once(
    bank: Bank, seed: int
) -> None:
    chance = random.Random(seed)
    moved = month(chance)
    for form in chance.sample(FORMS, 3):
        bank.read(written(form, moved, chance), account="Rent")
        assert rows_of(bank) == len(moved), form
    assert len(accounts_of(bank)) == 1


@pytest.mark.differs("unique keys")
@pytest.mark.parametrize("order", tuple(permutations(range(3))))
def test_the_three_samples_of_a_month_count_each_transfer_once_in_any_order(
    bank: Bank, order: tuple[int, ...]
) -> None:
    for place in order:
        bank.read((SAMPLES / FORMS_OF_SAMPLE[place]).read_bytes(), account="Rent")
        assert rows_of(bank) == 132, FORMS_OF_SAMPLE[place]


def test_a_day_that_the_bank_lists_anew_brings_only_what_is_new(bank: Bank) -> None:
    """The same day in another order, with other balances."""
    first = (
        "日付,摘要,出金,入金,残高\n2026/11/19,振込 スズキ,,50000,500000\n"
        "2026/11/20,振込 ヤマダ タロウ,,70000,570000\n2026/11/20,振込 サトウ ハナコ,,65000,635000\n"
    )
    again = (
        "日付,摘要,出金,入金,残高\n2026/11/19,振込 スズキ,,50000,500000\n"
        "2026/11/20,振込 サトウ ハナコ,,65000,565000\n"
        "2026/11/20,振込 ヤマダ タロウ,,70000,635000\n2026/11/20,振込 タナカ,,10000,645000\n"
    )
    bank.read(first.encode(), account="A")
    (done,) = bank.read(again.encode(), account="A")
    assert (done.rows, done.new_rows) == (4, 1)


def test_a_payment_in_other_words_is_asked_about_and_the_answer_is_kept(bank: Bank) -> None:
    bank.read(f"{HEAD}2026/10/02,振込 ヤマダ タロウ,,70000\n".encode(), account="A")
    other = f"{HEAD}2026/10/02,振込 山田 太郎,,70000\n2026/10/03,振込 サトウ,,1\n".encode()
    with pytest.raises(Refused, match="1 of the rows may be known, such as 70000 yen by 山田"):
        bank.read(other, account="A")
    assert rows_of(bank) == 1
    (done,) = bank.read(other, account="A", distinct=())
    assert (done.new_rows, done.reworded) == (1, 1)
    (again,) = bank.read(other, account="A")
    assert (again.new_rows, again.reworded, rows_of(bank)) == (0, 0, 2)


def test_a_payment_that_a_person_says_is_another_is_taken(bank: Bank) -> None:
    bank.read(f"{HEAD}2026/10/02,振込 ヤマダ タロウ,,70000\n".encode(), account="A")
    other = f"{HEAD}2026/10/02,振込 山田 太郎,,70000\n".encode()
    (done,) = bank.read(other, account="A", distinct=("2",))
    (again,) = bank.read(other, account="A")
    assert (done.new_rows, again.new_rows, rows_of(bank)) == (1, 0, 2)


def test_a_file_whose_payments_are_known_for_another_account_is_asked_about(bank: Bank) -> None:
    moved = [Moved("サトウ ハナコ", RENT), Moved("ヤマダ タロウ", RENT)]
    chance = random.Random(1)
    bank.read(written("list", moved, chance), account="Net bank")
    with pytest.raises(Refused, match="2 of 2 payments of the file are known for Net bank"):
        bank.read(written("tsv", moved, chance), account="Other")
    assert (rows_of(bank), len(accounts_of(bank))) == (2, 1)
    bank.read(written("tsv", moved, chance), account="Other", accepts_copy=True)
    assert rows_of(bank) == 4


def test_a_file_with_numbers_asks_while_an_account_without_numbers_may_be_it(bank: Bank) -> None:
    chance = random.Random(2)
    bank.read(written("list", [Moved("サトウ ハナコ", RENT)], chance), account="Net bank")
    later = statement_file([Moved("ヤマダ タロウ", RENT, date(2026, 10, 9))])
    with pytest.raises(Refused, match="account: the account ﾐﾄﾞﾘﾉ"):
        bank.read(later)
    (done,) = bank.read(later, account="Net bank", accepts_gap=True)
    assert done.account == "Net bank"
    assert accounts_of(bank) == [("Net bank", "0021788")]
    # From now on the numbers name it, and another account is not taken for it.
    (again,) = bank.read(later)
    assert (again.account, again.new_rows) == ("Net bank", 0)
    bank.read(f"{HEAD}2026/10/02,振込 A,,1\n".encode(), account="Cash")
    with pytest.raises(Refused, match="of the account Net bank, not of Cash"):
        bank.read(later, account="Cash")


def test_an_account_is_meant_by_its_name_its_number_or_its_id(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", RENT)]), account="Rent")
    more = f"{HEAD}2026/10/05,振込 A,,1\n".encode()
    for said in ("Rent", " Rent ", "21788", "9801-012-1-0021788", id_of(bank, "Rent")):
        (done,) = bank.read(more, account=said)
        assert done.account == "Rent"
    assert len(accounts_of(bank)) == 1


def test_an_account_is_added_and_edited_and_never_twice(bank: Bank) -> None:
    numbers = ("9801", "012", "1", "21788")
    added = bank.books.do(add_account, AccountFacts("Rent", *numbers))
    with pytest.raises(Refused, match="already in the list"):
        bank.books.do(add_account, AccountFacts("Other", *numbers))
    with pytest.raises(Refused, match="already in the list"):
        bank.books.do(add_account, AccountFacts("Rent", "", "", "1", ""))
    with pytest.raises(Refused, match="4 digits"):
        bank.books.do(add_account, AccountFacts("Bad", "98", "012", "1", "21788"))
    (done,) = bank.read(statement_file([Moved("サトウ ハナコ", RENT)]))
    assert done.account == "Rent"
    bank.books.do(edit_account, added, AccountFacts("Rents", *numbers))
    with pytest.raises(Refused, match="cannot be changed"):
        bank.books.do(edit_account, added, AccountFacts("Rents", "9801", "012", "1", "7"))
    bare = bank.books.do(add_account, AccountFacts("Cash", "", "", "1", ""))
    bank.books.do(edit_account, bare, AccountFacts("Cash", "9801", "012", "1", "7"))
    assert accounts_of(bank) == [("Rents", "0021788"), ("Cash", "0000007")]


@pytest.mark.differs("unique keys and locks")
def test_merging_two_accounts_that_were_one_counts_each_transfer_once(bank: Bank) -> None:
    owed = bank.open_yen(bank.hanako)
    first = [Moved("サトウ ハナコ", RENT), Moved("ヤマダ タロウ", RENT)]
    chance = random.Random(3)
    bank.read(written("list", first, chance), account="Net bank")
    assert bank.books.do(place_certain).number == 2
    more = [*first, Moved("スズキ ジロウ", 5_000, date(2026, 10, 2))]
    bank.read(statement_file(more), account="Record file", accepts_copy=True)
    assert bank.books.do(place_certain).number == 2
    assert bank.open_yen(bank.hanako) == owed - 2 * RENT
    net, records = id_of(bank, "Net bank"), id_of(bank, "Record file")
    with bank.books.reading() as session:
        plan = plan_merge(session, records, net)
    assert (plan.moved, plan.same, plan.paid_twice, plan.doubtful) == (1, 2, 2, [])
    done = bank.books.do(merge_accounts, records, net, reason="one account")
    assert done == (1, 2, 2)
    assert (bank.open_yen(bank.hanako), rows_of(bank)) == (owed - RENT, 3)
    assert accounts_of(bank) == [("Net bank", "0021788")]
    for data in (statement_file(more), written("list", first, chance)):
        (again,) = bank.read(data, account="Net bank")
        assert again.new_rows == 0


def test_of_a_transfer_of_both_accounts_the_one_that_was_recorded_stays(bank: Bank) -> None:
    moved = [Moved("サトウ ハナコ", RENT)]
    bank.read(written("list", moved, random.Random(4)), account="A")
    bank.read(statement_file(moved), account="B", accepts_copy=True)
    a, b = id_of(bank, "A"), id_of(bank, "B")
    with bank.books.reading() as session:
        (waits,) = session.scalars(select(BankTransfer.id).where(BankTransfer.account_id == b))
    bank.books.do(set_transfer_aside, waits, TransferState.KEPT)
    assert bank.books.do(place_certain).number == 1
    assert bank.books.do(merge_accounts, a, b, reason="one account") == (1, 1, 0)
    with bank.books.reading() as session:
        (state,) = session.scalars(select(BankTransfer.state))
    assert state is TransferState.PLACED


def test_doubtful_transfers_of_both_accounts_are_one_only_if_a_person_says_so(bank: Bank) -> None:
    for account, name in (("A", "ヤマダ タロウ"), ("B", "山田 太郎")):
        bank.read(f"{HEAD}2026/10/02,振込 {name},,70000\n".encode(), account=account)
    a, b = id_of(bank, "A"), id_of(bank, "B")
    with bank.books.reading() as session:
        (pair,) = plan_merge(session, b, a).doubtful
    assert (pair.row.payer, pair.other.payer) == ("山田 太郎", "ヤマダ タロウ")
    also = [pair.transfer_id]
    done = bank.books.do(merge_accounts, b, a, also_same=also, reason="one account")
    assert (done.same, rows_of(bank)) == (1, 1)


def test_accounts_with_different_numbers_are_not_merged(bank: Bank) -> None:
    for name, number in (("A", "1"), ("B", "2")):
        bank.books.do(add_account, AccountFacts(name, "9801", "012", "1", number))
    with pytest.raises(Refused, match="different numbers"):
        bank.books.do(merge_accounts, id_of(bank, "A"), id_of(bank, "B"), reason="one")
    with pytest.raises(Refused, match="another account"):
        bank.books.do(merge_accounts, id_of(bank, "A"), id_of(bank, "A"), reason="one")


def test_the_number_above_the_headings_names_the_account(bank: Bank) -> None:
    for name, number in (("A", "0021788"), ("B", "0021799")):
        bank.books.do(add_account, AccountFacts(name, "9801", "012", "1", number))
    row = "2026/10/05,振込 ヤマダ,,50000\n"
    data = f"口座番号,普通 012-００２１７９９\n{HEAD}{row}".encode()
    with bank.books.reading() as session:
        (shown,) = previewed(session, data)
    assert shown.account == "B"
    for wanted in ("A", "Net bank"):
        with pytest.raises(Refused, match=f"of the account B, not of {wanted}"):
            bank.read(data, account=wanted)
    bank.read(data)
    with bank.books.reading() as session:
        (kept,) = session.scalars(select(BankTransfer))
        assert kept.account_id == id_of(bank, "B")
    other = "日付,摘要,入出金\n2026/10/05,振込 ヤマダ,50000\n"
    # Two of the accounts, or a longer number, name none.
    for above in ("0021788 0021799", "10021799"):
        with bank.books.reading() as session:
            (shown,) = previewed(session, f"{above}\n{other}".encode())
        assert shown.account is None


def test_the_sheets_of_a_workbook_are_compared_with_those_before_them(bank: Bank) -> None:
    heads = sheet_row(1, "取引日", "出金", "入金", "摘要", "残高")
    one = heads + sheet_row(2, "2026/10/05", "", "50000", "振込 ヤマダ", "50000")
    again = heads + sheet_row(2, "2026/10/05", "", "50000", "振込 山田", "50000")
    later = heads + sheet_row(2, "2026/11/05", "", "50000", "振込 ヤマダ", "150000")
    data = workbook(A=one, B=one, C=again, D=later)
    with bank.books.reading() as session:
        shown = previewed(session, data, account="Rent")
    assert [(len(part.new), len(part.doubtful)) for part in shown] == [
        (1, 0),
        (0, 0),
        (0, 1),
        (1, 0),
    ]
    assert [part.gap_yen for part in shown] == [0, 0, 0, 50_000]
    (doubt,) = shown[2].doubtful
    assert shown[2].place_of(doubt.row) == "C!2"
    with pytest.raises(Refused, match=r"\(line C!2\)"):
        bank.read(data, account="Rent")
    with pytest.raises(Refused, match="gap: the file starts at 100000 yen, 50000 yen off"):
        bank.read(data, account="Rent", distinct=())
    # The row of the same number in another sheet is not meant.
    bank.read(data, account="Rent", distinct=("A!2", "D!2"), accepts_gap=True)
    assert rows_of(bank) == 2
    bank.read(data, account="Rent", distinct=("C!2",))
    assert rows_of(bank) == 2


def test_a_preview_says_what_is_known_in_other_words_and_for_other_accounts(bank: Bank) -> None:
    moved = [Moved("サトウ ハナコ", RENT), Moved("ヤマダ タロウ", RENT)]
    chance = random.Random(5)
    bank.read(written("nameless", moved, chance), account="A")
    with bank.books.reading() as session:
        (shown,) = previewed(session, written("tsv", moved, chance), account="A")
        (asked,) = previewed(session, statement_file(moved))
    assert (len(shown.reworded), shown.new, shown.is_mostly_known) == (2, [], True)
    assert (asked.account, asked.copy and asked.copy.account) == (None, "A")
