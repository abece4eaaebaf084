"""The pages of importing tenancies: choices refused in words, steps that save, a second file told before."""

import re
from io import BytesIO
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from pms.arrivals.models import TakeoverRow
from pms.foundation.database import Database
from tests.cast import Cast
from tests.staff import Browser

_ROLL = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,契約開始,賃料,敷金,滞納額\n" + "".join(
    f"{100 + number},住人 {number},2025/4/1,50000,50000,0\n" for number in range(1, 25)
)
_STEPS = ("", "/rooms", "/people", "/money", "/check")


@pytest.fixture
def guide(office: Browser) -> str:
    """The address of a guide with 24 rows that need no answer."""
    return send(office)


def send(office: Browser, name: str = "roll.csv") -> str:
    answer = office.post("/takeover", {"file": (BytesIO(_ROLL.encode()), name)})
    assert answer.status_code == 303, answer.text
    path = urlsplit(answer.location).path.removeprefix(office.home)
    return "/".join(path.split("/")[:3])


def first_row(office: Browser, guide: str) -> dict[str, str]:
    found = re.search(r'name="at-0" value="([^"]+)"', office.get(f"{guide}/rooms").text)
    assert found is not None
    return {"at-0": found[1]}


def test_a_blank_state_is_refused_in_words_and_every_page_still_opens(
    office: Browser, guide: str
) -> None:
    answer = office.post(f"{guide}/rooms?lang=en", first_row(office, guide) | {"c-0-state": ""})
    assert answer.status_code == 422
    assert "Choose one of the statuses." in answer.text
    for step in _STEPS:
        assert office.get(guide + step).status_code == 200


def test_a_stored_state_that_is_none_stops_no_page_and_is_named(
    office: Browser, guide: str, database: Database, cast: Cast
) -> None:
    office.post(f"{guide}/rooms", first_row(office, guide) | {"c-0-rent": "51000"})
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(TakeoverRow).values(edits={"state": ""}))
    for step in _STEPS:
        assert office.get(guide + step).status_code == 200
    assert "cannot be used any more" in office.get(f"{guide}/rooms?lang=en").text


def test_what_a_page_does_not_offer_is_refused(office: Browser, guide: str) -> None:
    row = first_row(office, guide)
    for sent in (
        row | {"q-0-room_twice": "left"},
        {"at-0": "nowhere"},
        row | {"all": "deposit_missing"},
    ):
        assert office.post(f"{guide}/rooms", sent).status_code == 422
    assert office.post(f"{guide}/check", {"at-0": "nowhere", "word-0": "fine"}).status_code == 422


def test_every_way_on_saves_what_was_typed(office: Browser, guide: str) -> None:
    row = first_row(office, guide)
    answer = office.post(f"{guide}/rooms", row | {"c-0-rent": "51000", "to": "money"})
    assert urlsplit(answer.location).path.endswith("/money")
    assert 'value="51000"' in office.get(f"{guide}/rooms").text
    answer = office.post(f"{guide}/rooms", row | {"c-0-rent": "52000", "toPage": "2"})
    assert "page=2" in answer.location
    assert 'value="52000"' in office.get(f"{guide}/rooms").text
    answer = office.post(f"{guide}/check", {"depositHeld": "1200000", "to": "people"})
    assert urlsplit(answer.location).path.endswith("/people")
    assert 'value="1200000"' in office.get(f"{guide}/check").text


def test_the_steps_of_an_open_guide_are_buttons_of_its_form(office: Browser, guide: str) -> None:
    shown = office.get(f"{guide}/rooms").text
    assert 'form="grid" name="to" value="money"' in shown
    assert 'name="toPage" value="2"' in shown


def test_going_live_says_what_it_did_and_a_second_file_is_told_before(
    office: Browser, guide: str
) -> None:
    sums = {"depositHeld": "1200000", "unpaid": "0", "overpaid": "0", "live": "1"}
    refused = office.post(f"{guide}/check?lang=en", sums | {"depositHeld": "1100000"})
    assert refused.status_code == 422
    assert "deposits held are 1,200,000 yen in the rows and 1,100,000 yen" in refused.text
    assert office.post(f"{guide}/check", sums).status_code == 303
    done = office.get(f"{guide}?lang=en").text
    for words in ("¥1,200,000", "Tenancies taken over", "New rooms", "/deposits", "/arrears"):
        assert words in done
    again = send(office, "again.csv")
    for step in _STEPS[1:]:
        shown = office.get(f"{again}{step}?lang=en").text
        assert "24 tenancies of these files were taken over before." in shown
    assert "again.csv went live on" in shown
    refused = office.post(f"{again}/check?lang=en", sums)
    assert (refused.status_code, "here already" in refused.text) == (422, True)


def test_an_open_proposal_leads_to_its_row(office: Browser) -> None:
    roll = _ROLL.replace(
        "101,住人 1,2025/4/1,50000,50000,0", "101,住人 1,2025/4/1,50000,50000,50000"
    )
    answer = office.post("/takeover", {"file": (BytesIO(roll.encode()), "debts.csv")})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    found = re.search(r'href="([^"]+/money#row-(\d+))"', office.get(f"{guide}/check").text)
    assert found is not None
    assert f'id="row-{found[2]}"' in office.get(f"{guide}/money").text
