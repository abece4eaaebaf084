"""Records of a bank: read by their layout, or refused with the line, the byte and the field."""

from collections.abc import Callable

import pytest

from pms.rules.bank_records import (
    LAYOUTS,
    BankFileFault,
    FileKind,
    LayoutField,
    RecordFault,
    is_record_file,
    layouts_of,
    read_groups,
    write_record,
)

S, PAYOUT = FileKind.STATEMENT, FileKind.PAYOUT
HEADER: dict[str, str | int] = {
    "種別コード": "03",
    "コード区分": "0",
    "預金種目": "1",
    "口座番号": "1234567",
}
ROW: dict[str, str | int] = {"照会番号": "00000001", "入払区分": "1", "取引金額": 70000}


def records(**changed: dict[str, str | int]) -> list[bytes]:
    """A header, a row, a trailer and an end, with other values in some of them."""
    values: dict[str, dict[str, str | int]] = {"1": {**HEADER}, "2": {**ROW}, "8": {}, "9": {}}
    for place, more in changed.items():
        values[place.removeprefix("at_")] |= more
    return [write_record(S, place, one, 1) for place, one in values.items()]


def cells_of(record: bytes) -> bytes:
    """A record with its fields between commas."""
    layout = LAYOUTS[S, record[:1].decode()]
    return b",".join(record[one.start : one.start + one.length].strip() for one in layout)


def short_cells_of(record: bytes) -> bytes:
    """A record with its fields between commas, without what only fills it up."""
    layout = [one for one in LAYOUTS[S, record[:1].decode()] if not one.name.startswith("ダミー")]
    cells = b",".join(record[one.start : one.start + one.length].strip() for one in layout)
    return cells.rstrip(b",")


def refused(data: bytes) -> tuple[RecordFault, int, int, str, str | int, str | int]:
    with pytest.raises(BankFileFault) as refusal:
        read_groups(data)
    fault = refusal.value
    return fault.fault, fault.line, fault.byte, fault.field, fault.found, fault.wanted


def test_a_layout_puts_its_fields_one_behind_the_other() -> None:
    assert layouts_of("21 9 データ区分 N1, 件数 N12, ダミー C107") == {
        (PAYOUT, "9"): (
            LayoutField("データ区分", True, 1, 0),
            LayoutField("件数", True, 12, 1),
            LayoutField("ダミー", False, 107, 13),
        )
    }


def test_a_fault_without_a_place_names_none() -> None:
    fault = BankFileFault(RecordFault.TOTAL)
    assert (fault.line, fault.byte, fault.field) == (0, 0, "")


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (b"1030", True),
        (b"1,03,0", True),
        (b'"1","03","0"', True),
        (b"1210", True),
        (b"2030", False),
        (b"1990", False),
        (b"1\xb13", False),
        (b"2026/11/01", False),
        (b"", False),
    ],
)
def test_a_file_of_records_is_known_by_its_beginning(data: bytes, is_one: bool) -> None:
    assert is_record_file(data) is is_one
    if not is_one:
        assert refused(data)[:3] == (RecordFault.NO_HEADER, 1, 1)


JOINED: list[Callable[[list[bytes]], bytes]] = [
    b"\r\n".join,
    b"".join,
    lambda many: b"".join(many) + b"\x1a\x00",
    lambda many: b"\r".join(many) + b"\r\x1a ",
    lambda many: b"".join(many)[:-1] + b"X",
    lambda many: b"\n".join(map(cells_of, many)) + b"\r\n\x1a",
    lambda many: b"\r\n".join(map(short_cells_of, many)),
    lambda many: b"\r".join(cells_of(one).replace(b",", b"\t") for one in many),
    lambda many: b"\n".join(b'"' + cells_of(one).replace(b",", b'","') + b'"' for one in many),
]


@pytest.mark.parametrize("join", JOINED)
def test_records_are_the_same_whatever_stands_between_them(
    join: Callable[[list[bytes]], bytes],
) -> None:
    kind, (group,) = read_groups(join(records(at_2={"振込依頼人名": "XAVIER X"})))
    assert kind is S
    assert (group.header.fields["預金種目"], group.header.fields["口座番号"][-7:]) == (
        "1",
        "1234567",
    )
    (row,) = group.data
    assert (row.line, row.number("取引金額"), row.fields["振込依頼人名"]) == (2, 70000, "XAVIER X")
    assert group.trailer.line == 3


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda cells: cells + b",x", RecordFault.CELLS),
        (lambda cells: b'"' + cells.replace(b",", b'"x,', 1), RecordFault.QUOTES),
        (lambda cells: cells + b',"', RecordFault.QUOTES),
    ],
)
def test_cells_of_a_record_that_are_not_certain_are_refused(
    change: Callable[[bytes], bytes], fault: RecordFault
) -> None:
    header, row, *others = map(cells_of, records())
    assert refused(b"\n".join([header, change(row), *others]))[:2] == (fault, 2)


