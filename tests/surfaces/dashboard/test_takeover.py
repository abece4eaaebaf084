"""The pages of importing tenancies: choices refused in words, steps that save, a second file told before."""

import re
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select, update

from pms.arrivals.models import TakeoverRow
from pms.arrivals.takeover import reading, reading_process
from pms.catalogue.models import Building
from pms.foundation.database import Database
from tests.cast import Cast
from tests.staff import Browser

_ROLL = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,契約開始,賃料,敷金,滞納額\n" + "".join(
    f"{100 + number},住人 {number},2025/4/1,50000,50000,0\n" for number in range(1, 25)
)
_STEPS = ("/files", "/rooms", "/people", "/money", "/check")


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


_STRANGE = "一覧,,,,\nへやばん,だれ,いつから,おうちだい,あずかり\n101,山田 一,2025/4/1,50,100\n102,佐藤 二,2025/5/1,51,0\n"
_TOLD = {
    "sheet": "0",
    "header": "",
    "headerRow": "2",
    "meaning-0": "room",
    "meaning-1": "name",
    "meaning-2": "start",
    "meaning-3": "rent",
    "meaning-4": "depositHeld",
    "unit-3": "1000",
    "unit-4": "1000",
    "house": "コーポ桐",
    "billedThrough": "2026-11-30",
    "asOf": "2026-11-20",
}


def send_text(office: Browser, text: str, name: str = "strange.csv") -> str:
    answer = office.post("/takeover", {"file": (BytesIO(text.encode()), name)})
    assert answer.status_code == 303, answer.text
    return "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])


def test_a_sheet_with_unknown_heads_is_put_right_on_its_page(office: Browser) -> None:
    guide = send_text(office, _STRANGE)
    shown = office.get(f"{guide}/files?lang=en").text
    assert "No header row was found" in shown
    assert "Row 2 is the header row" in shown
    assert 'name="meaning-4"' in shown
    assert office.post(f"{guide}/files", _TOLD).status_code == 303
    rooms = office.get(f"{guide}/rooms").text
    for value in ("コーポ桐", "101", "50000", "51000"):
        assert f'value="{value}"' in rooms
    # The next file with the same head needs no choice, though it says nothing else.
    again = send_text(office, _STRANGE.replace("101,", "201,"), "next.csv")
    assert 'value="50000"' in office.get(f"{again}/rooms").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"meaning-3": "rent-ish"},
        {"unit-3": "12"},
        {"sign-3": "both"},
        {"days-2": "someday"},
        {"isRead": "perhaps"},
        {"direction": "sideways"},
        {"blocks": "everything"},
        {"blocks": "A1:B99"},
        {"headerRow": "77"},
        {"headerRow": "two"},
        {"confirmed": "no such question"},
    ],
)
def test_a_reading_that_is_not_offered_is_refused(office: Browser, wrong: dict[str, str]) -> None:
    guide = send_text(office, _STRANGE)
    answer = office.post(f"{guide}/files", _TOLD | wrong)
    assert answer.status_code == 422
    # What was typed is still there, and nothing of it was stored.
    assert 'value="コーポ桐"' in answer.text
    assert "No header row was found" in office.get(f"{guide}/files?lang=en").text


def test_the_last_day_billed_is_asked_and_never_filled_in(office: Browser) -> None:
    guide = send_text(
        office,
        "コーポ桐\n号室,氏名,契約開始,賃料,敷金,滞納額\n101,山田 一,2025/4/1,50000,50000,0\n",
    )
    field = re.search(r'<input[^>]*name="billedThrough"[^>]*>', office.get(f"{guide}/files").text)
    assert field is not None
    assert 'value=""' in field[0]
    sums = {"depositHeld": "50000", "unpaid": "0", "overpaid": "0", "live": "1"}
    refused = office.post(f"{guide}/check?lang=en", sums)
    assert refused.status_code == 422
    assert "Answer what is asked about the files first." in refused.text
    office.post(f"{guide}/files", {"asOf": "2026-11-20", "billedThrough": "2026-11-30"})
    assert office.post(f"{guide}/check", sums).status_code == 303


