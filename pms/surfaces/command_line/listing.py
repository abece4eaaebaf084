"""What commands read and print: typed days, months and amounts; rows as a table or as JSON."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, NoReturn

import click
import msgspec

from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.planned_entries import PlannedEntry, PlannedRow
from pms.ledger.repricing import OverridePlan, RepricedRow
from pms.rules.days import CorruptDay, month_last, strict_day
from pms.rules.yen import AmountProblem, RefusedAmount, read_percent, read_typed_amount

# Every listing command takes this option: `@as_json`, then `show(rows, as_json=as_json)`.
as_json: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON instead of a table."
)


def show(
    rows: Sequence[Mapping[str, Any]], *, as_json: bool, empty: str = "Nothing to list."
) -> None:
    """Print the rows; the columns are the keys of the first one."""
    if as_json:
        click.echo(json_text(rows))
    elif not rows:
        click.echo(empty)
    else:
        click.echo(table(rows))


def print_progress(done: int, of: int) -> None:
    """Print how much of a long work is done, apart from its result."""
    click.echo(f"{done} of {of}", err=True)


def json_text(value: Any) -> str:
    """Return the value as indented JSON, dates in ISO form."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows under their headings, aligned also where Japanese takes two cells."""
    headings = list(rows[0])
    lines = [headings, *([_write_cell(row.get(name)) for name in headings] for row in rows)]
    widths = [
        max(_measure_width(line[column]) for line in lines) for column in range(len(headings))
    ]
    return "\n".join(_write_line(line, widths) for line in lines)


def _write_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(str(part) for part in value)
    return str(value)


def _write_line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell + " " * (width - _measure_width(cell))
        for cell, width in zip(cells, widths, strict=True)
    )
    return "  ".join(padded).rstrip()


def _measure_width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


_YEN = "_yen"
Row = Mapping[str, Any]


def show_rows(rows: Sequence[Row], *, as_json: bool, empty: str = "Nothing to list.") -> None:
    """Print the rows; the columns are the keys of the first one."""
    if as_json:
        click.echo(json_text([_simplify_row(row) for row in rows]))
    else:
        click.echo(_write_table(rows) if rows else empty)


def show_record(facts: Row, *, as_json: bool, **lists: Sequence[Row]) -> None:
    """Print the facts of one record one below the other, and the lists that belong to it."""
    if as_json:
        shown_facts = {name: [_simplify_row(row) for row in rows] for name, rows in lists.items()}
        click.echo(json_text({**_simplify_row(facts), **shown_facts}))
        return
    shown = {name: value for name, value in facts.items() if value is not None}
    width = max(len(_write_heading(name)) for name in shown) + 2
    for name, value in shown.items():
        click.echo(f"{_write_heading(name):<{width}}{_written_value(name, value)}")
    for name, rows in lists.items():
        if rows:
            click.echo(f"\n{_write_heading(name).capitalize()}\n{_write_table(rows)}")


def _write_table(rows: Sequence[Row]) -> str:
    widths = {
        name: max(
            len(_write_heading(name)), *(len(_written_value(name, row[name])) for row in rows)
        )
        for name in rows[0]
        if name.endswith(_YEN)
    }
    return table([_align_cells(row, widths) for row in rows])


