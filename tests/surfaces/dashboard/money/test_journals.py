"""The accountant's month on the screen and as files."""

import csv
import io
import re
import zipfile

import pytest
from sqlalchemy import select

from pms.accounting.months import month_books
from pms.foundation import kept_figures
from pms.foundation.kept_figures import KeptFigure
from pms.foundation.versions import KeptAnswers
from pms.ledger.payment_plan import record_payment
from pms.rules.days import strict_day
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books


def _rows(browser: Browser, path: str) -> list[list[str]]:
    answer = browser.get(path)
    assert "attachment" in answer.headers["Content-Disposition"]
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def _fields(html: str) -> dict[str, str]:
    """The fields of the form as they are shown."""
    inputs = re.findall(r"<input [^>]*>", html)
    found = {}
    for one in inputs:
        name = re.search(r'name="(account|subAccount|tax|version)([^"]*)"', one)
        value = re.search(r'value="([^"]*)"', one)
        if name:
            found["".join(name.groups())] = value[1] if value else ""
    return found


def test_a_month_shows_totals_and_its_file_the_same(office: Browser, books: Books) -> None:
    found = books.ask(month_books, strict_day("2026-03-01"))
    assert found.journals
    shown = office.get("/reports/journals?month=2026-03").text
    assert f"¥{found.total_yen:,}" in shown
    rows = _rows(office, "/reports/journals/2026-03/plain.csv")
    assert sum(int(row[5] or 0) for row in rows[1:]) == found.total_yen
    assert sum(int(row[9] or 0) for row in rows[1:]) == found.total_yen
    assert office.get("/reports/journals/2026-03/yayoi.csv").data.decode("cp932")
    assert office.get("/reports/journals/2026-03/plain.xlsx").data[:2] == b"PK"
    assert office.get("/reports/journals/2026-03/excel.csv").status_code == 404
    assert office.get("/reports/journals/2026-13/plain.csv").status_code == 404


def test_a_page_shows_what_takes_long_as_it_was_before_a_change_and_says_so(
    office: Browser, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_figures, "LONG_SECONDS", 0)
    monkeypatch.setattr(kept_figures, "LONG_CPU_MS", 0)
    pages = (
        "/reports/journals?month=2026-03",
        "/reports/profit-and-loss?month=2026-03",
        "/reports/occupancy",
        "/billing",
        "/owner-statements/2026-03/publication",
    )
    notice = "Something has changed since."
    KeptAnswers.forget_all()
    assert not [path for path in pages if notice in office.get(path).text]
    before = books.ask(month_books, strict_day("2026-03-01")).total_yen
    books.do(
        record_payment,
        reservation_id=books.resident_id,
        amount_yen=1_234,
        received_on=strict_day("2026-03-05"),
    )
    now = books.ask(month_books, strict_day("2026-03-01")).total_yen
    assert now != before
    assert [path for path in pages if notice in office.get(path).text] == list(pages)
    shown = office.get(pages[0]).text
    assert f"¥{before:,}" in shown and f"¥{now:,}" not in shown
    rows = _rows(office, "/reports/journals/2026-03/plain.csv")
    assert sum(int(row[5] or 0) for row in rows[1:]) == now, "a file is always of now"
    calculated = office.get(f"{pages[0]}&now=1").text
    assert f"¥{now:,}" in calculated and notice not in calculated
    assert notice not in office.get(pages[0]).text


def test_a_page_stores_what_it_made_for_the_pages_of_other_processes(
    office: Browser, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_figures, "LONG_SECONDS", 0)
    KeptAnswers.forget_all()
    shown = office.get("/reports/journals?month=2026-03").text
    stored = books.ask(lambda session: session.scalars(select(KeptFigure.name)).all())
    assert "journals" in stored
    monkeypatch.setattr("pms.accounting.months.month_books", None)
    KeptAnswers.forget_all()
    totals = re.compile(r"¥[\d,]+")
    assert totals.findall(office.get("/reports/journals?month=2026-03").text) == totals.findall(
        shown
    )


