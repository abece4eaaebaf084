"""Whom a payer's name, numbers and message may mean, and how surely."""

import pytest

from pms.rules.bank_letters import half_width_length
from pms.rules.payer_search import PayerIndex, PayerReason
from pms.rules.people_index import RentPayer

R = PayerReason
YAMADA = RentPayer("A", ("ヤマダ リョウ",), "101", ("671910",))
YAMADA_RYOKO = RentPayer("B", ("ヤマダ リョウコ",), "202", ("532649",))
NGUYEN = RentPayer("C", ("グエン ティ ホア", "NGUYEN THI HOA"), "303", ("731064",))
PEOPLE = [YAMADA, YAMADA_RYOKO, NGUYEN]
INDEX = PayerIndex(PEOPLE)
COMPANY = "ｶ)ﾄｳｷﾖｳｸﾞﾛ-ﾊﾞﾙｽﾀﾂﾌｻ-ﾋﾞｽｼﾞﾝｻﾞｲﾎﾝﾌﾞｹｲﾘｶﾌﾞ"


def found(text: str, message: str = "", *more: RentPayer) -> tuple[PayerReason, str, bool, bool]:
    """By what whom, whether it is certain, and whether only with a bill paid to the yen."""
    index = PayerIndex([*PEOPLE, *more]) if more else INDEX
    result = index.find(text, message)
    return result.reason, "".join(result.person_ids), result.is_certain, result.needs_full_bill


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("ﾔﾏﾀﾞ ﾘﾖｳ", "", (R.FULL_NAME, "A", True, False)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ-101", "", (R.FULL_NAME, "A", True, False)),
        ("ﾔﾏﾀﾞ ﾂﾙﾐ ﾘﾖｳ", "", (R.FULL_NAME, "A", True, True)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ ﾂﾙﾐ", "", (R.FULL_NAME, "A", True, True)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ ｸﾞｴﾝ", "", (R.FULL_NAME, "A", False, True)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ ﾏ", "", (R.FULL_NAME, "A", False, True)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ ｺﾏ", "", (R.FULL_NAME, "A", False, True)),
        ("ｶ)ﾏﾂｶｾﾞ ﾔﾏﾀﾞ ﾘﾖｳ", "", (R.FULL_NAME, "A", True, False)),
        ("ｶ)ｸﾞｴﾝ ﾔﾏﾀﾞ ﾘﾖｳ", "", (R.FULL_NAME, "A", True, False)),
        ("", "ﾔﾏﾀﾞ ﾘﾖｳ", (R.FULL_NAME, "A", True, False)),
        ("ﾂﾙﾐ", "ﾔﾏﾀﾞ ﾘﾖｳ", (R.NOBODY, "", False, False)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ", "ｸﾞｴﾝ ﾃｲ ﾎｱ", (R.FULL_NAME, "A", True, False)),
        ("101 ﾔﾏﾀﾞ", "", (R.ROOM_AND_SURNAME, "A", True, True)),
        ("2-101 ﾔﾏﾀﾞ", "", (R.ROOM_AND_SURNAME, "A", True, True)),
        ("101 ﾔﾏﾀﾞ ﾂﾙﾐ", "", (R.ROOM_AND_SURNAME, "A", False, True)),
        ("101 ﾘﾖｳ", "", (R.NOBODY, "", False, False)),
        ("202 ﾔﾏﾀﾞ ﾘﾖｳ", "", (R.FULL_NAME, "A", False, False)),
    ],
)
def test_a_name_or_a_room_says_who_pays(
    text: str, message: str, expected: tuple[PayerReason, str, bool, bool]
) -> None:
    assert found(text, message) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("671910", (R.REFERENCE, "A", True, False)),
        ("671910 ﾔﾏﾀﾞ ﾘﾖｳ", (R.REFERENCE, "A", True, False)),
        ("671910 ﾔﾏﾀﾞ ﾂﾙﾐ", (R.REFERENCE, "A", True, False)),
        ("671910ﾔﾏﾀﾞﾘﾖｳﾏ", (R.REFERENCE, "A", True, False)),
        ("671910 ﾂﾙﾐ", (R.REFERENCE, "A", True, True)),
        ("671910 ｸﾞｴﾝ ﾃｲ ﾎｱ", (R.REFERENCE_OF_ANOTHER, "AC", False, False)),
        ("671910 ｸﾞｴﾝ ﾃｲ ﾎ-", (R.REFERENCE_OF_ANOTHER, "AC", False, False)),
        ("671910 532649", (R.TWO_REFERENCES, "AB", False, False)),
    ],
)
def test_a_reference_says_who_pays_unless_a_name_says_otherwise(
    text: str, expected: tuple[PayerReason, str, bool, bool]
) -> None:
    assert found(text) == expected


