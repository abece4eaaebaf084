"""The reference a payer writes on a bank transfer: eight letters and digits that can be checked."""

import hashlib
from typing import Final

# Every letter and digit a bank takes that nobody mistakes for another; their number is a prime.
_SIGNS: Final = "023456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 8
_MISREAD: Final = str.maketrans({"O": "0", " ": None, "\u3000": None, "-": None, "－": None})


def transfer_reference(reservation_id: str, entry_id: str) -> str:
    """The reference of one entry of a reservation: `K7Q2-M4XP`, the same whenever it is asked."""
    chance = int.from_bytes(hashlib.sha256(f"{reservation_id}/{entry_id}".encode()).digest()[:16])
    signs = ""
    for _ in range(_LENGTH - 1):
        chance, place = divmod(chance, len(_SIGNS))
        signs += _SIGNS[place]
    return _grouped(signs + _check_sign(signs))


def read_transfer_reference(text: str) -> str | None:
    """The reference that somebody wrote, however they spaced it, or None when it is none."""
    signs = text.upper().translate(_MISREAD)
    if len(signs) != _LENGTH or not set(signs) <= set(_SIGNS):
        return None
    return _grouped(signs) if signs[-1] == _check_sign(signs[:-1]) else None


def _check_sign(signs: str) -> str:
    """Weighted over a prime: one wrong sign or two that changed places always show."""
    total = sum(weight * _SIGNS.index(sign) for weight, sign in enumerate(signs, start=2))
    return _SIGNS[total % len(_SIGNS)]


def _grouped(signs: str) -> str:
    return f"{signs[:4]}-{signs[4:]}"
