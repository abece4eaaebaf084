"""Work in a cellar: pages open without a network, and every tap counts exactly once."""

import io
import re
from threading import Event
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect
from sqlalchemy import delete, select

from pms.access.models import AuthSession
from pms.foundation.work import Work
from pms.rules.enumerations import HoldReason, TaskState
from pms.upkeep.models import UpkeepPhoto
from pms.upkeep.moves import tick_item
from pms.upkeep.tasks import cancel_task
from tests.journeys.cellar import COPIES, SOON, Cellar, cellar, finish, posts_of, sign_in, sync_of
from tests.upkeep.task_desk import EVERYTHING, move, read

__all__ = ["cellar"]


def card_of(page: Page, task_id: str) -> Locator:
    return page.locator(f"#task-{task_id}")


def test_three_tasks_done_in_the_cellar_arrive_once(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    expect(sync_of(page)).to_have_text("All saved")
    cellar.context.set_offline(True)
    for number, task_id in enumerate(cellar.task_ids, start=1):
        finish(page, task_id)
        expect(sync_of(page)).to_have_text(f"Offline: {number} waiting")
    assert cellar.moves() == 0
    page.close()
    again = cellar.opened("/work")
    expect(again.locator(".offline-copy")).to_be_visible()
    expect(again.locator(".tap-waits")).to_have_count(3)
    # Not every browser tells a page opened anew that there is no network.
    expect(sync_of(again)).to_have_text(re.compile("^(Offline: )?3 waiting$"))
    posts = posts_of(again)
    cellar.context.set_offline(False)
    expect(sync_of(again)).to_have_text("All saved", timeout=SOON)
    assert len(posts) == 3
    assert cellar.moves() == 3
    assert {cellar.state(task_id) for task_id in cellar.task_ids} == {TaskState.DONE}


@pytest.mark.thorough("two tabs; one tab is quick")
def test_two_tabs_that_wait_send_each_tap_once(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    other = cellar.opened("/work")
    cellar.context.set_offline(True)
    for task_id in cellar.task_ids:
        finish(page, task_id)
    expect(sync_of(page)).to_have_text("Offline: 3 waiting")
    posts, others = posts_of(page), posts_of(other)
    cellar.context.set_offline(False)
    for tab in (page, other):
        expect(sync_of(tab)).to_have_text("All saved", timeout=SOON)
        # The one that sent nothing shows what the other sent.
        for task_id in cellar.task_ids:
            expect(card_of(tab, task_id)).to_have_attribute("data-state", "done")
    assert cellar.moves() == 3
    assert len(posts) + len(others) == 3


def test_a_tap_without_a_network_shows_on_the_card_and_can_be_undone(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    card = card_of(page, cellar.task_ids[0])
    finish(page, cellar.task_ids[0])
    expect(card.locator(".tap-waits")).to_contain_text("Done Waiting to be sent")
    expect(card).to_have_attribute("data-state", "done")
    expect(card.locator(f"#go-{cellar.task_ids[0]}")).to_have_count(0)
    # It is no failure: nothing says that a server does not answer.
    expect(page.locator("#status")).to_have_text("")
    page.close()
    again = cellar.opened("/work")
    card = card_of(again, cellar.task_ids[0])
    card.get_by_role("button", name="Undo").click()
    expect(card.locator(".tap-waits")).to_have_count(0)
    expect(card).to_have_attribute("data-state", "doing")
    expect(sync_of(again)).to_have_text(re.compile("All saved$"))
    cellar.context.set_offline(False)
    finish(again, cellar.task_ids[1])
    expect(sync_of(again)).to_have_text("All saved", timeout=SOON)
    assert cellar.state(cellar.task_ids[0]) is TaskState.DOING


def test_a_task_is_begun_and_finished_without_a_network_in_that_order(cellar: Cellar) -> None:
    task_id = cellar.task_ids[0]
    move_back(cellar, task_id)
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    card = card_of(page, task_id)
    finish(page, task_id)
    expect(card.locator(".tap-waits")).to_contain_text("In progress")
    expect(card).not_to_have_class(re.compile("is-new"))
    card.get_by_role("button", name="Done").click()
    expect(card.locator(".tap-waits")).to_contain_text("Done Waiting to be sent")
    expect(card.locator(".tap-waits")).to_have_count(1)
    posts = posts_of(page)
    cellar.context.set_offline(False)
    expect(sync_of(page)).to_have_text("All saved", timeout=SOON)
    steps = [step.state for step in read(cellar.database, cellar.house, task_id).steps]
    assert steps[:2] == [TaskState.DONE, TaskState.DOING]
    assert len(posts) == 2


def move_back(cellar: Cellar, task_id: str) -> None:
    """Have a task to do again, by whoever begun it."""
    actor = f"person/{cellar.staff.housekeeping_id}"
    with cellar.database.writing(cellar.house.workspace_id) as session:
        move(session, cellar.clock, task_id, TaskState.TODO, actor=actor)


def test_what_waits_is_listed_behind_the_mark_at_the_top(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    sync_of(page).click()
    listed = page.locator("#outbox li")
    expect(listed).to_contain_text("Waiting to be sent")
    expect(listed.get_by_role("link")).to_have_attribute(
        "href", f"{cellar.home}/tasks/{cellar.task_ids[0]}"
    )
    listed.get_by_role("button", name="Undo").click()
    expect(page.locator("#outbox")).to_contain_text("All your changes have been sent.")
    sync_of(page).click()
    expect(page.locator("#outbox")).to_be_hidden()


def test_the_task_page_shows_what_waits_too(cellar: Cellar) -> None:
    page = cellar.kept(f"/tasks/{cellar.task_ids[0]}")
    cellar.context.set_offline(True)
    page.locator(".task-steps").get_by_role("button", name="Done").click()
    expect(page.locator(".page-header .tag")).to_have_text("Done")
    expect(page.locator(".task-steps + .tap-waits")).to_contain_text("Waiting to be sent")
    page.locator(".task-steps + .tap-waits").get_by_role("button", name="Undo").click()
    expect(page.locator(".page-header .tag")).to_have_text("In progress")
    point = page.locator(".point").first
    point.click()
    expect(point).to_have_attribute("aria-pressed", "true")
    expect(point).to_contain_text("Waiting to be sent")
    # Tapped again it is as if it had not been tapped.
    point.click()
    expect(point).to_have_attribute("aria-pressed", "false")
    expect(sync_of(page)).to_have_text("Offline: All saved")


def test_today_tells_what_waits(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    day = cellar.kept("/")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    day.reload()
    line = day.locator(f"[data-line='{cellar.task_ids[0]}']")
    expect(line).to_contain_text("Done Waiting to be sent")
    expect(line.locator(".tag-info")).to_be_hidden()


def test_a_tap_that_may_have_arrived_is_undone_by_the_program(cellar: Cellar) -> None:
    page = cellar.opened("/work")
    cut: list[str] = []
    page.route("**/sync", lambda route: route.abort())
    page.route("**/moves*", lambda route: route.abort())
    page.on("requestfailed", lambda request: cut.append(request.method))
    finish(page, cellar.task_ids[0])
    card = card_of(page, cellar.task_ids[0])
    expect(card.locator(".tap-waits")).to_contain_text("Done Waiting to be sent")
    expect(page.locator("#status")).to_have_text("")
    card.get_by_role("button", name="Undo").click()
    expect(card).to_have_attribute("data-state", "doing")
    page.unroute("**/sync")
    with page.expect_response("**/sync/withdrawals", timeout=SOON) as answer:
        page.evaluate("dispatchEvent(new Event('focus'))")
    assert answer.value.json() == {"withdrawn": True}
    assert cut.count("POST") == 1
    assert cellar.moves() == 0


@pytest.mark.thorough("undone before it arrived is quick")
def test_who_undoes_what_had_arrived_is_told(cellar: Cellar) -> None:
    page = cellar.opened("/work")
    lost: list[str] = []
    page.route("**/sync", lambda route: route.abort())
    page.route("**/moves*", lambda route: lose(route, lost))
    finish(page, cellar.task_ids[0])
    card_of(page, cellar.task_ids[0]).get_by_role("button", name="Undo").click()
    page.unroute("**/sync")
    page.evaluate("dispatchEvent(new Event('focus'))")
    output = page.locator(".tap-met")
    expect(output).to_contain_text("It was sent before you undid it", timeout=SOON)
    output.get_by_role("button", name="Got it").click()
    expect(output).to_have_count(0)
    assert cellar.state(cellar.task_ids[0]) is TaskState.DONE


def lose(route: Route, lost: list[str]) -> None:
    """Let the first tap arrive, and nobody hear of it."""
    if lost:
        route.continue_()
        return
    lost.append(route.request.headers["idempotency-key"])
    route.fetch()
    route.abort()


def test_a_tap_whose_answer_is_lost_is_sent_again_and_counts_once(cellar: Cellar) -> None:
    page = cellar.opened("/work")
    lost: list[str] = []
    page.route("**/moves*", lambda route: lose(route, lost))
    posts = posts_of(page)
    finish(page, cellar.task_ids[0])
    expect(page.locator(f"#task-{cellar.task_ids[0]}")).to_have_attribute(
        "data-state", "done", timeout=SOON
    )
    expect(sync_of(page)).to_have_text("All saved", timeout=SOON)
    assert len(lost) == 1
    assert len(posts) == 2
    assert cellar.moves() == 1


@pytest.mark.thorough("as with a tap, whose answer is lost in a quick test")
def test_a_note_whose_answer_is_lost_is_written_once(cellar: Cellar) -> None:
    page = cellar.opened(f"/tasks/{cellar.task_ids[0]}")
    lost: list[str] = []
    page.route("**/notes", lambda route: lose(route, lost))
    page.locator("form[action$='/notes'] textarea").fill("窓の鍵が固い")
    page.locator("form[action$='/notes'] [type=submit]").click()
    expect(sync_of(page)).to_have_text("1 waiting")
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("#notes")).to_contain_text("窓の鍵が固い", timeout=SOON)
    expect(sync_of(page)).to_have_text("All saved")
    assert cellar.counted("task_note") == 1


def test_points_and_notes_of_a_task_wait_too(cellar: Cellar) -> None:
    page = cellar.kept(f"/tasks/{cellar.task_ids[0]}")
    cellar.context.set_offline(True)
    page.locator(".point").first.click()
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    page.locator("form[action$='/notes'] textarea").fill("電球が切れている")
    page.locator("form[action$='/notes'] [type=submit]").click()
    expect(sync_of(page)).to_have_text("Offline: 2 waiting")
    expect(page.locator(".tap-waits").last).to_contain_text("電球が切れている")
    cellar.context.set_offline(False)
    expect(sync_of(page)).to_have_text("All saved", timeout=SOON)
    expect(page.locator("#notes")).to_contain_text("電球が切れている")
    expect(page.locator(".point").first).to_have_attribute("aria-pressed", "true")
    assert cellar.counted("task_note") == 1


def picture() -> bytes:
    """A photo as a phone takes it."""
    made = io.BytesIO()
    Image.linear_gradient("L").resize((2400, 1800)).convert("RGB").save(made, "PNG")
    return made.getvalue()


@pytest.mark.thorough("scales large photos; notes and points wait alike")
def test_photos_wait_are_made_small_and_sent_one_by_one(cellar: Cellar) -> None:
    page = cellar.kept(f"/tasks/{cellar.task_ids[0]}")
    cellar.context.set_offline(True)
    files = [
        {"name": f"{name}.png", "mimeType": "image/png", "buffer": picture()}
        for name in ("door", "window")
    ]
    page.locator("form[action$='/photos'] input[type=file]").set_input_files(files)  # type: ignore[arg-type]  # plain mappings are what it takes
    page.locator("form[action$='/photos'] [type=submit]").click()
    expect(sync_of(page)).to_have_text("Offline: 2 waiting")
    expect(page.locator(".tap-waits")).to_have_count(2)
    page.close()
    taken: list[str] = []
    cellar.context.on("response", lambda each: taken.append(each.url))
    again = cellar.opened(f"/tasks/{cellar.task_ids[0]}")
    expect(sync_of(again)).to_have_text(re.compile("2 waiting$"))
    cellar.context.set_offline(False)
    expect(sync_of(again)).to_have_text("All saved", timeout=SOON)
    assert len([each for each in taken if each.endswith("/photos")]) == 2
    with cellar.database.reading(cellar.house.workspace_id) as session:
        sizes = session.execute(select(UpkeepPhoto.width, UpkeepPhoto.height)).all()
    assert [tuple(size) for size in sizes] == [(1600, 1200), (1600, 1200)]


def put_on_hold(cellar: Cellar, task_id: str) -> None:
    """The office has the task wait, while the phone is in the cellar."""
    office = f"person/{cellar.staff.office_id}"
    with cellar.database.writing(cellar.house.workspace_id) as session:
        move(
            session,
            cellar.clock,
            task_id,
            TaskState.ON_HOLD,
            actor=office,
            hold_reason=HoldReason.PARTS,
        )


def met(cellar: Cellar) -> Page:
    """A page on which a tap met what the office did meanwhile."""
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    put_on_hold(cellar, cellar.task_ids[0])
    cellar.context.set_offline(False)
    asked = card_of(page, cellar.task_ids[0]).locator(".tap-met")
    expect(asked).to_contain_text("A colleague changed this in the meantime", timeout=SOON)
    expect(asked.locator("dl > div").first).to_contain_text(re.compile(r"You \d\d:\d\dDone"))
    expect(asked.locator("dl > div").last).to_contain_text(
        re.compile("岡田 誠 .*On hold: Wait.* parts")
    )
    expect(sync_of(page)).to_have_text("1 to review")
    assert cellar.state(cellar.task_ids[0]) is TaskState.ON_HOLD
    return page


def test_what_another_did_meanwhile_is_shown_and_may_stay(cellar: Cellar) -> None:
    page = met(cellar)
    page.locator("main").get_by_role("button", name="Keep “On hold").click()
    expect(sync_of(page)).to_have_text("All saved", timeout=SOON)
    expect(page.locator(".tap-met")).to_have_count(0)
    assert cellar.state(cellar.task_ids[0]) is TaskState.ON_HOLD


def test_what_another_did_meanwhile_is_shown_and_may_be_changed(cellar: Cellar) -> None:
    page = met(cellar)
    page.get_by_role("button", name="Apply my change: Done").click()
    expect(sync_of(page)).to_have_text("All saved", timeout=SOON)
    assert cellar.state(cellar.task_ids[0]) is TaskState.DONE


def test_the_mark_at_the_top_leads_to_what_is_to_be_decided(cellar: Cellar) -> None:
    page = met(cellar)
    sync_of(page).click()
    expect(page.get_by_role("button", name="Apply my change: Done")).to_be_focused()
    # On a page that does not show the task the same question stands above all else.
    page.goto(f"{cellar.home}/work?kind=repair")
    expect(page.locator("#outbox .tap-met")).to_contain_text("On hold")
    page.locator("#outbox .tap-about a").click()
    expect(page.locator(".task-steps + .tap-met")).to_be_visible()


def test_a_conflict_of_a_tap_on_today_is_one_box_that_names_its_task(cellar: Cellar) -> None:
    page = cellar.kept("/")
    cellar.context.set_offline(True)
    line = page.locator(f"[data-line='{cellar.task_ids[0]}']")
    named = line.locator(".due-who a").inner_text()
    line.get_by_role("button", name="Done").click()
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    put_on_hold(cellar, cellar.task_ids[0])
    cellar.context.set_offline(False)
    expect(page.locator("#outbox .tap-about")).to_contain_text(named, timeout=SOON)
    expect(page.locator(".tap-met")).to_have_count(1)


def test_a_task_cancelled_meanwhile_leaves_one_choice(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    office = f"person/{cellar.staff.office_id}"
    with cellar.database.writing(cellar.house.workspace_id) as session:
        cancel_task(
            Work(session, cellar.clock, office),
            task_id=cellar.task_ids[0],
            reason="二重",
            visibility=EVERYTHING,
        )
    cellar.context.set_offline(False)
    asked = page.locator(".tap-met")
    expect(asked).to_contain_text("岡田 誠", timeout=SOON)
    expect(asked).to_contain_text("Cancelled")
    expect(asked.get_by_role("button", name="Apply my change")).to_have_count(0)
    asked.get_by_role("button", name="Keep “Cancelled”").click()
    expect(sync_of(page)).to_have_text("All saved")


def test_rework_is_on_the_card_on_today_and_on_the_task_with_its_points(cellar: Cellar) -> None:
    task_id = cellar.task_ids[0]
    points = read(cellar.database, cellar.house, task_id).points
    actor = f"person/{cellar.staff.housekeeping_id}"
    facts: dict[str, Any] = {"task_id": task_id, "visibility": EVERYTHING}
    with cellar.database.writing(cellar.house.workspace_id) as session:
        for point in points:
            tick_item(Work(session, cellar.clock, actor), item_id=point.id, is_ticked=True, **facts)
        move(session, cellar.clock, task_id, TaskState.DONE, actor=actor)
    sign_in(cellar, cellar.staff.office_id)
    office = cellar.opened(f"/tasks/{task_id}")
    office.get_by_label("What is missing").fill("鏡に水あとが残っています")
    office.locator(f"[name=failedPoints][value='{points[1].id}']").check()
    office.get_by_role("button", name="Send back").click()
    expect(office.locator(".page-header .tag")).to_have_text("To do")
    office.close()
    sign_in(cellar, cellar.staff.housekeeping_id)
    page = cellar.opened("/work")
    expect(card_of(page, task_id).locator(".task-rework")).to_have_text(
        "Sent back 鏡に水あとが残っています"
    )
    page.goto(f"{cellar.home}/")
    first = page.locator(f".due-line[data-line='{task_id}']")
    expect(first).to_have_attribute("data-line", task_id)
    expect(first).to_contain_text("鏡に水あとが残っています")
    first.get_by_role("link").first.click()
    asked = page.locator(".alert-warn", has_text="Sent back: please do this again")
    expect(asked).to_contain_text("鏡に水あとが残っています")
    again = page.locator(".point", has=page.locator(".point-again"))
    expect(again).to_have_count(1)
    expect(again).to_have_attribute("id", f"point-{points[1].id}")
    expect(page.locator(".point[aria-pressed=true]")).to_have_count(len(points) - 1)
    again.click()
    expect(page.locator(".point-again")).to_have_count(0)
    page.locator(".task-steps").get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    page.goto(f"{cellar.home}/work")
    expect(page.locator(".task-rework")).to_have_count(0)


def end_sessions(cellar: Cellar) -> None:
    with cellar.database.across_workspaces_writing() as session:
        session.execute(delete(AuthSession))


def test_taps_outlive_the_session_and_are_sent_after_signing_in(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    end_sessions(cellar)
    cellar.context.set_offline(False)
    page.get_by_role("link", name="Sign in to send your changes").click(timeout=SOON)
    expect(page).to_have_title("Sign in - Property Management Service")
    # The worker of the browser forgets them beside the page.
    page.wait_for_function(f"async () => (await ({COPIES})()).length === 0", timeout=SOON)
    assert cellar.moves() == 0
    sign_in(cellar, cellar.staff.housekeeping_id)
    with page.expect_response(lambda each: each.request.method == "POST", timeout=SOON):
        page.goto(f"{cellar.home}/work")
    expect(sync_of(page)).to_have_text("All saved", timeout=SOON)
    assert cellar.moves() == 1


def test_another_person_sends_nobodys_taps_and_opens_nobodys_copies(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    end_sessions(cellar)
    sign_in(cellar, cellar.staff.maintenance_id)
    cellar.context.set_offline(False)
    page.goto(f"{cellar.home}/tasks/{cellar.task_ids[0]}")
    page.goto(f"{cellar.home}/work")
    expect(sync_of(page)).to_have_text("All saved")
    kept = page.evaluate("caches.keys()")
    assert len([name for name in kept if name.startswith("pages ")]) <= 1
    assert cellar.moves() == 0


@pytest.mark.thorough("what another person finds is quick")
def test_signing_out_asks_first_and_then_leaves_nothing(cellar: Cellar) -> None:
    page = cellar.kept("/work")
    cellar.context.set_offline(True)
    finish(page, cellar.task_ids[0])
    expect(sync_of(page)).to_have_text("Offline: 1 waiting")
    # The program itself does not answer: the network is there, and the tap waits on.
    page.route("**/sync", lambda route: route.abort())
    cellar.context.set_offline(False)
    page.locator("[popovertarget=account]").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("main")).to_contain_text("1 change on this device has not been sent")
    page.get_by_role("button", name="Sign out without sending").click()
    expect(page).to_have_title("Sign in - Property Management Service")
    left = "async () => [(await caches.keys()).length, (await indexedDB.databases()).length]"
    assert page.evaluate(left) == [0, 0]
    assert cellar.moves() == 0


def test_pages_of_money_and_people_are_not_kept(cellar: Cellar) -> None:
    sign_in(cellar, cellar.staff.office_id)
    page = cellar.kept("/work")
    for path in ("/", "/reservations", "/billing", "/owners"):
        page.goto(f"{cellar.home}{path}")
    assert page.evaluate(COPIES) == ["/dashboard/offline", f"{cellar.home}/work"]
    cellar.context.set_offline(True)
    page.goto(f"{cellar.home}/reservations")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.locator("#copies a").click()
    expect(page.locator(".offline-copy")).to_be_visible()


@pytest.mark.thorough("waits for seconds")
def test_a_network_that_takes_longer_than_three_seconds_gives_way_to_the_copy(
    cellar: Cellar, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = Event()
    page = cellar.kept("/work")

    answer = cellar.app.wsgi_app

    def slow(environ: Any, start: Any) -> Any:
        if environ["PATH_INFO"].endswith("/work"):
            assert free.wait(timeout=30)
        return answer(environ, start)

    monkeypatch.setattr(cellar.app, "wsgi_app", slow)
    page.goto(f"{cellar.home}/work")
    expect(page.locator(".offline-copy")).to_be_visible()
    free.set()
    page.goto(f"{cellar.home}/work")
    expect(page.locator(".offline-copy")).to_be_hidden()