def _align_cells(row: Row, widths: Mapping[str, int]) -> dict[str, Any]:
    """The row as text, its amounts and their headings set to the right."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        width = widths.get(name, 0)
        cells[f"{_write_heading(name):>{width}}"] = f"{_written_value(name, value):>{width}}"
    return cells


def _write_heading(name: str) -> str:
    return name.removesuffix(_YEN).replace("_", " ")


def _written_value(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name.endswith(_YEN):
        return f"{value:,}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple) and not isinstance(value, Bilingual):
        return ", ".join(map(str, value))
    return str(_simplify_value(value))


def _simplify_row(row: Row) -> dict[str, Any]:
    return {name: _simplify_value(value) for name, value in row.items()}


def _simplify_value(value: Any) -> Any:
    if isinstance(value, Bilingual):
        return value.in_language("en")
    return value.text if isinstance(value, CorruptDay) else value


def invoice_lines(invoice: PlannedEntry | None) -> list[dict[str, Any]]:
    """The lines of an invoice, those of its rows first."""
    if invoice is None:
        return []
    lines = [line for row in invoice.rows for line in row.lines]
    return [
        {
            "item": line.words.label_en,
            "from": line.first_on,
            "through": line.last_on,
            "amount_yen": line.yen,
        }
        for line in (*lines, *invoice.lines)
    ]


def repriced_rows(rows: Iterable[RepricedRow]) -> list[dict[str, Any]]:
    """Rows of rent before and after an edit."""
    return [
        {
            "from": row.before.first_on,
            "through": row.before.last_on,
            "now_through": row.after.last_on,
            "change_yen": row.change_yen,
            "total_yen": row.total_yen,
        }
        for row in rows
    ]


def override_rows(rows: OverridePlan) -> list[dict[str, Any]]:
    """What corrected dates add, remove and reprice."""
    created = [row for entry in rows.created for row in entry.rows]
    voided = [standing.row for standing in rows.voided]
    repriced = [row for row in rows.repriced if row.change_yen]
    return [
        *(_build_planned_row("invoice", row) for row in rows.invoice),
        *(_build_planned_row("added", row) for row in created),
        *(_build_change_row("voided", row.first_on, row.last_on, None) for row in voided),
        *(_repriced_or_gone(row) for row in repriced),
    ]


def _repriced_or_gone(row: RepricedRow) -> dict[str, Any]:
    change = "repriced" if row.after.last_on else "removed"
    return _build_change_row(change, row.after.first_on, row.after.last_on, row.total_yen)


def _build_planned_row(change: str, planned: PlannedRow) -> dict[str, Any]:
    total = sum(line.yen for line in planned.lines)
    return _build_change_row(change, planned.row.first_on, planned.row.last_on, total)


def _build_change_row(
    change: str, first_on: date, last_on: date | None, total_yen: int | None
) -> dict[str, Any]:
    return {"change": change, "from": first_on, "through": last_on, "total_yen": total_yen}


_WHY = {
    AmountProblem.MISSING: "nothing was given",
    AmountProblem.NOT_AN_INTEGER: "it is not a number",
    AmountProblem.HAS_DECIMALS: "it has decimals",
    AmountProblem.HAS_SIGN: "it has a sign",
    AmountProblem.HAS_CURRENCY_SIGN: "it has a currency sign",
    AmountProblem.MISPLACED_COMMA: "a comma is in the wrong place",
    AmountProblem.TOO_SMALL: "it is too small",
    AmountProblem.TOO_LARGE: "it is too large",
}


class _Typed(click.ParamType[Any]):
    """A value whose refusal names the option; click's own would print the usage besides."""

    def refuse(self, param: click.Parameter | None, text: str, why: str) -> NoReturn:
        name = param.opts[0] if param is not None and param.opts else self.name
        raise Refused(f"{name}: '{text[:60]}' is not possible: {why}.")


class DayParameter(_Typed):
    """A day written YYYY-MM-DD."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        day = strict_day(str(value))
        return day or self.refuse(param, str(value), "a day is written like 2026-07-16")


class Month(_Typed):
    """A month written YYYY-MM, read as its last day."""

    name = "month"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        first_on = strict_day(f"{value}-01")
        if first_on is None:
            self.refuse(param, str(value), "a month is written like 2026-07")
        return month_last(first_on)


class Yen(_Typed):
    """Whole yen, with or without commas, in half or full width."""

    name = "yen"

    def __init__(self, minimum_yen: int = 0) -> None:
        self._minimum_yen = minimum_yen

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        reading = read_typed_amount(str(value), self._minimum_yen)
        if isinstance(reading, RefusedAmount):
            why = f"{_WHY[reading.problem]}. Enter whole yen like 93,000"
            self.refuse(param, str(value), why)
        return reading.yen


class Percent(_Typed):
    """An exact percentage from 0 to 100."""

    name = "percent"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        percent = value if isinstance(value, Decimal) else read_percent(str(value))
        if percent is None:
            self.refuse(param, str(value), "enter 0 to 100, such as 5 or 2.75")
        return percent


DAY, MONTH, YEN, PERCENT = DayParameter(), Month(), Yen(), Percent()
POSITIVE_YEN = Yen(minimum_yen=1)


def values(words: type[StrEnum]) -> list[str]:
    """Return the words a choice is made from; click itself would offer their names in Python."""
    return [word.value for word in words]
