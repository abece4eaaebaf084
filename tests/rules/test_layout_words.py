"""Layouts in English by rule, worked one by one; free text stays as it was typed."""

import pytest

from pms.rules.unit_words import describe_layout, layout_key, name_facilities


@pytest.mark.parametrize(
    ("typed", "english"),
    [
        ("1K", "1K"),
        ("1R", "1R"),
        ("１ＬＤＫ", "1LDK"),
        ("2LDK+S", "2LDK+S"),
        ("ワンルーム", "Studio"),
        ("ﾜﾝﾙｰﾑ", "Studio"),
        ("個室", "Private room"),
        ("半個室", "Semi-private room"),
        ("ツイン", "Twin room"),
        ("ドミトリー", "Dormitory"),
        ("女性専用ドミトリー", "Women-only dormitory"),
        ("ドミトリー（女性専用）", "Dormitory (women-only)"),
        ("4人部屋", "4-person room"),
        ("ロフト付き個室", "Private room with loft"),
        ("1K(ロフト付)", "1K (with loft)"),
        ("1K＋ロフト", "1K + loft"),
        ("メゾネット2LDK", "2LDK maisonette"),
        ("和室", "Japanese-style room"),
        ("和室6畳", "6-jo Japanese-style room"),
        ("和室六畳", "6-jo Japanese-style room"),
        ("和室四畳半", "4.5-jo Japanese-style room"),
        ("洋室 8帖", "8-jo Western-style room"),
        ("6畳", "6 jo (tatami mats)"),
        ("十二畳", "12 jo (tatami mats)"),
        ("十畳", "10 jo (tatami mats)"),
        ("二十畳", "20 jo (tatami mats)"),
        ("和室6畳 1K", "6-jo Japanese-style room / 1K"),
        ("2人室", "2-person room"),
        ("2人個室", "2-person private room"),
        ("1K(+ロフト)", "1K (+ loft)"),
        ("2K 6帖", "2K (6 jo)"),
        ("和6 洋8", "6-jo Japanese-style room / 8-jo Western-style room"),
        (
            "1LDK(和6・洋8・LDK12)",
            "1LDK (6-jo Japanese-style room / 8-jo Western-style room / 12-jo LDK)",
        ),
        ("Private room", "Private room"),
    ],
)
def test_the_words_of_the_trade_are_said_in_english(typed: str, english: str) -> None:
    assert describe_layout(typed, "en") == (english, None)


@pytest.mark.parametrize(
    "typed",
    ["川の見える部屋", "個室みたいな部屋", "和室6畳くらい", "6畳6畳", "個室ドミトリー", "6畳和8"],
)
def test_free_text_stays_as_typed_and_is_said_to_be_japanese(typed: str) -> None:
    assert describe_layout(typed, "en") == (typed, "ja")


def test_readers_of_japanese_get_what_was_typed_and_english_words_in_japanese() -> None:
    assert describe_layout("和室6畳", "ja") == ("和室6畳", None)
    assert describe_layout("private room", "ja") == ("個室", None)


def test_the_spellings_of_one_layout_share_a_key() -> None:
    assert layout_key("個室") == layout_key("Private Room")
    assert layout_key("ワンルーム") == layout_key("1R") == layout_key("studio")
    assert layout_key("和室６畳") == layout_key("6-jo Japanese-style room")
    assert layout_key("1K") != layout_key("1DK")


def test_facilities_are_translated_word_by_word() -> None:
    assert name_facilities(["エアコン", "Wi-Fi"]) == (["Air conditioning", "Wi-Fi"], None)
    assert name_facilities(["ｴｱｺﾝ", "縁側"]) == (["Air conditioning", "縁側"], "ja")
