"""Signing in by password: slowed down, never locked out for good, and no word about who is known."""

from datetime import timedelta
from time import process_time

import pytest
from sqlalchemy import select

from pms.access.models import AuthSession, Member, Person
from pms.access.password_sign_in import sign_in_with_password
from pms.access.passwords import new_password_hash
from pms.access.sessions import Visitor
from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from pms.rules.sign_in_codes import PasswordProblem, problem_of_password
from tests.access.conftest import OPERATOR, PASSWORD, STRANGER, SignIns


def signs_in(sign_ins: SignIns, password: str = PASSWORD, address: str = OPERATOR) -> bool:
    visitor = sign_ins.visitor(address)
    return sign_in_with_password(sign_ins.auth, visitor, password).opened is not None


def test_the_right_password_opens_and_no_other_does(sign_ins: SignIns) -> None:
    assert signs_in(sign_ins)
    assert not signs_in(sign_ins, "correct horse")
    assert not signs_in(sign_ins, PASSWORD, STRANGER)


def test_only_a_hash_of_a_sessions_token_is_kept(sign_ins: SignIns) -> None:
    opened = sign_in_with_password(sign_ins.auth, sign_ins.visitor(), PASSWORD).opened
    assert opened is not None
    assert len(opened.token) == 32
    with sign_ins.auth.reading() as session:
        row = session.scalars(select(AuthSession)).one()
        assert opened.token not in str(vars(row))


def test_full_width_typing_is_the_same_password(sign_ins: SignIns) -> None:
    assert signs_in(sign_ins, "ｃｏｒｒｅｃｔ horse battery")


def test_someone_without_a_place_or_a_password_does_not_get_in(sign_ins: SignIns) -> None:
    with sign_ins.auth.database.across_workspaces_writing() as session:
        person = session.get_one(Person, sign_ins.staff.office_id)
        person.password_hash = None
    assert not signs_in(sign_ins, "", "office@sumida.example")
    with sign_ins.auth.database.across_workspaces_writing() as session:
        place = session.scalars(
            select(Member).where(Member.person_id == sign_ins.staff.operator_id)
        ).one()
        place.removed_at = sign_ins.clock.now()
    assert not signs_in(sign_ins)


def test_guessing_is_slow_also_for_the_right_password_but_never_for_good(sign_ins: SignIns) -> None:
    for _ in range(5):
        assert not signs_in(sign_ins, "wrong")
    answer = sign_in_with_password(sign_ins.auth, sign_ins.visitor(), PASSWORD)
    assert (answer.opened, answer.wait) == (None, timedelta(seconds=5))
    for _ in range(50):  # hammering does not lengthen the wait
        sign_in_with_password(sign_ins.auth, sign_ins.visitor(), "wrong")
    sign_ins.clock.advance(timedelta(seconds=5))
    assert signs_in(sign_ins)
    assert not signs_in(sign_ins, "wrong")
    assert signs_in(sign_ins)


def test_guesses_in_a_day_are_few(sign_ins: SignIns) -> None:
    guesses, waited = 0, timedelta(0)
    while waited < timedelta(days=1):
        client = f"198.51.100.{guesses % 250}"
        visitor = Visitor(OPERATOR, client, "")
        wait = sign_in_with_password(sign_ins.auth, visitor, "wrong").wait
        guesses += not wait
        waited += wait
        sign_ins.clock.advance(wait)
    assert guesses < 120


def test_a_browser_that_was_in_before_is_not_slowed_by_strangers(sign_ins: SignIns) -> None:
    for _ in range(9):
        signs_in(sign_ins, "wrong")
    known = Visitor(OPERATOR, "203.0.113.9", "", known_device="a device")
    assert sign_in_with_password(sign_ins.auth, known, PASSWORD).opened is not None


def test_one_client_who_tries_many_addresses_is_slowed(sign_ins: SignIns) -> None:
    waits = [
        sign_in_with_password(sign_ins.auth, sign_ins.visitor(f"{number}@x.example"), "wrong").wait
        for number in range(51)
    ]
    assert waits[:50] == [timedelta(0)] * 50
    assert waits[50] > timedelta(0)


