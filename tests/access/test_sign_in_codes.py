"""An emailed code opens one door once: ten minutes, its own screen, the newest, five wrong tries."""

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
from pms.access.models import DoorSession, SignInCode
from pms.foundation.tokens import token_hash
from pms.rules.enumerations import Door, Proof
from pms.rules.sign_in_codes import CodeAnswer
from tests.access.conftest import OPERATOR, STRANGER, Doors
from tests.departures.racing import race

pytestmark = pytest.mark.differs("time")


def tries(doors: Doors, screen: str, digits: str, address: str = OPERATOR) -> TriedCode:
    return sign_in_staff_with_code(
        doors.doorway, doors.visitor(address), token_hash(screen), digits
    )


def wrong(digits: str) -> str:
    return f"{(int(digits) + 1) % 1_000_000:06}"


def test_the_mailed_digits_open_the_door(doors: Doors) -> None:
    doors.asks("screen")
    tried = tries(doors, "screen", doors.mailed_code())
    assert tried.answer is CodeAnswer.OPENS
    assert tried.opened is not None
    with doors.doorway.reading() as session:
        opened = session.scalars(select(DoorSession)).one()
        assert (opened.proof, opened.person_id) == (Proof.CODE, doors.staff.operator_id)
        assert opened.expires_at - opened.created_at == timedelta(days=7)


