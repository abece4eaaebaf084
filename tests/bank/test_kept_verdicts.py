"""Verdicts are kept: a change makes anew those it may touch, and none is shown that is not true."""

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.bank import verdicts
from pms.bank.bank_day import match_all_anew
from pms.bank.import_undoing import undo_import
from pms.bank.models import BankChange, BankPayer, BankTransfer, BankVerdict
from pms.bank.payers import forget_payer, learn_payer
from pms.bank.transfers import (
    parts_of_offer,
    place_as_offered,
    place_certain,
    place_transfer,
    set_transfer_aside,
    take_off,
)
from pms.bank.verdicts import (
    Waiting,
    list_stale_workspaces,
    renew_few_verdicts,
    renew_verdicts,
    show_day,
    waiting_day,
)
from pms.bank.write_offs import small_differences, write_fees_off
from pms.catalogue.models import Unit
from pms.foundation.database import Database
from pms.foundation.errors import Collision, Refused
from pms.ledger.charges import post_charge
from pms.ledger.posting import void_unpaid_entry
from pms.reservations.models import Reservation
from pms.rules.enumerations import TransferState
from pms.rules.invoices import transfer_reference
from pms.rules.transfer_matching import MatchCertainty
from tests.bank.conftest import Bank
from tests.bank.statement_files import Moved, statement_file
from tests.ledger.conftest import in_both

pytestmark = pytest.mark.differs("notes written by the database, their transactions, deletes")
_DAY = date(2026, 11, 2)


@pytest.fixture
def everything_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """No reader matches with everybody: that is left to the job."""
    monkeypatch.setattr(verdicts, "MADE_AT_ONCE", 0)


def _renew(bank: Bank) -> int | None:
    return renew_verdicts(bank.books.database, bank.books.clock, bank.books.workspace_id)


def _found(bank: Bank) -> tuple[int, int, int, int]:
    day = bank.day()
    return len(day.certain), len(day.likely), len(day.unknown), len(day.kept)


