"""`pms import ...`: reads units, residents, rent rolls and calendars into one workspace."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from pms.arrivals.catalogue_imports import import_residents, import_units
from pms.arrivals.rent_roll_imports import import_rent_roll
from pms.arrivals.sheet_answers import COLUMNS_OF
from pms.arrivals.sheet_imports import ImportReport, RecordOutcome, refused_csv
from pms.arrivals.sheets.cells import MOST_ROWS
from pms.arrivals.sheets.reading import Limits
from pms.catalogue.calendar_feeds import read_calendar
from pms.catalogue.calendar_imports import import_calendar
from pms.catalogue.unit_calendars import feed_of_name, set_feed_window
from pms.catalogue.units import named_unit_id
from pms.foundation.work import Work
from pms.rules.enumerations import Locale, SheetKind, UnitType
from pms.sheets.tables import open_tables
from pms.surfaces.command_line.import_listing import (
    FILE,
    bytes_of,
    calendar_as_json,
    calendar_rows,
    calendar_summary,
    printable,
    sheet_as_json,
    sheet_rows,
    sheet_summary,
)
from pms.surfaces.command_line.listing import as_json, json_text, table
from pms.surfaces.command_line.workspace_access import ACTOR, command_clock, opened_database
from pms.workspaces.queries import workspace_id_of

Command = TypeVar("Command", bound=Callable[..., Any])
_EVERY_LINE: Final = range(1, 2**31)


_LEAVE_OUT: Final = "leave-out"
_WINDOW: Final = click.Choice(["hold", _LEAVE_OUT])


@click.group()
def imports() -> None:
    """Read sheets and calendars into a workspace.

    A run without --commit only tells what it would do; with it everything is written at once.
    Reading the same file again changes nothing. A sheet is CSV, TSV or an .xlsx workbook.
    """


def _add_import_options(command: Command) -> Command:
    """The file, the workspace and the options of every import."""
    for option in (
        click.argument("file", type=FILE),
        click.option("--workspace", "-w", "slug", required=True, help="The slug of the workspace."),
        click.option(
            "--commit", is_flag=True, help="Save the result; without it nothing is saved."
        ),
        click.option(
            "--language",
            type=click.Choice([locale.value for locale in Locale]),
            default=Locale.EN.value,
            help="The language of the reasons.",
        ),
        as_json,
    ):
        command = option(command)
    return command


def _sheet_options(command: Command) -> Command:
    """The further options of an import of a sheet."""
    for option in (
        click.option(
            "--refused",
            type=click.Path(dir_okay=False, writable=True, path_type=Path),
            help="Write refused rows to this CSV file, to correct and import again.",
        ),
        click.option(
            "--columns",
            multiple=True,
            metavar="COLUMN=TITLE",
            help="Map a column to a title of the sheet; repeatable. COLUMN= has none.",
        ),
        click.option("--sheet", default="", help="The sheet of a workbook to read."),
        click.option(
            "--confirm",
            "confirmed",
            type=int,
            multiple=True,
            metavar="LINE",
            help="Accept a line that needs review; repeatable.",
        ),
        click.option("--confirm-all", is_flag=True, help="Accept every line that needs review."),
        click.option("--most-rows", type=click.IntRange(1), default=MOST_ROWS, show_default=True),
    ):
        command = option(command)
    return command


@imports.command("units")
@_add_import_options
@_sheet_options
def units(slug: str, commit: bool, **value: Any) -> None:
    """Read a sheet of units."""
    tables = open_tables(bytes_of(value["file"]))
    with _open_work(slug, commit=commit) as work:
        report = import_units(
            work,
            tables,
            commit=commit,
            limits=_build_limits(SheetKind.UNITS, value),
        )
    _show_sheet(report, value)


@imports.command("residents")
@_add_import_options
@_sheet_options
def residents(slug: str, commit: bool, **value: Any) -> None:
    """Read a sheet of residents, owner residents and guests of existing units."""
    tables = open_tables(bytes_of(value["file"]))
    with _open_work(slug, commit=commit) as work:
        report = import_residents(
            work,
            tables,
            commit=commit,
            limits=_build_limits(SheetKind.RESIDENTS, value),
        )
    _show_sheet(report, value)


@imports.command("rent-roll")
@_add_import_options
@_sheet_options
@click.option(
    "--type",
    "unit_type",
    type=click.Choice([kind.value for kind in UnitType]),
    help="The type of new units; by default from their layout.",
)
def rent_roll(slug: str, commit: bool, unit_type: str | None, **value: Any) -> None:
    """Read a rent roll: its tenancies become external blocks, never reservations."""
    tables = open_tables(bytes_of(value["file"]))
    with _open_work(slug, commit=commit) as work:
        report = import_rent_roll(
            work,
            tables,
            commit=commit,
            unit_type=None if unit_type is None else UnitType(unit_type),
            limits=_build_limits(SheetKind.RENT_ROLL, value),
        )
    _show_sheet(report, value)


@imports.command("calendar")
@_add_import_options
@click.option("--unit", required=True, help="The slug of the unit, or its room with --building.")
@click.option("--building", help="The name of the building.")
@click.option("--feed", help="Distinguishes calendars of one unit; by default their producer.")
@click.option(
    "--window",
    type=_WINDOW,
    help="What happens to days the channel does not sell; by default as set for the calendar.",
)
def calendar(slug: str, commit: bool, **value: Any) -> None:
    """Read the calendar (.ics) of one unit from a channel."""
    read = read_calendar(bytes_of(value["file"]), command_clock().today())
    with _open_work(slug, commit=commit) as work:
        report = import_calendar(
            work,
            read,
            unit_id=named_unit_id(work.session, value["unit"], value["building"]),
            commit=commit,
            feed_name=value["feed"],
            leaves_out_window=value["window"] and value["window"] == _LEAVE_OUT,
        )
    if value["as_json"]:
        click.echo(json_text(calendar_as_json(report, value["language"])))
        return
    _show_table(calendar_rows(report, value["language"]))
    click.echo(calendar_summary(report))


@imports.command("calendar-window")
@click.argument("window", type=_WINDOW)
@click.option("--workspace", "-w", "slug", required=True, help="The slug of the workspace.")
@click.option("--unit", required=True, help="The slug of the unit, or its room with --building.")
@click.option("--building", help="The name of the building.")
@click.option("--feed", required=True, help="The name of the calendar.")
def calendar_window(slug: str, window: str, **value: Any) -> None:
    """Set whether a calendar holds days that the channel does not sell ("Not available")."""
    with _open_work(slug, commit=True) as work:
        unit_id = named_unit_id(work.session, value["unit"], value["building"])
        set_feed_window(
            work,
            feed_id=feed_of_name(work.session, unit_id, value["feed"]),
            leaves_out_window=window == _LEAVE_OUT,
        )
    click.echo(f"{printable(value['feed'])}: {window}.")


def _build_limits(kind: SheetKind, facts: dict[str, Any]) -> Limits:
    """How the sheet is to be read, by the options of the command."""
    columns = facts["columns"]
    titles: dict[str, str] = {}
    known = [column.key for column in COLUMNS_OF[kind]]
    for listed in columns:
        key, sign, title = listed.partition("=")
        if not sign or key.strip() not in known:
            wanted = f"wanted: COLUMN=TITLE with one of {', '.join(known)}"
            raise click.BadParameter(f"'{listed}'; {wanted}", param_hint="--columns")
        titles[key.strip()] = title.strip()
    return Limits(
        most_rows=facts["most_rows"],
        titles=titles,
        table=facts["sheet"],
        confirmed=_EVERY_LINE if facts["confirm_all"] else frozenset(facts["confirmed"]),
    )


@contextmanager
def _open_work(slug: str, *, commit: bool) -> Iterator[Work]:
    """The work of an import in the workspace; the session of a dry run cannot write."""
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            workspace_id = workspace_id_of(session, slug)
        opened = database.writing if commit else database.reading
        with opened(workspace_id) as session:
            yield Work(session, command_clock(), ACTOR)
        if commit:
            database.refresh_statistics()


def _show_sheet(report: ImportReport, facts: dict[str, Any]) -> None:
    language, path = facts["language"], facts["refused"]
    if path is not None and report.of(RecordOutcome.REFUSED):
        path.write_bytes(refused_csv(report, language))
    if facts["as_json"]:
        click.echo(json_text(sheet_as_json(report, language)))
        return
    _show_table(sheet_rows(report, language))
    click.echo(sheet_summary(report, language))
    if path is not None and report.of(RecordOutcome.REFUSED):
        click.echo(f"The refused rows are in {path}.")


def _show_table(rows: list[dict[str, Any]]) -> None:
    if rows:
        click.echo(table(rows))
        click.echo()
