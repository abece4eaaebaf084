"""What a visitor wishes for."""

from datetime import date

import pytest

from pms.rules.enumerations import Locale, UnitType
from pms.rules.visitor_wishes import (
    Trait,
    Unlisted,
    VisitorWish,
    asks_for_people,
    is_greeting,
    read_wish,
    spoken_locale,
    tells_trait,
    unread_words,
    walk_minutes,
)

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("8万円以下の部屋", None, 80_000),
        ("８．５万円まで", None, 85_000),
        ("7万5千円以内", None, 75_000),
        ("予算は80000円", None, 80_000),
        ("under 80,000 yen", None, 80_000),
        ("max ¥75,000", None, 75_000),
        ("within 90k", None, 90_000),
        ("7万円〜8万円", 70_000, 80_000),
        ("between 70,000 and 80,000 yen", 70_000, 80_000),
        ("8万円以上", 80_000, None),
        ("102号室", None, None),
        ("駅から5分", None, None),
    ],
)
def test_a_budget_is_whole_yen(text: str, least: int | None, most: int | None) -> None:
    wish = read_wish(text, TODAY)
    assert (wish.price_min_yen, wish.price_max_yen) == (least, most)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("来月から入居したい", date(2026, 12, 31)),
        ("from April 1", date(2027, 4, 1)),
        ("12月10日までに入居", date(2026, 12, 10)),
        ("move in by 2027-01-15", date(2027, 1, 15)),
        ("2020-01-01から", None),
        ("2027年2月30日から", None),
    ],
)
def test_a_day_to_move_in_by_lies_ahead(text: str, by: date | None) -> None:
    assert read_wish(text, TODAY).move_in_by == by


def test_what_is_free_today_is_asked_for_in_both_languages() -> None:
    assert read_wish("今すぐ入居できる部屋", TODAY).available_now
    assert read_wish("anything available now?", TODAY).available_now
    assert not read_wish("空室はありますか", TODAY).available_now
    assert read_wish("空室はありますか", TODAY).is_about_homes


def test_a_kind_of_home_and_a_layout_are_read() -> None:
    wish = read_wish("シェアハウスか1ldk", TODAY)
    assert (wish.type, wish.layouts) == (UnitType.SHAREHOUSE, ("1LDK",))
    assert read_wish("share house or apartment", TODAY).type is None


def test_words_about_something_else_wish_for_nothing() -> None:
    assert read_wish("営業時間を教えてください", TODAY) == VisitorWish()


@pytest.mark.parametrize(
    "text",
    [
        "101号室の入居者は誰ですか",
        "佐藤さんの電話番号",
        "who lives in room 101?",
        "list your residents",
        "What is Hanako's email?",
    ],
)
def test_questions_about_people_are_recognised(text: str) -> None:
    assert asks_for_people(text)


def test_a_greeting_is_nothing_but_a_greeting() -> None:
    assert is_greeting("こんにちは！")
    assert is_greeting("Hello.")
    assert not is_greeting("こんにちは、部屋はありますか")


def test_the_language_is_that_of_the_letters() -> None:
    assert spoken_locale("部屋") is Locale.JA
    assert spoken_locale("room?") is Locale.EN
    assert spoken_locale("102?!") is None


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        # What is no price is passed over, and what comes after it is read.
        ("102号室は8万円以下", None, 80_000),
        ("over 70,000 yen, 80,000 yen", 70_000, 80_000),
        ("90,000 yen, 80,000 yen", None, 80_000),
        ("at least 90,000 yen, under 80,000 yen", 80_000, 90_000),
        ("under 7.5k yen", None, 7_500),
        ("under 10,000", None, 10_000),
        ("under 9,999", None, None),
    ],
)
def test_a_price_is_read_beside_other_figures(
    text: str, least: int | None, most: int | None
) -> None:
    wish = read_wish(text, TODAY)
    assert (wish.price_min_yen, wish.price_max_yen) == (least, most)


def test_the_type_of_home_is_read_unless_both_are_named() -> None:
    assert read_wish("アパート", TODAY).type is UnitType.APARTMENT
    assert read_wish("シェアハウス", TODAY).type is UnitType.SHAREHOUSE
    assert read_wish("シェアハウスかアパート", TODAY).type is None


