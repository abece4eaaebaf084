"""Resident records: filters, damaged days and month to month (specification, Residents)."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from pms.rules.days import CorruptDay
from pms.rules.enumerations import EsignStatus, PaymentStatus, ReservationKind
from tests.cast import building, reservation
from tests.surfaces.agent_api.asking import Asker, Home, next_id

OVER = {"cancelled_at": datetime(2026, 5, 1, tzinfo=UTC)}


def names(clerk: Asker, **query: Any) -> list[str]:
    return [resident["name"] for resident in clerk.data("/residents", **query)["residents"]]


def test_one_address_may_be_on_several_records_ended_ones_too(home: Home, clerk: Asker) -> None:
    for number, email in enumerate(["a@example.jp", "A@Example.JP ", "b@example.jp", None]):
        home.store(
            reservation(unit_id=home.unit(str(number)), name=str(number), email=email),
        )
    home.store(reservation(unit_id=home.unit("x"), name="x", email="a@example.jp", **OVER))
    for text in ("a@example.jp", " A@EXAMPLE.jp\t"):
        assert names(clerk, email=text) == ["x", "1", "0"]
    assert names(clerk, email="a@example") == []
    assert names(clerk, email="%") == []
    assert names(clerk, email="_@example.jp") == []


def test_residents_are_kept_by_place_as_id_or_exact_name(home: Home, clerk: Asker) -> None:
    other = next_id()
    home.store(building(id=other, slug="other", name="別館"))
    here, there = home.unit("101"), home.unit("101", building_id=other)
    home.store(reservation(unit_id=here, name="本館"), reservation(unit_id=there, name="別館"))
    assert names(clerk, building="別館") == ["別館"]
    assert names(clerk, building=other) == ["別館"]
    assert names(clerk, building="別") == []
    assert names(clerk, unit="101") == ["別館", "本館"]
    assert names(clerk, unit=here) == ["本館"]
    assert names(clerk, unit="101", building=home.building_id) == ["本館"]
    assert names(clerk, unit="10") == []
    assert names(clerk, unit=next_id()) == []


def test_every_status_is_a_filter_and_no_other_word(home: Home, clerk: Asker) -> None:
    for kind, name in ((PaymentStatus, "paymentStatus"), (EsignStatus, "esignStatus")):
        column = "payment_status" if kind is PaymentStatus else "esign_status"
        for status in kind:
            home.store(
                reservation(unit_id=home.unit(f"{name} {status}"), name=status, **{column: status})
            )
        for status in kind:
            found = clerk.data("/residents", **{name: status, "limit": "50"})["residents"]
            assert status in [resident["name"] for resident in found]
            assert {resident[name] for resident in found} == {status.value}
        for word in ("overdue", "", status.upper(), f"{status},{status}", f" {status}"):
            message = clerk.refused("/residents", **{name: word})
            assert message == f"{name}: '{word}' is not one of {', '.join(kind)}."


def test_filters_narrow_one_another(home: Home, clerk: Asker) -> None:
    for name, status in (("佐藤", PaymentStatus.PAID), ("鈴木", PaymentStatus.PENDING)):
        home.store(reservation(unit_id=home.unit(name), name=name, payment_status=status))
    assert names(clerk, paymentStatus="paid") == ["佐藤"]
    assert names(clerk, paymentStatus="paid", search="鈴木") == []
    assert names(clerk, paymentStatus="pending", unit="鈴木", esignStatus="signed") == ["鈴木"]


def test_newer_records_come_first(home: Home, clerk: Asker) -> None:
    for number in range(5):
        home.store(reservation(unit_id=home.unit(str(number)), name=str(number)))
    assert names(clerk) == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize("text", ["2026-02-30", "soon", "0000-00-00", "２０２６-01-01", "x" * 40])
def test_a_damaged_day_is_no_day_and_a_damaged_override_still_replaces(
    home: Home, clerk: Asker, text: str
) -> None:
    damaged = CorruptDay(text)
    home.store(
        reservation(
            unit_id=home.unit("1"),
            override_move_in_date=damaged,
            contract_end_date=damaged,
            move_out_date=damaged,
            expected_departure_date=damaged,
            arrival_date=damaged,
        )
    )
    (body,) = clerk.data("/residents")["residents"]
    assert body["moveInDate"] == "2026-04-01"
    for name in (
        "overrideMoveInDate",
        "effectiveMoveInDate",
        "contractEndDate",
        "effectiveContractEndDate",
        "moveOutDate",
        "expectedDepartureDate",
        "arrivalDate",
    ):
        assert body[name] is None, name
    assert body["monthToMonth"] == {"state": "none", "since": None}


def test_an_override_replaces_a_day_everywhere(home: Home, clerk: Asker) -> None:
    home.store(
        reservation(
            unit_id=home.unit("1"),
            override_move_in_date=date(2026, 4, 5),
            override_contract_end_date=date(2026, 12, 10),
        )
    )
    (body,) = clerk.data("/residents")["residents"]
    assert (body["moveInDate"], body["effectiveMoveInDate"]) == ("2026-04-01", "2026-04-05")
    assert body["contractEndDate"] == "2027-03-31"
    assert body["effectiveContractEndDate"] == "2026-12-10"
    assert body["monthToMonth"] == {"state": "derived", "since": "2026-11-10"}


@pytest.mark.parametrize(
    ("given", "state", "since"),
    [
        ({}, "none", None),
        ({"contract_end_date": date(2026, 12, 20)}, "derived", "2026-11-20"),
        ({"contract_end_date": date(2026, 12, 21)}, "none", None),
        ({"contract_end_date": None}, "derived", "2026-04-01"),
        (
            {"contract_end_date": date(2026, 12, 1), "move_out_date": date(2026, 12, 1)},
            "none",
            None,
        ),
        ({"forced_on": date(2026, 11, 20)}, "forced", "2026-11-20"),
        ({"forced_on": date(2026, 11, 21)}, "none", None),
        ({"forced_on": date(2026, 9, 1), "move_out_date": date(2026, 12, 1)}, "none", None),
        ({"forced_on": date(2026, 9, 1), **OVER}, "none", None),
        ({"contract_end_date": date(2026, 12, 1), **OVER}, "none", None),
        (
            {
                "kind": ReservationKind.GUEST,
                "move_in_date": date(2026, 11, 18),
                "contract_end_date": date(2026, 11, 25),
            },
            "none",
            None,
        ),
        ({"kind": ReservationKind.GUEST, "forced_on": date(2026, 9, 1)}, "none", None),
        ({"move_in_date": date(2026, 11, 21), "contract_end_date": None}, "none", None),
    ],
)
def test_who_is_month_to_month_and_since_when(
    home: Home, clerk: Asker, given: dict[str, Any], state: str, since: str | None
) -> None:
    home.store(reservation(unit_id=home.unit("1"), **given))
    (body,) = clerk.data("/residents")["residents"]
    assert body["monthToMonth"] == {"state": state, "since": since}


def test_a_booked_successor_ends_month_to_month_and_a_cancelled_one_does_not(
    home: Home, clerk: Asker
) -> None:
    for number, given in (("1", {}), ("2", OVER)):
        unit_id = home.unit(number)
        ending = {"contract_end_date": date(2026, 12, 10), "name": number}
        after = {"move_in_date": date(2026, 12, 20), "name": f"after {number}"}
        home.store(reservation(unit_id=unit_id, **ending))
        home.store(reservation(unit_id=unit_id, **after, **given))
    body = {each["name"]: each for each in clerk.data("/residents")["residents"]}
    assert body["1"]["monthToMonth"]["state"] == "none"
    assert body["2"]["monthToMonth"]["state"] == "derived"


@pytest.mark.parametrize("id_", ["0" * 32, "x", "1" * 33, "A" * 32, "%00", "..", "1-2", "é"])
def test_a_record_that_is_not_here_is_not_found(clerk: Asker, id_: str) -> None:
    assert "There is no resident" in clerk.not_found(f"/residents/{id_}")
