"""Lists are sorted by any column, exported as shown, and looked at as each person keeps it."""

import csv
import io
import re
import zipfile

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind
from pms.surfaces.dashboard.listing import LISTINGS
from pms.upkeep.tasks import WantedTask, add_task
from tests.cast import Cast
from tests.staff import Browser

_TITLE = re.compile(r'class="row-link" href="[^"]*">([^<]*)<')


def _names(browser: Browser, path: str) -> list[str]:
    return _TITLE.findall(browser.get(path).text)


def _head(browser: Browser, path: str) -> list[str]:
    return next(csv.reader(io.StringIO(browser.get(path).data.decode("utf-8-sig"))))


@pytest.mark.differs("sorting")
def test_every_list_is_sorted_by_each_of_its_columns_both_ways(office: Browser) -> None:
    for endpoint, listing in LISTINGS.items():
        address = _ADDRESSES[endpoint]
        usual = sorted(_names(office, address))
        for column in listing.columns:
            if column.is_sortable:
                for way in ("", "-"):
                    answer = office.get(f"{address}?sort={way}{column.key}&lang=en")
                    assert answer.status_code == 200, f"{endpoint} by {column.key}"
                    assert sorted(_TITLE.findall(answer.text)) == usual, f"{endpoint} {column.key}"
                    word = "descending" if way else "ascending"
                    is_shown = not usual or column.is_first_shown
                    assert (f'aria-sort="{word}"' in answer.text) == bool(usual and is_shown)


_ADDRESSES = {
    "arrears": "/arrears",
    "billing": "/billing",
    "bills": "/invoices",
    "payments": "/payments",
    "deposit_report": "/reports/deposits",
    "ending_terms": "/terms",
    "rent_proposals": "/rent-proposals",
    "enquiries": "/enquiries",
    "reservations": "/reservations",
    "task_list": "/task-list",
    "units": "/units",
}


def test_a_list_of_units_falls_from_the_highest_rent(office: Browser) -> None:
    rising = _names(office, "/units?sort=rent&excludeRecords=")
    kept = '<input type="hidden" name="sort" value="rent" form="filters">'
    assert kept in office.get("/units?sort=rent").text, "a filter would forget the order"
    assert len(rising) > 1
    assert _names(office, "/units?sort=-unit&excludeRecords=") == sorted(rising, reverse=True)


def test_an_order_nobody_knows_is_named_and_the_list_is_shown(office: Browser) -> None:
    shown = office.get("/units?lang=en&sort=best").text
    assert "sort: &#39;best&#39; is not possible. Choose unit, type, size" in shown
    assert "Kawasemi House 102" in shown


def test_a_file_holds_the_rows_and_columns_that_are_shown(office: Browser) -> None:
    asked = "/reservations?lang=en&columns=unit,phone&search=佐藤"
    table = office.get(f"{asked}&as=csv")
    assert table.mimetype == "text/csv"
    rows = list(csv.reader(io.StringIO(table.data.decode("utf-8-sig"))))
    assert rows[0] == ["Resident", "Unit", "Phone"]
    assert [row[0] for row in rows[1:]] == ["佐藤 花子"]
    book = office.get(f"{asked}&as=xlsx")
    with zipfile.ZipFile(io.BytesIO(book.data)) as parts:
        assert "佐藤 花子" in parts.read("xl/sharedStrings.xml").decode()


def test_a_day_is_a_day_in_a_workbook(office: Browser) -> None:
    book = office.get("/reservations?columns=start&as=xlsx&search=佐藤")
    with zipfile.ZipFile(io.BytesIO(book.data)) as parts:
        assert "yyyy/mm/dd" in parts.read("xl/styles.xml").decode()


def test_columns_are_kept_for_the_person_and_no_other(office: Browser, operator: Browser) -> None:
    given = {"listing": "reservations", "columns": ["email", "owed"], "rows": "100"}
    kept = office.post("/list-columns", {**given, "back": "lifecycle=living&columns=unit"})
    assert kept.status_code == 303
    assert kept.location.endswith("/reservations?lifecycle=living")
    assert _head(office, "/reservations?lang=en&as=csv") == ["Resident", "Email", "Balance due"]
    assert "Unit" in _head(operator, "/reservations?lang=en&as=csv")


def test_a_view_is_saved_with_its_address_and_shared_when_asked(
    office: Browser, operator: Browser
) -> None:
    saved = {"listing": "reservations", "back": "lifecycle=living&sort=-owed"}
    office.post("/list-views", {**saved, "title": "My living"})
    office.post("/list-views", {**saved, "title": "Our living", "shared": "y"})
    mine, theirs = office.get("/reservations").text, operator.get("/reservations").text
    assert "reservations?lifecycle=living&amp;sort=-owed" in mine
    assert "My living" in mine
    assert "My living" not in theirs
    assert "Our living" in theirs
    view = re.search(r"/list-views/(\w+)/removal", mine)
    assert view
    assert operator.post(f"/list-views/{view[1]}/removal").status_code == 404
    assert office.post(f"/list-views/{view[1]}/removal", saved).status_code == 303
    assert "My living" not in office.get("/reservations").text


def test_a_view_without_a_name_and_a_list_of_nobody_are_refused(
    office: Browser, housekeeper: Browser
) -> None:
    assert office.post("/list-views", {"listing": "reservations"}).status_code == 422
    for browser, name in ((office, "nothing"), (housekeeper, "arrears")):
        answer = browser.post("/list-views?lang=en", {"listing": name, "title": "x"})
        assert answer.status_code == 422
        assert name in answer.text


def test_selected_enquiries_are_assigned_at_once(office: Browser) -> None:
    for name in ("Ann", "Bob"):
        office.post(
            "/enquiries", {"name": name, "email": f"{name}@x.jp", "locale": "en", "source": "phone"}
        )
    page = office.get("/enquiries?lang=en").text
    ids = re.findall(r'name="enquiryIds" value="([^"]+)"', page)
    person = re.search(r'<option value="(\w{32})">', page.partition("list-acts")[2])
    assert len(ids) >= 2
    assert person
    given = {"enquiryIds": ids[:2], "assigneeId": person[1]}
    assert office.post("/enquiries/assignments", given).status_code == 303
    assert (
        len(re.findall(r'name="enquiryIds"', office.get(f"/enquiries?assigneeId={person[1]}").text))
        == 2
    )
    assert office.post("/enquiries/assignments", {"assigneeId": person[1]}).status_code == 422


def test_selected_tasks_are_assigned_at_once(
    office: Browser, housekeeper: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    wanted = WantedTask(kind=TaskKind.CLEANING, building_id=cast.sumida.building_id)
    with database.writing(cast.sumida.workspace_id) as session:
        for _ in range(2):
            add_task(Work(session, clock, "staff"), wanted=wanted)
    shown = office.get("/task-list?lang=en").text
    ids = re.findall(r'name="taskIds" value="([^"]+)"', shown)
    person = re.search(r'<option value="(\w{32})">([^<]+)', shown.partition("list-acts")[2])
    assert len(ids) == 2
    assert person
    given = {"taskIds": ids, "assigneeId": person[1]}
    assert office.post("/task-list/assignments", given).status_code == 303
    mine = office.get(f"/task-list?lang=en&personId={person[1]}&as=csv").data.decode("utf-8-sig")
    assert mine.count(person[2]) == 2
    assert office.post("/task-list/assignments", {"assigneeId": person[1]}).status_code == 422
    assert 'name="taskIds"' not in housekeeper.get("/task-list").text
