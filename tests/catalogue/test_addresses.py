"""Addresses on the website: made of readings, changed, and leading on for ever."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import select

from pms.arrivals.catalogue_imports import import_units
from pms.catalogue.buildings import add_building, building_with_slug, edit_building
from pms.catalogue.checks import WrittenBuilding
from pms.catalogue.models import Building
from pms.catalogue.records import building_record, unit_record
from pms.catalogue.romanising import romanise
from pms.catalogue.slugs import (
    change_building_slug,
    change_unit_slug,
    former_addresses,
    is_provisional,
    unit_with_slug,
    word_of_place,
)
from pms.catalogue.unit_fields import WrittenUnit
from pms.catalogue.units import add_unit, named_unit_id
from pms.foundation.audit import last_change
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.sheets.tables import open_tables
from tests.cast import Cast
from tests.catalogue.conftest import ACTOR

pytestmark = pytest.mark.differs("constraints")


def test_a_name_in_kanji_never_gets_a_number_for_an_address(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    houses = ("青葉荘", "緑風荘", "ソレイユ星見台", "コーポ桐", "コーポ楓")
    rows = "".join(f"{house},101,apartment,\n" for house in houses)
    sheet = f"building,unit,type,building_kana\n{rows}若葉荘,1,apartment,わかばそう\n".encode()
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, ACTOR)
        import_units(work, open_tables(sheet), commit=True)
        slugs = dict(session.execute(select(Building.name, Building.slug)).all())
        assert re.fullmatch("house-[0-9a-f]{6}", slugs["青葉荘"])
        assert slugs["青葉荘"] != slugs["緑風荘"]
        assert (slugs["ソレイユ星見台"], slugs["コーポ桐"]) == ("soreiyu", "kopo")
        assert slugs["若葉荘"] == "wakabaso"
        assert all(is_provisional(slugs[house], house) for house in houses)
        assert not is_provisional(slugs["若葉荘"], "若葉荘")
        before = slugs["青葉荘"]
        record = building_record(session, building_with_slug(session, before).id)
        written = replace(record.written, name_kana="アオバソウ", area="墨田", address="墨田区1")
        edit_building(work, building_id=record.id, version=record.version, written=written)
        after = building_record(session, record.id)
        assert after.slug == "aobaso"
        assert unit_with_slug(session, f"{before}-101") == unit_with_slug(session, "aobaso-101")
        # A slug that somebody chose, or that was made of a reading, stays as it is.
        written = replace(written, name_kana="アオバダイ")
        edit_building(work, building_id=record.id, version=after.version, written=written)
        assert building_record(session, record.id).slug == "aobaso"


@pytest.mark.parametrize(
    ("reading", "latin"),
    [
        ("あおばハイツ", "aoba-haitsu"),
        ("アオバ ハイツ", "aoba-haitsu"),
        ("とうきょう", "tokyo"),
        ("おおさか", "osaka"),
        ("おおうら", "oura"),
        ("ゆうひがおか", "yuhigaoka"),
        ("コーポ", "kopo"),
        ("しんばし", "shinbashi"),
        ("ざっし まっちゃ", "zasshi-matcha"),
        ("シェアハウス", "sheahausu"),
        ("ヴィラ・ティアラ", "vira-tiara"),
        ("ファミリーデュオ", "famiridyuo"),
        ("ｱｵﾊﾞ", "aoba"),
        ("つづき ぢや", "tsuzuki-jiya"),
        ("みなとロフト2", "minato-rofuto-2"),
    ],
)
def test_a_reading_is_written_as_on_road_signs(reading: str, latin: str) -> None:
    assert romanise(reading) == latin


@pytest.mark.parametrize(
    ("name", "reading", "english", "word"),
    [
        ("あおばハイツ", None, None, "aoba-haitsu"),
        ("青葉ハイツ", "あおばはいつ", None, "aoba-haitsu"),
        ("みなとロフト潮見", "ミナトロフトシオミ", None, "minato-rofuto-shiomi"),
        ("星見テラス", "ほしみ テラス", "Hoshimi Terrace", "hoshimi-terrace"),
        ("Maison K", None, None, "maison-k"),
        ("青葉ハイツ 2", None, None, ""),
    ],
)
def test_names_and_readings_make_the_word(
    name: str, reading: str | None, english: str | None, word: str
) -> None:
    assert word_of_place(name, reading, english) == word


@pytest.fixture
def aoba(house: WrittenBuilding) -> WrittenBuilding:
    return replace(house, name="青葉ハイツ", name_en=None, name_kana="あおばはいつ")


def test_a_building_without_a_reading_is_asked_for_one_or_for_its_address(
    session: WorkspaceSession, clock: FixedClock, aoba: WrittenBuilding
) -> None:
    unread = replace(aoba, name_kana=None)
    with pytest.raises(
        Refused, match=r"^nameKana: '青葉ハイツ' cannot be turned into a web address"
    ):
        add_building(Work(session, clock, ACTOR), written=unread)
    typed = add_building(Work(session, clock, ACTOR), written=unread, typed_slug="Aoba ")
    assert building_record(session, typed).slug == "aoba"
    read = add_building(Work(session, clock, ACTOR), written=replace(aoba, name="青葉第二ハイツ"))
    record = building_record(session, read)
    assert (record.slug, record.written.name_kana) == ("aoba-haitsu", "アオバハイツ")


def test_an_address_that_was_changed_finds_its_building_for_ever(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    first = house.building_slug
    for typed in ("kawasemi", "kawasemi-so"):
        change_building_slug(
            Work(session, clock, ACTOR), building_id=house.building_id, typed=typed
        )
    for slug in (first, "kawasemi", "kawasemi-so"):
        found = building_with_slug(session, slug)
        assert (found.id, found.slug) == (house.building_id, "kawasemi-so")
    change = last_change(session, ("building", house.building_id), "slug")
    assert change is not None
    assert (change.before, change.after) == ("kawasemi", "kawasemi-so")
    # Its own old address may come back, and is no old one then.
    change_building_slug(
        Work(session, clock, ACTOR), building_id=house.building_id, typed="kawasemi"
    )
    assert {one.slug for one in former_addresses(session)} == {first, "kawasemi-so"}
    assert {one.now for one in former_addresses(session)} == {"kawasemi"}


def test_an_address_that_was_anothers_is_refused_with_its_name(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, aoba: WrittenBuilding
) -> None:
    house = cast.sumida
    other = add_building(Work(session, clock, ACTOR), written=aoba)
    with pytest.raises(Collision, match="is already the address of シェアハウス カワセミ荘"):
        change_building_slug(
            Work(session, clock, ACTOR), building_id=other, typed=house.building_slug
        )
    change_building_slug(Work(session, clock, ACTOR), building_id=house.building_id, typed="new")
    with pytest.raises(Collision, match="was the address of シェアハウス カワセミ荘 and still"):
        change_building_slug(
            Work(session, clock, ACTOR), building_id=other, typed=house.building_slug
        )
    with pytest.raises(Refused, match="cannot be an address"):
        change_building_slug(Work(session, clock, ACTOR), building_id=other, typed="青葉")
    # What is made of names keeps clear of it too.
    named = replace(aoba, name="New", name_en=None)
    again = add_building(Work(session, clock, ACTOR), written=named)
    assert building_record(session, again).slug == "new-2"


def test_units_follow_their_building_when_they_are_told_to(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    change_building_slug(Work(session, clock, ACTOR), building_id=house.building_id, typed="plain")
    assert unit_record(session, house.free_room_id).slug == house.free_room_slug
    change_building_slug(
        Work(session, clock, ACTOR), building_id=house.building_id, typed=house.building_slug
    )
    change_unit_slug(
        Work(session, clock, ACTOR), unit_id=house.free_room_id, typed=f"{house.building_slug}-102"
    )
    change_building_slug(
        Work(session, clock, ACTOR), building_id=house.building_id, typed="k", with_units=True
    )
    assert unit_record(session, house.free_room_id).slug == "k-102"
    for slug in ("k-102", f"{house.building_slug}-102", house.free_room_slug):
        assert unit_with_slug(session, slug) == house.free_room_id
        assert named_unit_id(session, slug) == house.free_room_id


def test_a_room_in_kanji_is_named_by_its_reading(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, room: WrittenUnit
) -> None:
    written = replace(room, name="離れ", name_kana="はなれ")
    added = add_unit(
        Work(session, clock, ACTOR), building_id=cast.sumida.building_id, written=written
    )
    assert unit_record(session, added).slug == f"{cast.sumida.building_slug}-hanare"


def test_old_addresses_of_one_workspace_are_free_in_another(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    sumida, minato = cast.sumida, cast.minato
    with database.writing(sumida.workspace_id) as session:
        change_building_slug(
            Work(session, clock, ACTOR), building_id=sumida.building_id, typed="new"
        )
    with database.writing(minato.workspace_id) as session:
        change_building_slug(
            Work(session, clock, ACTOR), building_id=minato.building_id, typed=sumida.building_slug
        )
        assert building_with_slug(session, sumida.building_slug).id == minato.building_id
