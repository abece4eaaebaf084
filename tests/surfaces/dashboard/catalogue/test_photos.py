"""Photos are hung from a device, checked by what they hold, ordered, described, taken down."""

import io
import re

import pytest
from PIL import Image
from werkzeug.test import TestResponse

from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.sample_uploads import NO_PHOTOS, UPLOADS
from tests.staff import Browser
from tests.surfaces.dashboard.catalogue.forms import fields_of


@pytest.fixture
def page(cast: Cast) -> str:
    return f"/units/{cast.sumida.free_room_id}/photos"


def sent(browser: Browser, page: str, *names: str) -> TestResponse:
    files = [(io.BytesIO((UPLOADS / name).read_bytes()), name) for name in names]
    return browser.post(f"{page}?lang=en", {"photo": files}, content_type="multipart/form-data")


def hung(browser: Browser, page: str) -> list[str]:
    return re.findall(r"/photos/([0-9a-f]{32})/words", browser.get(page).text)


def test_photos_are_hung_upright_and_freed_of_their_place(
    office: Browser, page: str, settings: Settings, cast: Cast
) -> None:
    answer = sent(office, page, "room_rotated_gps.jpg", "floor_plan.png")
    assert answer.status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "2 photos added." in text
    first, second = hung(office, page)
    picture = office.client.get(f"/photos/{cast.sumida.slug}/{first}/1600.webp")
    with Image.open(io.BytesIO(picture.data)) as shown:
        assert shown.size == (600, 800)
        assert not shown.getexif()
        assert "exif" not in shown.info
    plan = office.client.get(f"/photos/{cast.sumida.slug}/{second}/800.webp")
    with Image.open(io.BytesIO(plan.data)) as shown:
        assert shown.size == (480, 320)


TOLD = {
    "truncated.jpg": "damaged",
    "sixty_four_megapixels.png": "8,000 × 8,000 pixels. At most 52,000,000",
    "empty.pdf": "bytes",
}


@pytest.mark.parametrize("name", NO_PHOTOS)
def test_what_is_no_photo_is_refused_and_nothing_of_the_lot_is_hung(
    office: Browser, page: str, name: str
) -> None:
    answer = sent(office, page, "floor_plan.png", name)
    assert answer.status_code == 422
    assert name in answer.text
    assert TOLD.get(name, "JPEG, PNG") in answer.text
    assert hung(office, page) == []


def test_a_telephones_own_kind_is_taken(office: Browser, page: str, cast: Cast) -> None:
    assert sent(office, page, "phone.heic").status_code == 303
    (photo_id,) = hung(office, page)
    picture = office.client.get(f"/photos/{cast.sumida.slug}/{photo_id}/1600.webp")
    with Image.open(io.BytesIO(picture.data)) as shown:
        assert (shown.format, shown.size) == ("WEBP", (640, 480))


def test_nothing_chosen_is_told(office: Browser, page: str) -> None:
    answer = office.post(f"{page}?lang=en", {})
    assert answer.status_code == 422
    assert "Choose a photo." in answer.text


def test_photos_move_one_place_at_a_time(office: Browser, page: str) -> None:
    sent(office, page, "room_rotated_gps.jpg", "floor_plan.png")
    first, second = hung(office, page)
    assert office.post(f"/photos/{first}/place", {"way": "later"}).status_code == 303
    assert hung(office, page) == [second, first]
    assert office.post(f"/photos/{first}/place", {"way": "sideways"}).status_code == 422


def test_a_photo_taken_down_can_be_hung_again(office: Browser, page: str) -> None:
    sent(office, page, "room_rotated_gps.jpg", "floor_plan.png")
    first, second = hung(office, page)
    assert office.post(f"/photos/{first}/removal").status_code == 303
    undo = office.get(f"{page}?lang=en").text
    assert f"/photos/{first}/return" in undo
    assert hung(office, page) == [second]
    assert office.post(f"/photos/{first}/return").status_code == 303
    assert hung(office, page) == [first, second]


def test_a_photo_is_described_and_two_descriptions_merge(
    office: Browser, operator: Browser, page: str
) -> None:
    sent(office, page, "floor_plan.png")
    (photo_id,) = hung(office, page)
    address = f"/photos/{photo_id}/words"
    mine = fields_of(office.get(address).text, address)
    operator.post(address, {**mine, "altJa": "間取り図"})
    assert office.post(address, {**mine, "altEn": "Floor plan"}).status_code == 303
    text = office.get(f"{page}?lang=en").text
    assert "Floor plan" in text
    clash = office.post(f"{address}?lang=en", {**mine, "altEn": "Plan"})
    assert clash.status_code == 422
    assert "Floor plan" in clash.text


def test_a_building_has_photos_too(office: Browser, cast: Cast) -> None:
    page = f"/buildings/{cast.sumida.building_id}/photos"
    assert hung(office, page) == [cast.sumida.photo_id]
    assert sent(office, page, "floor_plan.png").status_code == 303
    assert len(hung(office, page)) == 2


def test_photos_are_for_the_office(housekeeper: Browser, cast: Cast, page: str) -> None:
    assert sent(housekeeper, page, "floor_plan.png").status_code == 403
    assert housekeeper.post(f"/photos/{cast.sumida.photo_id}/removal").status_code == 403


def test_a_strangers_photo_is_none(office: Browser, cast: Cast) -> None:
    foreign = cast.minato.photo_id
    assert office.get(f"/photos/{foreign}/words").status_code == 404
    for verb in ("words", "place", "removal", "return"):
        assert office.post(f"/photos/{foreign}/{verb}", {"way": "later"}).status_code == 404
    page = f"/units/{cast.minato.free_room_id}/photos"
    assert sent(office, page, "floor_plan.png").status_code == 404
