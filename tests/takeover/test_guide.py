"""The guide: questions are answered step by step, the check is met, and a take-over can be undone."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from sqlalchemy import func, select, update

from pms.arrivals.bookings import book
from pms.arrivals.models import Takeover
from pms.arrivals.takeover import guides
from pms.arrivals.takeover.answered import LEFT, TAKEN
from pms.arrivals.takeover.checking import Check, DifferenceReason, check_guide
from pms.arrivals.takeover.going_live import go_live
from pms.arrivals.takeover.guides import Guide, NewFiles, TypedRow, WrongCells
from pms.arrivals.takeover.instructions import FileDays
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.refused_rows import refused_rows, refused_rows_csv, refused_rows_xlsx
from pms.arrivals.takeover.row_fields import State
from pms.arrivals.takeover.undoing import undo_take_over, why_not_undone
from pms.catalogue.models import Building, ExternalBlock, Unit
from pms.deposits.deposit_report import deposit_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.billing_run import Look, billing_preview
from pms.ledger.billing import bill_month
from pms.ledger.models import LedgerEntry
from pms.ledger.payment_plan import record_payment
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.enumerations import ReservationKind
from pms.workspaces.new_workspaces import open_workspace
from tests.cast import photo
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.takeover.test_held_out_sheets import SHEETS
from tests.takeover.test_run import SAMPLES, TODAY

LATER = "レントロール!19"


class Office:
    """A new operator who takes files over."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database, self.files, self.clock = database, Files(settings), FixedClock(TODAY)
        with database.across_workspaces_writing() as session:
            self.workspace_id = open_workspace(session, self.clock, slug="new", name="新しい")

    def do(self, verb: Callable[..., Any], *args: Any, **given: Any) -> Any:
        with self.database.writing(self.workspace_id) as session:
            return verb(session, *args, **given)

    def act(self, verb: Callable[..., Any], *args: Any, **given: Any) -> Any:
        with self.database.writing(self.workspace_id) as session:
            return verb(Work(session, self.clock, "staff"), *args, **given)

    def ask(self, question: Callable[..., Any], *args: Any, **given: Any) -> Any:
        with self.database.reading(self.workspace_id) as session:
            return question(session, *args, **given)

    def start(self, *names: str, rows: int = 0) -> str:
        sheets = [(name, (SAMPLES / name).read_bytes()) for name in names]
        return self.send(sheets, rows=rows)

    def send(self, sheets: list[tuple[str, bytes]], rows: int = 0) -> str:
        id_: str = self.act(guides.start_guide, self.files, self.open(sheets), blank_rows=rows)
        return id_

    def open(self, sheets: list[tuple[str, bytes]], id_: str | None = None) -> NewFiles:
        found: NewFiles = self.ask(guides.open_new_files, self.clock, self.files, sheets, id_)
        return found

    def add(self, id_: str, name: str, content: bytes) -> None:
        self.act(guides.add_files, self.files, id_, self.open([(name, content)], id_))

    def start_sheets(self, *names: str) -> str:
        return self.send([(name, (SHEETS / name).read_bytes()) for name in names])

    def guide(self, id_: str) -> Guide:
        found: Guide = self.ask(guides.read_guide, self.clock, self.files, id_)
        return found

    def check(self, id_: str) -> Check:
        def asked(session: Any) -> Check:
            guide = guides.read_guide(session, self.clock, self.files, id_)
            return check_guide(session, guide, self.clock.today())

        found: Check = self.ask(asked)
        return found

    def types(self, id_: str, at: str, answers: dict[str, str] | None = None, **cells: str) -> None:
        guide = self.guide(id_)
        self.do(guides.edit_rows, guide, [TypedRow(at, cells, answers or {})])

    def tell(self, id_: str, **given: Any) -> None:
        """Answer what is asked about the files."""
        days = FileDays(given.pop("as_of", None), given.pop("billed_through", None))
        facts = {"building": "", "has_no_deposits": False} | given
        facts.setdefault("days", dict.fromkeys(self.guide(id_).sources, days))
        self.do(guides.answer_files, id_, **facts)

    def live(self, id_: str, **given: Any) -> Any:
        return self.act(go_live, self.guide(id_), **given)

    def bills(self, through: date) -> int:
        billed = self.act(bill_month, through_on=through)
        assert not billed.problems
        return int(billed.total_yen)

    def count(self, model: type[Any]) -> int:
        return int(
            self.ask(lambda session: session.scalar(select(func.count()).select_from(model)))
        )