def test_a_blank_number_is_0() -> None:
    header, row, trailer, end = records()
    blank = trailer[:1] + b" " * 6 + trailer[7:]
    _, (group,) = read_groups(b"".join([header, row, blank, end]))
    assert group.trailer.number("入金件数") == 0


@pytest.mark.parametrize("cells", [False, True])
def test_a_record_that_is_none_names_its_line(cells: bool) -> None:
    def joined(many: list[bytes]) -> bytes:
        return b"\n".join(map(cells_of, many) if cells else many)

    header, row, trailer, end = records()
    data = joined([header, row, trailer, end])
    wanted = "1, 2, 8, 9"
    for place, found in ((b"\n3", "3"), (b"\n\xb1", "\ufffd")):
        refusal = refused(data.replace(b"\n2", place, 1))
        assert refusal == (RecordFault.ORDER, 2, 1, "データ区分", found, wanted)
    letter = joined([header, row[:1] + b"0000000A" + row[9:], trailer, end])
    assert refused(letter) == (RecordFault.NOT_DIGITS, 2, 2, "照会番号", "0000000A", "")
    ebcdic = joined(records(at_1={"コード区分": "1"}))
    assert refused(ebcdic) == (RecordFault.EBCDIC, 1, 4, "コード区分", "1", "0")


def test_records_in_another_order_are_refused() -> None:
    header, row, trailer, end = records()
    order, field = RecordFault.ORDER, "データ区分"
    assert refused(b"".join([header, header])) == (order, 2, 1, field, "1", "2, 8")
    assert refused(b"".join([header, end])) == (order, 2, 1, field, "9", "2, 8")
    assert refused(b"".join([header, trailer, row])) == (order, 3, 1, field, "2", "1, 9")
    assert refused(b"".join([header, trailer, end, end])) == (order, 4, 1, field, "9", "")
    assert refused(header) == (RecordFault.NOT_CLOSED, 1, 0, "", "", "9")
    assert refused(b"".join([header, row, trailer]))[:2] == (RecordFault.NOT_CLOSED, 3)
    _, groups = read_groups(b"".join([header, row, trailer, header, trailer, end]))
    assert [len(group.data) for group in groups] == [1, 0]


def test_a_record_of_another_length_is_refused_at_the_byte_where_it_ends() -> None:
    data = b"\n".join([*records()[:2], b"8" + b"0" * 50, b"9"])
    assert refused(data) == (RecordFault.LENGTH, 3, 52, "", 51, 200)


@pytest.mark.parametrize(("records_", "accounts"), [(5, 1), (4, 2)])
def test_an_end_counts_records_and_accounts_or_leaves_zeros(records_: int, accounts: int) -> None:
    many = records(at_9={"レコード総件数": records_, "口座数": accounts})
    fault, line, _, field, found, wanted = refused(b"".join(many))
    assert (fault, line) == (RecordFault.COUNT, 4)
    assert (field, found, wanted) == (
        ("レコード総件数", 5, 4) if records_ == 5 else ("口座数", 2, 1)
    )
    right = records(at_9={"レコード総件数": 4, "口座数": 1})
    assert len(read_groups(b"".join(right))[1]) == 1


def test_a_code_nobody_knows_names_those_that_are() -> None:
    _, (group,) = read_groups(b"".join(records(at_2={"入払区分": "3"})))
    with pytest.raises(BankFileFault) as refusal:
        group.data[0].one_of("入払区分", ("1", "2"))
    assert (refusal.value.found, refusal.value.wanted, refusal.value.byte) == ("3", "1, 2", 22)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("振込金額", "1" * 11, (RecordFault.TOO_LARGE, 7, 81, "1" * 11, 10)),
        ("振込金額", "12A", (RecordFault.NOT_DIGITS, 7, 81, "12A", 10)),
        ("振込金額", "１２", (RecordFault.NOT_DIGITS, 7, 81, "１２", 10)),
        ("受取人名", "山田", (RecordFault.LETTER, 7, 51, "山", "山田")),
        ("受取人名", "「ア」", (RecordFault.LETTER, 7, 51, "「", "「ア」")),
        ("被仕向銀行名", "ア (", (RecordFault.LETTER, 7, 6, " ", "ア (")),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_its_place(
    field: str, value: str, expected: tuple[RecordFault, int, int, str, str | int]
) -> None:
    with pytest.raises(BankFileFault) as refusal:
        write_record(PAYOUT, "2", {field: value}, 7)
    fault = refusal.value
    assert (fault.fault, fault.line, fault.byte, fault.found, fault.wanted) == expected
    assert fault.field == field


def test_a_message_may_hold_more_signs_than_a_name() -> None:
    for kind, field in ((S, "EDI情報"), (PAYOUT, "顧客コード1")):
        assert "｢ｱ｣/".encode("cp932") in write_record(kind, "2", {field: "「ア」/"}, 1)
