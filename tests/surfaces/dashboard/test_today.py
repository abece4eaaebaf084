"""Today is a ranked list: what is due first, one act a line, twelve lines, by role."""

import re
from datetime import date

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import TaskState
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.dashboard.reservations.test_questions import asked
from tests.surfaces.dashboard.test_inbox_items import Post, post
from tests.upkeep.task_desk import added

__all__ = ["post"]

MOST_LINES = 12
MOST_QUESTIONS = 25


def lines_of(browser: Browser, path: str = "/?lang=en") -> list[str]:
    """Return the lines of the list as they are shown."""
    return re.findall(r'<li class="due-line.*?</li>', browser.get(path).text, re.DOTALL)


def test_nothing_with_a_zero_is_shown(stranger: Browser) -> None:
    shown = stranger.get("/?lang=en").text
    assert "Today&#39;s work" not in shown
    assert "Bank matching" not in shown.partition("<main")[2]


def test_housekeeping_sees_rooms_and_nobodys_money_or_name(housekeeper: Browser) -> None:
    shown = housekeeper.get("/?lang=en").text.partition("<main")[2]
    assert "Departure" in shown
    assert "Overdue" not in shown
    assert "Emma Wilson" not in shown
    assert 'class="figures"' not in shown


def test_figures_lead_to_the_pages_behind_them(office: Browser) -> None:
    shown = office.get("/?lang=en").text
    figures = re.search(r'<ul class="figures".*?</ul>', shown, re.DOTALL)
    assert figures is not None
    assert re.search(r'/chart">Occupied <b>\d+ of \d+</b>', figures[0])
    assert re.search(r'/billing">Months to bill <b>[^<]+</b>', figures[0])


def test_the_list_is_asked_for_alone_each_minute(office: Browser) -> None:
    part = office.block("/?lang=en").text
    assert part.lstrip().startswith('<div class="worklist" id="worklist"')
    assert "<h1" not in part


def test_going_back_asks_for_no_page_again_unless_it_shows_a_secret(operator: Browser) -> None:
    for path in ("/", "/reservations", "/arrears", "/search?q=x"):
        assert operator.get(path).headers["Cache-Control"] == "private, no-cache", path
    for path in ("/keys/new", "/integrations", "/me/second-factor", "/nowhere"):
        assert operator.get(path).headers["Cache-Control"] == "no-store", path


def test_at_most_twelve_lines_are_shown_each_part_among_them(
    operator: Browser, post: Post, database: Database, clock: FixedClock, cast: Cast
) -> None:
    for number in range(9):
        post.call(), post.mail(f"lost{number}@example.jp"), post.message(f"客 {number}")
        post.lead(f"応募 {number}"), post.order(f"A-{number}")
        added(database, clock, cast.sumida, due_on=clock.today(), opens_on=clock.today())
    shown = operator.get("/?lang=en").text
    assert len(lines_of(operator)) == MOST_LINES
    parts = re.findall(r'<h2 id="part-\d">([^<]+)</h2>', shown)
    assert parts[:2] == ["Due or waiting", "Today&#39;s work"]
    assert "Show all" in shown
    everything = operator.get("/?all=y&lang=en").text
    assert "Show all" not in everything
    for number in range(9):
        assert f"客 {number}" in everything
        assert f"lost{number}@example.jp" in everything


def test_what_failed_stands_before_who_waits_and_before_work(
    operator: Browser, post: Post, database: Database, clock: FixedClock, cast: Cast
) -> None:
    task_id = added(database, clock, cast.sumida, due_on=clock.today(), opens_on=clock.today())
    message_id, call_id = post.message(), post.call()
    shown = operator.get("/?lang=en").text.partition("<main")[2]
    places = [shown.index(one) for one in (f"call-{call_id}", message_id, task_id)]
    assert places == sorted(places)


def test_who_works_on_site_begins_and_ends_work_in_the_list_and_takes_it_back(
    housekeeper: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    late = added(
        database, clock, cast.sumida, due_on=date(2026, 11, 18), opens_on=date(2026, 11, 17)
    )
    line = next(line for line in lines_of(housekeeper) if late in line)
    assert "due-late" in line
    assert ">Start<" in line
    address = f"/tasks/{late}/moves?back=today"
    answer = housekeeper.post(address, {"state": TaskState.DOING, "moves": "0"})
    assert answer.location.endswith("/dashboard/sumida/")
    assert ">Done<" in next(line for line in lines_of(housekeeper) if late in line)
    housekeeper.post(address, {"state": TaskState.DONE, "moves": "1"})
    shown = housekeeper.get("/?lang=en").text
    undo = re.search(r'<form class="undo-bar".*?</form>', shown, re.DOTALL)
    assert undo is not None
    assert f'action="/dashboard/sumida/tasks/{late}/moves?back=today"' in undo[0]
    assert not [line for line in lines_of(housekeeper) if late in line]
    housekeeper.post(address, {"state": TaskState.DOING, "moves": "2"})
    assert [line for line in lines_of(housekeeper) if late in line]


def test_the_office_assigns_what_nobody_has_and_does_its_own(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, staff: Staff
) -> None:
    days = {"due_on": clock.today(), "opens_on": clock.today()}
    unclaimed = added(database, clock, cast.sumida, **days)
    own = added(database, clock, cast.sumida, assignee_id=staff.office_id, **days)
    lines = lines_of(office, "/?all=y&lang=en")
    assert ">Assign<" in next(line for line in lines if unclaimed in line)
    assert [">Start<" in line for line in lines if own in line] == [True], "one line a task"


def test_today_asks_as_often_for_much_as_for_little(
    operator: Browser, post: Post, database: Database, clock: FixedClock, cast: Cast
) -> None:
    post.message(), post.lead()
    operator.get("/")
    with asked() as few:
        operator.get("/")
    for number in range(8):
        post.lead(), post.order(f"A-{number}"), post.call(), post.message()
        added(database, clock, cast.sumida, due_on=clock.today(), opens_on=clock.today())
    with asked() as many:
        operator.get("/")
    assert len(many) == len(few) <= MOST_QUESTIONS
