"""The pictures of the manual: there in both languages, compact, and described."""

import re

import pytest
from flask.testing import FlaskClient

from pms.surfaces.manual.contents import SLUGS
from pms.surfaces.manual.rendering import PICTURES, read_page
from tests.screens.manual_pictures import MOST_BYTES

_PICTURE = re.compile(r"!\[([^\]]+)\]\(/manual/pictures/(\w+)/([\w-]+)\.webp\)")


def pictures_of(language: str) -> list[tuple[str, ...]]:
    return [
        found.groups()
        for slug in SLUGS
        for found in _PICTURE.finditer(read_page(slug, language).source)
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_picture_is_shown_described_and_light(language: str) -> None:
    shown = pictures_of(language)
    assert {folder for _words, folder, _name in shown} == {language}
    stored = {path.stem: path.stat().st_size for path in (PICTURES / language).glob("*.webp")}
    assert {name for _words, _folder, name in shown} == stored.keys()
    assert max(stored.values()) <= MOST_BYTES


def test_a_picture_is_fetched_with_its_size(client: FlaskClient) -> None:
    page = client.get("/manual/moving-in?lang=en").text
    assert 'src="/manual/pictures/en/moving-in-check.webp"' in page
    assert 'width="1280" height="720"' in page
    answer = client.get("/manual/pictures/en/moving-in-check.webp")
    assert (answer.status_code, answer.content_type) == (200, "image/webp")
    answer.close()
    assert client.get("/manual/pictures/en/nothing.webp").status_code == 404


def test_programs_get_whole_addresses(client: FlaskClient) -> None:
    text = client.get("/manual/moving-in.md").text
    assert re.search(r"\]\(https?://[^/]+/manual/pictures/en/moving-in-check\.webp\)", text)