def test_a_company_that_paid_before_may_add_the_reference() -> None:
    index = PayerIndex([YAMADA._replace(aliases=("カ）アオバ",))])
    assert not index.find("671910 ｶ)ｱｵﾊﾞ").needs_full_bill
    assert index.find("671910 ｶ)ﾐﾄﾞﾘ").needs_full_bill


def test_two_of_one_name_are_told_apart_by_the_room() -> None:
    twin = RentPayer("T", ("ヤマダ リョウ",), "505")
    assert found("505 ﾔﾏﾀﾞ ﾘﾖｳ", "", twin) == (R.ROOM_AND_SURNAME, "T", True, True)
    assert found("ﾔﾏﾀﾞ ﾘﾖｳ", "", twin) == (R.SAME_NAME, "AT", False, False)
    assert found("101 505 ﾔﾏﾀﾞ ﾘﾖｳ", "", twin) == (R.SAME_NAME, "AT", False, False)
    mate = RentPayer("M", ("ヤマダ ハナ",), "101")
    assert found("101 ﾔﾏﾀﾞ", "", mate) == (R.ROOM_AND_SURNAME, "AM", False, True)


def test_a_name_may_have_one_word() -> None:
    one = RentPayer("O", ("マドンナ",))
    assert found("ﾏﾄﾞﾝﾅ", "", one) == (R.FULL_NAME, "O", True, False)
    assert found("ﾔﾁﾝ ﾏﾄﾞﾝﾅ", "", one) == (R.FULL_NAME, "O", True, False)
    assert found("ﾏﾄﾞﾝﾅ ﾂﾙﾐ", "", one) == (R.FULL_NAME, "O", False, True)
    unparted = RentPayer("O", ("モガミテルミ",))
    assert found("ﾓｶﾞﾐﾃﾙﾐ ﾂﾙﾐ", "", unparted) == (R.FULL_NAME, "O", True, True)


def test_a_name_may_hold_one_word_twice() -> None:
    burmese = RentPayer("O", ("ミン ミョー ミョー",))
    assert found("ﾐﾝ ﾐﾖ- ﾐﾖ-", "", burmese) == (R.FULL_NAME, "O", True, False)


@pytest.mark.parametrize(
    ("book", "text"),
    [
        ("オオノ ユウコ", "ｵ-ﾉ ﾕ-ｺ"),
        ("オオノ ユウコ", "ONO YUKO"),
        ("オオノ ユウコ", "YUUKO OHNO"),
        ("フルカワ シュンスケ", "HURUKAWA SYUNSUKE"),
        ("ツチヤ ジュンイチ", "TSUCHIYA JUN'ICHI"),
        ("ツチヤ ジュンイチ", "TUTIYA ZYUNITI"),
        ("ホンマ サッペイ", "HOMMA SAPPEI"),
    ],
)
def test_a_name_is_found_by_its_sound_and_never_certain_by_it(book: str, text: str) -> None:
    index = PayerIndex([*PEOPLE, RentPayer("S", (book,))])
    assert index.find(text).reason is R.NOBODY
    first = next(index.candidates(text))
    assert (first.reason, first.person_ids, first.is_certain) == (R.SAME_SOUND, ("S",), False)