def test_an_unknown_address_is_slowed_as_a_known_one(sign_ins: SignIns) -> None:
    def waits(address: str) -> list[timedelta]:
        visitor = sign_ins.visitor(address)
        answers = (sign_in_with_password(sign_ins.auth, visitor, "wrong") for _ in range(7))
        return [answer.wait for answer in answers]

    assert waits(STRANGER) == waits(OPERATOR)


@pytest.mark.only_on("sqlite")
def test_an_unknown_address_takes_the_time_of_a_known_one(sign_ins: SignIns) -> None:
    took: dict[str, list[float]] = {OPERATOR: [], STRANGER: []}
    for number in range(60):
        for address, times in took.items():
            visitor = Visitor(address, f"10.0.{number}.{address[0] == 'n':d}", "", str(number))
            began = process_time()
            sign_in_with_password(sign_ins.auth, visitor, "wrong")
            times.append(process_time() - began)
    # By the least, as whatever else the machine does only adds.
    known, unknown = min(took[OPERATOR]), min(took[STRANGER])
    assert 0.8 < known / unknown < 1.25


def test_a_hash_of_other_costs_is_renewed_when_its_password_is_typed(
    sign_ins: SignIns, settings: Settings
) -> None:
    from dataclasses import replace

    costly = Passwords(replace(settings, password_memory_kib=16))
    with sign_ins.auth.database.across_workspaces_writing() as session:
        session.get_one(Person, sign_ins.staff.operator_id).password_hash = costly.hash_password(
            PASSWORD
        )
    assert signs_in(sign_ins)
    with sign_ins.auth.reading() as session:
        kept = session.get_one(Person, sign_ins.staff.operator_id).password_hash
    assert kept is not None
    assert "m=8," in kept


COMMON = (
    *("qwertyuiop1", "1q2w3e4r5t", "iloveyou12", "abcdefghij", "qazwsxedc1", "Passw0rd123"),
    *("tanaka1990", "hanakohanako", "ｉｌｏｖｅｙｏｕ１２"),
)


@pytest.mark.parametrize("password", COMMON)
def test_a_common_password_is_refused_by_the_list_of_a_library(
    settings: Settings, password: str
) -> None:
    with pytest.raises(Refused, match="newPassword: This password is easy to guess"):
        new_password_hash(Passwords(settings), password, "hanako@example.jp")


@pytest.mark.parametrize("password", ["correct horse battery", "川沿いの静かな家に住む"])
def test_a_password_of_several_words_is_taken(settings: Settings, password: str) -> None:
    assert new_password_hash(Passwords(settings), password, "hanako@example.jp")


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("ninechars", PasswordProblem.TOO_SHORT),
        ("x" * 201, PasswordProblem.TOO_LONG),
        ("aaaaaaaaaaaa", PasswordProblem.TOO_PLAIN),
        ("Password123!", PasswordProblem.TOO_PLAIN),
        ("hanako@example.jp", PasswordProblem.OWN_ADDRESS),
        ("川沿いの静かな家に住む", None),
        ("correct horse battery", None),
    ],
)
def test_a_new_password_is_long_and_not_the_first_guess(
    password: str, problem: PasswordProblem | None
) -> None:
    assert problem_of_password(password, "hanako@example.jp") is problem


@pytest.mark.parametrize(
    "password",
    ["midoriliving1", "Midori-Living2026", "hanako yamada", "yamada20260401", "sharehouse1"],
)
def test_names_of_the_person_and_of_the_office_are_easy_to_guess(
    settings: Settings, password: str
) -> None:
    names = ("Hanako Yamada", "みどりリビング", "Midori Living", "midori-living")
    with pytest.raises(Refused, match="newPassword: This password is easy to guess"):
        new_password_hash(Passwords(settings), password, "h@example.jp", names)
    assert new_password_hash(
        Passwords(settings), "midori no kawa e aruku", "h@example.jp", names
    ), "a word of a name among others"