def test_a_start_is_the_first_day_and_an_end_the_last() -> None:
    assert read_wish("12月から入居したい", TODAY).move_in_by == date(2026, 12, 1)
    assert read_wish("12月までに入居したい", TODAY).move_in_by == date(2026, 12, 31)
    assert read_wish("11月から入居したい", TODAY).move_in_by == TODAY


def test_one_yen_is_a_price_and_more_than_the_largest_is_none() -> None:
    assert read_wish("1円以上", TODAY).price_min_yen == 1
    assert read_wish("0円以上", TODAY).price_min_yen is None
    assert read_wish("999,999,999,999円以下", TODAY).price_max_yen == 999_999_999_999
    assert read_wish("1,000,000,000,000円以下", TODAY).price_max_yen is None


@pytest.mark.parametrize(
    ("text", "layouts"),
    [
        ("1K", ("1K",)),
        ("2DKか3LDK", ("2DK", "3LDK")),
        ("１ｓｌｄｋ", ("1SLDK",)),
        ("ワンルーム", ("1R",)),
        ("ワンルームか1R", ("1R",)),
        ("1R, 1k or 1K", ("1R", "1K")),
        ("5r", ("5R",)),
        ("6k or 12k or 1.5k", ()),
        ("a1k or 1kb", ()),
    ],
)
def test_layouts_are_each_named_once_in_their_order(text: str, layouts: tuple[str, ...]) -> None:
    wish = read_wish(text, TODAY)
    assert wish.layouts == layouts
    assert wish.narrows is wish.is_about_homes is bool(layouts)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        # What cannot be read or is over is passed over, and what comes after it is read.
        ("令和9年1月1日か12月10日まで", date(2026, 12, 10)),
        ("2020-01-01ではなく12月10日まで", date(2026, 12, 10)),
        ("12月1日から12月31日まで", date(2026, 12, 1)),
        ("12月31日まで、12月1日ではなく", date(2026, 12, 31)),
        ("since December", date(2026, 12, 1)),
        ("starting the 3rd of December", date(2026, 12, 3)),
        ("until December", date(2026, 12, 31)),
        ("11月20日まで", TODAY),
        ("11月19日まで", date(2027, 11, 19)),
        ("2026-11-19まで", None),
        ("2026-11-20から", TODAY),
        ("今月から", date(2026, 11, 30)),
        ("from today", TODAY),
    ],
)
def test_the_first_day_that_lies_ahead_counts(text: str, by: date | None) -> None:
    assert read_wish(text, TODAY).move_in_by == by


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("7万5千円から8万円まで", 75_000, 80_000),
        ("8万円から7万円", 70_000, 80_000),
        ("最大8万円〜9万円", 80_000, 90_000),
        ("80,000円", None, 80_000),
        ("¥80,000", None, 80_000),
        ("80000", None, None),
        ("8万", None, 80_000),
        ("80k", None, None),
        ("up to 80k", None, 80_000),
        ("up to 80.5k", None, 80_500),
        ("above 70k", 70_000, None),
        ("8.25万円以下", None, 82_500),
        ("8.125万円以下", None, 81_250),
        ("0.5万円以下", None, 5_000),
        ("from 70,000 to 80,000 yen", 70_000, 80_000),
        ("more than 70,000 yen", 70_000, None),
    ],
)
def test_a_range_and_parts_of_ten_thousand_are_read(
    text: str, least: int | None, most: int | None
) -> None:
    wish = read_wish(text, TODAY)
    assert (wish.price_min_yen, wish.price_max_yen) == (least, most)


def test_a_wish_narrows_by_anything_besides_its_subject() -> None:
    assert not VisitorWish().narrows
    assert not VisitorWish(is_about_homes=True).narrows
    for wish in (
        VisitorWish(available_now=True),
        VisitorWish(move_in_by=TODAY),
        VisitorWish(price_min_yen=1),
        VisitorWish(price_max_yen=1),
        VisitorWish(type=UnitType.APARTMENT),
        VisitorWish(layouts=("1K",)),
    ):
        assert wish.narrows


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("pets allowed under 80,000", (Trait.PETS,)),
        ("8万円以下でペット可", (Trait.PETS,)),
        ("女性専用の部屋", (Trait.WOMEN_ONLY,)),
        ("a women-only room with parking", (Trait.WOMEN_ONLY, Trait.PARKING)),
        ("bicycle parking", ()),
        # Whoever asks what it costs asks for no home.
        ("ペットの費用はいくらですか", ()),
    ],
)
def test_what_a_listing_may_say_is_wished_for(text: str, traits: tuple[Trait, ...]) -> None:
    assert read_wish(text, TODAY).traits == traits


