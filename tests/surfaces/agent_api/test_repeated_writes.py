"""A write that names itself acts once: whoever sends it again is told what was told first."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.idempotency import FirstAnswer
from pms.foundation.settings import Settings
from pms.inbox.models import Enquiry
from pms.jobs.worker import TIMETABLE
from pms.reservations.models import Reservation
from pms.surfaces.agent_api.gate import NAMED_BY, REPLAYED
from tests.cast import Cast, House
from tests.jobs.test_daily_jobs import tools_of
from tests.surfaces.agent_api.asking import EVERYTHING_ELSE, Asker, asker, error_of
from tests.surfaces.agent_api.bodies import ENQUIRY, check_in, rows

pytestmark = pytest.mark.differs("constraints")

AGAIN = {NAMED_BY: "order-1"}
ALL_AT_ONCE = 6


def how_many(database: Database, house: House, table: type[Any] = Enquiry) -> int:
    with database.reading(house.workspace_id) as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_without_a_name_every_success_makes_another_record(
    website: Asker, database: Database, cast: Cast
) -> None:
    before = how_many(database, cast.sumida)
    body = [website.created("/inquiries", ENQUIRY)["id"] for _ in range(3)]
    assert len(set(body)) == 3
    assert how_many(database, cast.sumida) == before + 3


def test_the_same_name_and_body_are_told_the_first_answer(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    first = website.post("/inquiries", ENQUIRY, headers=AGAIN)
    after = rows(database)
    clock.advance(timedelta(hours=23, minutes=59))
    second = website.post("/inquiries", ENQUIRY, headers=AGAIN)
    assert (second.status_code, second.data) == (first.status_code, first.data)
    assert first.status_code == 201
    assert (first.headers.get(REPLAYED), second.headers.get(REPLAYED)) == (None, "true")
    assert second.headers["Cache-Control"] == "no-store"
    assert rows(database) == after


def test_another_body_or_address_under_the_name_is_refused(
    website: Asker, database: Database, cast: Cast
) -> None:
    website.created("/inquiries", ENQUIRY, **AGAIN)
    after = rows(database)
    for path, body in (
        ("/inquiries", {**ENQUIRY, "name": "田中 実さん"}),
        ("/check-in-links", check_in(cast.sumida)),
    ):
        answer = website.post(path, body, headers=AGAIN)
        assert answer.status_code == 400
        assert error_of(answer) == f"{NAMED_BY}: 'order-1' came before, with another request."
    assert rows(database) == after


def test_a_name_belongs_to_its_key(
    website: Asker, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    first = website.created("/inquiries", ENQUIRY, **AGAIN)
    for house in (cast.sumida, cast.minato):
        other = asker(client, database, clock, house.workspace_id, EVERYTHING_ELSE)
        assert other.created("/inquiries", {**ENQUIRY, "name": "別人"}, **AGAIN) != first


def test_after_a_day_the_name_is_new_again(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    first = website.created("/inquiries", ENQUIRY, **AGAIN)
    clock.advance(timedelta(hours=24))
    second = website.created("/inquiries", {**ENQUIRY, "name": "別人"}, **AGAIN)
    assert first != second
    assert how_many(database, cast.sumida, FirstAnswer) == 1


def test_a_refusal_is_not_kept_so_the_same_name_may_be_sent_corrected(
    website: Asker, cast: Cast, database: Database
) -> None:
    taken = check_in(cast.sumida, unitId=cast.sumida.residents_room_id)
    for body in ({"guests": 0}, taken, check_in(cast.sumida, unitId="0" * 32)):
        assert website.post("/check-in-links", body, headers=AGAIN).status_code in (400, 404)
    assert how_many(database, cast.sumida, FirstAnswer) == 0
    website.created("/check-in-links", check_in(cast.sumida), **AGAIN)


@pytest.mark.parametrize("name", ["", "x" * 201, "é", "a\tb", "\x7f"])
def test_a_name_is_short_and_plain(website: Asker, database: Database, name: str) -> None:
    before = rows(database)
    answer = website.post("/inquiries", ENQUIRY, headers={NAMED_BY: name})
    assert answer.status_code == 400
    assert error_of(answer).startswith(f"{NAMED_BY}: '")
    assert rows(database) == before


def test_many_at_once_under_one_name_act_once(
    app: Flask, website: Asker, database: Database, cast: Cast
) -> None:
    before = how_many(database, cast.sumida, Reservation)
    answers = all_at_once(
        app,
        website,
        lambda one, _: one.post("/check-in-links", check_in(cast.sumida), headers=AGAIN),
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert sum(REPLAYED in answer.headers for answer in answers) == ALL_AT_ONCE - 1
    assert how_many(database, cast.sumida, Reservation) == before + 1


def test_many_at_once_under_one_name_with_bodies_of_their_own_act_once(
    app: Flask, website: Asker, database: Database, cast: Cast
) -> None:
    before = how_many(database, cast.sumida)
    answers = all_at_once(
        app,
        website,
        lambda one, number: one.post(
            "/inquiries", {**ENQUIRY, "name": f"田中 {number}"}, headers=AGAIN
        ),
    )
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [201] + [400] * (ALL_AT_ONCE - 1)
    assert how_many(database, cast.sumida) == before + 1


def test_many_at_once_with_one_external_id_make_one_record(
    app: Flask, website: Asker, database: Database, cast: Cast
) -> None:
    before = rows(database)
    answers = all_at_once(
        app,
        website,
        lambda one, number: one.post(
            "/check-in-links",
            check_in(
                cast.sumida,
                externalId="booking-1",
                checkIn=f"2027-0{number + 1}-01",
                checkOut=f"2027-0{number + 1}-03",
            ),
        ),
    )
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [201] + [409] * (ALL_AT_ONCE - 1)
    assert how_many(database, cast.sumida, Reservation) >= 1
    assert rows(database) > before


def all_at_once(
    app: Flask, website: Asker, send: Callable[[Asker, int], TestResponse]
) -> list[TestResponse]:
    start = Barrier(ALL_AT_ONCE)

    def run(number: int) -> TestResponse:
        one = Asker(app.test_client(), website.key)
        start.wait()
        return send(one, number)

    with ThreadPoolExecutor(ALL_AT_ONCE) as pool:
        return list(pool.map(run, range(ALL_AT_ONCE)))


def test_the_worker_forgets_what_is_kept_no_longer(
    settings: Settings, website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    (forgetting,) = (entry for entry in TIMETABLE if entry.name == "forget_old_work")
    website.created("/inquiries", ENQUIRY, **AGAIN)
    clock.advance(timedelta(hours=23))
    website.created("/inquiries", ENQUIRY, **{NAMED_BY: "order-2"})
    clock.advance(timedelta(hours=1))
    forgetting.work(tools_of(settings, database, clock))
    with database.reading(cast.sumida.workspace_id) as session:
        assert list(session.scalars(select(FirstAnswer.key))) == ["order-2"]


def test_a_form_sent_again_says_the_same_whatever_its_boundary(website: Asker) -> None:
    def sent(resume: bytes) -> TestResponse:
        # The client makes a new boundary each time.
        return website.client.post(
            "/api/agent/leads",
            data={
                "name": "田中 実",
                "email": "tanaka@example.jp",
                "resume": (BytesIO(resume), "resume.pdf"),
            },
            headers={**website.header, **AGAIN},
        )

    paper = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
    )
    first, second, other = sent(paper), sent(paper), sent(paper + b"\n")
    assert first.status_code == 201, first.text
    assert (second.status_code, second.data) == (first.status_code, first.data)
    assert other.status_code == 400
