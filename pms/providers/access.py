"""The credentials for calling a provider."""

from typing import NamedTuple


class Access(NamedTuple):
    """The address and credentials for calling a provider; they never leave the worker."""

    address: str
    account: str | None
    secret: str