def test_a_year_is_one_zip_with_each_month_as_its_own_file(operator: Browser, books: Books) -> None:
    year = "/reports/journal-years/2026"
    shown = operator.get("/reports/journals?month=2026-03&lang=en").text
    assert f"{operator.home}{year}/plain.zip" in shown
    for program in ("plain", "freee", "money_forward", "yayoi"):
        answer = operator.get(f"{year}/{program}.zip")
        assert answer.mimetype == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
            names = archive.namelist()
            month = f"journals-2026-03-{program}-open.csv"
            assert month in names
            content = operator.get(f"/reports/journals/2026-03/{program}.csv").data
            assert archive.read(month) == content
    found = books.ask(month_books, strict_day("2026-10-01"))
    seen = {"journals": str(len(found.journals)), "totalYen": str(found.total_yen)}
    assert operator.post("/reports/journals/2026-10/closing", seen).status_code == 303
    with zipfile.ZipFile(io.BytesIO(operator.get(f"{year}/plain.zip").data)) as archive:
        assert "journals-2026-03-plain.csv" in archive.namelist()
    for wrong in ("2026/excel", "1026/plain", "2031/plain"):
        assert operator.get(f"/reports/journal-years/{wrong}.zip").status_code == 404


def test_an_operator_closes_the_month_that_was_seen_and_opens_it_again(
    operator: Browser, books: Books
) -> None:
    found = books.ask(month_books, strict_day("2026-10-01"))
    seen = {"journals": str(len(found.journals)), "totalYen": str(found.total_yen)}
    wrong = operator.post("/reports/journals/2026-10/closing", {**seen, "totalYen": "1"})
    assert wrong.status_code == 422
    assert operator.post("/reports/journals/2026-10/closing", {}).status_code == 422
    before = operator.get("/reports/journals/2026-10/freee.csv").data
    assert operator.post("/reports/journals/2026-10/closing", seen).status_code == 303
    assert operator.get("/reports/journals/2026-10/freee.csv").data == before
    closing = books.ask(month_books, strict_day("2026-10-01")).closing
    again = f"/reports/closings/{closing.id}/reopening"
    assert operator.post(again, {"reason": ""}).status_code == 422
    assert operator.post(again, {"reason": "a bill was missing"}).status_code == 303
    assert operator.get(f"/reports/closings/{closing.id}/freee.csv").data == before


def test_the_office_looks_and_saves_files_but_closes_nothing(office: Browser, books: Books) -> None:
    assert office.get("/reports/journals").status_code == 200
    assert office.post("/reports/journals/2026-10/closing", {}).status_code == 403


def test_the_accounts_are_written_and_a_bad_name_is_refused(office: Browser, books: Books) -> None:
    shown = office.get("/reports/accounts")
    assert "預り敷金" in shown.text
    fields = _fields(shown.text)
    assert office.post("/reports/accounts", {**fields, "account.deposits": ""}).status_code == 422
    named = {**fields, "account.deposits": "預り保証金"}
    assert office.post("/reports/accounts", named).status_code == 303
    assert "預り保証金" in office.get("/reports/journals?month=2026-03").text
    assert office.post("/reports/accounts", named).status_code == 422, "an older version"


def test_the_page_asks_as_many_questions_for_a_full_month_as_for_an_empty_one(
    office: Browser, books: Books
) -> None:
    counts = []
    for month in ("2025-11", "2026-03"):
        with books.counted() as sent:
            office.get(f"/reports/journals?month={month}")
        counts.append(len(sent))
    assert counts[0] == counts[1]


def test_late_corrections_are_asked_for_only_where_a_closed_month_was_touched(
    operator: Browser, books: Books
) -> None:
    found = books.ask(month_books, strict_day("2026-10-01"))
    seen = {"journals": str(len(found.journals)), "totalYen": str(found.total_yen)}
    assert operator.post("/reports/journals/2026-10/closing", seen).status_code == 303
    asked = []
    for is_late in (False, True):
        with books.counted() as sent:
            operator.get("/reports/journals?month=2026-11")
        asked.append(len(sent))
        with books.counted() as sent:
            operator.get("/reports/journals?month=2026-11")
        assert len(sent) <= 7, "an unchanged month is read as it was kept"
        assert bool(books.ask(month_books, strict_day("2026-11-01")).late) is is_late
        late_on = strict_day("2026-10-30")
        payment = {"reservation_id": books.resident_id, "amount_yen": 1_000}
        books.do(record_payment, **payment, received_on=late_on)
    untouched, touched = asked
    assert untouched <= 25 < touched
    with books.counted() as sent:
        operator.get("/reports/journals?month=2026-10")
    assert len(sent) <= 7, "a closed month is read as it was kept"


def test_a_stranger_finds_no_journals_of_others(stranger: Browser, books: Books) -> None:
    assert "佐藤 花子" not in stranger.get("/reports/journals?month=2026-10").text
