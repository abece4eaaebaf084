"""An office that keeps the catalogue of Sumida, and what it writes."""

from collections.abc import Iterator

import pytest

from pms.catalogue.checks import WrittenBuilding, WrittenPage
from pms.catalogue.unit_fields import WrittenUnit
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import HandbookTopic, UnitType
from tests.cast import Cast

ACTOR = "person/tanaka"


@pytest.fixture
def session(database: Database, cast: Cast) -> Iterator[WorkspaceSession]:
    """A session of Sumida that writes."""
    with database.writing(cast.sumida.workspace_id) as session:
        yield session


@pytest.fixture
def house() -> WrittenBuilding:
    """A house the office is about to take on."""
    return WrittenBuilding(
        name="メゾン ひばり",
        name_en="Maison Hibari",
        area="台東区",
        area_en="Taito",
        postcode="１１０ー０００５",
        address="東京都台東区上野一丁目1番1号",
    )


@pytest.fixture
def room() -> WrittenUnit:
    """A room of it."""
    return WrittenUnit(
        name="301号室", type=UnitType.APARTMENT, rent_yen=86_000, features=("浴室", "浴室", " ")
    )


@pytest.fixture
def door() -> WrittenPage:
    """What opens it."""
    return WrittenPage(
        topic=HandbookTopic.ENTRANCE,
        title_ja="玄関",
        title_en="Entrance",
        body_ja="番号のあとに # を押す。",
        body_en="Press # after the digits.",
        guarded_code="*4821#",
    )
