"""Which passage fits a question."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.search_text import Ranking, asked_words, words_of

PAGES = (
    ("ごみの分け方", "燃えるごみは火曜日と金曜日に出します。"),
    ("星見テラス 402", "オートロック、エアコン、インターネット無料、ペット可。"),
    ("清掃スタッフ 求人 採用 募集", "退去後の部屋を清掃します。"),
    ("Housekeeping jobs", "Clean rooms between residents."),
)
RANKING = Ranking(PAGES)


def best(question: str) -> str | None:
    found = RANKING.best(question, 1)
    return PAGES[found[0].place][0] if found and found[0].share >= 0.3 else None


def test_japanese_is_found_by_its_words_whatever_is_polite_around_them() -> None:
    assert best("ペットは飼えますか") == "星見テラス 402"
    assert best("ゴミの出し方を教えてください") == "ごみの分け方"
    assert best("ﾍﾟｯﾄ") == "星見テラス 402"


def test_what_people_say_finds_what_is_written() -> None:
    assert best("Wi-Fiはありますか") == "星見テラス 402"
    assert best("バイトの募集") == "清掃スタッフ 求人 採用 募集"


def test_few_words_in_common_are_no_answer() -> None:
    assert best("佐藤花子さんの携帯の番号と勤務先") is None
    assert best("ビットコインの価格") is None


def test_nothing_asked_of_nothing_is_nothing() -> None:
    assert Ranking(()).best("部屋") == []
    assert RANKING.best("？！") == []


@given(st.text(max_size=300))
def test_any_text_may_be_asked(question: str) -> None:
    for found in RANKING.best(question):
        assert 0 <= found.share <= 1.000001
        assert found.score > 0
    assert all(words_of(question))


def test_a_word_weighs_by_how_rare_it_is_and_how_often_it_stands_in_how_long_a_passage() -> None:
    ranking = Ranking([("", "pet bed"), ("", "pet pet desk lamp door sofa"), ("", "bike")])

    def score(holding: int, times: int, length: int) -> float:
        weight = log(1 + (3 - holding + 0.5) / (holding + 0.5))
        stretch = 0.25 + 0.75 * length / 3
        return weight * times * 2.2 / (times + 1.2 * stretch)

    found = {one.place: one for one in ranking.best("pet bed")}
    assert found[0].score == pytest.approx(score(2, 1, 2) + score(1, 1, 2))
    assert found[1].score == pytest.approx(score(2, 2, 6))
    assert found[0].share == 1 > found[1].share


def test_what_is_meant_weighs_half_of_what_is_said() -> None:
    ranking = Ranking([("", "pet bed"), ("", "desk lamp")])
    [said], [meant] = ranking.best("pet"), ranking.best("dog")
    assert said.score == pytest.approx(2 * meant.score)


def test_a_word_of_a_title_counts_three_times() -> None:
    in_title = Ranking([("pet", ""), ("", "desk lamp door")])
    in_text = Ranking([("", "pet pet pet"), ("", "desk lamp door")])
    assert in_title.best("pet") == in_text.best("pet")


def test_five_passages_are_enough_and_one_more_may_be_asked_for() -> None:
    ranking = Ranking([("", "pet")] * 7)
    assert [one.place for one in ranking.best("pet")] == [0, 1, 2, 3, 4]
    assert len(ranking.best("pet", 6)) == 6


def test_the_plural_finds_the_singular() -> None:
    assert words_of("rooms") == words_of("room") == ["room"]
    assert words_of("gas glass bus") == ["gas", "glass", "bus"]


def test_the_best_comes_first_and_of_two_as_good_the_earlier() -> None:
    ranking = Ranking([("", "pet desk lamp"), ("", "pet pet pet"), ("", "bike"), ("pet", "")])
    assert [one.place for one in ranking.best("pet")] == [1, 3, 0]
    assert ranking.best("pet", 0) == []


def test_a_word_repeated_in_a_title_counts_three_times_each_beside_those_of_the_text() -> None:
    titled = Ranking([("pet pet", "pet bed"), ("", "desk")])
    plain = Ranking([("", "pet " * 7 + "bed"), ("", "desk")])
    assert titled.best("pet") == plain.best("pet")
    assert titled.best("bed") == plain.best("bed")


def test_an_empty_passage_is_never_found_and_shortens_the_others() -> None:
    ranking = Ranking([("", ""), ("", "pet")])
    [found] = ranking.best("pet")
    weight = log(1 + 1.5 / 1.5)
    assert found.place == 1
    assert found.score == pytest.approx(weight * 2.2 / (1 + 1.2 * (0.25 + 0.75 / 0.5)))
    assert Ranking([("", "")]).best("pet") == []


def test_a_word_that_stands_nowhere_lowers_the_share_and_a_weak_one_does_not() -> None:
    ranking = Ranking([("", "pet"), ("", "desk")])
    [found] = ranking.best("pet bike")
    known, unknown = log(1 + 1.5 / 1.5), log(1 + 2.5 / 0.5)
    assert found.share == pytest.approx(known / (known + unknown))
    [found] = ranking.best("dog")
    assert found.share == 1


@pytest.mark.parametrize(
    ("question", "telling", "weak"),
    [
        ("rooms rooms beds", ["room", "bed"], []),
        ("部屋 a b 7 7", ["部屋"], ["b", "7"]),
        ("鍵", ["鍵"], []),
        ("いい", ["いい"], []),
        ("この家はいい", ["この", "の家", "家は", "はい", "いい"], []),
        ("保証金 deposit", [], ["敷金", "deposit"]),
        ("犬 pet", ["pet"], ["ぺっ", "っと", "pet"]),
        ("jobs 102", ["102"], ["求人", "採用", "job"]),
        ("dog and parking", [], ["ぺっ", "っと", "pet", "駐車", "車場", "parking"]),
        ("Ｒｏｏｍ　１０２", ["room", "102"], []),
        ("鍵を教えてください", ["鍵を"], []),
    ],
)
def test_a_question_asks_by_what_tells_and_helps_with_the_rest(
    question: str, telling: list[str], weak: list[str]
) -> None:
    assert asked_words(question) == (telling, weak)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("星", ["星"]),
        ("星見", ["星見"]),
        ("星見荘", ["星見", "見荘"]),
        ("テラス", ["てら", "らす"]),
        ("星見 room7 12345", ["星見", "room7", "12345"]),
        ("Mt. O'Brien co-op", ["mt", "o'brien", "co-op"]),
        ("jobs boss beds", ["job", "boss", "bed"]),
        ("is there a bed?", ["bed"]),
        ("?!", []),
    ],
)
def test_words_are_whole_in_latin_letters_and_pairs_in_japanese(
    text: str, words: list[str]
) -> None:
    assert words_of(text) == words
