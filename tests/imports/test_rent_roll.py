"""Tenancies of a rent roll hold their unit as external blocks and never become reservations."""

from datetime import date, timedelta
from typing import Any

import pytest

from pms.arrivals.models import RentRollTenancy
from pms.arrivals.sheet_imports import ImportReport, RecordOutcome, refused_csv
from pms.catalogue.models import Building, ExternalBlock, Unit, UnitFee
from pms.reservations.models import Reservation
from pms.rules.enumerations import BlockSource, UnitType
from tests.imports.conftest import Importing
from tests.imports.samples import sample

HEADER = "物件名,部屋番号,間取り,面積(㎡),状態,入居者名,契約開始日,契約終了日,賃料,共益費,備考"


def roll(*rows: str) -> bytes:
    return "\r\n".join((HEADER, *rows)).encode("cp932")


def let(room: str, name: str, start: str, end: str = "", *, status: str = "入居中") -> str:
    return f'カワセミ荘,{room},洋室,9.0,{status},{name},{start},{end},"44,000","5,000",'


VACANT = 'カワセミ荘,101,洋室,9.0,空室,空室,,,"48,000",,'


def held(world: Importing) -> dict[str, tuple[Any, Any]]:
    """The days held, by the name of who lives there."""
    blocks = {block.id: block for block in world.all_of(ExternalBlock)}
    return {
        one.name: (blocks[one.block_id].first_on, blocks[one.block_id].last_on)
        for one in world.all_of(RentRollTenancy)
    }


def codes(report: ImportReport) -> list[str]:
    return [row.problems[0].reason.code for row in report.of(RecordOutcome.REFUSED)]


@pytest.mark.differs("bulk writing")
def test_the_sample_makes_blocks_with_details_and_not_one_reservation(ours: Importing) -> None:
    ours.rent_roll(sample("rent_roll_cp932.csv"))
    assert ours.all_of(Reservation) == []
    blocks = ours.all_of(ExternalBlock)
    assert len(blocks) == len(ours.all_of(RentRollTenancy)) == 56
    assert {block.source for block in blocks} == {BlockSource.RENT_ROLL}
    assert len(ours.all_of(Building)) == 5
    # 56 tenancies and 12 vacant rooms; one room is let twice, one after the other.
    assert len(ours.all_of(Unit)) == 67


def test_the_details_of_a_tenancy_are_kept_as_the_sheet_tells_them(ours: Importing) -> None:
    ours.rent_roll(sample("rent_roll_cp932.csv"))
    by_name = {one.name: one for one in ours.all_of(RentRollTenancy)}
    kept = by_name["五十嵐 誠司"]
    assert kept.remark == '本人希望により\n表札は"ｶﾜｾﾐ"のみ\n（氏名は出さない）'.replace(
        "ｶﾜｾﾐ", "カワセミ"
    )
    assert (kept.contract_end_date, kept.payment_method) == (date(2027, 5, 31), "銀行振込")
    assert by_name["米澤 悠真"].remark == "12/20退去予定（電話連絡のみ、書面未着）"
    assert by_name["真壁 陽向"].remark == '=IF(A1>0,"滞納なし","")'
    assert by_name["八重樫 宗次郎"].remark == "①駐輪場 ②宅配ロッカー利用 ③鍵2本"


def test_what_is_worth_a_look_is_said_of_the_rows_that_are_taken(ours: Importing) -> None:
    report = ours.rent_roll(sample("rent_roll_cp932.csv"))
    said = {row.line: [note.reason.code for note in row.notes] for row in report.rows}
    assert "no_email" in said[6]
    assert "no_email" in said[34]
    assert "lost_zero" in said[19]
    assert "no_asking_rent" in said[24]
    assert "formula_kept" in said[56]
    assert "building_from_above" in said[67]
    assert "coming" in said[68]
    assert "unit_fact_of_line" in said[50]


def test_a_contract_end_is_no_end_of_living(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "曽根 芳江", "2025/11/7", "2026/11/6")))
    assert held(ours) == {"曽根 芳江": (date(2025, 11, 7), None)}
    assert ours.all_of(RentRollTenancy)[0].contract_end_date == date(2026, 11, 6)


@pytest.mark.differs("bulk writing")
def test_the_next_tenancy_of_the_room_ends_the_one_before(ours: Importing) -> None:
    ours.rent_roll(
        roll(
            let("101", "次の人", "2027/1/10", "2028/1/9", status="予約"),
            let("101", "今の人", "2026/1/1", "2026/12/31"),
        )
    )
    assert held(ours) == {
        "今の人": (date(2026, 1, 1), date(2027, 1, 9)),
        "次の人": (date(2027, 1, 10), None),
    }


