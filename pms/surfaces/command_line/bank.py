"""`pms bank ...`: reads files of a bank and tells what their transfers pay."""

from pathlib import Path

import click

from pms.arrivals.sheets.encoding import MOST_BYTES
from pms.bank.match_file import answers, match_statements, read_book
from pms.bank.read_file import read_bank_file
from pms.foundation.clock import SystemClock
from pms.surfaces.command_line.import_listing import printable
from pms.surfaces.command_line.listing import as_json, json_text, show

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def bank() -> None:
    """Read statements of a bank and place their transfers."""


@bank.command("match")
@click.argument("file", type=_FILE)
@click.option("--residents", type=_FILE, required=True, help="The residents and bills, as JSON.")
@as_json
def match(file: Path, residents: Path, as_json: bool) -> None:
    """Tell what the transfers of a file pay, without any workspace; nothing is written."""
    found = read_bank_file(_bytes_of(file), SystemClock().today())
    matches = match_statements(found.statements, read_book(residents.read_bytes()))
    if as_json:
        click.echo(json_text(answers(matches)))
        return
    show(
        [
            {
                "number": one.row.number,
                "day": one.row.booked_on,
                "yen": one.row.yen,
                "payer": printable(one.row.payer),
                "verdict": one.verdict.value,
                "residents": one.person_ids,
                "because": one.payer_reason.value,
            }
            for one in matches
        ],
        as_json=False,
    )


def _bytes_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)
