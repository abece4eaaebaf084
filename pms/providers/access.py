"""What a call to a provider needs."""

from typing import NamedTuple


class Access(NamedTuple):
    """What a call to a provider needs; it never leaves the worker."""

    address: str
    account: str | None
    secret: str
