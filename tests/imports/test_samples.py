"""The sheets an operator sends are read as they are: every verdict, every value."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from pms.arrivals.sheet_imports import ImportReport, RecordOutcome
from tests.imports.conftest import Importing
from tests.imports.samples import expected, sample

pytestmark = pytest.mark.differs("bulk writing")

TAKEN = {"unit", "resident", "tenancy", "vacant"}


def _verdict(report: ImportReport, record: dict[str, Any]) -> None:
    row = report.rows[record["record"] - 1]
    assert (row.record, row.line) == (record["record"], record["line"])
    if record["verdict"] == "skip":
        assert row.verdict is RecordOutcome.PASSED_OVER, row
    elif record["verdict"] == "refuse":
        assert row.verdict is RecordOutcome.REFUSED, row
        assert row.problems[0].column == record["field"]
    else:
        assert row.verdict in (RecordOutcome.ACCEPTED, RecordOutcome.UNCHANGED), row
        assert row.makes == record["verdict"]
        assert values_of(row.values) == _wanted(record["values"])


def values_of(values: Any) -> dict[str, Any]:
    return {
        key: value.isoformat() if isinstance(value, date) else value
        for key, value in values.items()
    } | _size(values)


def _wanted(values: dict[str, Any]) -> dict[str, Any]:
    return values | _size(values)


def _size(values: Any) -> dict[str, Any]:
    """Sizes are the same figure, with one decimal or with two."""
    size = values.get("sizeSqm")
    return {} if size is None else {"sizeSqm": Decimal(size)}


def _check(report: ImportReport, name: str) -> None:
    records = expected(name)["records"]
    assert len(report.rows) == len(records)
    for record in records:
        _verdict(report, record)


def test_every_record_of_the_units_is_read_as_expected(ours: Importing) -> None:
    report = ours.units(sample("units_utf8.csv"))
    assert report.encoding == "utf-8"
    assert report.counts == {
        "accepted": 142,
        "changed": 0,
        "unchanged": 0,
        "refused": 8,
        "passed_over": 1,
    }
    _check(report, "units_utf8")


def test_every_record_of_the_residents_is_read_as_expected(ours: Importing) -> None:
    ours.units(sample("units_utf8.csv"))
    report = ours.residents(sample("residents_utf8_bom.csv"))
    assert report.encoding == "utf-8"
    assert report.counts == {
        "accepted": 135,
        "changed": 0,
        "unchanged": 0,
        "refused": 12,
        "passed_over": 1,
    }
    _check(report, "residents_utf8_bom")


def test_every_record_of_the_rent_roll_is_read_as_expected(ours: Importing) -> None:
    report = ours.rent_roll(sample("rent_roll_cp932.csv"))
    assert report.encoding == "cp932"
    assert report.counts == {
        "accepted": 68,
        "changed": 0,
        "unchanged": 0,
        "refused": 18,
        "passed_over": 13,
    }
    _check(report, "rent_roll_cp932")


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_reason_of_the_samples_has_words_in_both_languages(
    ours: Importing, language: str
) -> None:
    reports = [
        ours.units(sample("units_utf8.csv")),
        ours.residents(sample("residents_utf8_bom.csv")),
        ours.rent_roll(sample("rent_roll_cp932.csv")),
    ]
    for report in reports:
        for row in report.rows:
            for remark in (*row.problems, *row.notes):
                assert remark.say(language)
                assert "{" not in remark.say(language)


def test_a_second_run_of_every_sheet_changes_nothing(ours: Importing) -> None:
    for run, name in (
        (ours.units, "units_utf8.csv"),
        (ours.residents, "residents_utf8_bom.csv"),
        (ours.rent_roll, "rent_roll_cp932.csv"),
    ):
        first = run(sample(name))
        again = run(sample(name))
        assert again.counts["accepted"] == again.counts["changed"] == 0
        assert again.counts["unchanged"] == first.counts["accepted"]
        assert again.counts["refused"] == first.counts["refused"]
