"""How each sheet is read can be put right, is checked, and is learnt for the next file."""

from datetime import date

import pytest

from pms.arrivals.takeover import guides
from pms.arrivals.takeover.instructions import ColumnReading, Direction, SheetReading
from pms.arrivals.takeover.previews import SheetPreview
from pms.foundation.errors import NotFound, Refused
from pms.rules.roll_heads import Meaning
from tests.takeover.test_guide import Office, office, row_of

__all__ = ["office"]

_TOP = "コーポ桐,2026/11/20現在,11月分請求済\n"
_KNOWN = _TOP + "号室,氏名,契約開始,賃料,敷金,宅配\n101,山田 一,2025/4/1,50000,0,800\n"
_STRANGE = "一覧,,,,\nへやばん,だれ,いつから,おうちだい,あずかり\n101,山田 一,2025/4/1,50,100\n102,佐藤 二,2025/5/1,51,0\n"
_CHOSEN = {
    0: ColumnReading(Meaning.ROOM),
    1: ColumnReading(Meaning.NAME),
    2: ColumnReading(Meaning.START),
    3: ColumnReading(Meaning.RENT, unit=1_000),
    4: ColumnReading(Meaning.DEPOSIT_HELD, unit=1_000),
}


def send(office: Office, text: str, name: str = "a.csv") -> str:
    return office.send([(name, text.encode())])


def the_sheet(office: Office, id_: str) -> SheetPreview:
    (preview,) = office.guide(id_).previews
    return preview


def read_as(office: Office, id_: str, reading: SheetReading) -> None:
    office.do(guides.read_sheet_as, office.guide(id_), the_sheet(office, id_).key, reading)


def test_a_meaning_is_learnt_for_the_next_file(office: Office) -> None:
    id_ = send(office, _KNOWN)
    assert "unknown_column" in [one.code for one, _ in office.guide(id_).prepared.file_questions]
    read_as(office, id_, SheetReading(columns={5: ColumnReading(Meaning.OTHER_FEE)}))
    assert office.guide(id_).prepared.rows[0].values["other"] == "800"
    again = office.guide(send(office, _KNOWN.replace("賃料,敷金", "敷金,賃料"), "b.csv"))
    assert again.prepared.rows[0].values["other"] == "800"


def test_a_meaning_that_is_taken_back_is_not_learnt(office: Office) -> None:
    id_ = send(office, _KNOWN)
    read_as(office, id_, SheetReading(columns={5: ColumnReading(Meaning.OTHER_FEE)}))
    read_as(office, id_, SheetReading())
    again = office.guide(send(office, _KNOWN, "b.csv"))
    assert again.prepared.rows[0].values["other"] == ""


def test_a_strange_sheet_shows_its_rows_and_is_read_as_it_is_told(office: Office) -> None:
    id_ = send(office, _STRANGE)
    preview = the_sheet(office, id_)
    assert not preview.is_read
    assert [cells[0] for _, cells, _ in preview.rows] == ["一覧", "へやばん", "101", "102"]
    assert len(preview.columns) == 5
    read_as(office, id_, SheetReading(header_row=2, columns=_CHOSEN))
    row = row_of(office.guide(id_), "line 3")
    assert [row.values[name] for name in ("room", "name", "start", "rent", "deposit")] == [
        "101",
        "山田 一",
        "2025-04-01",
        "50000",
        "100000",
    ]


def test_the_whole_reading_is_learnt_only_for_the_same_head(office: Office) -> None:
    id_ = send(office, _STRANGE)
    read_as(office, id_, SheetReading(header_row=2, columns=_CHOSEN))
    # The head stands a row lower here: it is known by what it says.
    same = office.guide(send(office, "\n十二月,,,,\n" + _STRANGE, "b.csv"))
    assert [row.values["rent"] for row in same.prepared.rows] == ["50000", "51000"]
    # A rent of another form stays in yen, though its title was in thousands once.
    known = "号室,氏名,契約開始,おうちだい,敷金\n101,山田 一,2025/4/1,50000,0\n"
    other = office.guide(send(office, _TOP + known, "c.csv"))
    assert other.prepared.rows[0].values["rent"] == "50000"


def test_a_column_that_is_not_needed_is_not_read(office: Office) -> None:
    id_ = send(office, _KNOWN)
    read_as(office, id_, SheetReading(columns={4: ColumnReading(Meaning.PASSED_OVER)}))
    (row,) = office.guide(id_).prepared.rows
    assert row.values["deposit"] == ""


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        (SheetReading(header_row=40), "is not a row of the sheet"),
        (SheetReading(blocks=("A1:ZZ9",)), "is not inside the sheet"),
        (SheetReading(columns={9: ColumnReading(Meaning.RENT)}), "has no column 10"),
        (SheetReading(header_row=9, direction=Direction.ACROSS), "is not a row of the sheet"),
    ],
)
def test_what_the_sheet_does_not_have_is_refused(
    office: Office, reading: SheetReading, why: str
) -> None:
    id_ = send(office, _KNOWN)
    with pytest.raises(Refused, match=why):
        read_as(office, id_, reading)
    assert office.guide(id_).readings == {}


def test_a_sheet_that_is_not_there_is_not_found(office: Office) -> None:
    guide = office.guide(send(office, _KNOWN))
    with pytest.raises(NotFound):
        office.do(guides.read_sheet_as, guide, "another", SheetReading())


def test_going_live_waits_for_the_last_day_billed(office: Office) -> None:
    roll = "コーポ桐\n号室,氏名,契約開始,賃料,敷金,滞納額\n101,山田 一,2025/4/1,50000,50000,0\n"
    id_ = send(office, roll)
    office.do(guides.keep_totals, id_, {"depositHeld": 50_000, "unpaid": 0, "overpaid": 0})
    with pytest.raises(Refused, match="asked about the files first"):
        office.live(id_)
    office.tell(id_, as_of=office.clock.today())
    with pytest.raises(Refused, match="asked about the files first"):
        office.live(id_)
    office.tell(id_, as_of=office.clock.today(), billed_through=date(2026, 11, 30))
    assert office.live(id_).tenancies == 1


def test_what_follows_from_a_rent_follows_the_typed_one(office: Office) -> None:
    roll = _TOP + "号室,氏名,契約開始,賃料,敷金,滞納額\n101,山田 一,2025/4/1,50000,2ヶ月,0\n"
    id_ = send(office, roll)
    before = row_of(office.guide(id_), "line 3")
    assert before.values["deposit"] == "100000"
    office.types(id_, "line 3", rent="52000")
    after = row_of(office.guide(id_), "line 3")
    assert after.values["deposit"] == "104000"
    check = office.check(id_)
    assert (check.bills[0].sheet_yen, check.bills[0].bill_yen) == (50_000, 52_000)
