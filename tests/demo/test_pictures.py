"""The illustrations: many, different, of one size, and described in both languages."""

import pytest
from PIL import ImageStat

from pms.catalogue.photo_sizes import WIDTHS
from pms.demo.houses import OPERATORS
from pms.demo.photographs import store_album
from pms.demo.pictures.album import PLANS, SCENES
from pms.foundation.database import Database
from pms.foundation.files import Files


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_is_a_full_and_coloured_picture(name: str) -> None:
    image = SCENES[name].image()
    assert (image.mode, image.size) == ("RGB", (1600, 1200))
    assert len(set(image.reduce(8).get_flattened_data())) > 200
    assert sum(ImageStat.Stat(image).stddev) > (30 if name in PLANS else 60)


def test_no_two_scenes_are_alike() -> None:
    seen = {scene.image().reduce(20).tobytes() for scene in SCENES.values()}
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
