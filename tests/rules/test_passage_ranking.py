"""Which passage fits a question."""

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.passage_ranking import Ranking, words_of

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
