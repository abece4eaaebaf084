"""A picture is served under its workspace's slug, for ever, and under no other."""

import io

import pytest
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

from pms.catalogue.photo_sizes import WIDTHS, store_sizes
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from tests.cast import Cast, photo


@pytest.fixture
def photo_id(database: Database, cast: Cast) -> str:
    """A picture of Sumida's house whose files are stored."""
    files = Files(database.settings)
    sized = store_sizes(Image.new("RGB", (1600, 1200), "#2f7f93"), files)
    id_ = new_id()
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            photo(id=id_, building_id=cast.sumida.building_id, position=2, files=dict(sized.files))
        )
    return id_


def asked(client: FlaskClient, slug: str, photo_id: str, name: str, **given: str) -> TestResponse:
    return client.get(f"/photos/{slug}/{photo_id}/{name}", headers=given)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("suffix", "mimetype"), [("webp", "image/webp"), ("jpg", "image/jpeg")])
def test_every_size_is_served_for_ever(
    client: FlaskClient, photo_id: str, width: int, suffix: str, mimetype: str
) -> None:
    answer = asked(client, "sumida", photo_id, f"{width}.{suffix}")
    assert answer.status_code == 200
    assert answer.mimetype == mimetype
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Set-Cookie" not in answer.headers
    made = Image.open(io.BytesIO(answer.data))
    assert (made.get_format_mimetype(), made.width) == (mimetype, width)


@pytest.mark.parametrize("suffix", ["webp", "jpg"])
def test_what_is_held_already_is_not_sent_again(
    client: FlaskClient, photo_id: str, suffix: str
) -> None:
    first = asked(client, "sumida", photo_id, f"800.{suffix}")
    again = client.get(first.request.path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert "immutable" in again.headers["Cache-Control"]


def test_the_kinds_of_one_size_have_tags_of_their_own(client: FlaskClient, photo_id: str) -> None:
    names = ("800.webp", "800.jpg", "400.webp")
    tags = {asked(client, "sumida", photo_id, name).headers["ETag"] for name in names}
    assert len(tags) == len(names)


def test_another_workspace_does_not_have_it(client: FlaskClient, photo_id: str) -> None:
    assert asked(client, "minato", photo_id, "800.webp").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "801.webp",
        "0800.webp",
        "８００.webp",
        "800.png",
        "800",
        "800.webp.exe",
        "-800.webp",
        "800.WEBP",
    ],
)
def test_an_unknown_size_or_kind_is_not_found(
    client: FlaskClient, photo_id: str, name: str
) -> None:
    assert asked(client, "sumida", photo_id, name).status_code == 404


@pytest.mark.parametrize("slug", ["nobody", "%00", "su%00mida", "..", "%F0%9F%8F%A0", "a" * 3000])
def test_an_unknown_workspace_is_not_found(client: FlaskClient, photo_id: str, slug: str) -> None:
    assert asked(client, slug, photo_id, "800.webp").status_code == 404


@pytest.mark.parametrize("id_", ["0" * 32, "nothing", "%00", "0" * 31, "G" * 32, "..%2f..%2fetc"])
def test_an_unknown_picture_is_not_found(client: FlaskClient, photo_id: str, id_: str) -> None:
    assert asked(client, "sumida", id_, "800.webp").status_code == 404


def test_a_picture_whose_file_is_gone_is_not_found(client: FlaskClient, cast: Cast) -> None:
    for name in ("800.webp", "800.jpg"):
        assert asked(client, "sumida", cast.sumida.photo_id, name).status_code == 404


def test_a_picture_only_answers_to_being_read(client: FlaskClient, photo_id: str) -> None:
    path = f"/photos/sumida/{photo_id}/800.webp"
    assert client.head(path).status_code == 200
    assert client.post(path).status_code == 405
    assert client.delete(path).status_code == 405
