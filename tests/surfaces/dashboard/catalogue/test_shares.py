"""Owners of a building by share, from the form to the month's papers."""

import pytest
from sqlalchemy import select

from pms.catalogue.models import Building, BuildingShare, Owner
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from tests.cast import Cast, House
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of


@pytest.fixture
def other(database: Database, cast: Cast) -> str:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        first = session.scalars(select(Owner)).first()
        assert first is not None
        row = Owner(id=new_id(), name="山本 花", locale="ja", created_at=first.created_at)
        session.add(row)
        session.flush()
        return row.id


def _send(office: Browser, house: House, **typed: str) -> tuple[int, str]:
    path = f"/buildings/{house.building_id}/shares"
    answer = office.post(path, fields_of(office.get(path).text, "/shares") | typed)
    return answer.status_code, answer.text


def test_shares_are_written_and_shown(
    database: Database, office: Browser, cast: Cast, other: str
) -> None:
    house = cast.sumida
    typed = {"owner1": house.owner_id, "share1": "2/3", "owner2": other, "share2": "1/3"}
    status, _ = _send(office, house, **typed)
    assert status == 303
    with database.reading(house.workspace_id) as session:
        rows = session.scalars(select(BuildingShare).order_by(BuildingShare.position)).all()
        assert [(row.owner_id, row.numerator, row.denominator) for row in rows] == [
            (house.owner_id, 2, 3),
            (other, 1, 3),
        ]
        assert session.scalars(select(Building.owner_id)).one() == house.owner_id
    assert "山本 花" in office.get(f"/buildings/{house.building_id}/shares").text
    assert "Kawasemi House" in office.get(f"/owners/{other}?lang=en").text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"share1": "2/3", "share2": "2/3"}, "4/3"),
        ({"share1": "1/2", "share2": "half"}, "half"),
        ({"share1": "1/2", "share2": "1/2", "fromOn": "2030-01-01"}, "is in the future"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_written(
    database: Database, office: Browser, cast: Cast, other: str, *, typed: dict[str, str], said: str
) -> None:
    house = cast.sumida
    office.get(f"/buildings/{house.building_id}?lang=en")
    owners = {"owner1": house.owner_id, "owner2": other}
    status, text = _send(office, house, **(owners | typed))
    assert status == 422
    assert said in text
    with database.reading(house.workspace_id) as session:
        assert session.scalars(select(BuildingShare)).all() == []


def test_a_form_of_shares_has_a_row_for_each_owner_and_one_more(
    office: Browser, cast: Cast, other: str
) -> None:
    path = f"/buildings/{cast.sumida.building_id}/shares"
    assert _count_rows(office, path) == 2
    assert _count_rows(office, f"{path}?all=") == 6
    _send(
        office, cast.sumida, owner1=other, share1="1/2", owner2=cast.sumida.owner_id, share2="1/2"
    )
    assert _count_rows(office, path) == 3


def _count_rows(office: Browser, path: str) -> int:
    return office.get(path).text.count('name="share')