def test_each_file_is_asked_for_its_own_days(office: Browser) -> None:
    rows = "号室,氏名,契約開始,賃料,敷金\n101,山田 一,2025/4/1,50000,50000\n"
    files = [
        (BytesIO(f"{house}\n{rows}".encode()), f"{house}.csv") for house in ("コーポ桐", "コーポ梅")
    ]
    answer = office.post("/takeover", {"file": files})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    shown = office.get(f"{guide}/files?lang=ja").text
    assert re.findall(r"<legend>(.*?)</legend>", shown) == ["コーポ桐.csv", "コーポ梅.csv"]
    assert "コーポ梅.csv：いつ時点の入金状況" in shown
    first = {"asOf": "2026-11-20", "billedThrough": "2026-11-30"}
    second = {"asOf2": "2026-11-10", "billedThrough2": "2026-10-31"}
    office.post(f"{guide}/files", first)
    shown = office.get(f"{guide}/files?lang=ja").text
    assert shown.count("要回答") == 1
    office.post(f"{guide}/files", first | second)
    shown = office.get(f"{guide}/files?lang=ja").text
    assert "要回答" not in shown
    for name, day in (first | second).items():
        assert re.search(rf'<input[^>]*name="{name}"[^>]*value="{day}"', shown), name


def test_the_check_shows_a_bill_that_differs_and_folds_those_without_a_difference(
    office: Browser, guide: str
) -> None:
    office.post(f"{guide}/rooms", first_row(office, guide) | {"c-0-rent": "51000"})
    shown = office.get(f"{guide}/check?lang=en").text
    assert len(re.findall(r'name="word-\d+"', shown)) == 1
    assert re.search(
        r"<summary>\s*Bills of December 2026 without a difference: 23\s*</summary>", shown
    )


def test_the_check_asks_one_kind_of_question_once(office: Browser) -> None:
    rows = "".join(f"{100 + n},住人 {n},2025/4/1,50000,0,50000\n" for n in range(1, 4))
    head = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,契約開始,賃料,敷金,滞納額\n"
    answer = office.post("/takeover", {"file": [(BytesIO((head + rows).encode()), "owed.csv")]})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    shown = office.get(f"{guide}/check?lang=en").text
    (kind,) = re.findall(r'name="all" value="([^"]+)"', shown)
    assert "Take all 3 proposals" in shown
    sums = {"depositHeld": "0", "unpaid": "150000", "overpaid": "0"}
    assert office.post(f"{guide}/check", sums | {"all": kind}).status_code == 303
    answered = office.get(f"{guide}/check").text
    assert 'name="all"' not in answered
    assert 'value="150000"' in answered


def test_codes_explained_above_the_table_are_shown_and_one_press_answers_for_all_rows(
    office: Browser,
) -> None:
    rows = "".join(f"{100 + n},住人 {n},2025/4/1,50000,50000,0,1\n" for n in range(1, 4))
    file = (
        f"コーポ桐,2026/11/20現在,11月分請求済\n状態 1:契約中 2:空室\n"
        f"号室,氏名,契約開始,賃料,敷金,滞納額,状態\n{rows}201,,,50000,,,2\n"
    )
    answer = office.post("/takeover", {"file": [(BytesIO(file.encode()), "codes.csv")]})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    shown = office.get(f"{guide}/files?lang=ja").text
    assert "表に「状態 1:契約中 2:空室」とあります" in shown
    key = re.search(r'name="confirmed" value="(codes-[^"]+)"', shown)
    assert key is not None
    sums = {"depositHeld": "150000", "unpaid": "0", "overpaid": "0", "live": "1"}
    assert office.post(f"{guide}/check", sums).status_code == 422
    office.post(f"{guide}/files", {"confirmed": key[1]})
    assert office.post(f"{guide}/check", sums).status_code == 303


