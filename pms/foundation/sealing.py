"""Seals what the program must be able to read again and the database alone must not give away."""

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Final

from pms.foundation.tokens import Sealer

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

_PURPOSE: Final = "sealed-secret"


class UnreadableSecretError(Exception):
    """No key of the program opens this; it was sealed under another one."""


def seal(sealer: Sealer, owner: str, secret: str) -> str:
    """Return a secret sealed for its owner, a workspace."""
    return _box(sealer, owner).encrypt(secret.encode()).decode()


def unseal(sealer: Sealer, owner: str, sealed: str) -> str:
    """Return what was sealed for the same owner; raise `UnreadableSecretError` else."""
    from cryptography.fernet import InvalidToken

    try:
        return _box(sealer, owner).decrypt(sealed.encode()).decode()
    except InvalidToken as failure:
        raise UnreadableSecretError("the secret was sealed under another key") from failure


def _box(sealer: Sealer, owner: str) -> "MultiFernet":
    # Imported here: requests that open no secret never load the library (docs/decisions/0141).
    from cryptography.fernet import Fernet, MultiFernet

    return MultiFernet([Fernet(urlsafe_b64encode(sealer.derived(_PURPOSE, owner)))])
