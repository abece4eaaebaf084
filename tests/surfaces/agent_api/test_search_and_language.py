"""Free text finds Japanese and English however it was typed; answers speak either language."""

from typing import Any

import pytest

from tests.cast import building, reservation
from tests.surfaces.agent_api.asking import Asker, Home

pytestmark = pytest.mark.differs("search")


def homes(home: Home) -> None:
    tower = building(
        slug="tower",
        name="ﾋﾙｻｲﾄﾞ霞ヶ関",
        name_en="Hillside Kasumigaseki",
        area="千代田区",
        area_en="Chiyoda",
        address="東京都千代田区霞が関１‐２−３",
        address_en=None,
        description_ja="100%_安心",
    )
    home.store(tower)
    home.unit("101", features=["エアコン", "ペット可"], features_en=["Pets welcome"])
    home.unit("202", description_ja="ガーデン付き", description_en="With a garden", layout="1LDK")
    home.unit("303", building_id=tower.id, features=[], features_en=[], layout=None)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("墨田", "101 202"),
        ("向島", "101 202"),
        ("かわせみ", "101 202"),
        ("カワセミ", "101 202"),
        ("ｶﾜｾﾐ", "101 202"),
        ("カワ", "101 202"),
        ("KAWASEMI", "101 202"),
        ("ｋａｗａｓｅｍｉ　ｈｏｕｓｅ", "101 202"),
        ("ペット", "101"),
        ("ぺっと", "101"),
        ("pets", "101"),
        ("がーでん", "202"),
        ("ｶﾞｰﾃﾞﾝ", "202"),
        ("カーデン", ""),
        ("garden 1ldk", "202"),
        ("１ＬＤＫ", "202"),
        ("1R 墨田 カワセミ ペット", "101"),
        ("墨田 千代田", ""),
        ("ヒルサイド", "303"),
        ("霞ケ関", "303"),
        ("霞が関 1-2-3", "303"),
        ("303", "303"),
        ("%", "303"),
        ("100%_", "303"),
        ("_", "303"),
        ("0%1", ""),
        ("\\", ""),
        ("'", ""),
        ("\u3000", "101 202 303"),
        ("  ペット \t ", "101"),
    ],
)
def test_units_are_found_by_their_words(home: Home, visitor: Asker, words: str, names: str) -> None:
    homes(home)
    found = visitor.data("/properties", search=words)
    assert [unit["name"] for unit in found["units"]] == names.split()
    assert found["pagination"]["total"] == len(names.split())
    assert visitor.data("/site/units", search=words)["counts"] == found["counts"]


def test_a_composed_and_a_decomposed_kana_are_the_same(home: Home, visitor: Asker) -> None:
    homes(home)
    assert visitor.names(search="カ\u3099ーテ\u3099ン") == ["202"]
    assert visitor.names(building="カワセミ荘") == ["101", "202"]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("佐藤", ["佐藤 花子"]),
        ("さとう", ["佐藤 花子"]),
        ("ｻﾄｳ", ["佐藤 花子"]),
        ("花子 佐藤", ["佐藤 花子"]),
        ("WILSON", ["Emma Ｗｉｌｓｏｎ"]),
        ("hanako@", ["佐藤 花子"]),
        ("101", ["佐藤 花子"]),
        ("カワセミ", ["Emma Ｗｉｌｓｏｎ", "佐藤 花子"]),
        ("kawasemi 202", ["Emma Ｗｉｌｓｏｎ"]),
        ("墨田", []),
        ("%", []),
    ],
)
def test_residents_are_found_by_names_kana_mail_and_place(
    home: Home, clerk: Asker, words: str, names: list[str]
) -> None:
    home.store(
        reservation(unit_id=home.unit("101"), email="Hanako@Example.JP"),
        reservation(unit_id=home.unit("202"), name="Emma Ｗｉｌｓｏｎ", name_kana=None),
    )
    body = clerk.data("/residents", search=words)
    assert [resident["name"] for resident in body["residents"]] == names
    assert body["pagination"]["total"] == len(names)


