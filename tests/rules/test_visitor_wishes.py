"""What a visitor wishes for."""

from datetime import date

import pytest

from pms.rules.enumerations import Locale, UnitType
from pms.rules.visitor_wishes import (
    Wish,
    asks_for_people,
    is_greeting,
    read_wish,
    spoken_locale,
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
    assert read_wish("営業時間を教えてください", TODAY) == Wish()


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
