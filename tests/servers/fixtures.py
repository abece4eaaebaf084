"""Session fixtures of the servers: started when first asked for, stopped at the end."""

from collections.abc import Iterator

import pytest

from tests.servers.absence import MissingServerError, give_up
from tests.servers.postgresql import PostgreSQL, start_postgresql
from tests.servers.valkey import Valkey, start_valkey


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    try:
        server = start_postgresql()
    except MissingServerError as absent:
        give_up(str(absent))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    try:
        server = start_valkey()
    except MissingServerError as absent:
        give_up(str(absent))
    yield server
    server.stop()


@pytest.fixture
def valkey_url(valkey: Valkey) -> str:
    """The address of an empty store."""
    valkey.empty()
    return valkey.url
