"""Works out the digits of a sign-in code, which are kept nowhere."""

from hmac import compare_digest
from typing import Final, NamedTuple

from pms.access.models import SignInCode
from pms.foundation.tokens import Sealer
from pms.rules.enumerations import Door
from pms.rules.sign_in_codes import CODE_DIGITS

_PURPOSE: Final = "sign-in code"


class Screen(NamedTuple):
    """What a code is bound to: the surface, the workspace, the address, the screen that asked.

    `nonce_hash` stands for the screen, `asker_hash` for its browser; the staff's surface belongs
    to no workspace.
    """

    door: Door
    workspace_id: str | None
    address: str
    nonce_hash: str
    asker_hash: str = ""

    @property
    def account(self) -> str:
        """The address at its door, as what is counted about it names it."""
        return f"{self.door}\x1f{self.workspace_id or ''}\x1f{self.address}"


def digits_of(sealer: Sealer, code: SignInCode) -> str:
    """Return the six digits: they follow from the row's chance and the program's own key."""
    return _digits_by_each_key(sealer, code)[0]


def has_digits(sealer: Sealer, code: SignInCode, digits: str) -> bool:
    """Tell whether these are the digits, in the same time whatever they are."""
    by_each_key = _digits_by_each_key(sealer, code)
    met = [compare_digest(one.encode(), digits.encode()) for one in by_each_key]
    return any(met)


def _digits_by_each_key(sealer: Sealer, code: SignInCode) -> list[str]:
    derived = sealer.derived_from_each(_PURPOSE, code.id, code.salt, code.address)
    numbers = [int.from_bytes(chance) for chance in derived]
    return [f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}" for number in numbers]