@pytest.fixture
def office(database: Database, settings: Settings) -> Office:
    return Office(database, settings)


def row_of(guide: Guide, at: str) -> Any:
    return next(row for row in guide.prepared.rows if row.at == at)


@pytest.mark.differs("locks and deletes of what was written once")
def test_a_roll_goes_live_and_is_undone_whole(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    guide = office.guide(id_)
    assert [row.at for row in guide.prepared.waiting] == [LATER]
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    check = office.check(id_)
    assert (len(check.bills), check.differing, check.is_settled) == (52, [], True)
    assert check.month_on == date(2026, 12, 1)
    run = office.live(id_)
    assert (run.units, run.tenancies, run.refused) == (60, 52, [])
    report = office.ask(deposit_report, date(2026, 11, 20))
    assert report.total.held_yen == 4_201_500
    office.act(undo_take_over, id_)
    assert [office.count(one) for one in (Building, Unit, Reservation, LedgerEntry)] == [0] * 4
    again = office.live(id_)
    assert again.tenancies == 52
    assert office.bills(date(2026, 12, 31)) == 3_955_000 - 70_000
    with pytest.raises(Refused, match="before the first bill"):
        office.act(undo_take_over, id_)


def test_what_waits_for_an_answer_is_not_taken_over_without_a_word(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.do(guides.accept_differences, office.guide(id_), {"depositHeld": "303 comes later"})
    with pytest.raises(Refused, match="rows without an answer: 1"):
        office.live(id_)
    run = office.live(id_, leaves_waiting=True)
    assert (run.tenancies, [one.at for one in run.refused]) == (51, [LATER])


def test_a_sum_that_is_not_met_has_to_be_accepted_with_a_word(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    office.do(guides.keep_totals, id_, {"unpaid": 174_001})
    with pytest.raises(Refused, match="check is not finished"):
        office.live(id_)
    office.do(guides.accept_differences, office.guide(id_), {"unpaid": "one yen of a bank fee"})
    assert office.live(id_).unpaid_yen == 174_000


def test_a_first_bill_still_to_come_is_named_with_its_reason(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": LEFT})
    (one,) = office.check(id_).differing
    # 22 of 31 days of 67,000 and 3,000, each rounded once.
    assert (one.bill_yen, one.sheet_yen) == (47_548 + 2_129, 70_000)
    assert one.reasons == (DifferenceReason.PART_OF_MONTH,)
    office.do(guides.accept_differences, office.guide(id_), {LATER: "moves in on the 10th"})
    office.live(id_)
    assert office.bills(date(2026, 12, 31)) == 3_955_000 - 70_000 + one.bill_yen


def test_a_surcharge_and_a_notice_are_offered_and_taken(office: Office) -> None:
    id_ = office.start("share_house_monthly.xlsx")
    guide = office.guide(id_)
    at = "2026年11月!6"
    assert row_of(guide, at).values["guestSurcharge"] == ""
    assert office.do(guides.answer_all, guide, "two_people_surcharge") == 1
    values = row_of(office.guide(id_), at).values
    assert (values["commonFee"], values["guestSurcharge"]) == ("12000", "6000")
    office.do(
        guides.keep_totals, id_, {"depositHeld": 170_000, "unpaid": 100_000, "overpaid": 7_000}
    )
    check = office.check(id_)
    assert check.is_settled
    assert check.bill_yen == 412_000
    office.live(id_)
    assert office.bills(date(2026, 12, 31)) == 412_000
    kana = office.ask(lambda session: session.scalar(select(CoOccupant.name_kana)))
    assert kana == "ケンモチ リョウ"


def test_a_notice_that_is_offered_ends_the_tenancy(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    office.types(id_, "レントロール!18", {"notice_in_remark": TAKEN})
    office.live(id_)
    leaving = office.ask(
        lambda session: session.scalars(
            select(Reservation.name).where(Reservation.move_out_date == date(2026, 12, 31))
        ).all()
    )
    assert leaving == ["目黒 結衣"]
    office.act(undo_take_over, id_)
    assert office.count(Reservation) == 0


def test_free_months_are_billed_without_rent(office: Office) -> None:
    id_ = office.start("rentroll_titles_cp932.csv")
    office.types(id_, "line 6", end="2028-10-31")
    office.types(id_, "line 10", {"free_rent": TAKEN})
    office.types(id_, "line 14", billedThrough="2026-11-30")
    totals = {"depositHeld": 289_000, "unpaid": 219_400, "overpaid": 0}
    office.do(guides.keep_totals, id_, totals)
    check = office.check(id_)
    assert check.month_on == date(2026, 11, 1)
    (free,) = check.differing
    assert (free.bill_yen, free.reasons) == (2_300, (DifferenceReason.FREE_OF_RENT,))
    office.do(guides.accept_differences, office.guide(id_), {free.row.at: "free of rent"})
    office.live(id_)
    # Everybody's rent and fees of November, without the rent of the one who is free of it.
    assert check.bill_yen == check.sheet_yen + free.difference_yen
    assert office.bills(date(2026, 11, 30)) == check.bill_yen


def test_an_owners_room_becomes_a_block_or_an_owner_resident(office: Office) -> None:
    id_ = office.start("three_buildings.xlsx")
    office.tell(id_, billed_through=date(2026, 10, 31))
    at = "楓ハイム!6"
    assert row_of(office.guide(id_), at).state is State.BLOCK
    office.do(guides.keep_totals, id_, {one.name: one.rows_yen for one in office.check(id_).sums})
    run = office.live(id_, leaves_waiting=True)
    assert (run.owners, office.count(ExternalBlock)) == (1, 1)
    office.act(undo_take_over, id_)
    assert office.count(ExternalBlock) == 0
    office.types(id_, at, state="owner", name="楓 太郎")
    assert office.live(id_, leaves_waiting=True).owners == 1
    owner = select(Reservation.name).where(Reservation.kind == "owner_resident")
    assert office.ask(lambda session: session.scalar(owner)) == "楓 太郎"


def test_rows_of_no_file_are_typed_whole(office: Office) -> None:
    id_ = office.start(rows=2)
    office.tell(id_, billed_through=date(2026, 11, 30), building="菊池荘")
    office.types(
        id_, "row 1", room="101", rent="55,000", name="菊池 桃", start="R6.4.1", deposit="0"
    )
    office.types(id_, "row 2", state="out")
    office.do(guides.keep_totals, id_, {"depositHeld": 0, "unpaid": 0})
    assert office.live(id_).tenancies == 1
    assert office.bills(date(2026, 12, 31)) == 55_000


def test_a_cell_that_cannot_be_read_is_named_and_nothing_is_kept(office: Office) -> None:
    id_ = office.start("three_rooms.tsv")
    with pytest.raises(WrongCells) as wrong:
        office.types(id_, "line 2", rent="5.5", start="someday", deposit="55000")
    assert wrong.value.codes == {("line 2", "rent"): "not_yen", ("line 2", "start"): "not_a_day"}
    assert row_of(office.guide(id_), "line 2").values["deposit"] == ""


def test_several_files_are_read_as_one_roll(office: Office) -> None:
    debts = "号室,滞納額,内訳\n101,52000,10月\n"
    people = "号室,氏名,契約開始,賃料\n101,山田 一,2025/4/1,50000\n"
    id_ = office.send([("people.csv", people.encode()), ("debts.csv", debts.encode())])
    (row,) = office.guide(id_).prepared.rows
    assert row.values["unpaid"] == "2026-10 52,000"


_OTHER_HOUSE = "コーポ梅\n号室,氏名,契約開始,賃料,敷金\n201,佐藤 二,2025/4/1,60000,0\n"


def test_each_file_has_its_own_day_and_its_own_last_day_billed(office: Office) -> None:
    first = (
        "コーポ桐,2026年11月20日現在,11月分まで請求済\n号室,氏名,契約開始,賃料,敷金\n"
        "101,山田 一,2025/4/1,50000,0\n"
    )
    id_ = office.send([("a.csv", first.encode()), ("b.csv", _OTHER_HOUSE.encode())])
    guide = office.guide(id_)
    (asked,) = guide.prepared.waiting_for_files
    assert (asked.code, asked.file) == ("as_of_and_billed", "b.csv")
    assert asked.in_language("en").startswith("b.csv: ")
    assert asked.in_language("ja").startswith("b.csv：")
    days = {"b.csv": FileDays(date(2026, 11, 10), date(2026, 10, 31))}
    office.tell(id_, days=days)
    guide = office.guide(id_)
    assert not guide.prepared.waiting_for_files
    through = {row.values["room"]: row.values["billedThrough"] for row in guide.prepared.rows}
    assert through == {"101": "2026-11-30", "201": "2026-10-31"}
    assert guide.billed_through is None


def test_a_file_that_is_added_is_asked_for_its_own_days(office: Office) -> None:
    house = "コーポ桐" + _OTHER_HOUSE.removeprefix("コーポ梅")
    id_ = office.send([("a.csv", house.encode())])
    office.tell(id_, as_of=date(2026, 11, 20), billed_through=date(2026, 11, 30))
    assert not office.guide(id_).prepared.waiting_for_files
    office.add(id_, "b.csv", _OTHER_HOUSE.encode())
    (asked,) = office.guide(id_).prepared.waiting_for_files
    assert asked.file == "b.csv"


def test_days_stored_for_a_whole_guide_are_those_of_the_files_it_had(office: Office) -> None:
    id_ = office.send([("b.csv", _OTHER_HOUSE.encode())])
    pair = {"asOf": "2026-11-20", "billedThrough": "2026-11-30"}
    office.do(lambda session: session.execute(update(Takeover).values(answers=pair)))
    assert not office.guide(id_).prepared.waiting_for_files
    again = _OTHER_HOUSE.replace("コーポ梅", "コーポ桐").encode()
    office.add(id_, "c.csv", again)
    (asked,) = office.guide(id_).prepared.waiting_for_files
    assert asked.file == "c.csv"


def test_rows_left_out_of_files_with_other_days_state_their_own(office: Office) -> None:
    twice = "202,佐藤 二,2025/4/1,61000,0\n202,鈴木 三,2025/4/1,62000,0\n"
    files = [
        ("b.csv", _OTHER_HOUSE),
        ("c.csv", _OTHER_HOUSE.replace("コーポ梅", "コーポ桐") + twice),
    ]
    id_ = office.send([(name, text.encode()) for name, text in files])
    days = {
        "b.csv": FileDays(date(2026, 11, 20), date(2026, 11, 30)),
        "c.csv": FileDays(date(2026, 11, 20), date(2026, 10, 31)),
    }
    office.tell(id_, days=days)
    again = read_takeover(
        refused_rows_csv(office.guide(id_), "ja"), "refused.csv", office.clock.today()
    )
    assert {let.billed_through for let in again.tenancies} == {date(2026, 10, 31)}


def test_another_workspace_finds_no_guide(office: Office, database: Database) -> None:
    id_ = office.start("three_rooms.tsv")
    with database.across_workspaces_writing() as session:
        other = open_workspace(session, office.clock, slug="other", name="他")
    with database.reading(other) as session, pytest.raises(NotFound):
        guides.stored_guide(session, id_)


def test_a_payment_stops_the_way_back(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    office.live(id_)
    owing = office.ask(
        lambda session: session.scalar(select(Reservation.id).where(Reservation.name == "杉浦 朔"))
    )
    office.act(
        record_payment,
        reservation_id=owing,
        amount_yen=75_000,
        received_on=date(2026, 11, 20),
        method="bank_transfer",
    )
    with pytest.raises(Refused, match="杉浦 朔 has been billed or paid since"):
        office.act(undo_take_over, id_)
    assert office.count(Takeover) == 1


def test_why_it_is_not_undone_is_asked_in_few_questions(office: Office, database: Database) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    office.live(id_)
    with statements() as asked:
        assert office.ask(lambda session: why_not_undone(session, stored(session, id_))) is None
    assert len(asked) <= 8
    with database.writing(office.workspace_id) as session:
        unit_id = session.scalars(select(Unit.id)).first()
        session.add(photo(unit_id=unit_id, building_id=None))
    barred = office.ask(lambda session: why_not_undone(session, stored(session, id_)))
    assert "(photo)" in str(barred)


def test_rows_left_out_are_read_again_from_the_workbook(office: Office) -> None:
    guide = office.guide(office.start("heights_aoba.xlsx"))
    kept = refused_rows_xlsx(guide, "ja")
    read = read_takeover(kept, "refused.xlsx", date(2026, 11, 20))
    assert [one.room for one in read.tenancies] == [guide.prepared.waiting[0].values["room"]]
    assert "引き継げない理由" in refused_rows(guide, "ja")[-2]


def stored(session: Any, id_: str) -> Takeover:
    found: Takeover = guides.stored_guide(session, id_)
    return found


def test_one_start_answers_for_a_file_that_tells_none(office: Office) -> None:
    roll = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,賃料,敷金\n1,山田 一,50000,0\n2,佐藤 二,51000,0\n"
    id_ = office.send([("a.csv", roll.encode())])
    assert [one.code for one, _ in office.guide(id_).prepared.file_questions] == ["no_starts"]
    assert len(office.guide(id_).prepared.waiting) == 2
    office.types(id_, "line 4", start="2026-02-01")
    office.tell(id_, start=date(2025, 4, 1))
    guide = office.guide(id_)
    starts = [row.values["start"] for row in guide.prepared.rows]
    assert (starts, guide.prepared.waiting) == (["2025-04-01", "2026-02-01"], [])


def test_a_debt_with_a_minus_and_a_hidden_row_wait_for_a_word(office: Office) -> None:
    id_ = office.start_sheets("debts_with_minus.csv", "hidden_tenant.xlsx")
    guide = office.guide(id_)
    assert sorted(row.waiting[0].code for row in guide.prepared.waiting) == [
        "hidden_row",
        "minus_debt",
        "minus_debt",
    ]
    for row in guide.prepared.waiting:
        office.types(id_, row.at, {row.waiting[0].code: LEFT})
    assert office.guide(id_).prepared.waiting == []


def test_sums_name_what_waits_and_trust_no_total_of_a_part(office: Office) -> None:
    id_ = office.start_sheets("debts_with_minus.csv", "over_and_short_checked.csv")
    assert {row.waiting[0].code for row in office.guide(id_).prepared.waiting} == {
        "minus_debt",
        "start_missing",
    }
    office.tell(id_, start=date(2024, 4, 1))
    held, unpaid, overpaid = office.check(id_).sums
    # 151,000 is the sum of the first file alone; two of its rooms still wait.
    assert (held.rows_yen, held.waiting_yen, held.expected_yen) == (132_000, 100_000, None)
    assert (unpaid.waiting_yen, overpaid.rows_yen) == (156_000, 60_000)


def test_the_first_bill_here_needs_no_review(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    office.live(id_)
    december = date(2026, 12, 31)
    shown = billing_preview(office.database, office.clock, office.workspace_id, through_on=december)
    looks = Counter(row.look for row in shown.rows)
    assert looks == {Look.FIRST_HERE: 51}
    assert shown.exceptions == []


def test_a_contract_added_to_a_room_keeps_the_take_over_from_being_undone(office: Office) -> None:
    id_ = office.start_sheets("day_first_dates.csv")
    office.do(guides.keep_totals, id_, {"depositHeld": 60_000, "unpaid": 72_000, "overpaid": 0})
    office.live(id_)
    free = select(Unit.id).where(Unit.name == "3")
    office.act(
        book,
        unit_id=office.ask(lambda session: session.scalar(free)),
        kind=ReservationKind.RESIDENT,
        name="高橋 翔",
        move_in_date=date(2026, 12, 16),
        contract_end_date=date(2027, 12, 15),
        amounts=MonthlyAmounts(base_rent_yen=59_000),
    )
    with pytest.raises(Refused, match="A contract was added to a room"):
        office.act(undo_take_over, id_)
