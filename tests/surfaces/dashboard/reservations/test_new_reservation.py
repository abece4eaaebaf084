"""A booking is taken on one page that shows what it will bill, and is made once."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlsplit

import pytest

from pms.arrivals.reservation_lists import ReservationSearch, list_reservations
from pms.contracts.templates import write_template
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.reservations.residents import ResidentSearch
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.reservations import forms


def fields_of(page: str) -> dict[str, str]:
    """What the form of a new reservation holds already."""
    form = page[page.index('id="booking"') :]
    found: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        kind = attributes.get("type", "text")
        if kind in ("checkbox", "radio") and " checked" not in tag:
            continue
        if attributes.get("name") and attributes["name"] != "csrf_token":
            found[attributes["name"]] = attributes.get("value", "y")
    found["locale"] = "ja"
    return found


def opened(office: Browser, unit_id: str, move_in: str = "2026-12-16") -> dict[str, str]:
    return fields_of(office.get(f"/reservations/new?unitId={unit_id}&moveInDate={move_in}").text)


def booked_names(database: Database, cast: Cast, clock: FixedClock, unit: str) -> list[str]:
    search = ReservationSearch(ResidentSearch(unit=unit))
    with database.reading(cast.sumida.workspace_id) as session:
        found, _ = list_reservations(session, search, clock.today(), Paging(1, 50))
    return [one.name for one in found]


def test_the_form_begins_with_what_the_unit_says(office: Browser, cast: Cast) -> None:
    typed = opened(office, cast.sumida.free_room_id)
    assert typed["moveInDate"] == "2026-12-16"
    assert typed["contractEndDate"] == "2027-12-15"
    assert typed["baseRentYen"] == "93000"
    assert typed["depositYen"] == "93000"
    assert typed["reservationFeeYen"] == "30000"
    assert (typed["fees-0-code"], typed["fees-0-amountYen"]) == ("water", "5000")


def test_a_move_in_after_the_15th_is_shown_as_two_periods(office: Browser, cast: Cast) -> None:
    typed = opened(office, cast.sumida.free_room_id)
    shown = office.post("/reservations/new/preview", typed, headers={"HX-Request": "true"})
    assert shown.status_code == 200
    assert "<html" not in shown.text
    # 16 of 31 days of 93,000 and 5,000, then the whole of January, then the fee and the deposit.
    assert "¥48,000" in shown.text
    assert "¥93,000" in shown.text
    total = 48_000 + 2_581 + 93_000 + 5_000 + 30_000 + 93_000
    assert f"¥{total:,}" in shown.text


def test_the_drawer_of_the_chart_gets_the_form_alone(office: Browser, cast: Cast) -> None:
    shown = office.block(f"/reservations/new?unitId={cast.sumida.free_room_id}")
    assert "<html" not in shown.text
    assert 'id="booking"' in shown.text
    assert "Create reservation" in shown.text


def test_name_and_address_alone_make_a_reservation(
    office: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    typed = opened(office, cast.sumida.free_room_id)
    answer = office.post("/reservations/new", {**typed, "name": "高橋 翔", "email": "s@example.jp"})
    assert answer.status_code == 303
    assert office.client.get(answer.location).status_code == 200
    assert booked_names(database, cast, clock, "102") == ["高橋 翔"]


def test_a_discount_is_shown_with_its_size_and_what_earned_it(office: Browser, cast: Cast) -> None:
    off = {"discount": "percent", "discountPercent": "7.5", "minimumStayDays": "90"}
    typed = {**opened(office, cast.sumida.free_room_id), **off, "name": "高橋 翔"}
    booked = office.post("/reservations/new", {**typed, "discountLabel": "Spring"}).location
    for page in (booked, f"{booked}/price"):
        shown = " ".join(office.client.get(page, query_string={"lang": "en"}).text.split())
        words = "Discount agreed at booking: 7.5% off the rent (Spring), requires a stay of 90 days"
        assert words in shown


def test_the_same_form_sent_three_times_makes_one_reservation(
    office: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    typed = {**opened(office, cast.sumida.free_room_id), "name": "高橋 翔"}
    answers = [office.post("/reservations/new", typed) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.location for answer in answers}) == 1
    assert booked_names(database, cast, clock, "102") == ["高橋 翔"]


def test_nights_that_are_held_lead_to_who_holds_them(office: Browser, cast: Cast) -> None:
    typed = opened(office, cast.sumida.residents_room_id, "2027-01-01")
    shown = office.post("/reservations/new/preview", typed, headers={"HX-Request": "true"})
    assert f"/reservations/{cast.sumida.resident_id}" in shown.text
    refused = office.post("/reservations/new", {**typed, "name": "高橋 翔"})
    assert refused.status_code == 422
    assert f"/reservations/{cast.sumida.resident_id}" in refused.text
    assert 'value="高橋 翔"' in refused.text


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"name": ""}, "name"),
        ({"kind": "neighbour"}, "kind"),
        ({"locale": "fr"}, "locale"),
        ({"baseRentYen": "93,00"}, "baseRentYen"),
        ({"contractEndDate": "2026-12-01"}, "contractEndDate"),
        ({"discount": "percent"}, "discount"),
        ({"discount": "percent", "discountPercent": "10", "minimumStayDays": "900"}, "discount"),
    ],
)
def test_what_cannot_be_booked_is_told_beside_its_field(
    office: Browser, cast: Cast, wrong: Mapping[str, Any], text: str
) -> None:
    typed = {**opened(office, cast.sumida.free_room_id), "name": "高橋 翔", **wrong}
    refused = office.post("/reservations/new", typed)
    assert refused.status_code == 422
    assert f'id="{text}-error"' in refused.text


def test_a_lease_without_an_end_takes_a_template_that_writes_one(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    endless = {"name": "高橋 翔", "contractEndDate": ""}
    typed = {**opened(office, cast.sumida.free_room_id), **endless}
    said = "fixed-term lease needs an end date, and all"
    preview = office.post(
        "/reservations/new/preview?lang=en", typed, headers={"HX-Request": "true"}
    )
    assert said in preview.text
    refused = office.post("/reservations/new?lang=en", typed)
    assert (refused.status_code, 'id="contractEndDate-error"' in refused.text) == (422, True)
    given: dict[str, Any] = {"template_id": None, "body_en": "", "lease_kind": "ordinary"}
    with database.writing(cast.sumida.workspace_id) as session:
        write_template(
            Work(session, clock, "staff"), name="期日あり", body_ja="# 契約書 {{term.end}}", **given
        )
    assert office.post("/reservations/new", typed).status_code == 422
    with database.writing(cast.sumida.workspace_id) as session:
        fit = write_template(
            Work(session, clock, "staff"), name="普通借家", body_ja="# 契約書 {{term}}", **given
        )
    answer = office.post("/reservations/new", typed)
    assert answer.status_code == 303
    booked = urlsplit(answer.location).path.removeprefix("/dashboard/sumida")
    issuing = forms.fields_of(office.get(f"{booked}/contracts").text, f"{booked}/contracts")
    assert issuing["templateId"] == fit
    assert office.post(f"{booked}/contracts", issuing).status_code == 303


def test_an_owner_resident_is_booked_without_any_bill(office: Browser, cast: Cast) -> None:
    typed = {**opened(office, cast.sumida.free_room_id), "kind": "owner_resident", "name": "山本"}
    answer = office.post("/reservations/new", typed)
    assert answer.status_code == 303


def test_without_a_unit_a_room_is_looked_for_with_the_days_carried_along(office: Browser) -> None:
    answer = office.get("/reservations/new?moveInDate=2027-03-01&_external=1&endpoint=x")
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("/rooms?moveInDate=2027-03-01")


def test_a_successor_of_somebody_month_to_month_is_booked_after_a_word_of_agreement(
    office: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    """The contract of room 101 ended in October; its resident has filed no notice."""
    with database.writing(cast.sumida.workspace_id) as session:
        resident = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        resident.contract_end_date = date(2026, 10, 31)
    free = office.get("/rooms?moveInDate=2027-03-01").text
    assert cast.sumida.free_room_id in free
    assert cast.sumida.residents_room_id not in free
    every = office.get("/rooms?moveInDate=2027-03-01&every=y").text
    assert "佐藤 花子 lives there month to month and has not given notice" in every

    page = office.get(
        f"/reservations/new?unitId={cast.sumida.residents_room_id}&moveInDate=2027-03-01"
    ).text
    assert "佐藤 花子 lives there month to month and has not given notice" in page
    assert "With this booking the tenancy is no longer month to month" in page
    typed = {**fields_of(page), "name": "高橋 翔"}
    assert "follows" not in typed, "nobody agreed yet"
    refused = office.post("/reservations/new", typed)
    assert refused.status_code == 422
    assert "Book although 佐藤 花子 has not given notice" in refused.text
    assert booked_names(database, cast, clock, "101") == ["佐藤 花子"]
    agreed = {**typed, "follows": cast.sumida.resident_id}
    assert office.post("/reservations/new", agreed).status_code == 303
    assert sorted(booked_names(database, cast, clock, "101")) == ["佐藤 花子", "高橋 翔"]


def test_the_plus_of_a_unit_with_a_filed_notice_begins_on_the_day_it_becomes_free(
    office: Browser, cast: Cast, database: Database
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        resident = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        resident.move_out_date = date(2027, 1, 31)
    page = office.get(f"/reservations/new?unitId={cast.sumida.residents_room_id}").text
    assert fields_of(page)["moveInDate"] == "2027-01-31"
    assert "The unit is taken on some of these" not in page


def test_who_lives_there_without_a_notice_gives_no_day_to_book_from(
    office: Browser, cast: Cast
) -> None:
    page = office.get(f"/reservations/new?unitId={cast.sumida.residents_room_id}").text
    assert "and has not given notice, so no move-out date is known." in page
    assert "free again on" not in page