def _matched_anew(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Note each time that everything is matched, and whether it was in a session that writes."""
    times: list[bool] = []

    def match(session: Any, on: date) -> Any:
        times.append(bool(session.connection().get_execution_options().get("pms_read_only")))
        return match_all_anew(session, on)

    monkeypatch.setattr(verdicts, "match_all_anew", match)
    return times


def test_a_day_is_matched_once_while_nothing_changes(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    assert _renew(bank) == 1
    times = _matched_anew(monkeypatch)
    assert _found(bank) == _found(bank) == (1, 0, 0, 0)
    assert _renew(bank) is None, "there was nothing to do"
    assert not times, "nobody was matched again"
    bank.books.at(date(2026, 11, 21))
    assert _found(bank) == (1, 0, 0, 0)
    assert len(times) == 1, "of another day other residents may be known"


def test_whatever_a_verdict_is_made_of_makes_it_anew(bank: Bank) -> None:
    owed = bank.open_yen(bank.hanako)
    (done,) = bank.read(
        statement_file([Moved("サトウ ハナコ", owed, _DAY), Moved("カ）アオバ", owed, _DAY)])
    )
    _renew(bank)
    assert _found(bank) == (1, 0, 1, 0)
    with bank.books.writing() as session:
        row = session.get_one(Reservation, (bank.books.workspace_id, bank.hanako))
        row.name, row.name_kana = "鈴木 一", "スズキ ハジメ"
    assert _found(bank) == (0, 0, 2, 0), "a resident was renamed"
    _renew(bank)
    bank.books.do(learn_payer, payer="カ）アオバ", reservation_id=bank.hanako)
    assert _found(bank) == (1, 0, 1, 0), "a payer was learnt"
    _renew(bank)
    bank.books.pay(bank.books.clock.today(), bank.hanako, 10_000)
    assert _found(bank)[0] == 0, "a bill was paid in part"
    _renew(bank)
    unknown = bank.day().every_one[0].transfer_id
    bank.books.do(set_transfer_aside, unknown, TransferState.KEPT)
    assert _found(bank)[3] == 1, "a transfer was set aside"
    _renew(bank)
    bank.books.do(set_transfer_aside, unknown, TransferState.WAITING)
    bank.books.do(undo_import, done.import_id)
    assert _found(bank) == (0, 0, 0, 0), "the file was taken out"
    _renew(bank)
    with bank.books.reading() as session:
        assert not session.scalar(select(func.count(BankVerdict.id)))


def test_what_was_recorded_waits_no_more(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    assert _found(bank) == (1, 0, 0, 0)
    bank.books.do(place_certain)
    assert _found(bank) == (0, 0, 0, 0)


def test_an_offer_is_recorded_without_matching_all_others_under_the_lock(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    owed = bank.open_yen(bank.hanako)
    other = Moved("ヤマダ タロウ", bank.open_yen(bank.taro), _DAY)
    bank.read(statement_file([Moved("サトウ ハナカ", owed, _DAY), other]))
    books = bank.books
    renew_few_verdicts(books.database, books.clock, books.workspace_id)
    times = _matched_anew(monkeypatch)
    (likely,) = bank.day().likely
    books.do(place_as_offered, likely.transfer_id, likely.match.offers[0].mark)
    assert not times


def test_an_offer_that_is_no_longer_true_is_refused(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナカ", bank.open_yen(bank.hanako), _DAY)]))
    _renew(bank)
    (likely,) = bank.day().likely
    bank.books.pay(bank.books.clock.today(), bank.hanako, 10_000)
    with pytest.raises(Refused, match="the bills have changed"):
        bank.books.do(place_as_offered, likely.transfer_id, likely.match.offers[0].mark)


@pytest.mark.usefixtures("everything_is_long")
def test_many_verdicts_are_written_in_parts_and_none_is_valid_before_the_last(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    owed = bank.open_yen(bank.hanako)
    bank.read(statement_file([Moved("サトウ ハナコ", owed, _DAY), Moved("カ）アオバ", owed, _DAY)]))
    books = bank.books
    between: list[tuple[int, int]] = []

    def look_between(database: Database) -> None:
        with books.reading() as session:
            stored = session.scalar(select(func.count(BankVerdict.id))) or 0
            between.append((stored, len(waiting_day(session, books.clock.today()).pending)))

    monkeypatch.setattr(verdicts, "ROWS_AT_ONCE", 1)
    monkeypatch.setattr(Database, "let_others_write", look_between)
    assert _renew(bank) == 2
    assert {pending for _, pending in between} == {2}
    assert {stored for stored, _ in between} == {0, 1, 2}
    assert _found(bank) == (1, 0, 1, 0)

    def be_killed(database: Database) -> None:
        raise KeyboardInterrupt

    books.do(learn_payer, payer="カ）アオバ", reservation_id=bank.hanako)
    expected = _found(bank)
    assert expected != (1, 0, 1, 0)
    with monkeypatch.context() as killed, pytest.raises(KeyboardInterrupt):
        killed.setattr(Database, "let_others_write", be_killed)
        _renew(bank)
    assert _found(bank) == expected
    with books.reading() as session:
        assert len(waiting_day(session, books.clock.today()).pending) == 2
    assert _renew(bank) == 2
    with books.reading() as session:
        assert not waiting_day(session, books.clock.today()).pending
    assert _found(bank) == expected


@pytest.mark.usefixtures("everything_is_long")
def test_of_a_long_list_nothing_is_certain_until_the_job_has_been_there(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    books = bank.books
    with books.reading() as session:
        day = waiting_day(session, books.clock.today())
    assert (len(day.certain), len(day.pending)) == (0, 1)
    renew_few_verdicts(books.database, books.clock, books.workspace_id)
    with books.database.across_workspaces_reading() as session:
        assert list_stale_workspaces(session, books.clock.today()) == [books.workspace_id]
    _renew(bank)
    with books.database.across_workspaces_reading() as session:
        assert not list_stale_workspaces(session, books.clock.today())
    with books.reading() as session:
        day = waiting_day(session, books.clock.today())
    assert (len(day.certain), len(day.pending)) == (1, 0)


@pytest.mark.usefixtures("everything_is_long")
@pytest.mark.parametrize("moment", ["while it matches", "before it stores"])
def test_what_changes_during_a_renewal_is_made_anew_after_it(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    _renew(bank)
    changes = [1_000, 2_000]

    def change() -> None:
        if changes:
            bank.books.pay(bank.books.clock.today(), bank.hanako, changes.pop())

    change()
    real = verdicts._find_current
    times: list[Any] = []

    def find(*given: Any) -> Any:
        times.append(given)
        found = None if moment == "while it matches" else real(*given)
        if len(times) == 1:
            change()
        return found or real(*given)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(verdicts, "_find_current", find)
        _renew(bank)
    assert not changes, "the bill was paid in part in the middle of it"
    _compare(bank, is_bounded=True)
    _renew(bank)
    assert not _compare(bank, is_bounded=True)


@pytest.mark.usefixtures("everything_is_long")
def test_a_renewal_that_is_killed_leaves_the_old_verdicts_and_is_made_again(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    _renew(bank)
    bank.books.pay(bank.books.clock.today(), bank.hanako, 10_000)

    class Killed(BaseException):
        pass

    for step in ("replay", "store_changes"):
        real = getattr(verdicts, step)

        def die(*given: Any, real: Any = real, **named: Any) -> None:
            real(*given, **named)
            raise Killed

        with monkeypatch.context() as dying, pytest.raises(Killed):
            dying.setattr(verdicts, step, die)
            _renew(bank)
    with bank.books.reading() as session:
        assert session.scalars(select(BankVerdict.verdict)).all() == [MatchCertainty.CERTAIN]
    assert _found(bank) == (0, 1, 0, 0), "the note of the change is still there"
    assert _renew(bank) == 1
    assert not _compare(bank, is_bounded=True)


def _compare(bank: Bank, *, is_bounded: bool) -> int:
    """Compare the day with one matched from the start; return how many are pending."""
    on = bank.books.clock.today()
    with bank.books.reading() as session:
        truth = {one.transfer_id: one.match for one in match_all_anew(session, on).transfers}
        names = ("certain", "likely", "unknown", "kept")
        day, matched, _ = show_day(
            session,
            on,
            lambda day: [one for name in names for one in getattr(day, name)],
            is_bounded=is_bounded,
        )
        told = {
            one.transfer_id: (name, matched[one.transfer_id].match)
            for name in names
            for one in getattr(day, name)
        }
        states = dict(
            session.execute(
                select(BankTransfer.id, BankTransfer.state).where(
                    BankTransfer.is_deposit, BankTransfer.booked_on <= on
                )
            ).all()
        )
    assert told.keys() | {one.transfer_id for one in day.pending} == truth.keys()
    assert len(told) + len(day.pending) == len(truth)
    for id_, (name, match) in told.items():
        assert match == truth[id_]
        expected = "kept" if states[id_] is TransferState.KEPT else truth[id_].verdict
        assert name == expected
    return len(day.pending)


def _owing(bank: Bank, kana: str, *yen: int, **given: Any) -> str:
    """Return a resident with bills of so many yen."""
    id_ = bank.books.resident(
        date(2025, 9, 1), date(2027, 8, 31), name=kana, name_kana=kana, **given
    )
    for amount in yen:
        label = in_both("家賃", "Rent")
        bank.books.do(post_charge, reservation_id=id_, amount_yen=amount, label=label)
    return id_


def _pay_first_bill(bank: Bank, who: str) -> None:
    """Pay the bill of 30,000 yen by hand."""
    entry, *_ = bank.books.entries(who)
    bank.books.pay(bank.books.clock.today(), who, 30_000, entry)


def _renew_and_compare_after(bank: Bank, change: Callable[[], object]) -> None:
    _renew(bank)
    assert not _compare(bank, is_bounded=True)
    change()
    _compare(bank, is_bounded=True)
    _renew(bank)
    assert not _compare(bank, is_bounded=True)


@pytest.mark.usefixtures("everything_is_long")
def test_what_an_earlier_transfer_pays_after_a_change_is_not_open_for_a_later_one(
    bank: Bank,
) -> None:
    first, second = _owing(bank, "モリ アイ", 30_000), _owing(bank, "ハヤシ ケン", 30_000)
    for who in (first, second):
        bank.books.do(learn_payer, payer="アオバ", reservation_id=who)
    bank.read(statement_file([Moved("アオバ", 30_000, _DAY), Moved("ハヤシ ケン", 30_000, _DAY)]))
    _renew_and_compare_after(bank, lambda: _pay_first_bill(bank, first))
    (certain,) = bank.day().certain
    assert certain.match.row.payer_shown == "アオバ", "the company pays the second one's bill"


@pytest.mark.usefixtures("everything_is_long")
def test_the_reference_of_a_bill_that_is_paid_names_nobody_any_more(bank: Bank) -> None:
    who = _owing(bank, "モリ アイ", 30_000, 45_000)
    entry, *_ = bank.books.entries(who)
    code = transfer_reference(who, entry.id).replace("-", "")
    bank.read(statement_file([Moved(f"{code} ヨソ", 45_000, _DAY)]))
    _renew_and_compare_after(bank, lambda: _pay_first_bill(bank, who))
    assert not bank.day().likely


@pytest.mark.usefixtures("everything_is_long")
def test_who_left_long_ago_is_known_by_an_open_bill_alone(bank: Bank) -> None:
    who = _owing(bank, "モリ アイ", 30_000, move_out_date=date(2026, 2, 1))
    bank.read(statement_file([Moved("モリ アイ", 45_000, _DAY)]))
    _renew_and_compare_after(bank, lambda: _pay_first_bill(bank, who))
    assert not bank.day().likely


@pytest.mark.usefixtures("everything_is_long")
def test_a_correction_reverses_another_transfer_once_its_own_has_left(bank: Bank) -> None:
    _owing(bank, "モリ アイ", 30_000)
    back = Moved("モリ アイ", 30_000, _DAY, is_deposit=False, code="19")
    paid = Moved("モリ アイ", 30_000, _DAY)
    bank.read(statement_file([paid, paid, back], 100_000))
    _renew(bank)
    taken, *_ = bank.day().unknown
    _renew_and_compare_after(
        bank,
        lambda: bank.books.do(set_transfer_aside, taken.transfer_id, TransferState.NOT_OURS),
    )
    assert not bank.day().certain


_SURNAMES = ("サトウ", "スズキ", "サイトウ")
_GIVEN = ("ハナコ", "タロウ", "ハナ", "アキラ")


class _Office:
    """Somebody who changes one thing after the other, at random."""

    def __init__(self, bank: Bank, seed: int) -> None:
        self.bank, self.books, self.chance = bank, bank.books, random.Random(seed)
        self.read_rows = 0
        self.people = list(bank.residents)
        for _ in range(4):
            self.someone_books()

    def one_of(self, some: Any) -> Any:
        return self.chance.choice(list(some))

    @property
    def today(self) -> date:
        return self.books.clock.today()

    def someone_books(self) -> None:
        kana = f"{self.one_of(_SURNAMES)} {self.one_of(_GIVEN)}"
        start = self.today - timedelta(days=20)
        reference = f"{self.chance.randrange(10):06d}" if self.chance.random() < 0.5 else None
        with self.books.reading() as session:
            taken = session.scalars(select(Reservation.payment_reference)).all()
        id_ = self.books.resident(
            start,
            start + timedelta(days=self.one_of((10, 300, 300, 300))),
            name=kana,
            name_kana=kana,
            email=self.one_of((None, *[f"{self.chance.random()}@a.example"] * 6, "b@a.example")),
            payment_reference=None if reference in taken else reference,
        )
        self.people.append(id_)
        self.a_bill_comes(id_)

    def a_bill_comes(self, who: str | None = None) -> None:
        self.books.do(
            post_charge,
            reservation_id=who or self.one_of(self.people),
            amount_yen=self.one_of((30_000, 30_330, 45_000)),
            label=in_both("家賃", "Rent"),
        )

    def a_bill_is_voided(self) -> None:
        entries = self.books.entries(self.one_of(self.people))
        if entries:
            self.books.do(void_unpaid_entry, self.one_of(entries).id)

    def someone_pays(self) -> None:
        self.books.pay(self.today, self.one_of(self.people), self.one_of((10_000, 30_000)))

    def a_file_is_read(self) -> None:
        moved = []
        for _ in range(self.chance.randrange(1, 5)):
            payer = self.one_of(
                (
                    f"{self.one_of(_SURNAMES)} {self.one_of(_GIVEN)}",
                    self.one_of(_SURNAMES),
                    f"{self.chance.randrange(12):06d} {self.one_of(_SURNAMES)}",
                    self.one_of(("アオバ", "サトウ ハナカ")),
                )
            )
            is_back = self.chance.random() < 0.1
            yen = self.one_of((30_000, 29_670, 45_000, 60_000, 75_000))
            on = self.today - timedelta(days=self.chance.randrange(3))
            moved.append(Moved(payer, yen, on, not is_back, "19" if is_back else "11"))
        first, self.read_rows = self.read_rows + 1, self.read_rows + len(moved)
        moved.sort(key=lambda one: one.on)
        file = statement_file(moved, 10_000_000, first=first)
        self.bank.read(file, accepts_gap=True, accepts_copy=True, distinct=())

    def a_file_is_undone(self) -> None:
        with self.books.reading() as session:
            imports = session.scalars(select(BankTransfer.import_id)).all()
        if imports:
            self.books.do(undo_import, self.one_of(imports))

    def waiting(self) -> list[Waiting]:
        with self.books.reading() as session:
            day = waiting_day(session, self.today, is_bounded=False)
        return [one for some in day[:4] for one in some]

    def the_certain_are_recorded(self) -> None:
        self.books.do(place_certain, 2)

    def an_offer_is_taken(self) -> None:
        for one in self.bank.day().every_one[:3]:
            if one.match.offers:
                offer = self.one_of(one.match.offers)
                self.books.do(place_as_offered, one.transfer_id, offer.mark)
                return

    def one_is_recorded_by_hand(self) -> None:
        for one in self.bank.day().unknown[:1]:
            for offer in one.match.offers[:1]:
                self.books.do(place_transfer, one.transfer_id, parts_of_offer(offer))

    def one_is_taken_off(self) -> None:
        with self.books.reading() as session:
            placed = session.scalars(
                select(BankTransfer.id).where(BankTransfer.state == TransferState.PLACED)
            ).all()
        if placed:
            self.books.do(take_off, self.one_of(placed), reason="wrong")

    def one_is_set_aside(self) -> None:
        if waiting := self.waiting():
            state = self.one_of((TransferState.KEPT, TransferState.NOT_OURS, TransferState.WAITING))
            self.books.do(set_transfer_aside, self.one_of(waiting).transfer_id, state)

    def a_payer_is_learnt(self) -> None:
        self.books.do(
            learn_payer,
            payer=self.one_of((*_SURNAMES, "アオバ")),
            reservation_id=self.one_of(self.people),
        )

    def a_payer_is_forgotten(self) -> None:
        with self.books.reading() as session:
            payers = session.scalars(select(BankPayer.id)).all()
        if payers:
            self.books.do(forget_payer, self.one_of(payers))

    def someone_is_corrected(self) -> None:
        with self.books.writing() as session:
            row = session.get_one(Reservation, (self.books.workspace_id, self.one_of(self.people)))
            row.name = row.name_kana = f"{self.one_of(_SURNAMES)} {self.one_of(_GIVEN)}"

    def a_booking_is_cancelled(self) -> None:
        with self.books.writing() as session:
            row = session.get_one(Reservation, (self.books.workspace_id, self.one_of(self.people)))
            row.cancelled_at = None if row.cancelled_at else self.books.clock.now()

    def a_room_is_renamed(self) -> None:
        with self.books.writing() as session:
            room = self.one_of(session.scalars(select(Unit)).all())
            room.name = str(self.chance.randrange(10**6))

    def a_fee_is_written_off(self) -> None:
        with self.books.reading() as session:
            found = small_differences(session, self.today)
        if found:
            ids = [found[0].entry_id]
            self.books.do(write_fees_off, entry_ids=ids, reason="the bank's fee")

    def a_day_passes(self) -> None:
        self.books.at(self.today + timedelta(days=self.one_of((1, 1, 90))))


_OFTEN = (
    *(_Office.a_bill_comes, _Office.someone_pays, _Office.a_file_is_read, _Office.one_is_taken_off),
    *(_Office.the_certain_are_recorded, _Office.an_offer_is_taken, _Office.one_is_set_aside),
)
_SELDOM = (
    *(_Office.someone_books, _Office.a_bill_is_voided, _Office.a_file_is_undone),
    *(_Office.one_is_recorded_by_hand, _Office.a_payer_is_learnt, _Office.a_payer_is_forgotten),
    *(_Office.someone_is_corrected, _Office.a_booking_is_cancelled, _Office.a_room_is_renamed),
    *(_Office.a_fee_is_written_off, _Office.a_day_passes),
)


@pytest.mark.usefixtures("everything_is_long")
@pytest.mark.parametrize("seed", range(3))
def test_after_any_changes_kept_verdicts_are_those_made_from_the_start(
    bank: Bank, seed: int
) -> None:
    office = _Office(bank, seed)
    changes: tuple[Callable[[_Office], None], ...] = (*_OFTEN, *_OFTEN, *_OFTEN, *_SELDOM)
    told_at_once = 0
    for _ in range(30):
        change = office.one_of(changes)
        try:
            change(office)
        except (Refused, Collision):
            continue
        pending = _compare(bank, is_bounded=True)
        told_at_once += change in _OFTEN and pending < len(office.waiting())
        assert not _compare(bank, is_bounded=False)
        if office.chance.random() < 0.75:
            _renew(bank)
            assert not _compare(bank, is_bounded=True), (
                f"something is left to do after {change.__name__}"
            )
            with bank.books.reading() as session:
                assert not session.scalar(select(func.count(BankChange.id)))
    assert told_at_once > 2, "hardly anything was told without matching everybody"
