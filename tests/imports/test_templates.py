"""Each template of a sheet is read by the reader it is for, in both languages, without a question."""

from datetime import date

import pytest

from pms.arrivals.sheet_imports import sheet_template
from pms.arrivals.takeover.reading import read_takeover
from pms.bank.statement_files import read_bank_file
from tests.imports.conftest import Importing

LANGUAGES = ("ja", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_units_then_residents_are_imported_from_their_templates(
    ours: Importing, language: str
) -> None:
    for kind, read in (("units", ours.units), ("residents", ours.residents)):
        report = read(sheet_template(kind, language))
        assert report.counts["accepted"] == 1
        assert report.unread_columns == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rent_roll_is_imported_from_its_template(ours: Importing, language: str) -> None:
    ours.units(sheet_template("units", language))
    report = ours.rent_roll(sheet_template("rent_roll", language))
    assert report.counts["accepted"] == 1
    assert report.unread_columns == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_take_over_asks_nothing_about_its_template(language: str) -> None:
    read = read_takeover(sheet_template("takeover", language), "takeover.xlsx", date(2026, 11, 24))
    (tenancy,) = read.tenancies
    assert (tenancy.deposit_held, tenancy.monthly) == (68_000, 73_000)
    assert tenancy.billed_through == date(2026, 11, 30)
    assert (read.about_rows, read.about_the_file) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_statement_is_read_from_its_template(language: str) -> None:
    read = read_bank_file(sheet_template("payments", language), date(2026, 11, 24))
    (statement,) = read.statements
    (row,) = statement.rows
    assert (row.yen, row.booked_on) == (73_000, date(2026, 11, 24))
