"""Checks a new password and hashes it; apart from any transaction, because hashing takes time."""

from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords, is_common
from pms.rules.passwords import (
    LEAST_CHARACTERS,
    MOST_CHARACTERS,
    PasswordProblem,
    problem_of_password,
)


def new_password_hash(passwords: Passwords, password: str, address: str) -> str:
    """Return what is kept of a new password; raise `Refused` for one that is easy to guess."""
    problem = problem_of_password(password, address)
    if problem is None and is_common(password, address):
        problem = PasswordProblem.TOO_PLAIN
    match problem:
        case PasswordProblem.TOO_SHORT:
            raise Refused(
                "newPassword: A password has at least {least} characters.", least=LEAST_CHARACTERS
            )
        case PasswordProblem.TOO_LONG:
            raise Refused(
                "newPassword: A password has at most {most} characters.", most=MOST_CHARACTERS
            )
        case PasswordProblem.TOO_PLAIN:
            raise Refused("newPassword: This password is among the first that are guessed.")
        case PasswordProblem.OWN_ADDRESS:
            raise Refused("newPassword: A password is not the own address.")
    return passwords.hashed(password)
