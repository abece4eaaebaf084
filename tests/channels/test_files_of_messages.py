"""Files that came with messages: fetched later, checked by content, kept privately, or told why not."""

import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from PIL import Image

from pms.channels.inbox_items import fetch_again
from pms.channels.message_files import message_file
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.rules.enumerations import IntegrationKind
from pms.rules.message_words import NO_PROVIDER, TOO_LARGE, WebhookSource
from tests.channels.intake import Intake, line, line_event, whatsapp
from tests.sample_uploads import UPLOADS
from tests.servers.messengers import Messenger, open_messenger

LINE, WHATSAPP = WebhookSource.LINE, WebhookSource.WHATSAPP
LATER = timedelta(hours=1)
PHOTO = (UPLOADS / "room_rotated_gps.jpg").read_bytes()
PDF = (UPLOADS / "resume.pdf").read_bytes()


@pytest.fixture
def messenger() -> Iterator[Messenger]:
    """A provider that answers."""
    with open_messenger() as messenger:
        yield messenger


@pytest.fixture
def connected(ours: Intake, messenger: Messenger) -> Intake:
    """A workspace whose LINE and WhatsApp are connected."""
    ours.connect(IntegrationKind.LINE, messenger.address)
    ours.connect(IntegrationKind.WHATSAPP, messenger.address, "151847497418422")
    return ours


def line_file(kind: str, file_id: str, **more: Any) -> dict[str, Any]:
    message = {"type": kind, "id": file_id, "contentProvider": {"type": "line"}, **more}
    return line(line_event("U1", f"e-{file_id}", "message") | {"message": message})