def room_102(asker: Asker, path: str, **query: str) -> Any:
    (found,) = [unit for unit in asker.data(path, **query)["units"] if unit["name"] == "102"]
    return found


def test_the_language_is_english_for_programs_and_the_workspaces_own_for_websites(
    website: Asker,
) -> None:
    def label(path: str, **query: str) -> str:
        return str(room_102(website, path, **query)["availability"]["label"])

    assert label("/properties") == label("/properties", locale="en") == "Available now"
    assert label("/properties", locale="ja") == "空室"
    assert label("/site/units") == label("/site/units", locale="ja") == "空室"
    assert label("/site/units", locale="en") == "Available now"


def test_a_website_gets_ready_words_in_either_language(website: Asker) -> None:
    ja, en = (room_102(website, "/site/units", locale=locale) for locale in ("ja", "en"))
    assert [ja[name] for name in ("title", "typeLabel", "floorLabel", "priceLabel")] == [
        "シェアハウス カワセミ荘 102",
        "シェアハウス",
        "1階",
        "93,000円",
    ]
    assert [en[name] for name in ("title", "typeLabel", "floorLabel", "priceLabel")] == [
        "Kawasemi House 102",
        "Share house",
        "1F",
        "¥93,000",
    ]
    assert ja["sizeLabel"] == en["sizeLabel"] == "12.5 m²"
    assert ja["url"].startswith("https://sumida.example.jp/ja/units/")
    assert en["url"].startswith("https://sumida.example.jp/en/units/")
    assert ja["monthlyFees"][0]["label"] == "水道代"
    assert ja["features"] == ["エアコン"]


def test_a_missing_translation_is_said_in_the_other_language(home: Home, visitor: Asker) -> None:
    homes(home)
    unit = visitor.units(search="303")[0]
    assert unit["building"]["address"] == "東京都千代田区霞が関１‐２−３"
    assert unit["building"]["area"] == "Chiyoda"


def test_english_answers_say_layouts_in_english_and_name_what_stays_japanese(
    home: Home, visitor: Asker
) -> None:
    home.unit("501", layout="和室6畳", features=["エアコン", "縁側"], features_en=[])
    home.unit("502", layout="川の見える部屋", features=["エアコン"], features_en=[])
    found = {unit["name"]: unit for unit in visitor.units()}
    assert found["501"]["layout"] == "6-jo Japanese-style room"
    assert found["501"]["features"] == ["Air conditioning", "縁側"]
    assert found["501"]["lang"] == {"features": "ja"}
    assert found["502"]["layout"] == "川の見える部屋"
    assert found["502"]["lang"] == {"layout": "ja"}
    in_japanese = {unit["name"]: unit for unit in visitor.units(locale="ja")}
    assert in_japanese["501"]["layout"] == "和室6畳"
    assert in_japanese["501"]["lang"] == {}
    site = visitor.data("/site/units", locale="en", search="501")["units"][0]
    assert (site["layout"], site["lang"]) == ("6-jo Japanese-style room", {"features": "ja"})


def test_a_layout_is_found_in_either_language(home: Home, visitor: Asker) -> None:
    home.unit("501", layout="個室")
    home.unit("502", layout="ワンルーム")
    home.unit("503", layout="1LDK")
    for asked in ("個室", "Private room", "private ROOM"):
        assert visitor.names(layouts=asked) == ["501"]
    assert visitor.names(layouts="studio,1ldk") == ["502", "503"]
    assert visitor.names(search="studio") == ["502"]


def test_a_text_that_is_missing_in_english_is_said_to_be_japanese(
    home: Home, visitor: Asker
) -> None:
    homes(home)
    assert visitor.units(search="303")[0]["building"]["lang"] == {"address": "ja"}
