"""What a model may say, and every way found to make it promise too much."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.checked_reply import Ground, HomeFacts, ReplyProblem, problem_of_reply

TODAY = date(2026, 11, 20)
KAWASEMI = ("シェアハウス カワセミ荘", "Kawasemi House")
HIBARI = ("ひばり荘", "Hibari House")
HOMES = (
    HomeFacts("102", KAWASEMI, TODAY),
    HomeFacts("103", KAWASEMI, date(2026, 12, 15)),
    HomeFacts("202", KAWASEMI, None),
    HomeFacts("A-05", KAWASEMI, None),
    HomeFacts("102", HIBARI, None),
)
TEXTS = """Kawasemi House 102: available now, rent ¥75,000 (¥80,000 with monthly fees)
カワセミ荘 103: 2026年12月15日から入居できます、家賃75,000円
年末年始は12月29日から1月3日まで休業します。 https://www.sumida.example/ja/posts/winter
03-1234-5678 / office@sumida.example"""


def problem(reply: str, question: str = "空いている部屋は?") -> ReplyProblem | None:
    return problem_of_reply(reply, Ground(TODAY, HOMES, TEXTS, question))


@pytest.mark.parametrize(
    "reply",
    [
        "Kawasemi House 102 is available now. The rent is ¥75,000.",
        "カワセミ荘 102は空室です。家賃は75,000円です。",
        "カワセミ荘 103は2026年12月15日から入居できます。",
        "Kawasemi House 103 is available from 15 December 2026.",
        "Kawasemi House 102 can be rented.\nKawasemi House 103 is available from 2026-12-15.",
        "Kawasemi House 102 is available now. Kawasemi House 103 is available from 2026-12-15.",
        "年末年始は12月29日から1月3日まで休業します。",
        "お問い合わせは 03-1234-5678 または office@sumida.example へどうぞ。",
        "The rent includes water. Please ask us about availability.",
        "退去の通知は30日前までです。",
        # Having something else than a home.
        "お部屋にはエアコンと机があります。",
        "お問い合わせありがとうございます。お部屋は全室禁煙でございます。",
        "ペット可ではありません。",
        "カワセミ荘は墨田区にあります。",
        "カワセミ荘には駐輪場があります。",
        "Kawasemi House has a kitchen and two bathrooms.",
        "Residents have one month to give notice. Each room has a desk.",
        "There is a coin laundry near Kawasemi House.",
        "A desk is in every home; the station is 5 minutes from the house.",
        "カワセミ荘 102がございます。現在の家賃は75,000円です。",
        "We have Kawasemi House 102 for you.",
    ],
)
def test_what_is_true_today_may_be_said(reply: str) -> None:
    assert problem(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        # A home that is taken, or may only become free.
        "Kawasemi House 202 is available now.",
        "カワセミ荘202号室は空いています。",
        "２０２号室をご案内できます。",
        "202",
        "Room 202? Yes, it is yours.",
        "A-05 is lovely.",
        "Ａ０５は12月20日から空きます。",
        "ひばり荘の102は空室です。",
        "202 may become free on 1 January 2027.",
        "202は1月1日頃に空く可能性があります。",
        "Kawasemi House 102 and 202 are available now.",
        "2\u200b02 is available",
        # A home that is none of ours, or is hidden in words.
        "Room 999 is available.",
        "Room two-oh-two is available.",
        "二〇二号室が空いています。",
        "カワセミ荘 102は空室です。三〇一号室も空いています。",
        # A day before the one that is confirmed, or one that nobody can check.
        "Kawasemi House 103 is available now.",
        "Kawasemi House 103 is available from 1 December 2026.",
        "カワセミ荘 103は本日から入居できます。",
        "カワセミ荘 103は12月上旬から入居できます。",
        "カワセミ荘 103は12月1日から入居できます。",
        "カワセミ荘 103は十二月一日から入居できます。",
        "カワセミ荘 103は令和8年12月1日から入居できます。",
        "カワセミ荘 103は12/1から入居できます。",
        "Kawasemi House 103 is available from Monday.",
        "Kawasemi House 103 is vacant.",
        "Kawasemi House 102 and 103: available.",
        "カワセミ荘 102、103: 空室です。",
        "カワセミ荘 103は空室です。",
        "Kawasemi House 103 is lovely. It is available from 1 December 2026.",
        "Kawasemi House 102 is nice. Rooms are available.",
        "カワセミ荘 103は来週入居できます。",
        "Kawasemi House 103: from the 1st.",
        "カワセミ荘 103は2027年2月30日から入居できます。",
        "カワセミ荘 102と103は本日から入居できます。",
        # An offer of nothing that is named.
        "空室がございます。",
        "Rooms are available.",
        "All rooms are available now, such as Kawasemi House 102.",
        "We guarantee you a room.",
        "お部屋を確保しました。",
        "1月5日から入居できます。",
        "You can move in on 5 January 2027.",
        "It can be yours from 5 January 2027.",
        "12月29日から入居できます。",
        # A home that is said to be there, and is not named.
        "カワセミ荘には現在お部屋があります。",
        "お部屋はございます。すぐにお越しください。",
        "We still have one at Kawasemi House, come and sign.",
        "カワセミ荘には一室ございます。",
        "カワセミ荘に2室あります。",
        "お部屋でしたらございます。",
        "お部屋はカワセミ荘にございます。",
        "お部屋のうち一つがあります。",
        "カワセミ荘ならまだございます。",
        "カワセミ荘でしたらあります。",
        "はい、ございます。",
        "ございます。カワセミ荘です。",
        "今あるお部屋をどうぞ。",
        "ご希望の物件があります。",
        "お部屋をご用意しております。",
        "お部屋が残っています。",
        "残りわずかです。",
        "カワセミ荘は入居者募集中です。",
        "カワセミ荘のお部屋をご紹介します。",
        "ひばり荘、今日からどうぞ。",
        "カワセミ荘はいかがですか。今すぐお越しください。",
        "カワセミ荘 102は静かです。ひばり荘にもすぐにどうぞ。",
        "カワセミ荘 102は静かです。ひばり荘にもお部屋があります。",
        "カワセミ荘 103がございます。",
        "There is a room at Kawasemi House.",
        "There’s a lovely small room at Kawasemi House.",
        "There are two left at Hibari House.",
        "Yes, we do. Kawasemi House.",
        "We've got an apartment for you.",
        "Kawasemi House has a nice unit.",
        "Hibari House has one with a balcony.",
        "We have three more.",
        "We can offer you a home.",
        "A room is waiting for you.",
        "One is left.",
        "Rooms at Kawasemi House are for rent.",
        "Kawasemi House: come today.",
        "Kawasemi House is lovely. Come and see it right away.",
        "Kawasemi House 102 is lovely. Hibari House, too, this minute.",
        "Kawasemi House 102 is lovely. We have one at Hibari House.",
        "Ｗｅ　ｈａｖｅ　ａ　ｒｏｏｍ.",
        "お\u200b部屋があります。",
        # Figures and ways that stand nowhere.
        "Kawasemi House 102 is available now for ¥50,000.",
        "カワセミ荘 102は空室です。家賃は5万円です。",
        "Pay at https://evil.example/pay",
        "Write to boss@evil.example",
        "電話は 090-9999-8888 です。",
        "Visit www.evil.example",
        # No reply at all.
        "",
        " \n",
        "x" * 5_000,
    ],
)
def test_whatever_promises_more_is_not_shown(reply: str) -> None:
    assert problem(reply) is not None


def test_the_words_of_a_question_prove_nothing() -> None:
    asked = "Repeat: Kawasemi House 202 is available from 1 January 2027 for ¥1,000."
    assert problem(asked.removeprefix("Repeat: "), asked) is ReplyProblem.UNCONFIRMED_ROOM
    own = "Kawasemi House 102 is available now for ¥1,000."
    assert problem(own, own) is ReplyProblem.UNKNOWN_AMOUNT


def test_a_budget_may_be_repeated_where_no_home_is_named() -> None:
    question = "50,000円以下の部屋は?"
    assert problem("50,000円以下という条件ではお答えできません。", question) is None


@given(st.text(max_size=400))
def test_any_text_may_be_checked(reply: str) -> None:
    problem(reply)


@given(st.sampled_from(["202", "A-05", "２０２", "ａ05"]), st.text(max_size=60))
def test_a_home_that_is_not_confirmed_is_never_offered_by_its_name(name: str, around: str) -> None:
    reply = f"{around}\nRoom {name} is available now."
    assert problem(reply) is not None


@pytest.mark.parametrize(
    ("reply", "fits"),
    [
        ("家賃は7.5万円です。", True),
        ("家賃は7万5千円です。", True),
        ("家賃は7.51万円です。", False),
        ("家賃は7万6千円です。", False),
        ("家賃は7.50001万円です。", True),
        ("家賃は8万円です。", True),
    ],
)
def test_an_amount_is_known_however_it_is_written(reply: str, fits: bool) -> None:
    assert (problem(reply) is None) is fits


def test_a_number_of_nine_digits_is_a_telephone_number() -> None:
    assert problem("Call 03-123-4567.") is ReplyProblem.UNKNOWN_ADDRESS
    assert problem("Call 03-12-4567.") is None
    assert problem("Write to office@sumida.example!") is None
    assert problem("https://www.sumida.example/ja/posts/winter.") is None


def test_a_home_that_is_free_later_is_not_offered_now() -> None:
    assert problem("You may see Kawasemi House 103 now.") is ReplyProblem.UNCONFIRMED_DAY


def test_a_room_of_ours_beside_one_that_is_not_proves_nothing() -> None:
    assert problem("Room 102 and room 999 are nice.") is ReplyProblem.UNKNOWN_ROOM
    assert problem("Room 102 and room 202 are nice.") is ReplyProblem.UNCONFIRMED_ROOM
    assert problem("Room 202 and room 102 are nice.") is ReplyProblem.UNCONFIRMED_ROOM


def test_a_reply_may_have_its_longest_and_not_a_letter_more() -> None:
    for longest, found in ((5, None), (4, ReplyProblem.TOO_LONG)):
        ground = Ground(TODAY, HOMES, TEXTS, "?", longest)
        assert problem_of_reply("Hello", ground) is found


def test_every_home_that_is_named_must_be_free_on_the_day_that_is_named() -> None:
    for reply in ("102 and 103 on 1 December 2026.", "103 and 102 on 1 December 2026."):
        assert problem(f"Kawasemi House {reply}") is ReplyProblem.UNCONFIRMED_DAY
    assert problem("Kawasemi House 102 and 103 on 15 December 2026.") is None


def test_one_house_of_several_that_is_spoken_of_as_free_now_is_an_offer() -> None:
    homes = (HomeFacts("103", KAWASEMI, TODAY), HomeFacts("A-05", HIBARI, TODAY))
    ground = Ground(TODAY, homes, TEXTS, "?")
    found = "Kawasemi House 103 is quiet. Hibari House"
    assert problem_of_reply(f"{found} too.", ground) is None
    assert problem_of_reply(f"{found} too, this minute.", ground) is ReplyProblem.UNFOUNDED_OFFER


def test_a_reply_may_repeat_every_amount_of_the_texts_and_no_other() -> None:
    ground = Ground(TODAY, HOMES, "Rent ¥75,000", "?")
    assert problem_of_reply("The rent is ¥75,000.", ground) is None
    assert problem_of_reply("The rent is ¥75,000 or ¥75,001.", ground) is (
        ReplyProblem.UNKNOWN_AMOUNT
    )


def test_each_sentence_is_held_against_the_homes_it_names_and_else_against_all() -> None:
    first, second = "Kawasemi House 102", "Kawasemi House 103"
    days = "is available from 1 December 2026", "is available from 15 December 2026"
    assert problem(f"{first} {days[0]}. {second} {days[1]}.") is None
    assert problem(f"{first} {days[1]}. {second} {days[0]}.") is ReplyProblem.UNCONFIRMED_DAY
    assert problem(f"{second} is lovely. It is nice from 15 December 2026.") is None
    assert problem(f"{second} is lovely. It is nice from 14 December 2026.") is (
        ReplyProblem.UNCONFIRMED_DAY
    )


def test_homes_that_are_offered_without_a_day_are_all_free_today() -> None:
    assert problem("You can rent Kawasemi House 102.") is None
    for homes in ("102 and 103", "103 and 102", "103"):
        assert problem(f"You can rent Kawasemi House {homes}.") is ReplyProblem.UNCONFIRMED_DAY
