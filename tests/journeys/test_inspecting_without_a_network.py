"""A home inspected where there is no network: what is recorded waits on the phone and counts once."""

import io
import re
from datetime import timedelta

from PIL import Image
from playwright.sync_api import Page, Route, expect

from pms.departures.notices import file_notice
from pms.foundation.work import Work
from tests.journeys.cellar import SOON, Cellar, cellar, posts_of, sync_of
from tests.surfaces.dashboard.condition_records import sent_report

__all__ = ["cellar"]

RECORDED = ("inspected_room", "inspected_damage", "inspection_photo")


def leaving(cellar: Cellar) -> str:
    """Have the resident, who reported the kitchen on arrival, leave soon; return the page."""
    house, today = cellar.house, cellar.clock.today()
    sent_report(cellar.database, cellar.clock, house, today)
    with cellar.database.writing(house.workspace_id) as session:
        work = Work(session, cellar.clock, f"person/{cellar.staff.office_id}")
        leaves_on = today + timedelta(days=40)
        file_notice(work, reservation_id=house.resident_id, move_out_on=leaves_on)
    return f"/move-outs/{house.resident_id}"


def inspect_kitchen(page: Page) -> None:
    """Record what is worse in the kitchen, with a damage and a photo."""
    kitchen = page.locator("#place-kitchen")
    kitchen.locator("summary").first.click()
    kitchen.locator("form[action$='/kitchen'] textarea").fill("扉に穴")
    kitchen.get_by_label("Worse", exact=True).check()
    kitchen.get_by_role("button", name="Save place").click()
    kitchen.get_by_text("Add a damage").click()
    damage = kitchen.locator("form[action$='/damages']")
    damage.get_by_label("Description").fill("シンクのへこみ")
    damage.get_by_role("button").click()
    taken = io.BytesIO()
    Image.new("RGB", (640, 480), "tan").save(taken, "PNG")
    photo = {"name": "sink.png", "mimeType": "image/png", "buffer": taken.getvalue()}
    kitchen.locator("input[type=file]").set_input_files(photo)  # type: ignore[arg-type]  # a plain mapping is what it takes
    kitchen.get_by_role("button", name="Add photos").click()


def test_a_place_its_damage_and_its_photo_wait_and_arrive_once(cellar: Cellar) -> None:
    path = leaving(cellar)
    page = cellar.kept(path)
    expect(sync_of(page)).to_have_text("All saved")
    page.wait_for_function(
        "async () => (await Promise.all((await caches.keys()).filter((name) => name.endsWith('pictures'))"
        ".map(async (name) => (await (await caches.open(name)).keys()).length))).some(Boolean)"
    )
    cellar.context.set_offline(True)
    inspect_kitchen(page)
    expect(sync_of(page)).to_have_text("Offline: 3 waiting")
    assert [cellar.counted(table) for table in RECORDED] == [0, 0, 0]
    page.close()
    again = cellar.opened(path)
    expect(again.locator(".offline-copy")).to_be_visible()
    again.locator("#place-kitchen summary").first.click()
    expect(again.locator("#place-kitchen .tap-waits")).to_have_count(3)
    arrived = again.locator("#place-kitchen img").first
    assert arrived.evaluate("(photo) => photo.decode().then(() => photo.naturalWidth)") > 0
    posts, lost = posts_of(again), list[str]()

    def lose_first(route: Route) -> None:
        """Let the first one arrive, and nobody hear of it."""
        if not lost:
            lost.append(route.request.url)
            route.fetch()
            route.abort()
        else:
            route.continue_()

    again.route("**/rooms/**", lose_first)
    cellar.context.set_offline(False)
    expect(sync_of(again)).to_have_text(re.compile("All saved$"), timeout=SOON)
    kitchen = again.locator("#place-kitchen")
    expect(kitchen.locator(".tap-waits")).to_have_count(0, timeout=SOON)
    assert (len(lost), len(posts)) == (1, 4)
    assert [cellar.counted(table) for table in RECORDED] == [1, 1, 1]
    expect(kitchen).to_contain_text("シンクのへこみ")
