"""A resident reports a problem with pictures, follows the conversation, and opens it again."""

import io
import re
from datetime import date
from typing import Any

import pytest
from flask import Flask
from PIL import Image
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.inbox.models import Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, TicketSide
from pms.rules.resident_reports import telling_words
from pms.site.models import SiteConfiguration
from pms.upkeep.models import MaintenanceRequest, UpkeepPhoto
from pms.upkeep.tickets import answer_ticket, close_ticket
from tests.cast import Cast
from tests.sample_uploads import NO_PHOTOS, UPLOADS
from tests.staff import Browser

WORDS = "The kitchen tap has been dripping since Friday"


@pytest.fixture
def home(resident: Browser, cast: Cast) -> str:
    """The address of the tenancy; the resident reads English."""
    resident.get("/?lang=en")
    return f"/{cast.sumida.resident_id}"


def picture(name: str) -> tuple[io.BytesIO, str]:
    return (io.BytesIO((UPLOADS / name).read_bytes()), name)


def report(**more: Any) -> dict[str, Any]:
    return {"kind": "water", "what": WORDS, "mayEnter": "yes", "once": "one filling", **more}


def sent(resident: Browser, home: str, **fields: Any) -> TestResponse:
    multipart = {"content_type": "multipart/form-data"}
    return resident.post(f"{home}/report", report(**fields), **multipart)


def kept(answer: TestResponse) -> str:
    found = re.search(r'name="kept" type="hidden" value="([^"]*)"', answer.text)
    assert found
    return found[1]


def rows(database: Database, cast: Cast, model: Any) -> list[Any]:
    with database.reading(cast.sumida.workspace_id) as session:
        return list(session.scalars(select(model).order_by(model.id)))