def test_a_reference_with_one_wrong_digit_is_no_more_than_a_hint() -> None:
    (hint,) = INDEX.candidates("671810")
    assert (hint.reason, hint.person_ids) == (R.REFERENCE_ONE_DIGIT_OFF, ("A",))
    assert list(INDEX.candidates("671801")) == []


def test_a_name_that_takes_in_a_shorter_one_is_meant_though_it_fills_the_field() -> None:
    index = PayerIndex([YAMADA, RentPayer("Q", ("アオバ ヤマダ リョウ",))])
    result = index.find(f"{COMPANY} ｱｵﾊﾞ ﾔﾏﾀﾞ ﾘﾖｳ")
    assert (result.reason, result.person_ids, result.is_certain) == (R.FULL_NAME, ("Q",), True)


def test_the_words_of_a_name_need_not_stand_side_by_side() -> None:
    other = RentPayer("X", ("リョウ ハナ",))
    assert found("ﾘﾖｳ ﾂﾙﾐ ﾊﾅ", "", other) == (R.FULL_NAME, "X", True, True)


def test_a_name_with_more_words_may_be_a_longer_one() -> None:
    short, longer = RentPayer("S", ("タパ プラカス",)), RentPayer("L", ("タパ プラカス プラサド",))
    assert found("ﾀﾊﾟ ﾌﾟﾗｶｽ ｱｲ", "", short, longer) == (R.FULL_NAME, "S", False, True)
    assert found("ﾀﾊﾟ ﾌﾟﾗｶｽ ｱｲ", "", short) == (R.FULL_NAME, "S", True, True)


@pytest.mark.parametrize(
    ("alias", "payer", "expected"),
    [
        ("ﾔﾏﾀﾞ ﾘﾖｳ", "ﾔﾏﾀﾞ ﾘﾖｳ", (R.REMEMBERED_FOR_ANOTHER, "AC", False)),
        ("カ）アオバ", "ｱｵﾊﾞ", (R.REMEMBERED, "C", True)),
        ("カ）アオバ", "ｶ)ｱｵﾊﾞ", (R.REMEMBERED, "C", True)),
        ("カ）アオバ", "ﾕ)ｱｵﾊﾞ", (R.REMEMBERED, "C", False)),
        ("アオバ", "ｶ)ｱｵﾊﾞ", (R.REMEMBERED, "C", True)),
        ("ツルミ", "ﾂﾙﾐ", (R.REMEMBERED, "C", True)),
        ("グエン", "ｸﾞｴﾝ", (R.REMEMBERED, "C", True)),
        ("ヤマダ", "ﾔﾏﾀﾞ", (R.REMEMBERED, "C", False)),
    ],
)
def test_a_remembered_payer_is_known_again(
    alias: str, payer: str, expected: tuple[PayerReason, str, bool]
) -> None:
    index = PayerIndex([YAMADA, YAMADA_RYOKO, NGUYEN._replace(aliases=(alias,))])
    answer = index.find(payer)
    assert (answer.reason, "".join(answer.person_ids), answer.is_certain) == expected


def test_a_person_remembered_by_their_own_name_is_certain() -> None:
    index = PayerIndex([YAMADA._replace(aliases=("ﾔﾏﾀﾞ ﾘﾖｳ",))])
    assert index.find("ﾔﾏﾀﾞ ﾘﾖｳ") == INDEX.find("ﾔﾏﾀﾞ ﾘﾖｳ")


