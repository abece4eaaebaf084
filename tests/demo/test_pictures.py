"""The pictures of the demo: many, different, of one size, small, and described in both languages."""

import tomllib
from importlib.resources import files

from PIL import Image, ImageStat

from pms.catalogue.photo_sizes import WIDTHS
from pms.demo.operators import OPERATORS
from pms.demo.rows import SCENES, names_of, store_album
from pms.foundation.database import Database
from pms.foundation.files import Files
from tests.architecture.source_tree import ROOT

MOST_BYTES = 1_500_000
PLANS = names_of("plan")


def expect_full_and_coloured(name: str) -> Image.Image:
    image = SCENES[name].image()
    assert (image.mode, image.size) == ("RGB", (1600, 1200))
    small = image.reduce(8)
    assert len(set(small.get_flattened_data())) > 200, name
    assert sum(ImageStat.Stat(image).stddev) > (30 if name in PLANS else 60), name
    return small


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


def test_no_picture_lies_about_that_nobody_names_and_all_together_are_small() -> None:
    pictures = list((files("pms.demo") / "data" / "pictures").iterdir())
    assert {one.name for one in pictures} == {f"{name}.webp" for name in SCENES}
    assert sum(len(one.read_bytes()) for one in pictures) < MOST_BYTES


def test_every_file_of_the_demo_is_part_of_the_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = settings["tool"]["setuptools"]["package-data"]["pms.demo"]
    folder = ROOT / "pms" / "demo"
    packed = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    assert packed == {path for path in (folder / "data").rglob("*") if path.is_file()}
    assert {path.suffix for path in packed} == {".toml", ".csv", ".webp"}