@pytest.mark.parametrize(
    ("text", "rent", "deposit"),
    [
        ("敷金5万円以下、家賃8万円以下", 80_000, 50_000),
        ("rent under 80,000 yen, deposit under 50,000 yen", 80_000, 50_000),
        ("敷金なしの部屋", None, 0),
        ("no deposit please", None, 0),
        ("8万円以下", 80_000, None),
    ],
)
def test_a_deposit_is_no_rent(text: str, rent: int | None, deposit: int | None) -> None:
    wish = read_wish(text, TODAY)
    assert (wish.price_max_yen, wish.deposit_max_yen) == (rent, deposit)


@pytest.mark.parametrize(
    ("text", "minutes", "stations"),
    [
        ("駅徒歩5分以内", 5, ()),
        ("駅から7分以内の部屋", 7, ()),
        ("駅近の部屋", 10, ()),
        ("within 8 minutes of a station", 8, ()),
        ("near the station", 10, ()),
        ("若葉町駅の近く", 10, ("若葉町",)),
        ("静かな部屋", None, ()),
        ("ペット可で駅徒歩10分以内の部屋", 10, ()),
        ("最寄り駅から5分", 5, ()),
        ("みなとみらい駅の近く", 10, ("みなとみらい",)),
    ],
)
def test_the_way_to_a_station_is_read(
    text: str, minutes: int | None, stations: tuple[str, ...]
) -> None:
    wish = read_wish(text, TODAY)
    assert (wish.station_minutes, wish.stations) == (minutes, stations)


def test_what_listings_do_not_tell_narrows_nothing_and_is_known() -> None:
    wish = read_wish("楽器が弾けて、二人で住める部屋", TODAY)
    assert wish.unlisted == (Unlisted.INSTRUMENTS, Unlisted.TWO_PEOPLE)
    assert not wish.narrows


@pytest.mark.parametrize(
    ("expected", "is_said"),
    [
        (["ペット可"], True),
        (["Pets allowed"], True),
        (["pet friendly"], True),
        (["ペット不可"], False),
        (["No pets"], False),
        (["自転車置き場"], False),
        ([], False),
    ],
)
def test_a_home_allows_pets_when_its_listing_says_so(expected: list[str], is_said: bool) -> None:
    assert tells_trait(Trait.PETS, expected) is is_said


def test_the_walk_is_that_to_a_station() -> None:
    way = "臨海みなと線「港原」駅 徒歩8分。水上バス乗り場徒歩2分。"
    assert walk_minutes([way]) == 8
    assert walk_minutes(["11 minutes on foot from Wakabacho; primary school 5 minutes"]) == 11
    assert walk_minutes([]) is None


@pytest.mark.parametrize(
    ("question", "bedrooms"),
    [
        ("2ベッドルームの部屋", 2),
        ("寝室が二つある物件", 2),
        ("a two-bedroom apartment", 2),
        ("3 beds under 200,000 yen", 3),
        ("2LDKの部屋", None),
        ("2 rooms", None),
    ],
)
def test_bedrooms_are_read(question: str, bedrooms: int | None) -> None:
    assert read_wish(question, TODAY).bedrooms == bedrooms


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("渋谷で男性専用の部屋", ("渋谷",)),
        ("オートロック付きの1Kはありますか", ("オートロック",)),
        ("2LDKで南向き、エレベーター付きの部屋を希望します", ("南向き", "エレベーター")),
        ("外国人でも入居できますか", ("外国人",)),
        ("I'm looking for a furnished room in Shibuya from 1 April", ("furnished", "shibuya")),
        ("10万円以下ですぐ入居できる部屋はありますか", ()),
        ("来月から住める部屋を探しています", ()),
        ("楽器が弾けてペット可の、駅から徒歩10分の部屋", ()),
        ("two bedrooms, women only, no deposit, under 100,000 yen", ()),
        ("Is there a room with a sauna in Aoba?", ("sauna",)),
    ],
)
def test_words_that_nothing_was_made_of_are_named(question: str, unread: tuple[str, ...]) -> None:
    assert unread_words(question, TODAY, ["Aoba"]) == unread