def test_companies_that_differ_in_their_form_are_two() -> None:
    people = [YAMADA._replace(aliases=("カ）アオバ",)), NGUYEN._replace(aliases=("ユ）アオバ",))]
    index = PayerIndex(people)
    facts = {text: index.find(text) for text in ("ｱｵﾊﾞ", "ﾕ)ｱｵﾊﾞ")}
    assert [(one.person_ids, one.is_certain) for one in facts.values()] == [
        (("A", "C"), False),
        (("C",), True),
    ]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("ｸﾞｴﾝ ﾃｲﾎ", (R.CUT_NAME, "C", True, True)),
        ("ｸﾞｴﾝ ﾃｲ", (R.CUT_NAME, "C", True, True)),
        ("ｸﾞｴﾝ ﾃ", (R.NOBODY, "", False, False)),
        ("ｸﾞｴﾝ ﾎｱ", (R.NOBODY, "", False, False)),
        ("NGUYEN THIH", (R.CUT_NAME, "C", True, True)),
        ("NGUYEN THI", (R.NOBODY, "", False, False)),
        ("ﾔﾏﾀﾞ ﾘﾖ", (R.CUT_NAME, "AB", False, True)),
        ("ﾔﾏﾀﾞ ﾘﾖｳ", (R.SAME_NAME, "AB", False, False)),
        ("ﾔﾏﾀﾞ ﾘﾖｳｺ", (R.FULL_NAME, "B", True, False)),
    ],
)
def test_a_name_the_bank_cut_is_known_by_its_beginning(
    rest: str, expected: tuple[PayerReason, str, bool, bool]
) -> None:
    assert found(f"{COMPANY} {rest}") == expected


@pytest.mark.parametrize(
    ("payer", "name", "expected"),
    [
        # The last of 48 bytes may be a kana whose mark the bank cut off.
        ("ｸﾞｴﾝ ﾃｲﾎ", "グエン ティボン", (R.CUT_NAME, "CX", False, True)),
        ("ｸﾞｴﾝ ﾃｲﾎ", "グエン ティポ", (R.CUT_NAME, "CX", False, True)),
        ("ｵｶﾍﾞ ﾕｳｶ", "オカベ ユウガ", (R.CUT_NAME, "X", False, True)),
        ("ｵｶﾍﾞ ﾕｳｶ", "オカベ ユウカコ", (R.CUT_NAME, "X", True, True)),
        # A mark that is there was not cut off, and a kana that has none lost none.
        ("ｵｶﾍ ﾕｳｶﾞ", "オカヘ ユウガイ", (R.CUT_NAME, "X", True, True)),
        ("ｵｶﾍﾞ ﾕｳﾅ", "オカベ ユウナコ", (R.CUT_NAME, "X", True, True)),
    ],
)
def test_a_mark_may_be_cut_off_the_last_kana(
    payer: str, name: str, expected: tuple[PayerReason, str, bool, bool]
) -> None:
    assert half_width_length(f"{COMPANY} {payer}") == 48
    assert found(f"{COMPANY} {payer}", "", RentPayer("X", (name,))) == expected


@pytest.mark.parametrize("name", ["オカベ ユウガ", "オカベ ユウガオ"])
@pytest.mark.parametrize("payer", ["ｵｶﾍﾞ ﾕｳｶ", " ｵｶﾍﾞﾕｳｶ"])
def test_a_whole_name_may_be_that_of_another_without_its_mark(payer: str, name: str) -> None:
    one, other = RentPayer("X", ("オカベ ユウカ",)), RentPayer("Y", (name,))
    text = f"{COMPANY} {payer}"
    assert half_width_length(text) == 48
    assert found(text, "", one)[2]
    assert found(text, "", one, other) == (R.SAME_NAME, "XY", False, False)


