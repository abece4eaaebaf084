"""Owners' months are prepared, previewed and published, one or all, after a page that says so."""

from datetime import date

import pytest

from pms.foundation.runs import newest_run
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.rules.enumerations import RunKind
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_months import StatementState, owner_month
from tests.cast import building
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of
from tests.upkeep.works import Works

SEPTEMBER = date(2026, 9, 1)


def _path(books: Books, month: str = "2026-09") -> str:
    return f"/owner-statements/{month}/buildings/{books.house.building_id}"


def _month(books: Books) -> StatementState:
    found = books.ask(owner_month, books.house.building_id, SEPTEMBER, books.clock.today())
    return StatementState(found.state)


def _deduct(office: Browser, books: Books, **typed: str) -> int:
    fields = fields_of(office.get(_path(books)).text, "/deductions")
    usual = {"amountYen": "18,000", "labelJa": "共用部清掃", "deductedOn": "2026-09-10"}
    return office.post(f"{_path(books)}/deductions", fields | usual | typed).status_code


def test_the_list_shows_the_figures_of_the_ledger(office: Browser, books: Books) -> None:
    figures = books.ask(owner_figures, books.house.building_id, SEPTEMBER, books.clock.today())
    assert figures.income_yen == 465_000
    shown = office.get("/owner-statements?month=2026-09").text
    for yen in (figures.opening_yen, figures.income_yen, figures.closing_yen):
        assert f"¥{yen:,}" in shown


def test_a_deduction_is_posted_once_and_can_be_given_back(office: Browser, books: Books) -> None:
    fields = fields_of(office.get(_path(books)).text, "/deductions")
    typed = fields | {"amountYen": "18,000", "labelJa": "共用部清掃", "deductedOn": "2026-09-10"}
    answers = [office.post(f"{_path(books)}/deductions", typed).status_code for _ in range(3)]
    assert answers == [303, 422, 422]
    figures = books.ask(owner_figures, books.house.building_id, SEPTEMBER, books.clock.today())
    assert figures.deducted_yen == 18_000
    assert _deduct(office, books, kind="given_back", amountYen="3000") == 303
    figures = books.ask(owner_figures, books.house.building_id, SEPTEMBER, books.clock.today())
    assert figures.deducted_yen == 15_000


def test_a_deduction_of_a_coming_day_is_refused_with_what_was_typed(
    office: Browser, books: Books
) -> None:
    assert _deduct(office, books, deductedOn="2027-01-01") == 422
    assert _deduct(office, books, amountYen="1.5") == 422


def test_publishing_names_the_version_and_freezes_the_figures(
    office: Browser, books: Books
) -> None:
    check = office.get(f"{_path(books)}/publication?lang=en").text
    assert "version 1" in check
    assert office.post(f"{_path(books)}/publication").status_code == 303
    assert _month(books) is StatementState.PUBLISHED
    assert _deduct(office, books) == 303
    assert _month(books) is StatementState.CHANGED
    assert "tag-warn" in office.get("/owner-statements?month=2026-09").text
    assert office.post(f"{_path(books)}/publication").status_code == 303
    found = books.ask(owner_month, books.house.building_id, SEPTEMBER, books.clock.today())
    assert found.published is not None
    assert found.published.version == 2
    paper = office.get(f"/published-statements/{found.published.id}/paper")
    assert paper.data.startswith(b"%PDF")
    table = office.get(f"/published-statements/{found.published.id}.csv")
    assert "465000" in table.data.decode("utf-8-sig")


def test_a_month_that_runs_cannot_be_published_and_says_so(office: Browser, books: Books) -> None:
    path = _path(books, "2026-11")
    assert office.get(path).status_code == 200
    assert office.post(f"{path}/publication").status_code == 422


def test_a_month_that_is_none_is_not_found(office: Browser, books: Books) -> None:
    for month in ("2026-13", "soon", "2026-1"):
        assert office.get(_path(books, month)).status_code == 404
        assert office.get(f"/owner-statements/{month}/publication").status_code == 404


@pytest.fixture
def tools(books: Books) -> Tools:
    settings = books.database.settings
    return Tools(settings, books.database, books.clock, choose_postbox(settings))


def test_all_buildings_of_a_month_are_published_as_a_run(
    office: Browser, books: Books, tools: Tools
) -> None:
    with books.database.writing(books.house.workspace_id) as session:
        session.add(building(slug="no-owner", name="持ち主のない家", name_en=None))
    check = office.get("/owner-statements/2026-09/publication").text
    assert "持ち主のない家" in check
    started = office.post("/owner-statements/2026-09/publication")
    assert started.status_code == 303
    assert office.get(started.location.partition(office.home)[2]).status_code == 200
    do_asked_runs(tools)
    run = books.ask(newest_run, RunKind.PUBLISHING, "2026-09")
    assert run.finished_at is not None
    assert (run.done, run.problems, run.result["published"]) == (2, 1, 1)
    assert _month(books) is StatementState.PUBLISHED
    assert "持ち主のない家" in office.get(started.location.partition(office.home)[2]).text