def test_who_has_left_held_the_room_until_the_end(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "前の人", "2024/4/1", "2026/3/31", status="退去済")))
    assert held(ours) == {"前の人": (date(2024, 4, 1), date(2026, 3, 31))}


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([let("101", "A", "2026/1/1", status="退去済")], "ended_without_end"),
        ([let("101", "A", "2026/1/1", "2027/1/1", status="退去済")], "ended_in_the_future"),
        ([let("101", "A", "2026/1/1", status="不明")], "not_one_of"),
        ([let("101", "A", "2026/1/1", status="空室")], "vacant_with_tenancy"),
        ([let("101", "", "2026/1/1")], "name_missing"),
        ([let("101", "A", "")], "missing_date"),
        ([VACANT, VACANT], "same_unit_as_line"),
        ([VACANT, let("101", "A", "2026/1/1")], "vacant_and_let"),
        ([let("101", "A", "2026/1/1"), VACANT], "vacant_and_let"),
        ([let("101", "A", "2026/1/1"), let("１０１号室", "A", "R8.1.1")], "same_as_line"),
        ([let("101", "A", "2026/1/1"), let("101", "B", "2026/3/1")], "overlaps_line"),
        ([VACANT.replace("洋室", "その他")], "type_unknown"),
    ],
)
def test_what_contradicts_itself_is_refused(ours: Importing, rows: list[str], code: str) -> None:
    report = ours.rent_roll(roll(*rows))
    assert codes(report) == [code]
    assert len(ours.all_of(RentRollTenancy)) <= 1


def test_an_open_tenancy_and_one_that_is_coming_do_not_contradict(ours: Importing) -> None:
    report = ours.rent_roll(
        roll(let("101", "今の人", "2025/1/1"), let("101", "次の人", "2026/12/1", status="予約"))
    )
    assert report.counts["accepted"] == 2
    assert held(ours)["今の人"] == (date(2025, 1, 1), date(2026, 11, 30))


def test_a_vacant_row_makes_a_unit_with_its_asking_rent_and_no_person(ours: Importing) -> None:
    ours.rent_roll(roll(VACANT, let("102", "A", "2026/1/1")))
    rents = {unit.name: unit.rent_yen for unit in ours.all_of(Unit)}
    assert rents == {"101": 48000, "102": None}
    assert list(held(ours)) == ["A"]


def test_the_type_comes_from_the_layout_or_from_the_operator(ours: Importing) -> None:
    rows = [VACANT, VACANT.replace("101", "102").replace("洋室", "2LDK")]
    ours.rent_roll(roll(*rows))
    types = {unit.name: unit.type for unit in ours.all_of(Unit)}
    assert types == {"101": UnitType.SHAREHOUSE, "102": UnitType.APARTMENT}
    content = VACANT.replace("101", "103").replace("洋室", "")
    ours.rent_roll(roll(content), unit_type=UnitType.APARTMENT)
    assert {unit.type for unit in ours.all_of(Unit) if unit.name == "103"} == {UnitType.APARTMENT}


@pytest.mark.differs("bulk writing")
def test_a_changed_cell_is_reported_and_written_and_then_unchanged(ours: Importing) -> None:
    before = roll(let("101", "A", "2026/1/1", "2026/12/31"))
    ours.rent_roll(before)
    after = roll(let("101", "A", "2026/1/1", "2027/12/31").replace("44,000", "46,000"))
    dry = ours.rent_roll(after, commit=False)
    (row,) = dry.of(RecordOutcome.CHANGED)
    assert [(one.column, one.before, one.after) for one in row.changes] == [
        ("契約終了日", "2026-12-31", "2027-12-31"),
        ("賃料", "44000", "46000"),
    ]
    assert ours.all_of(RentRollTenancy)[0].rent_yen == 44000
    ours.rent_roll(after)
    assert ours.all_of(RentRollTenancy)[0].rent_yen == 46000
    assert ours.rent_roll(after).counts["unchanged"] == 1
    assert len(ours.all_of(ExternalBlock)) == 1