def test_a_code_opens_once(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    assert tries(doors, "screen", digits).answer is CodeAnswer.OPENS
    assert tries(doors, "screen", digits).answer is CodeAnswer.EXPIRED


@pytest.mark.parametrize(("seconds", "answer"), [(599, "opens"), (600, "expired")])
def test_a_code_is_expired_at_exactly_ten_minutes(doors: Doors, seconds: int, answer: str) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    doors.clock.advance(timedelta(seconds=seconds))
    assert tries(doors, "screen", digits).answer == answer


def test_a_code_works_on_the_screen_that_asked_alone(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    assert tries(doors, "another", digits).answer is CodeAnswer.OTHER_SCREEN
    assert tries(doors, "screen", digits).answer is CodeAnswer.OPENS


def test_a_code_of_one_address_opens_nothing_for_another(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    other = "office@sumida.example"
    assert tries(doors, "screen", digits, other).answer is CodeAnswer.OTHER_SCREEN


def test_a_newer_code_kills_the_older_on_every_screen_of_a_browser(doors: Doors) -> None:
    doors.asks("first")
    old = doors.mailed_code()
    doors.asks("second")
    new = doors.mailed_code()
    assert tries(doors, "first", old).answer is CodeAnswer.REPLACED
    assert tries(doors, "first", new).answer is CodeAnswer.REPLACED
    assert tries(doors, "second", new).answer is CodeAnswer.OPENS


def test_the_older_code_of_the_same_screen_is_told_as_replaced(doors: Doors) -> None:
    doors.asks("screen")
    old = doors.mailed_code()
    doors.asks("screen")
    new = doors.mailed_code()
    assert tries(doors, "screen", old).answer is CodeAnswer.REPLACED
    assert tries(doors, "screen", new).answer is CodeAnswer.OPENS


def test_a_code_stays_good_however_often_somebody_else_asks(doors: Doors) -> None:
    doors.asks("owner's", browser="owner")
    digits = doors.mailed_code()
    for number in range(81):
        client = f"198.51.{number % 9}.{number}"
        doors.asks(f"strange {number}", client=client, browser=f"strange {number}")
        doors.mails()
        doors.clock.advance(timedelta(seconds=5))
    assert tries(doors, "owner's", digits).answer is CodeAnswer.OPENS


def test_whoever_asks_first_from_elsewhere_does_not_wait_for_others(doors: Doors) -> None:
    for number in range(200):
        doors.asks(f"{number}", client=f"198.51.{number % 9}.{number}", browser=f"{number}")
    assert doors.asks("strange", client="198.51.1.7", browser="another").wait
    while doors.mails():
        pass
    assert not doors.asks("owner's", client="203.0.113.5", browser="owner").wait
    digits = doors.mailed_code()
    assert tries(doors, "owner's", digits).answer is CodeAnswer.OPENS


def test_a_browser_known_to_the_address_does_not_wait_for_its_network(doors: Doors) -> None:
    for number in range(40):
        doors.asks(f"{number}", browser=f"{number}")
    assert doors.asks("flatmate's", browser="new").wait
    assert not doors.asks("owner's", browser="owner", known_device="known").wait
    waits = [doors.asks("owner's", browser="x", known_device="known").wait for _ in range(3)]
    assert [bool(wait) for wait in waits] == [False, False, True]


def guesses(doors: Doors, count: int) -> list[CodeAnswer]:
    """Guess wrong so often, at codes that are asked for as often as it takes."""
    answers: list[CodeAnswer] = []
    while len(answers) < count:
        number = len(answers)
        client = f"198.51.{number}.7"
        doors.asks(f"guessed {number}", client=client, browser=f"guesser {number}")
        digits = doors.mailed_code()
        for _ in range(min(5, count - number)):
            answers.append(tries(doors, f"guessed {number}", wrong(digits)).answer)
    return answers


def test_fifteen_wrong_tries_in_a_day_turn_the_door_to_a_link(doors: Doors) -> None:
    answers = guesses(doors, 15)
    assert answers[:14].count(CodeAnswer.WRONG) == 12
    assert answers[14] is CodeAnswer.LINK_INSTEAD
    doors.asks("owner's", client="203.0.113.5", browser="owner")
    mail = doors.newest_mail()
    assert "https://pms.example/sign-in/link/" in mail.text
    assert tries(doors, "owner's", "000000").answer is CodeAnswer.LINK_INSTEAD
    token = re.search(r"/sign-in/link/(\S+)", mail.text)
    assert token is not None
    assert len(token[1]) < 64
    opened = [sign_in_staff_with_link(doors.doorway, doors.visitor(), token[1]) for _ in range(2)]
    assert [each is not None for each in opened] == [True, False]


def test_a_pin_mailed_before_is_not_guessed_at_any_more(doors: Doors) -> None:
    doors.asks("owner's", browser="owner")
    digits = doors.mailed_code()
    guesses(doors, 15)
    assert tries(doors, "owner's", digits).answer is CodeAnswer.LINK_INSTEAD


def test_digits_are_back_after_a_day(doors: Doors) -> None:
    guesses(doors, 15)
    doors.clock.advance(timedelta(days=1))
    doors.asks("owner's", browser="owner")
    assert tries(doors, "owner's", doors.mailed_code()).answer is CodeAnswer.OPENS


def test_a_link_is_worth_ten_minutes_and_only_at_its_own_door(doors: Doors) -> None:
    guesses(doors, 15)
    doors.asks("owner's", browser="owner")
    found = re.search(r"/sign-in/link/(\S+)", doors.newest_mail().text)
    assert found is not None
    assert linked_account(doors.doorway, Door.STAFF, None, found[1]) is not None
    assert linked_account(doors.doorway, Door.OWNER, None, found[1]) is None
    assert linked_account(doors.doorway, Door.STAFF, None, found[1][:-1]) is None
    doors.clock.advance(timedelta(minutes=10))
    assert sign_in_staff_with_link(doors.doorway, doors.visitor(), found[1]) is None


def test_the_fifth_wrong_try_kills_a_code(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    answers = [tries(doors, "screen", wrong(digits)).answer for _ in range(5)]
    assert answers == [CodeAnswer.WRONG] * 4 + [CodeAnswer.SPENT]
    assert tries(doors, "screen", digits).answer is CodeAnswer.SPENT


def test_four_wrong_tries_leave_it_alive(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    for _ in range(4):
        tries(doors, "screen", wrong(digits))
    assert tries(doors, "screen", digits).answer is CodeAnswer.OPENS


def test_asking_too_often_sends_nothing_and_keeps_the_live_code(doors: Doors) -> None:
    waits = [doors.asks("screen").wait for _ in range(4)]
    assert waits == [timedelta(0)] * 3 + [timedelta(minutes=1)]
    digits = doors.mailed_code()
    assert doors.asks("another").wait
    assert doors.mails() == 0
    assert tries(doors, "screen", digits).answer is CodeAnswer.OPENS


def test_the_wait_ends_and_grows_and_never_lasts(doors: Doors) -> None:
    waits = []
    for _ in range(12):
        wait = doors.asks("screen").wait
        waits.append(int(wait.total_seconds()) // 60)
        doors.clock.advance(wait)
    assert waits == [0, 0, 0, 1, 0, 2, 0, 4, 0, 8, 0, 15]
    doors.clock.advance(timedelta(hours=1))
    assert not doors.asks("screen").wait


def test_an_unknown_address_is_kept_alike_and_nothing_leaves(doors: Doors) -> None:
    doors.asks("screen", STRANGER)
    assert doors.mails() == 0
    with doors.doorway.reading() as session:
        code = session.scalars(select(SignInCode)).one()
        assert (code.door, code.address, code.mail_due_at) == (Door.STAFF, STRANGER, None)
    assert tries(doors, "screen", "000000", STRANGER).answer in (CodeAnswer.WRONG,)


def test_even_the_right_digits_open_nothing_for_an_unknown_address(doors: Doors) -> None:
    from pms.access.mailed_codes import digits_of

    doors.asks("screen", STRANGER)
    with doors.doorway.reading() as session:
        digits = digits_of(doors.doorway.signer, session.scalars(select(SignInCode)).one())
    assert tries(doors, "screen", digits, STRANGER).answer is CodeAnswer.WRONG


def test_a_code_that_was_replaced_or_is_too_old_is_not_mailed(doors: Doors) -> None:
    doors.asks("screen")
    doors.asks("screen")
    assert doors.mails() == 1
    doors.asks("screen")
    doors.clock.advance(timedelta(minutes=10))
    assert doors.mails() == 0


def test_digits_are_kept_nowhere(doors: Doors) -> None:
    doors.asks("screen")
    with doors.doorway.reading() as session:
        code = session.scalars(select(SignInCode)).one()
        kept = " ".join(str(value) for value in vars(code).values())
    assert doors.mailed_code() not in kept


def test_of_many_who_use_a_code_at_once_one_gets_in(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    answers, refused = race(16, lambda _: tries(doors, "screen", digits).answer)
    assert not refused
    assert sorted(answers).count(CodeAnswer.OPENS) == 1
    with doors.doorway.reading() as session:
        assert session.scalar(select(func.count()).select_from(DoorSession)) == 1


def test_of_many_who_guess_at_once_five_are_counted(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    answers, refused = race(16, lambda _: tries(doors, "screen", wrong(digits)).answer)
    assert not refused
    assert answers.count(CodeAnswer.WRONG) == 4
    assert tries(doors, "screen", digits).answer is CodeAnswer.SPENT