def whatsapp_file(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    known = {"from": "819012345678", "id": "wamid.1", "timestamp": "1795143600"}
    return whatsapp([{**known, "type": kind, kind: given}])


def stored(intake: Intake, id_: str) -> bytes:
    with intake.database.reading(intake.house.workspace_id) as session:
        content = Files(intake.settings).get(message_file(session, id_).key)
    assert content is not None
    return content


def test_a_picture_of_line_is_made_anew_without_where_it_was_taken(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files["701"] = PHOTO
    [id_] = connected.delivered(LINE, line_file("image", "701"))
    assert connected.message(id_).media_key is None
    connected.works()
    assert messenger.asked[0].path == "/v2/bot/message/701/content"
    assert connected.message(id_).media_type == "image/webp"
    with Image.open(io.BytesIO(stored(connected, id_))) as picture:
        assert picture.format == "WEBP"
        assert not picture.getexif()


def test_a_picture_of_whatsapp_is_fetched_where_whatsapp_says_never_where_the_delivery_says(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files["1479537139650973"] = PHOTO
    [id_] = connected.sample(WHATSAPP, "02")
    connected.works()
    assert [one.path for one in messenger.asked] == [
        "/v23.0/1479537139650973",
        "/stored/1479537139650973",
    ]
    assert {one.headers["Authorization"] for one in messenger.asked} == {
        "Bearer a-token-of-the-provider"
    }
    assert connected.message(id_).media_type == "image/webp"


@pytest.mark.parametrize(
    "place",
    ["ftp://files.example/1", "http://10.0.0.1/1", "https://169.254.169.254/latest", "nowhere"],
)
def test_a_place_that_is_not_public_is_not_gone_to(
    connected: Intake, messenger: Messenger, place: str
) -> None:
    messenger.files["77"] = PHOTO
    messenger.file_address = place
    [id_] = connected.delivered(WHATSAPP, whatsapp_file("image", {"id": "77"}))
    connected.works()
    assert connected.message(id_).media_key is None
    assert connected.message(id_).media_failure
    assert len(messenger.asked) == 1


def test_a_pdf_is_known_by_its_content_and_anything_else_is_a_download(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files |= {"1": PDF, "2": b"MZ\x90 a program", "3": PHOTO}
    ids = [
        connected.delivered(LINE, line_file("file", number, fileName=name))[0]
        for number, name in (("1", "契約書.txt"), ("2", "setup.pdf"), ("3", "部屋.jpg"))
    ]
    connected.works()
    kinds = [connected.message(id_).media_type for id_ in ids]
    assert kinds == ["application/pdf", "application/octet-stream", "image/webp"]
    assert stored(connected, ids[0]) == PDF
    with connected.database.reading(connected.house.workspace_id) as session:
        files = [message_file(session, id_) for id_ in ids]
    assert [one.name for one in files] == ["契約書.txt", "setup.pdf", "部屋.jpg"]
    assert [one.is_picture for one in files] == [False, False, True]


@pytest.mark.parametrize("name", ["truncated.jpg", "html_renamed.jpg", "sixty_four_megapixels.png"])
@pytest.mark.parametrize("kind", ["image", "file"])
def test_a_picture_that_cannot_be_made_anew_is_not_kept_as_one(
    connected: Intake, messenger: Messenger, name: str, kind: str
) -> None:
    messenger.files["1"] = (UPLOADS / name).read_bytes()
    [id_] = connected.delivered(LINE, line_file(kind, "1", fileName=name))
    connected.works()
    message = connected.message(id_)
    if kind == "file" and name == "html_renamed.jpg":
        assert message.media_type == "application/octet-stream"
    else:
        assert message.media_key is None
        assert message.media_failure


def test_a_file_that_is_too_large_is_told_and_not_kept(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files["1"] = b"x" * (10 * 1024 * 1024 + 1)
    [id_] = connected.delivered(LINE, line_file("video", "1"))
    connected.works()
    assert connected.message(id_).media_failure == TOO_LARGE
    connected.works(LATER)
    assert messenger.paths("/content") == ["/v2/bot/message/1/content"]


def test_a_file_that_is_gone_is_told_and_can_be_asked_for_again(
    connected: Intake, messenger: Messenger, theirs: Intake
) -> None:
    [id_] = connected.delivered(LINE, line_file("image", "701"))
    connected.works()
    assert "404" in (connected.message(id_).media_failure or "")
    with pytest.raises(NotFound):
        theirs.do(fetch_again, message_id=id_)
    messenger.files["701"] = PHOTO
    connected.do(fetch_again, message_id=id_)
    connected.works()
    assert connected.message(id_).media_failure is None
    assert connected.message(id_).media_key is not None
    with pytest.raises(Refused):
        connected.do(fetch_again, message_id=id_)


def test_a_file_that_is_not_ready_yet_is_asked_for_again(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files["701"] = PHOTO
    [id_] = connected.delivered(LINE, line_file("image", "701"))
    messenger.next_answers = [(202, b""), (200, b"{}"), (500, b"")]
    for _ in range(3):
        connected.works(LATER)
    assert connected.message(id_).media_key is not None
    assert len(messenger.paths("/content")) == 3


def test_without_a_provider_the_reason_stands_with_the_message(ours: Intake) -> None:
    [id_] = ours.delivered(LINE, line_file("image", "701"))
    ours.works()
    assert ours.message(id_).media_failure == NO_PROVIDER


def test_the_file_of_what_was_taken_back_is_deleted(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files["701"] = PHOTO
    [id_] = connected.delivered(LINE, line_file("image", "701"))
    connected.works()
    key = connected.message(id_).media_key or ""
    assert Files(connected.settings).get(key) is not None
    unsend = line_event("U1", "back", "unsend") | {"unsend": {"messageId": "701"}}
    connected.delivered(LINE, line(unsend))
    with pytest.raises(NotFound):
        stored(connected, id_)
    connected.works()
    assert Files(connected.settings).get(key) is None


def test_what_is_taken_back_while_its_file_is_fetched_leaves_no_file(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.files["701"] = PHOTO
    connected.delivered(LINE, line_file("image", "701"))
    unsend = line_event("U1", "back", "unsend") | {"unsend": {"messageId": "701"}}
    connected.delivered(LINE, line(unsend))
    connected.works()
    assert messenger.paths("/content") == []
    assert not any(connected.settings.files_dir.rglob("*.webp"))


def test_a_file_of_another_workspace_is_nobodys_here(
    connected: Intake, theirs: Intake, messenger: Messenger
) -> None:
    messenger.files["701"] = PHOTO
    [id_] = connected.delivered(LINE, line_file("image", "701"))
    connected.works()
    for asked in (id_, "nothing"):
        with (
            theirs.database.reading(theirs.house.workspace_id) as session,
            pytest.raises(NotFound),
        ):
            message_file(session, asked)