def test_the_list_asks_as_much_of_nine_buildings_as_of_one(office: Browser, books: Books) -> None:
    with books.counted() as few:
        office.get("/owner-statements?month=2026-09")
    with books.database.writing(books.house.workspace_id) as session:
        for number in range(8):
            session.add(
                building(
                    slug=f"b-{number}",
                    name=f"家 {number}",
                    name_en=None,
                    owner_id=books.house.owner_id,
                )
            )
    with books.counted() as many:
        shown = office.get("/owner-statements?month=2026-09").text
    assert "家 7" in shown
    assert len(many) == len(few)


def _uncharged(books: Books) -> str:
    """A project of September whose cost nobody charged; its charges as a page would send them."""
    works = Works(books.database, books.clock, books.house)
    project_id = works.open("給湯器の交換")
    works.buy(project_id, 18_700, bought_on=date(2026, 9, 30))
    works.buy(project_id, 1_000, bought_on=date(2026, 10, 1))
    return project_id


def test_a_month_warns_of_cost_that_is_not_charged_wherever_it_is_decided(
    office: Browser, books: Books
) -> None:
    project_id = _uncharged(books)
    paths = (_path(books), f"{_path(books)}/publication", "/owner-statements/2026-09/publication")
    for path in paths:
        page = office.get(f"{path}?lang=en").text
        assert "PRJ-0001 給湯器の交換" in page
        assert f"/projects/{project_id}/charge" in page
        assert "¥18,700" in page
        assert "¥19,700" not in page, "what came later is of a later month"
    assert "not charged: ¥18,700" in office.get("/owner-statements?month=2026-09&lang=en").text
    assert "not charged" not in office.get("/owner-statements?month=2026-08&lang=en").text
    assert office.post(f"{_path(books)}/publication").status_code == 303, "it warns and no more"
    page = office.get(f"{_path(books)}?lang=en").text
    assert "PRJ-0001" not in page, "there is nothing to decide any more"


def test_one_tap_charges_all_into_the_month_and_it_is_published_with_it(
    office: Browser, books: Books
) -> None:
    project_id = _uncharged(books)
    path = f"{_path(books)}/charges"
    fields = fields_of(office.get(f"{_path(books)}/publication").text, "/charges")
    assert fields["charge"] == f"{project_id}:repair:18700"
    for wrong in ("", "x", f"{project_id}:rent:1", f"{project_id}:nothing:1"):
        assert office.post(path, fields | {"charge": wrong}).status_code == 422
    assert office.post(path, {}).status_code == 422
    assert [office.post(path, fields).status_code for _ in range(2)] == [303, 422]
    figures = books.ask(owner_figures, books.house.building_id, SEPTEMBER, books.clock.today())
    assert [(line.label_en, line.yen) for line in figures.deductions] == [
        ("Repairs: PRJ-0001 給湯器の交換", 18_700)
    ]
    assert office.post(f"{_path(books)}/publication").status_code == 303
    assert _month(books) is StatementState.PUBLISHED


def test_a_published_month_that_changed_offers_no_charge_into_it(
    office: Browser, books: Books
) -> None:
    fields = {"charge": f"{_uncharged(books)}:repair:18700"}
    assert office.post(f"{_path(books)}/publication").status_code == 303
    assert _deduct(office, books) == 303
    page = office.get(f"{_path(books)}/publication?lang=en").text
    assert "This month is closed" in page
    assert f"{_path(books)}/charges" not in page
    assert office.post(f"{_path(books)}/charges", fields).status_code == 422


def test_a_charge_into_the_month_of_no_building_is_not_found(office: Browser, books: Books) -> None:
    fields = {"charge": f"{_uncharged(books)}:repair:18700"}
    path = "/owner-statements/2026-09/buildings/foo/charges"
    assert office.post(path, fields).status_code == 404


def test_the_fee_of_a_month_follows_the_terms_that_the_office_agreed(
    office: Browser, books: Books
) -> None:
    path = f"/buildings/{books.house.building_id}/owner-terms"
    fields = fields_of(office.get(path).text, "/owner-terms")
    typed = fields | {"managementPercent": "5.5", "payoutDay": "31", "payoutAccount": "川 1234567"}
    for name, wrong in (
        ("fromOn", "2026-09-02"),
        ("managementPercent", "101"),
        ("payoutDay", "32"),
    ):
        answer = office.post(path, typed | {name: wrong})
        assert answer.status_code == 422
        assert f'id="{name}-error"' in answer.text
    assert office.post(path, typed | {"fromOn": "2026-09-01"}).status_code == 303
    other = office.post(f"{path}?lang=en", typed | {"managementPercent": "7"})
    assert other.status_code == 422, "a page opened before is refused"
    assert "This changed since you opened it" in other.text
    asked = books.house.building_id, SEPTEMBER, books.clock.today()
    september = books.ask(owner_figures, *asked)
    assert [line.yen for line in september.deductions] == [25_575], "5.5% of ¥465,000"
    assert september.payout_on == date(2026, 10, 30), "the last business day of the month"
    assert "川 1234567" in office.get(f"{_path(books)}/publication").text
    august = books.ask(owner_figures, books.house.building_id, date(2026, 8, 1), asked[2])
    assert august.deductions == ()
    assert "5.5%" in office.get(f"{path}?lang=en").text
