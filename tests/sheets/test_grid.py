"""Any file of rows as a grid: places, broken rows, and cells that a spreadsheet changed."""

import pytest

from pms.sheets.grid import (
    Grid,
    RowFault,
    is_changed,
    is_repeated,
    read_grid,
    row_fault,
    usual_width,
)
from pms.sheets.tables import open_all_tables, open_tables
from pms.sheets.text_records import CellFault
from tests.imports.test_workbooks import row, workbook


def grid_of(data: bytes) -> Grid:
    return read_grid(open_tables(data)[0])


def faults_of(text: str) -> list[RowFault | None]:
    """The faults of the rows below the first one."""
    head, *rows = grid_of(text.encode()).rows
    usual = usual_width([head, *rows])
    return [row_fault(one, head, usual, is_text=True) for one in rows]


def test_a_row_with_broken_quotation_marks_keeps_its_cells_as_a_guess() -> None:
    grid = grid_of(b'a,b,c\n1,"x "y" z",3\n4,5,6\n')
    assert [one.is_broken for one in grid.rows] == [False, True, False]
    assert grid.rows[1].cells[0] == "1"
    assert grid.rows[1].cells[-1] == "3"
    assert grid.rows[2].cells == ("4", "5", "6")


def test_a_broken_record_of_several_lines_keeps_the_numbers_of_those_below() -> None:
    grid = grid_of(b'a,b\n1,"x\ny" z\n4,5\n')
    assert [(one.at, one.line) for one in grid.rows] == [
        ("record 1", 1),
        ("record 2", 2),
        ("record 3", 4),
    ]


def test_a_row_with_a_cell_too_many_or_too_few_is_found() -> None:
    assert faults_of("a,b,c\n1,2,3\n1,2,3,4\n1,2\n1,2,3\n") == [
        None,
        RowFault.TOO_MANY_CELLS,
        RowFault.TOO_FEW_CELLS,
        None,
    ]


def test_one_shifted_row_of_two_is_found_even_when_its_last_cell_is_blank() -> None:
    assert faults_of("a,b,c\n1,2,3\n1,70,000,\n") == [None, RowFault.TOO_MANY_CELLS]


def test_separators_at_the_end_of_every_line_shift_nothing() -> None:
    assert faults_of("a,b,c\n1,2,3,\n4,5,6,\n") == [None, None]


def test_lines_without_their_blank_last_cells_lack_nothing() -> None:
    assert faults_of("a,b,c\n1,2\n4,5\n4,5,6\n") == [None, None, None]


def test_a_filled_cell_beside_the_table_of_a_workbook_is_odd() -> None:
    head, *rows = grid_of(workbook(S=row(1, "a", "b") + row(2, 1, 2) + row(3, 1, 2, 3))).rows
    assert row_fault(rows[0], head, 3, is_text=False) is None
    # The sheet is three columns wide, so its head has a blank third cell; the room is what counts.
    assert rows[1].cells == ("1", "2", "3")


def test_a_head_that_is_repeated_on_a_printed_page_is_found() -> None:
    assert is_repeated(("a ", "b", ""), ("a", "b"))
    assert not is_repeated(("", ""), ("", ""))
    assert not is_repeated(("a", "c"), ("a", "b"))


def test_what_a_spreadsheet_made_of_a_cell_is_told() -> None:
    cells = ("<c t='b'><v>1</v></c>", "<c t='e'><v>#N/A</v></c>", "<c><f>SUM(A1)</f></c>")
    found = grid_of(workbook(S=row(1, "x", *cells))).rows[0]
    assert found.faults == {1: CellFault.TRUTH, 2: CellFault.ERROR, 3: CellFault.FORMULA}


def test_hidden_sheets_come_last_and_say_so() -> None:
    data = workbook(A=row(1, "x"), B=row(1, "y"))
    assert [table.is_hidden for table in open_all_tables(data)] == [False, False]
    hidden = data_with_hidden("A", data)
    assert [(table.name, table.is_hidden) for table in open_all_tables(hidden)] == [
        ("B", False),
        ("A", True),
    ]
    assert [table.name for table in open_tables(hidden)] == ["B"]


def data_with_hidden(name: str, data: bytes) -> bytes:
    """The workbook with a sheet hidden."""
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for part in old.namelist():
            content = old.read(part)
            if part == "xl/workbook.xml":
                wanted = f'<sheet name="{name}"'.encode()
                content = content.replace(wanted, wanted + b' state="hidden"')
            new.writestr(part, content)
    return made.getvalue()


@pytest.mark.parametrize(
    "name",
    ["1月2日", "2026/1/3", "2026-01-03", "TRUE", "#N/A", "2-Jan", "1:02", "1E+05", "=A1"],
)
def test_a_name_that_a_spreadsheet_made_is_known(name: str) -> None:
    assert is_changed(name)


@pytest.mark.parametrize("name", ["1-2", "101", "A-202", "2F", "1月", "True North", "イ", "3/4"])
def test_a_name_that_a_person_typed_is_none(name: str) -> None:
    assert not is_changed(name)