@pytest.mark.differs("bulk writing")
def test_a_room_that_became_vacant_is_free_again(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "A", "2026/1/1")))
    report = ours.rent_roll(roll(VACANT))
    assert [note.reason.code for note in report.rows[1].notes] == ["rent_roll_ended"]
    assert held(ours) == {"A": (date(2026, 1, 1), date(2026, 11, 19))}
    ours.clock.advance(timedelta(days=30))
    assert ours.rent_roll(roll(VACANT)).counts["unchanged"] == 1


def test_a_coming_tenancy_that_is_gone_from_a_vacant_room_is_taken_out(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "A", "2027/1/10", status="予約")))
    ours.rent_roll(roll(VACANT))
    assert not ours.all_of(ExternalBlock)
    assert not ours.all_of(RentRollTenancy)


def test_a_room_let_to_someone_else_now_ends_the_tenancy_before(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "A", "2026/1/1")))
    ours.rent_roll(roll(let("101", "B", "2026/10/1")))
    assert held(ours) == {
        "A": (date(2026, 1, 1), date(2026, 9, 30)),
        "B": (date(2026, 10, 1), None),
    }


def test_a_room_whose_row_is_refused_keeps_what_it_had(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "A", "2026/1/1")))
    ours.rent_roll(roll(let("101", "A", "2026/1/1").replace("44,000", "44,000円")))
    assert held(ours) == {"A": (date(2026, 1, 1), None)}


def test_a_vacant_row_without_a_fee_leaves_what_the_unit_asks(ours: Importing) -> None:
    ours.rent_roll(roll(VACANT.replace('"48,000",,', '"48,000","5,000",')))
    assert [one.amount_yen for one in ours.all_of(UnitFee)] == [5000]
    assert ours.rent_roll(roll(VACANT)).counts["unchanged"] == 1
    report = ours.rent_roll(roll(VACANT.replace('"48,000",,', '"48,000",－,')))
    assert report.counts["changed"] == 1
    assert ours.all_of(UnitFee) == []


def test_two_rows_that_measure_a_room_differently_agree_on_the_later_tenancy(
    ours: Importing,
) -> None:
    earlier = let("101", "A", "2024/1/1", "2025/12/31", status="退去済").replace("9.0", "9.9")
    report = ours.rent_roll(roll(let("101", "B", "2026/1/1"), earlier))
    assert ours.all_of(Unit)[0].size_centi_sqm == 900
    codes_of = [note.reason.code for note in report.rows[2].notes]
    assert "unit_fact_of_line" in codes_of


def test_the_refused_rows_of_merged_cells_name_their_building(ours: Importing) -> None:
    report = ours.rent_roll(sample("rent_roll_cp932.csv"))
    corrected = refused_csv(report, "ja").decode("utf-8-sig").replace("￥104,000", "104000")
    again = ours.rent_roll(corrected.encode())
    taken = [row.values for row in again.of(RecordOutcome.ACCEPTED)]
    assert [(one["building"], one["room"]) for one in taken] == [("ソレイユ星見台", "206")]


def test_refused_rows_sent_again_as_they_were_stay_refused_and_end_nobody(
    ours: Importing,
) -> None:
    report = ours.rent_roll(sample("rent_roll_cp932.csv"))
    before = held(ours)
    for language in ("ja", "en"):
        again = ours.rent_roll(refused_csv(report, language))
        # The row that is the same as another one is known by now; the others stay refused.
        assert again.counts["accepted"] == again.counts["changed"] == 0
        assert (again.counts["refused"], again.counts["unchanged"]) == (17, 1)
        assert "overlaps_stored" in codes(again)
    assert held(ours) == before


def test_a_corrected_row_cannot_put_somebody_out(ours: Importing) -> None:
    ours.rent_roll(roll(let("101", "A", "2026/1/1", "2027/12/31")))
    for rows in ([VACANT], [let("101", "B", "2026/10/1")]):
        correction = "行,理由," + HEADER + "".join(f"\r\n2,なし,{one}" for one in rows)
        assert codes(ours.rent_roll(correction.encode("cp932"))) == ["overlaps_stored"]
    assert held(ours) == {"A": (date(2026, 1, 1), None)}


def test_the_same_house_of_two_operators_stays_two_houses(
    ours: Importing, theirs: Importing
) -> None:
    ours.rent_roll(sample("rent_roll_cp932.csv"))
    theirs.units(sample("units_utf8.csv"))
    theirs.residents(sample("residents_utf8_bom.csv"))
    assert len(ours.all_of(Building)) == 5
    assert len(theirs.all_of(Building)) == 6
    assert theirs.all_of(ExternalBlock) == []
    assert ours.all_of(Reservation) == []