def test_the_line_for_emergencies_has_the_numbers_to_call(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    shown = resident.get(f"{home}/report?lang=en").text
    assert '<a href="tel:119">119</a>' in shown
    with database.writing(cast.sumida.workspace_id) as session:
        session.scalars(select(SiteConfiguration)).one().contact_phone = "03-1234-5678"
    for language in ("en", "ja"):
        shown = resident.get(f"{home}/report?lang={language}").text
        assert '<a href="tel:0312345678">03-1234-5678</a>' in shown
        assert '<a href="tel:119">119</a>' in shown


def test_a_report_with_pictures_opens_its_conversation(
    app: Flask, resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    photos = [picture("room_rotated_gps.jpg"), picture("phone.heic")]
    answer = sent(resident, home, photo=photos)
    assert answer.status_code == 303, answer.text
    shown = resident.client.get(answer.location).text
    assert "Your report has been sent" in shown and WORDS in shown and "Water, drain" in shown
    (report,) = rows(database, cast, MaintenanceRequest)
    assert (report.reservation_id, report.unit_id) == (
        cast.sumida.resident_id,
        cast.sumida.residents_room_id,
    )
    assert report.may_enter is True
    assert report.reported_by == f"reservation/{cast.sumida.resident_id}"
    addresses = re.findall(r'src="([^"]+/photos/[^"]+/400)"', shown)
    assert len(addresses) == 2
    for stored in rows(database, cast, UpkeepPhoto):
        for key in stored.files.values():
            content = Files(database.settings).get(key)
            assert content and not dict(Image.open(io.BytesIO(content)).getexif())
    assert resident.client.get(addresses[0]).mimetype == "image/webp"


def test_the_same_filling_sent_twice_is_one_report(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    assert sent(resident, home, another="1").status_code == 303
    assert sent(resident, home, another="1").status_code == 303
    assert len(rows(database, cast, MaintenanceRequest)) == 1
    assert len(rows(database, cast, Ticket)) == 1


@pytest.mark.parametrize("name", NO_PHOTOS)
def test_a_file_that_is_no_picture_is_named_and_the_good_one_is_kept(
    resident: Browser, home: str, database: Database, cast: Cast, name: str
) -> None:
    answer = sent(resident, home, photo=[picture("floor_plan.png"), picture(name)])
    assert answer.status_code == 422
    assert f"{name}: " in answer.text and WORDS in answer.text
    assert "Photos kept: 1." in answer.text
    assert not rows(database, cast, MaintenanceRequest)
    assert sent(resident, home, kept=kept(answer)).status_code == 303
    assert len(rows(database, cast, UpkeepPhoto)) == 1


def test_pictures_stay_when_the_words_are_refused_and_a_forged_seal_holds_none(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    answer = sent(resident, home, what="", mayEnter="", photo=[picture("floor_plan.png")])
    assert answer.status_code == 422
    assert "Please fill this in." in answer.text
    assert sent(resident, home, kept=kept(answer) + "x").status_code == 303
    assert not rows(database, cast, UpkeepPhoto)


def test_what_was_told_already_is_suggested_and_another_problem_still_goes(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    sent(resident, home)
    again = {"what": "Water drips from the tap in the kitchen", "once": "another filling"}
    answer = sent(resident, home, photo=[picture("floor_plan.png")], **again)
    assert answer.status_code == 422
    assert "one of these already been reported?" in answer.text and again["what"] in answer.text
    assert len(rows(database, cast, MaintenanceRequest)) == 1
    answer = sent(resident, home, kept=kept(answer), another="1", **again)
    assert answer.status_code == 303
    assert len(rows(database, cast, MaintenanceRequest)) == 2
    assert len(rows(database, cast, UpkeepPhoto)) == 1
    unlike = {"what": "The bedroom window does not close", "once": "a third filling"}
    assert sent(resident, home, **unlike).status_code == 303


def test_words_that_tell_are_found_in_both_languages() -> None:
    assert telling_words("キッチンの蛇口から水漏れしています") == ("キッチン", "蛇口", "水漏")
    assert telling_words("The tap is dripping") == ("dripping",)
    assert telling_words("あ") == ()


@pytest.mark.parametrize(
    "ended",
    [
        (Lifecycle.MOVED_OUT, "This tenancy has ended"),
        (Lifecycle.CANCELLED, "This tenancy has ended"),
        (Lifecycle.CONFIRMED, "You have not moved in yet"),
    ],
)
def test_who_does_not_live_here_reports_nothing(
    resident: Browser,
    home: str,
    database: Database,
    cast: Cast,
    ended: tuple[Lifecycle, str],
) -> None:
    lifecycle, reason = ended
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.lifecycle = lifecycle
        row.move_in_date = date(2026, 12, 10)
    assert reason in resident.get(f"{home}/report").text
    assert sent(resident, home).status_code == 422
    assert not rows(database, cast, MaintenanceRequest)


def test_a_conversation_is_answered_closed_and_opened_again(
    resident: Browser, home: str, database: Database, cast: Cast, clock: FixedClock
) -> None:
    sent(resident, home)
    (ticket,) = rows(database, cast, Ticket)
    here = f"{home}/tickets/{ticket.id}"
    with database.writing(cast.sumida.workspace_id) as session:
        answer_ticket(
            Work(session, clock, "person/aoi"), ticket_id=ticket.id, text="We come on Monday."
        )
    assert "Please reply" in resident.get(f"{home}/tickets").text
    answer = {"text": "Fine, after ten.", "once": "an answer"}
    for _ in range(2):
        photo = {"photo": [picture("floor_plan.png")]}
        sent_back = resident.post(here, answer | photo, content_type="multipart/form-data")
        assert sent_back.status_code == 303
    page = resident.get(here).text
    assert page.count("Fine, after ten.") == 1 and page.count("<img") == 1
    assert "With the office" in page
    empty = resident.post(here, {"text": " ", "once": "b"})
    assert empty.status_code == 422
    with database.writing(cast.sumida.workspace_id) as session:
        close_ticket(Work(session, clock, "person/aoi"), ticket_id=ticket.id)
    assert resident.post(here, {"text": "Hello?", "once": "c"}).status_code == 422
    assert resident.post(f"{here}/reopening").status_code == 303
    (ticket,) = rows(database, cast, Ticket)
    assert (ticket.state, ticket.awaits) == ("open", TicketSide.STAFF)


def test_a_conversation_of_a_neighbour_is_not_there(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    sent(resident, home)
    (ticket,) = rows(database, cast, Ticket)
    (said, *_) = rows(database, cast, TicketMessage)
    with database.writing(cast.sumida.workspace_id) as session:
        session.get_one(
            Ticket, (cast.sumida.workspace_id, ticket.id)
        ).reservation_id = cast.sumida.owner_resident_id
    assert said.ticket_id == ticket.id
    for path in (f"{home}/tickets/{ticket.id}", f"{home}/tickets/{'0' * 32}"):
        assert resident.get(path).status_code == 404
        assert resident.post(path, {"text": "x"}).status_code == 404
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count(UpkeepPhoto.id))) == 0
