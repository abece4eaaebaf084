"""The illustrations: many, different, of one size, and described in both languages."""

import pytest
from PIL import Image, ImageStat

from pms.catalogue.photo_sizes import WIDTHS
from pms.demo.houses import OPERATORS
from pms.demo.photographs import store_album
from pms.demo.pictures.album import FRONTS, HOMES, PLANS, SCENES, SHARED, WET_ROOMS
from pms.foundation.database import Database
from pms.foundation.files import Files

QUICK = [next(iter(scenes)) for scenes in (FRONTS, HOMES, SHARED, WET_ROOMS, PLANS)]


def expect_full_and_coloured(name: str) -> Image.Image:
    image = SCENES[name].image()
    assert (image.mode, image.size) == ("RGB", (1600, 1200))
    small = image.reduce(8)
    assert len(set(small.get_flattened_data())) > 200, name
    assert sum(ImageStat.Stat(image).stddev) > (30 if name in PLANS else 60), name
    return small


@pytest.mark.parametrize("name", QUICK)
def test_a_scene_is_a_full_and_coloured_picture(name: str) -> None:
    expect_full_and_coloured(name)


@pytest.mark.thorough("draws every scene; the quick tier draws one of each kind")
def test_every_scene_is_full_and_coloured_and_no_two_are_alike() -> None:
    seen = {expect_full_and_coloured(name).tobytes() for name in SCENES}
    assert len(seen) == len(SCENES) >= 24


def test_every_scene_is_described_in_both_languages() -> None:
    for scene in SCENES.values():
        assert scene.alt_ja
        assert not scene.alt_ja.isascii()
        assert scene.alt_en.isascii()


def test_every_house_shows_pictures_that_exist() -> None:
    shown = {name for operator in OPERATORS for house in operator.houses for name in house.pictures}
    assert shown <= set(SCENES)


def test_an_album_stores_every_width_of_its_scenes(database: Database) -> None:
    files = Files(database.settings)
    album = store_album(files, ["plan-room"])
    stored = album["plan-room"].files
    assert set(stored) == {str(width) for width in WIDTHS}
    assert all(files.get(key) for key in stored.values())