def test_a_long_name_the_bank_cut_begins_with_its_surname() -> None:
    given = "アイウエオカキクケコ" * 5
    long = RentPayer("L", (f"ナラヤン {given}",))
    assert found(f"ナラヤン {given[:43]}", "", long) == (R.CUT_NAME, "L", True, True)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ｸﾞｴﾝ ﾃｲ ﾎｲ", {R.ONE_LETTER_OFF: "C", R.SURNAME: "C"}),
        ("ﾎｲﾃｲｸﾞｴﾝ", {R.ONE_LETTER_OFF: "C"}),
        ("ｸｴﾝﾃｲﾎｱ", {R.ONE_LETTER_OFF: "C"}),
        ("ｸﾞｴﾝﾃｲｱﾎ", {R.SURNAME: "C"}),
        ("ｱﾍﾞｱｳ", {R.ONE_LETTER_OFF: "D", R.SURNAME: "D"}),
        ("ｱﾍﾞｳ", {R.SURNAME: "D"}),
        ("ｱﾍﾞｱｲﾄﾞ", {R.ONE_LETTER_OFF: "D", R.SURNAME: "D"}),
        ("ｱﾍﾞﾖｼｵ", {R.SURNAME: "D"}),
        ("ｸﾞｴﾝ ﾎｱ", {R.FIRST_AND_LAST: "C", R.SURNAME: "C"}),
        ("ﾎｱ ｸﾞｴﾝ", {R.FIRST_AND_LAST: "C", R.SURNAME: "C"}),
        ("ｸﾞｴﾝ ﾃｲ", {R.SURNAME: "C"}),
        ("ﾃｲ ﾎｱ", {R.GIVEN_NAME: "C"}),
        ("ｸﾞｴﾝ ﾂﾙﾐ ﾎｱ", {R.SURNAME: "C"}),
        ("101 ﾘﾖｳ", {R.ROOM_AND_GIVEN_NAME: "A", R.GIVEN_NAME: "A"}),
        ("ﾔﾏﾀﾞﾃﾙ", {R.SURNAME: "AB"}),
        ("ﾔﾏﾀﾞｱ", {R.SURNAME: "AB"}),
        ("ﾔﾏﾀﾞ ﾂﾙﾐ", {R.SURNAME: "AB"}),
        ("ｶ)ﾔﾏﾀﾞ", {}),
        ("ﾂﾙﾐ", {}),
    ],
)
def test_who_may_be_meant_is_told_with_the_likelier_first(
    text: str, values: dict[PayerReason, str]
) -> None:
    index = PayerIndex([*PEOPLE, RentPayer("D", ("アベ アイ",))])
    answers = list(index.candidates(text))
    assert {one.reason: "".join(one.person_ids) for one in answers} == values
    assert [one.reason for one in answers] == list(values)
    assert not any(one.is_certain for one in answers)


def test_two_words_that_are_a_whole_name_are_not_its_first_and_last() -> None:
    assert [one.reason for one in INDEX.candidates("ﾔﾏﾀﾞ ﾘﾖｳ")][:1] == [R.ONE_LETTER_OFF]
    assert R.FIRST_AND_LAST not in [one.reason for one in INDEX.candidates("ﾔﾏﾀﾞ ﾘﾖｳ")]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("アキ イト ウメ エミ", "ｲﾄｴﾐｱｷｳﾒ"),
        ("マリア デ ラ クルス サントス", "ﾏﾘｱﾃﾞﾗｸﾙｽｻﾝﾄｽ"),
        ("マリア デ ラ クルス サントス", "ﾏ ﾘｱﾃﾞ ﾗｸ ﾙｽ ｻﾝﾄｽ"),
        ("マリア デ ラ クルス サントス", "ｻﾝﾄｽｸﾙｽﾗﾃﾞﾏﾘｱ"),
        ("マリア デ ラ クルス サントス", "ﾃﾞﾗｸﾙｽｻﾝﾄｽﾏﾘｱ"),
    ],
)
def test_a_name_may_be_written_without_spaces_in_another_order(name: str, written: str) -> None:
    assert found(written, "", RentPayer("Z", (name,))) == (R.FULL_NAME, "Z", True, False)


def test_others_of_a_surname_are_told() -> None:
    assert (INDEX.same_surname("A"), INDEX.same_surname("C")) == (["B"], [])
