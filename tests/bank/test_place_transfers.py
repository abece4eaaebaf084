"""A transfer pays once: what is certain by one audit event, the rest by hand, and all of it can be undone."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from sqlalchemy import func, select

from pms.bank.payers import forget_payer, learn_payer, remembered_payers
from pms.bank.transfers import (
    WantedPart,
    ask_to_place_certain,
    parts_of_offer,
    place_certain,
    place_certain_or_ask,
    place_on_bills,
    place_transfer,
    set_transfer_aside,
    take_off,
)
from pms.checkouts.open_bills import bills_to_place
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import phrase_of
from pms.foundation.runs import ask_to_stop
from pms.foundation.work import Work
from pms.jobs.bank_runs import placing_run
from pms.ledger.models import Payment
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standings
from pms.rules.enumerations import RunState, TransferState
from pms.rules.invoices import transfer_reference
from pms.rules.transfer_matching import MatchCertainty
from tests.bank.conftest import Bank
from tests.bank.statement_files import Moved, statement_file
from tests.ledger.conftest import ACTOR

RENT = 83_000


def payments(bank: Bank) -> int:
    with bank.books.reading() as session:
        return session.scalar(select(func.count()).select_from(Payment)) or 0


def test_what_is_certain_is_recorded_by_one_verb_and_once(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", RENT), Moved("ヤマダ タロウ", 2 * RENT)]))
    assert [one.match.row.payer for one in bank.day().certain] == ["ｻﾄｳ ﾊﾅｺ", "ﾔﾏﾀﾞ ﾀﾛｳ"]
    before = bank.open_yen(bank.hanako), bank.open_yen(bank.taro)
    assert bank.books.do(place_certain).number == 2
    assert bank.books.do(place_certain).number == 0
    after = bank.open_yen(bank.hanako), bank.open_yen(bank.taro)
    assert (before[0] - after[0], before[1] - after[1]) == (RENT, 2 * RENT)
    with bank.books.reading() as session:
        found = session.scalars(select(Payment).order_by(Payment.id)).all()
        assert {one.received_on for one in found} == {date(2026, 10, 1)}
        assert all(one.reference and one.note for one in found)


@pytest.mark.differs("locks")
def test_two_hands_at_once_place_what_is_certain_once(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", RENT), Moved("ヤマダ タロウ", RENT)]))
    barrier = Barrier(3)

    def run(_: int) -> int:
        barrier.wait()
        return bank.books.database.write(
            bank.books.workspace_id,
            lambda session: place_certain(Work(session, bank.books.clock, ACTOR)).number,
        )

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(run, range(3))) == 2
    assert payments(bank) == 2


def test_a_likely_one_is_placed_as_it_is_offered_and_the_rest_is_held(bank: Bank) -> None:
    owed = bank.open_yen(bank.hanako)
    bank.read(statement_file([Moved("サトウ ハナコ", owed + 5_000)]))
    (likely,) = bank.day().likely
    wanted = parts_of_offer(likely.match.offers[0])
    bank.books.do(place_transfer, likely.transfer_id, wanted, verdict=MatchCertainty.LIKELY)
    assert (bank.open_yen(bank.hanako), bank.overpaid_yen(bank.hanako)) == (0, 5_000)
    assert payments(bank) == 1


def test_what_is_placed_by_hand_is_learnt_and_unlearnt(bank: Bank) -> None:
    bank.read(statement_file([Moved("モガミ テルミ", RENT)]))
    (unknown,) = bank.day().unknown
    wanted = [WantedPart(bank.taro, RENT)]
    bank.books.do(place_transfer, unknown.transfer_id, wanted, learns=True)
    bank.read(statement_file([Moved("モガミ テルミ", RENT, date(2026, 11, 2))], RENT, first=5))
    (certain,) = bank.day().certain
    assert certain.match.person_ids == (bank.taro,)
    bank.books.do(take_off, unknown.transfer_id, reason="of somebody else")
    assert {one.match.verdict for one in (*bank.day().certain, *bank.day().unknown)} == {
        MatchCertainty.UNKNOWN
    }
    with bank.books.reading() as session:
        assert remembered_payers(session) == {}


def test_a_payer_is_taught_and_forgotten_by_hand(bank: Bank) -> None:
    assert bank.books.do(learn_payer, payer="カ）アオバ", reservation_id=bank.taro)
    assert not bank.books.do(learn_payer, payer="ｱｵﾊﾞ(ｶ", reservation_id=bank.taro)
    assert bank.books.do(learn_payer, payer="カ）アオバ", reservation_id=bank.hanako)
    with bank.books.reading() as session:
        (kept,) = remembered_payers(session)[bank.taro]
    bank.books.do(forget_payer, kept.id)
    with pytest.raises(NotFound):
        bank.books.do(forget_payer, kept.id)
    with pytest.raises(Refused, match="payer"):
        bank.books.do(learn_payer, payer="(ｶ) 123", reservation_id=bank.taro)


def test_one_transfer_of_a_company_pays_several_people(bank: Bank) -> None:
    for one in bank.residents:
        bank.books.do(learn_payer, payer="カ）アオバ", reservation_id=one)
    both = sum(map(bank.open_yen, bank.residents))
    bank.read(statement_file([Moved("アオバ（カ", both)]))
    assert bank.books.do(place_certain).number == 1
    assert [bank.open_yen(one) for one in bank.residents] == [0, 0]
    assert payments(bank) == 2


def test_a_transfer_taken_off_waits_again_and_its_bills_are_owed_again(bank: Bank) -> None:
    before = bank.open_yen(bank.hanako)
    bank.read(statement_file([Moved("サトウ ハナコ", RENT)]))
    (certain,) = bank.day().certain
    bank.books.do(place_certain)
    assert bank.books.do(take_off, certain.transfer_id, reason="twin") == 1
    assert bank.open_yen(bank.hanako) == before
    with pytest.raises(Refused, match="transfer is not recorded yet"):
        bank.books.do(take_off, certain.transfer_id, reason="twin")
    assert bank.books.do(place_certain).number == 1
    assert bank.open_yen(bank.hanako) == before - RENT


@pytest.mark.parametrize("yen", [RENT - 1, RENT + 1, 0])
def test_a_transfer_is_placed_whole_or_not_at_all(bank: Bank, yen: int) -> None:
    bank.read(statement_file([Moved("モガミ テルミ", RENT)]))
    (unknown,) = bank.day().unknown
    with pytest.raises(Refused, match="parts"):
        bank.books.do(place_transfer, unknown.transfer_id, [WantedPart(bank.taro, yen)])
    assert payments(bank) == 0


def test_a_transfer_kept_as_suspense_waits_apart_and_can_come_back(bank: Bank) -> None:
    bank.read(statement_file([Moved("モガミ テルミ", RENT)]))
    (unknown,) = bank.day().unknown
    bank.books.do(set_transfer_aside, unknown.transfer_id, TransferState.KEPT)
    assert (bank.day().unknown, len(bank.day().kept)) == ((), 1)
    bank.books.do(set_transfer_aside, unknown.transfer_id, TransferState.NOT_OURS)
    assert bank.day().kept == ()
    bank.books.do(set_transfer_aside, unknown.transfer_id, TransferState.WAITING)
    assert len(bank.day().unknown) == 1
    with pytest.raises(NotFound):
        bank.books.do(set_transfer_aside, new_id(), TransferState.KEPT)


def test_the_reference_on_a_bill_names_its_resident(bank: Bank) -> None:
    entry = bank.books.entries(bank.taro)[0]
    reference = transfer_reference(bank.taro, entry.id)
    bank.read(statement_file([Moved(f"モガミ テルミ {reference}", 2 * RENT)]))
    (certain,) = bank.day().certain
    assert certain.match.person_ids == (bank.taro,)


def _open_bills(bank: Bank, reservation_id: str) -> list[tuple[str, str]]:
    with bank.books.reading() as session:
        found = standings(session, [reservation_id], bank.books.clock.today())[reservation_id]
    due = sorted((one for one in found if one.open_yen), key=lambda one: (one.due_on, one.id))
    return [(reservation_id, one.id) for one in due]


def test_a_company_that_pays_for_several_is_placed_by_hand_once_and_certain_then(
    bank: Bank,
) -> None:
    owed = bank.open_yen(bank.hanako), bank.open_yen(bank.taro)
    bank.read(statement_file([Moved("カ)アオバコウギヨウ", sum(owed))]))
    (unknown,) = bank.day().unknown
    bills = [*_open_bills(bank, bank.hanako), *_open_bills(bank, bank.taro)]
    bank.books.do(place_on_bills, unknown.transfer_id, [*bills, bills[0]], learns=True)
    assert (bank.open_yen(bank.hanako), bank.open_yen(bank.taro)) == (0, 0)
    assert payments(bank) == 2
    with bank.books.reading() as session:
        assert {*remembered_payers(session)} == {bank.hanako, bank.taro}
    bank.books.do(take_off, unknown.transfer_id, reason="paid for somebody else")
    assert (bank.open_yen(bank.hanako), bank.open_yen(bank.taro)) == owed


def test_bills_chosen_by_hand_are_paid_in_their_order_as_far_as_the_yen_reach(bank: Bank) -> None:
    owed = bank.open_yen(bank.hanako), bank.open_yen(bank.taro)
    bills = [*_open_bills(bank, bank.taro), *_open_bills(bank, bank.hanako)]
    bank.read(statement_file([Moved("モガミ テルミ", owed[1] + 1_000)]))
    (unknown,) = bank.day().unknown
    bank.books.do(place_on_bills, unknown.transfer_id, bills[:-1], learns=False)
    assert (bank.open_yen(bank.hanako), bank.open_yen(bank.taro)) == (owed[0] - 1_000, 0)


@pytest.mark.differs("types")
def test_a_bill_that_gets_nothing_of_a_transfer_is_refused(bank: Bank) -> None:
    bills = [*_open_bills(bank, bank.taro), *_open_bills(bank, bank.hanako)]
    bank.read(statement_file([Moved("モガミ テルミ", 1_000)]))
    (unknown,) = bank.day().unknown
    for chosen, words in ((bills, "use up"), ([], "from one to")):
        with pytest.raises(Refused, match=words):
            bank.books.do(place_on_bills, unknown.transfer_id, chosen, learns=False)
    with pytest.raises(NotFound):
        bank.books.do(place_on_bills, unknown.transfer_id, [("x", "y")], learns=False)
    assert payments(bank) == 0


def test_a_bill_paid_meanwhile_is_refused_among_several_instead_of_taking_the_rest(
    bank: Bank,
) -> None:
    bills = [*_open_bills(bank, bank.taro), *_open_bills(bank, bank.hanako)[:1]]
    bank.read(statement_file([Moved("モガミ テルミ", 4 * RENT), Moved("サトウ ハナコ", 2 * RENT)]))
    (unknown,), (paid,) = bank.day().unknown, bank.day().certain
    bank.books.do(place_transfer, paid.transfer_id, parts_of_offer(paid.match.offers[0]))
    with pytest.raises(Refused, match="changed in the meantime"):
        bank.books.do(place_on_bills, unknown.transfer_id, bills[::-1], learns=False)
    assert bank.overpaid_yen(bank.hanako) == 0


def test_a_long_list_is_recorded_part_by_part_and_goes_on_after_a_stop(bank: Bank) -> None:
    with pytest.raises(Refused, match="none of those that wait is certain"):
        bank.books.do(ask_to_place_certain)
    moved = [
        Moved("サトウ ハナコ", RENT),
        Moved("モガミ テルミ", 500),
        Moved("ヤマダ タロウ", RENT),
    ]
    bank.read(statement_file(moved))
    run = bank.books.do(ask_to_place_certain)
    assert bank.books.do(ask_to_place_certain).id == run.id
    with bank.books.writing() as session:
        ask_to_stop(Work(session, bank.books.clock, ACTOR), run.id)
    database, place = bank.books.database, bank.books.workspace_id
    stopped = placing_run(database, bank.books.clock, place, run_id=run.id, part=1)
    assert (stopped.state, stopped.done, stopped.total, payments(bank)) == (
        RunState.STOPPED,
        0,
        2,
        0,
    )
    bank.books.do(ask_to_place_certain)
    ended = placing_run(database, bank.books.clock, place, run_id=run.id, part=1)
    assert (ended.state, ended.done, ended.total) == (RunState.FINISHED, 2, 2)
    assert payments(bank) == 2
    assert [one.match.verdict for one in bank.day().every_one] == [MatchCertainty.UNKNOWN]


def _first_is_refused(bank: Bank) -> None:
    """Two certain transfers; the reference of the first is already that of another payment."""
    bank.read(statement_file([Moved("サトウ ハナコ", RENT), Moved("ヤマダ タロウ", RENT)]))
    first, _second = bank.day().certain
    row = first.match.row
    reference = f"{row.booked_on} {row.number} {first.transfer_id[-8:]}"
    bank.books.do(
        record_payment, reservation_id=bank.hanako, amount_yen=1, reference=reference, wanted=[]
    )


def test_a_refused_transfer_is_named_by_the_run_and_the_others_are_recorded(bank: Bank) -> None:
    _first_is_refused(bank)
    run = bank.books.do(ask_to_place_certain)
    database, place = bank.books.database, bank.books.workspace_id
    ended = placing_run(database, bank.books.clock, place, run_id=run.id, part=1)
    assert (ended.state, ended.done) == (RunState.FINISHED_WITH_PROBLEMS, 2)
    (refused,) = ended.result["refused"]
    assert "ｻﾄｳ ﾊﾅｺ" in refused["row"]
    assert bank.open_yen(bank.taro) == RENT


@pytest.mark.differs("savepoints")
def test_a_refused_transfer_keeps_no_other_of_a_request(bank: Bank) -> None:
    _first_is_refused(bank)
    ended = bank.books.do(place_certain_or_ask)
    assert (ended.state, ended.done, ended.total) == (RunState.FINISHED_WITH_PROBLEMS, 2, 2)
    (refused,) = ended.result["refused"]
    assert "ｻﾄｳ ﾊﾅｺ" in refused["row"]
    assert str(phrase_of(refused["sentence"])) in refused["message"]
    assert bank.open_yen(bank.taro) == RENT


def test_the_likeliest_bills_are_the_same_however_few_are_asked_for(bank: Bank) -> None:
    bills = [*_open_bills(bank, bank.taro), *_open_bills(bank, bank.hanako)]
    with bank.books.reading() as session:
        on = bank.books.clock.today()
        all_of_them = bills_to_place(session, on, amount_yen=RENT, most=99)
        assert len(all_of_them) >= len(bills) > 2
        for most in (1, 2):
            few = bills_to_place(session, on, amount_yen=RENT, most=most)
            assert few == all_of_them[:most]
        exact = [bill.open_yen == RENT for bill in all_of_them]
        assert exact == sorted(exact, reverse=True)
