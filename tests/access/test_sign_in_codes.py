"""An emailed code signs in once: ten minutes, its own screen, the newest, five wrong tries."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from pms.access.code_sign_in import (
    TriedCode,
    linked_account,
    sign_in_staff_with_code,
    sign_in_staff_with_link,
)
from pms.access.models import AuthSession, SignInCode
from pms.foundation.tokens import token_hash
from pms.rules.enumerations import Proof, UserKind
from pms.rules.sign_in_codes import CodeAnswer
from tests.access.conftest import OPERATOR, STRANGER, SignIns
from tests.departures.racing import race


def tries(sign_ins: SignIns, screen: str, digits: str, address: str = OPERATOR) -> TriedCode:
    return sign_in_staff_with_code(
        sign_ins.auth, sign_ins.visitor(address), token_hash(screen), digits
    )


def wrong(digits: str) -> str:
    return f"{(int(digits) + 1) % 1_000_000:06}"


def test_the_mailed_digits_sign_in(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    tried = tries(sign_ins, "screen", sign_ins.mailed_code())
    assert tried.answer is CodeAnswer.OPENS
    assert tried.opened is not None
    with sign_ins.auth.reading() as session:
        opened = session.scalars(select(AuthSession)).one()
        assert (opened.proof, opened.person_id) == (Proof.CODE, sign_ins.staff.operator_id)
        assert opened.expires_at - opened.created_at == timedelta(days=7)


def test_a_code_opens_once(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.OPENS
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.EXPIRED


@pytest.mark.differs("time")
@pytest.mark.parametrize(("seconds", "answer"), [(599, "opens"), (600, "expired")])
def test_a_code_is_expired_at_exactly_ten_minutes(
    sign_ins: SignIns, seconds: int, answer: str
) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    sign_ins.clock.advance(timedelta(seconds=seconds))
    assert tries(sign_ins, "screen", digits).answer == answer


def test_a_code_works_on_the_screen_that_asked_alone(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    assert tries(sign_ins, "another", digits).answer is CodeAnswer.OTHER_SCREEN
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.OPENS


def test_a_code_of_one_address_opens_nothing_for_another(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    other = "office@sumida.example"
    assert tries(sign_ins, "screen", digits, other).answer is CodeAnswer.OTHER_SCREEN


def asks_twice(sign_ins: SignIns, first: str, second: str) -> tuple[str, str]:
    """Ask for a code from one screen, then from another, and return both codes."""
    sign_ins.asks(first)
    old = sign_ins.mailed_code()
    sign_ins.asks(second)
    return old, sign_ins.mailed_code()


def test_a_newer_code_kills_the_older_on_every_screen_of_a_browser(sign_ins: SignIns) -> None:
    old, new = asks_twice(sign_ins, "first", "second")
    assert tries(sign_ins, "first", old).answer is CodeAnswer.REPLACED
    assert tries(sign_ins, "first", new).answer is CodeAnswer.REPLACED
    assert tries(sign_ins, "second", new).answer is CodeAnswer.OPENS


def test_a_newer_code_ends_the_one_of_another_browser_of_the_network(sign_ins: SignIns) -> None:
    sign_ins.asks("laptop", browser="laptop")
    old = sign_ins.mailed_code()
    sign_ins.clock.advance(timedelta(seconds=1))
    sign_ins.asks("phone", browser="phone")
    new = sign_ins.mailed_code()
    assert tries(sign_ins, "laptop", old).answer is CodeAnswer.REPLACED
    assert tries(sign_ins, "phone", new).answer is CodeAnswer.OPENS


def test_of_two_codes_waiting_for_the_worker_only_the_newest_is_mailed(sign_ins: SignIns) -> None:
    sign_ins.asks("laptop", browser="laptop")
    sign_ins.asks("phone", browser="phone")
    sign_ins.asks("elsewhere", client="198.51.100.7", browser="elsewhere")
    assert sign_ins.mails() == 2


def test_a_newer_code_from_another_network_lives_beside(sign_ins: SignIns) -> None:
    sign_ins.asks("owner's", browser="owner")
    old = sign_ins.mailed_code()
    sign_ins.asks("elsewhere", client="198.51.100.7", browser="elsewhere")
    new = sign_ins.mailed_code()
    assert tries(sign_ins, "owner's", old).answer is CodeAnswer.OPENS
    assert tries(sign_ins, "elsewhere", new).answer is CodeAnswer.OPENS


def test_a_newer_code_over_the_allowance_lives_beside_but_is_itself_ended(
    sign_ins: SignIns,
) -> None:
    for _ in range(3):
        sign_ins.asks("neighbour's", browser="neighbour")
    sign_ins.asks("owner's", browser="owner")
    digits = sign_ins.mailed_code()
    sign_ins.clock.advance(timedelta(minutes=1))
    assert not sign_ins.asks("neighbour's", browser="neighbour").wait
    theirs = sign_ins.mailed_code()
    assert tries(sign_ins, "owner's", digits).answer is CodeAnswer.OPENS
    sign_ins.asks("owner's", browser="owner")
    assert tries(sign_ins, "neighbour's", theirs).answer is CodeAnswer.REPLACED


def test_a_browser_that_changes_its_network_ends_its_own_older_code(sign_ins: SignIns) -> None:
    sign_ins.asks("phone", browser="phone")
    old = sign_ins.mailed_code()
    sign_ins.asks("phone again", client="198.51.100.7", browser="phone")
    assert tries(sign_ins, "phone", old).answer is CodeAnswer.REPLACED


def test_the_older_code_of_the_same_screen_is_told_as_replaced(sign_ins: SignIns) -> None:
    old, new = asks_twice(sign_ins, "screen", "screen")
    assert tries(sign_ins, "screen", old).answer is CodeAnswer.REPLACED
    assert tries(sign_ins, "screen", new).answer is CodeAnswer.OPENS


def test_a_code_stays_good_however_often_somebody_else_asks(sign_ins: SignIns) -> None:
    sign_ins.asks("owner's", browser="owner")
    digits = sign_ins.mailed_code()
    for number in range(81):
        client = f"198.51.{number % 9}.{number}"
        sign_ins.asks(f"strange {number}", client=client, browser=f"strange {number}")
        sign_ins.mails()
        sign_ins.clock.advance(timedelta(seconds=5))
    assert tries(sign_ins, "owner's", digits).answer is CodeAnswer.OPENS


def test_whoever_asks_first_from_elsewhere_does_not_wait_for_others(sign_ins: SignIns) -> None:
    for number in range(200):
        sign_ins.asks(f"{number}", client=f"198.51.{number % 9}.{number}", browser=f"{number}")
    assert sign_ins.asked_way("strange", client="198.51.1.7", browser="another").is_link
    while sign_ins.mails():
        pass
    assert not sign_ins.asks("owner's", client="203.0.113.5", browser="owner").wait
    digits = sign_ins.mailed_code()
    assert tries(sign_ins, "owner's", digits).answer is CodeAnswer.OPENS


def test_a_browser_known_to_the_address_gets_digits_whoever_asks_beside_it(
    sign_ins: SignIns,
) -> None:
    for number in range(40):
        sign_ins.asks(f"{number}", browser=f"{number}")
    assert sign_ins.asked_way("flatmate's", browser="new").is_link
    known = {"browser": "owner", "known_device": "known"}
    assert not sign_ins.asked_way("owner's", **known).is_link
    waits = [sign_ins.asks("owner's", browser="x", known_device="known").wait for _ in range(3)]
    assert [bool(wait) for wait in waits] == [False, False, True]


def test_whoever_shares_a_network_with_somebody_who_asks_much_gets_a_link(
    sign_ins: SignIns,
) -> None:
    for number in range(60):
        sign_ins.asks(f"{number}", f"{number}@other.example", browser=f"{number}")
        sign_ins.mails()
    way = sign_ins.asked_way("owner's", browser="owner")
    assert way == (True, True)
    assert sign_ins.mails() == 1
    link = sign_ins.mailed_link()
    assert sign_in_staff_with_link(sign_ins.auth, sign_ins.visitor(), link) is not None


def test_however_much_others_ask_for_an_address_few_mails_leave_and_one_works(
    sign_ins: SignIns,
) -> None:
    leaving = 0
    for number in range(600):
        sign_ins.asks(f"{number}", browser=f"{number}")
        leaving += sign_ins.mails()
        sign_ins.clock.advance(timedelta(seconds=6))
    assert leaving <= 30
    assert sign_ins.asked_way("owner's", browser="owner").is_link
    link = sign_ins.mailed_link()
    assert sign_in_staff_with_link(sign_ins.auth, sign_ins.visitor(), link) is not None


def test_wrong_digits_of_others_behind_an_address_slow_nobody_down(sign_ins: SignIns) -> None:
    for number in range(120):
        tries(sign_ins, f"{number}", "000000", f"{number % 10}@other.example")
    slowed = tries(sign_ins, "x", "000000", "1@other.example")
    assert slowed.answer is CodeAnswer.SLOWED_DOWN
    sign_ins.asks("owner's", browser="owner")
    assert tries(sign_ins, "owner's", sign_ins.mailed_code()).answer is CodeAnswer.OPENS


def guesses(sign_ins: SignIns, count: int) -> list[CodeAnswer]:
    """Guess wrong so often, at codes that are asked for as often as it takes."""
    answers: list[CodeAnswer] = []
    while len(answers) < count:
        number = len(answers)
        client = f"198.51.{number}.7"
        sign_ins.asks(f"guessed {number}", client=client, browser=f"guesser {number}")
        digits = sign_ins.mailed_code()
        for _ in range(min(5, count - number)):
            answers.append(tries(sign_ins, f"guessed {number}", wrong(digits)).answer)
    return answers


def test_after_fifteen_wrong_tries_in_a_day_a_link_is_mailed(sign_ins: SignIns) -> None:
    answers = guesses(sign_ins, 15)
    assert answers[:14].count(CodeAnswer.WRONG) == 12
    assert answers[14] is CodeAnswer.LINK_INSTEAD
    sign_ins.asks("owner's", client="203.0.113.5", browser="owner")
    mail = sign_ins.newest_mail()
    assert "https://pms.example/sign-in/link/" in mail.text
    assert tries(sign_ins, "owner's", "000000").answer is CodeAnswer.LINK_INSTEAD
    token = re.search(r"/sign-in/link/(\S+)", mail.text)
    assert token is not None
    assert len(token[1]) < 64
    opened = [
        sign_in_staff_with_link(sign_ins.auth, sign_ins.visitor(), token[1]) for _ in range(2)
    ]
    assert [each is not None for each in opened] == [True, False]


def test_a_pin_mailed_before_is_not_guessed_at_any_more(sign_ins: SignIns) -> None:
    sign_ins.asks("owner's", browser="owner")
    digits = sign_ins.mailed_code()
    guesses(sign_ins, 15)
    assert tries(sign_ins, "owner's", digits).answer is CodeAnswer.LINK_INSTEAD


@pytest.mark.differs("time")
def test_digits_are_back_after_a_day(sign_ins: SignIns) -> None:
    guesses(sign_ins, 15)
    sign_ins.clock.advance(timedelta(days=1))
    sign_ins.asks("owner's", browser="owner")
    assert tries(sign_ins, "owner's", sign_ins.mailed_code()).answer is CodeAnswer.OPENS


def test_a_link_is_valid_for_ten_minutes_and_its_own_kind_of_user(sign_ins: SignIns) -> None:
    guesses(sign_ins, 15)
    sign_ins.asks("owner's", browser="owner")
    found = re.search(r"/sign-in/link/(\S+)", sign_ins.newest_mail().text)
    assert found is not None
    assert linked_account(sign_ins.auth, UserKind.STAFF, None, found[1]) is not None
    assert linked_account(sign_ins.auth, UserKind.OWNER, None, found[1]) is None
    assert linked_account(sign_ins.auth, UserKind.STAFF, None, found[1][:-1]) is None
    sign_ins.clock.advance(timedelta(minutes=10))
    assert sign_in_staff_with_link(sign_ins.auth, sign_ins.visitor(), found[1]) is None


def test_the_fifth_wrong_try_kills_a_code(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    answers = [tries(sign_ins, "screen", wrong(digits)).answer for _ in range(5)]
    assert answers == [CodeAnswer.WRONG] * 4 + [CodeAnswer.SPENT]
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.SPENT


def test_four_wrong_tries_leave_it_alive(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    for _ in range(4):
        tries(sign_ins, "screen", wrong(digits))
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.OPENS


def test_asking_too_often_sends_nothing_and_keeps_the_live_code(sign_ins: SignIns) -> None:
    waits = [sign_ins.asks("screen").wait for _ in range(4)]
    assert waits == [timedelta(0)] * 3 + [timedelta(minutes=1)]
    digits = sign_ins.mailed_code()
    assert sign_ins.asks("another").wait
    assert sign_ins.mails() == 0
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.OPENS


@pytest.mark.differs("time")
def test_the_wait_ends_and_grows_and_never_lasts(sign_ins: SignIns) -> None:
    waits = []
    for _ in range(12):
        wait = sign_ins.asks("screen").wait
        waits.append(int(wait.total_seconds()) // 60)
        sign_ins.clock.advance(wait)
    assert waits == [0, 0, 0, 1, 0, 2, 0, 4, 0, 8, 0, 15]
    sign_ins.clock.advance(timedelta(hours=1))
    assert not sign_ins.asks("screen").wait


def test_an_unknown_address_is_kept_alike_and_nothing_leaves(sign_ins: SignIns) -> None:
    sign_ins.asks("screen", STRANGER)
    assert sign_ins.mails() == 0
    with sign_ins.auth.reading() as session:
        code = session.scalars(select(SignInCode)).one()
        assert (code.user_kind, code.address, code.mail_due_at) == (UserKind.STAFF, STRANGER, None)
    assert tries(sign_ins, "screen", "000000", STRANGER).answer in (CodeAnswer.WRONG,)


def test_even_the_right_digits_open_nothing_for_an_unknown_address(sign_ins: SignIns) -> None:
    from pms.access.mailed_codes import digits_of

    sign_ins.asks("screen", STRANGER)
    with sign_ins.auth.reading() as session:
        digits = digits_of(sign_ins.auth.signer, session.scalars(select(SignInCode)).one())
    assert tries(sign_ins, "screen", digits, STRANGER).answer is CodeAnswer.WRONG


def test_a_code_that_was_replaced_or_is_too_old_is_not_mailed(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    sign_ins.asks("screen")
    assert sign_ins.mails() == 1
    sign_ins.asks("screen")
    sign_ins.clock.advance(timedelta(minutes=10))
    assert sign_ins.mails() == 0


def test_digits_are_kept_nowhere(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    with sign_ins.auth.reading() as session:
        code = session.scalars(select(SignInCode)).one()
        kept = " ".join(str(value) for value in vars(code).values())
    assert sign_ins.mailed_code() not in kept


@pytest.mark.differs("time")
def test_of_many_who_use_a_code_at_once_one_gets_in(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    answers, refused = race(16, lambda _: tries(sign_ins, "screen", digits).answer)
    assert not refused
    assert sorted(answers).count(CodeAnswer.OPENS) == 1
    with sign_ins.auth.reading() as session:
        assert session.scalar(select(func.count()).select_from(AuthSession)) == 1


@pytest.mark.differs("time")
def test_of_many_who_guess_at_once_five_are_counted(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    answers, refused = race(16, lambda _: tries(sign_ins, "screen", wrong(digits)).answer)
    assert not refused
    assert answers.count(CodeAnswer.WRONG) == 4
    assert tries(sign_ins, "screen", digits).answer is CodeAnswer.SPENT
