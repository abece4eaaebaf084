"""On the day of arrival every page names the keys, until somebody records them."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from flask import Flask

from pms.arrivals.key_handovers import HandedKeys, hand_over_keys, handovers_in_force
from pms.arrivals.move_outs import move_out
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind, UserKind
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of
from tests.surfaces.dashboard.test_arrivals_of_today import TODAY, add, line_of

NOBODY = "No action needed"


@pytest.fixture
def arriving(database: Database, cast: Cast) -> str:
    """Who is signed and paid and lives in room 102 since midnight."""
    return add(
        database, cast, lifecycle=Lifecycle.LIVING, email="sho@example.jp",
        esign_status=EsignStatus.SIGNED, payment_status=PaymentStatus.PAID,
        taken_over_on=TODAY - timedelta(days=30),
    )  # fmt: skip


@pytest.fixture
def resident(app: Flask, clock: FixedClock, cast: Cast, arriving: str) -> Browser:
    house = cast.sumida
    return open_portal_browser(
        app, clock, UserKind.RESIDENT,
        workspace_id=house.workspace_id, slug=house.slug, address="sho@example.jp",
    )  # fmt: skip


def next_words(page: str) -> str:
    found = re.search(r'<div class="way-next">.*?</section>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def test_on_the_day_of_arrival_the_keys_come_next_until_they_are_recorded(
    office: Browser, resident: Browser, database: Database, cast: Cast, arriving: str
) -> None:
    page = f"/reservations/{arriving}"
    assert next_words(office.get(f"{page}?lang=en").text) == (
        "Arrives today. Hand over the keys. Record keys"
    )
    assert "鍵を渡してください" in office.get(f"{page}?lang=ja").text
    assert "Keys not handed over" in office.get("/reservations?search=高橋&lang=en").text
    assert line_of(office, "高橋 翔").endswith("Record keys")
    home = resident.get(f"/{arriving}?lang=en").text
    assert "Get your keys from the office" in home
    assert NOBODY not in home

    form = office.get(f"{page}/keys?lang=en").text
    typed = fields_of(form, "/keys") | {"keyCount": "2", "keyItems": "カードキー"}
    assert typed["handedOn"] == str(TODAY)
    assert office.post(f"{page}/keys", typed).status_code == 303
    assert office.post(f"{page}/keys", typed).status_code == 422, "pressed twice, recorded once"
    shown = office.get(f"{page}?lang=en").text
    assert next_words(shown).startswith(NOBODY)
    assert "2 keys, カードキー" in shown
    assert not line_of(office, "高橋 翔")
    assert "Keys not handed over" not in office.get("/reservations?search=高橋&lang=en").text
    home = resident.get(f"/{arriving}?lang=en").text
    assert "Handed over on" in home and "Get your keys" not in home


@pytest.mark.parametrize("has_earlier_keys", [False, True])
def test_keys_that_were_forgotten_stay_on_today_and_earlier_ones_are_not_asked_for(
    office: Browser, database: Database, cast: Cast, has_earlier_keys: bool
) -> None:
    add(
        database, cast, lifecycle=Lifecycle.LIVING, move_in_date=TODAY - timedelta(days=9),
        esign_status=EsignStatus.SIGNED, payment_status=PaymentStatus.PAID,
        taken_over_on=TODAY - timedelta(days=20), has_earlier_keys=has_earlier_keys,
    )  # fmt: skip
    line = line_of(office, "高橋 翔")
    assert line.startswith("Keys 高橋 翔") if not has_earlier_keys else not line
    assert "living since 2026-11-11" in line or has_earlier_keys


def test_one_press_records_the_move_in_of_today_with_its_keys(
    office: Browser, database: Database, cast: Cast
) -> None:
    id_ = add(
        database, cast, lifecycle=Lifecycle.CONFIRMED, taken_over_on=TODAY,
        esign_status=EsignStatus.SIGNED, payment_status=PaymentStatus.PAID,
    )  # fmt: skip
    page = office.get(f"/reservations/{id_}?lang=en").text
    assert "Record move-in and keys" in next_words(page)
    assert (
        office.post(f"/reservations/{id_}/move-in", fields_of(page, "/move-in")).status_code == 303
    )
    with database.reading(cast.sumida.workspace_id) as session:
        (handover,) = handovers_in_force(session, id_)
    assert (handover.handed_on, handover.key_count) == (TODAY, None)
    assert next_words(office.get(f"/reservations/{id_}?lang=en").text).startswith(NOBODY)


def test_a_move_in_recorded_late_does_not_guess_when_keys_were_given(
    office: Browser, database: Database, cast: Cast
) -> None:
    id_ = add(
        database, cast, lifecycle=Lifecycle.CONFIRMED, move_in_date=TODAY - timedelta(days=3),
        esign_status=EsignStatus.SIGNED, payment_status=PaymentStatus.PAID, taken_over_on=TODAY,
    )  # fmt: skip
    page = office.get(f"/reservations/{id_}?lang=en").text
    fields = fields_of(page, "/move-in")
    assert "Record move-in and keys" not in page
    undated = office.post(f"/reservations/{id_}/move-in", fields | {"givesKeys": "y"})
    assert undated.status_code == 422
    assert office.post(f"/reservations/{id_}/move-in", fields).status_code == 303
    assert "No keys are recorded" in office.get(f"/reservations/{id_}?lang=en").text


def test_the_question_about_a_move_in_takes_number_and_receiver(
    office: Browser, database: Database, cast: Cast
) -> None:
    id_ = add(database, cast, taken_over_on=TODAY)
    asked = office.get(f"/reservations/{id_}/no-show?lang=en").text
    typed: dict[str, Any] = fields_of(asked, "/move-in?back=today")
    assert (typed["givesKeys"], typed["handedOn"]) == ("y", str(TODAY))
    typed |= {"keyCount": "3", "handedTo": "田中 花"}
    typed["opens"] = re.findall(r'name="opens" value="(\w+)"', asked)
    assert office.post(f"/reservations/{id_}/move-in", typed).status_code == 303
    shown = office.get(f"/reservations/{id_}?lang=en").text
    assert "3 keys" in shown and "To 田中 花" in shown


def test_a_wrong_record_is_withdrawn_with_a_reason_and_stays_readable(
    office: Browser, arriving: str
) -> None:
    page = f"/reservations/{arriving}"
    typed = fields_of(office.get(f"{page}/keys").text, "/keys")
    nothing = office.post(f"{page}/keys?lang=en", typed)
    assert nothing.status_code == 422
    assert "how many keys" in nothing.text
    office.post(f"{page}/keys", typed | {"keyCount": "1"})
    found = re.search(r"/key-handovers/(\w+)/withdrawal", office.get(f"{page}/keys").text)
    assert found is not None
    way = f"/key-handovers/{found[1]}/withdrawal"
    assert office.get(way).status_code == 200
    assert office.post(way, {"reason": ""}).status_code == 422
    assert office.post(way, {"reason": "部屋を間違えた"}).status_code == 303
    assert office.post(way, {"reason": "もう一度"}).status_code == 422
    assert "Withdrawn: 部屋を間違えた" in office.get(f"{page}/keys?lang=en").text
    assert "Hand over the keys" in next_words(office.get(f"{page}?lang=en").text)
    assert office.get(f"/key-handovers/{'0' * 32}/withdrawal").status_code == 404


def test_a_move_out_says_how_many_keys_were_handed_over(
    office: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    id_ = add(
        database, cast, lifecycle=Lifecycle.NOTICE_FILED, move_in_date=date(2026, 4, 1),
        taken_over_on=TODAY, move_out_date=TODAY,
    )  # fmt: skip
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, "person/test")
        for count in (2, 1):
            hand_over_keys(work, reservation_id=id_, keys=HandedKeys(date(2026, 4, 1), count))
    page = f"/reservations/{id_}"
    assert "Take back the 3 keys" in office.get(f"{page}/moving-out?lang=en").text
    with database.writing(cast.sumida.workspace_id) as session:
        move_out(Work(session, clock, "person/test"), reservation_id=id_, has_keys=True)
    for tab in ("moving-out", "departure", "deposit"):
        shown = " ".join(re.sub(r"<[^>]+>", " ", office.get(f"{page}/{tab}?lang=en").text).split())
        assert "All returned" in shown and "Handed over 3 keys" in shown, tab


def test_a_guest_gets_codes_and_no_keys(office: Browser, database: Database, cast: Cast) -> None:
    id_ = add(database, cast, lifecycle=Lifecycle.LIVING, kind=ReservationKind.GUEST)
    assert "/keys" not in office.get(f"/reservations/{id_}").text
    shown = office.get(f"/reservations/{id_}/keys?lang=en").text
    assert "gets codes" in shown and 'name="keyCount"' not in shown
    refused = office.post(
        f"/reservations/{id_}/keys?lang=en",
        {"version": "1", "handedOn": str(TODAY), "keyCount": "1"},
    )
    assert refused.status_code == 422