def test_the_reading_of_a_new_building_in_kanji_is_asked(
    office: Browser, database: Database, cast: Cast
) -> None:
    rows = "号室,氏名,契約開始,賃料,敷金\n101,山田 一,2025/4/1,50000,50000\n"
    file = (BytesIO(f"菊池荘\n{rows}".encode()), "kikuchi.csv")
    answer = office.post("/takeover", {"file": [file]})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    days = {"asOf": "2026-11-20", "billedThrough": "2026-11-30"}
    office.post(f"{guide}/files", days)
    assert "菊池荘の読み" in office.get(f"{guide}/check?lang=ja").text
    sums = {"depositHeld": "50000", "unpaid": "0", "overpaid": "0"}
    refused = office.post(f"{guide}/check?lang=en", sums | {"reading1": "菊池"})
    assert (refused.status_code, "a reading in hiragana or katakana" in refused.text) == (422, True)
    office.post(f"{guide}/check", sums | {"reading1": "きくちそう"})
    office.post(f"{guide}/files", days)
    assert 'value="キクチソウ"' in office.get(f"{guide}/check").text
    live = sums | {"reading1": "キクチソウ", "live": "1"}
    assert office.post(f"{guide}/check", live).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(Building.slug).where(Building.name == "菊池荘")) == "kikuchiso"


def test_days_that_the_file_states_are_left_to_the_file(office: Browser, guide: str) -> None:
    office.post(f"{guide}/files", {"asOf": "2026-11-20", "billedThrough": "2026-11-30"})
    shown = office.get(f"{guide}/files").text
    assert 'value="2026-11-30"' in shown


def test_the_sheets_of_a_workbook_are_pages_of_one_form(office: Browser) -> None:
    content = Path("tests/samples/takeover/share_house_monthly.xlsx").read_bytes()
    answer = office.post("/takeover", {"file": (BytesIO(content), "monthly.xlsx")})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    shown = office.get(f"{guide}/files?lang=en").text
    assert len(re.findall(r'name="toSheet"', shown)) == 4
    assert "Earlier month: only balances are read" in shown
    moved = office.post(f"{guide}/files", {"sheet": "0", "isRead": "no", "toSheet": "1"})
    assert "sheet=1" in moved.location
    assert "You chose not to read this sheet." in office.get(f"{guide}/files?sheet=0&lang=en").text


def test_a_reading_that_makes_too_many_rows_is_refused_and_a_stored_one_is_left_out(
    office: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "words,more\n" * 1_001 + "\n".join(_ROLL.splitlines()[1:])
    answer = office.post("/takeover", {"file": (BytesIO(text.encode()), "deep.csv")})
    guide = "/".join(urlsplit(answer.location).path.removeprefix(office.home).split("/")[:3])
    sent = {"sheet": "0", "isRead": "yes", "headerRow": "1002"}
    chosen = office.post(f"{guide}/files?lang=en", sent)
    assert chosen.status_code == 303, chosen.text
    assert "住人 3" in office.get(f"{guide}/people").text
    monkeypatch.setattr(reading, "MOST_ROWS", 23)
    assert "住人 3" not in office.get(f"{guide}/people").text
    again = office.post(f"{guide}/files?lang=en", sent)
    assert again.status_code == 422
    assert "at most 23 are imported at once" in again.text


def test_a_large_file_is_read_once_for_all_its_first_pages(
    office: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "MOST_READ_HERE", 0)
    reading_process._read_there.cache_clear()
    text = "号室,氏名,契約開始,賃料,敷金,滞納額\n101,住人,2025/4/1,50000,50000,0\n"
    answer = office.post("/takeover", {"file": (BytesIO(text.encode()), "no_days.csv")})
    shown = office.get(urlsplit(answer.location).path.removeprefix(office.home))
    assert shown.status_code == 200
    known = reading_process._read_there.cache_info()
    assert (known.misses, known.hits > 1) == (1, True)
