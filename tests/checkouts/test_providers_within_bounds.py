"""Providers are asked within bounds: of time, of words, and never inside a private network."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pms.checkouts.payment_pages import OPENING, open_checkout
from pms.foundation.errors import Refused
from pms.foundation.outbox import put_call
from pms.foundation.provider_http import (
    PUBLIC,
    CallLimits,
    ProviderError,
    ProviderRequest,
    ask_provider,
)
from pms.jobs.provider_calls import make_provider_calls
from pms.rules.enumerations import IntegrationKind
from tests.checkouts.conftest import Worker
from tests.jobs.channel import LOOPBACK, Channel, open_channel
from tests.servers.provider import NEAR, Provider

HASTY = CallLimits(patience_seconds=0.3, allow_http=True, allowed_networks=LOOPBACK)


@pytest.fixture
def server() -> Iterator[Channel]:
    """A server that answers well and badly."""
    with open_channel() as server:
        yield server


def asked(server: Channel, limits: CallLimits = HASTY) -> str:
    """Ask, and return why there is no answer."""
    with pytest.raises(ProviderError) as failure:
        ask_provider(ProviderRequest("GET", server.url), limits)
    return str(failure.value)


def test_a_provider_that_trickles_is_left(server: Channel) -> None:
    server.is_slow = True
    assert asked(server) == "too slow"
    server.headers = {"Content-Length": "100000"}
    assert asked(server) == "too slow"


def test_what_a_provider_says_is_a_short_line(server: Channel) -> None:
    server.status = 402
    server.content = b'{"error": {"message": "No\\u0000\\ud800 money\\n\\u202eleft"}}'
    assert asked(server) == "402: No money left"
    server.content = b'{"message": "' + b"x" * 5_000 + b'"}'
    assert len(asked(server)) == 300


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_what_is_nested_without_end_is_no_json(server: Channel, opening: bytes) -> None:
    server.content = opening * (200_000 // len(opening))
    assert asked(server) == "the answer is no JSON"
    server.status = 503
    assert asked(server) == "503: no reason given"


def test_a_provider_inside_is_not_gone_to(server: Channel) -> None:
    assert "private network" in asked(server, CallLimits(allow_http=True))
    assert "https" in asked(server, PUBLIC)
    assert server.asked == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "169.254.169.254", "10.0.0.8:8443", "[::1]", "localhost", "db.internal"]
)
def test_an_address_inside_is_not_kept(worker: Worker, host: str) -> None:
    with pytest.raises(Refused, match="is in a private network"):
        worker.set_up(IntegrationKind.PAYMENTS, f"https://{host}/api", PUBLIC)


def test_a_call_that_waits_keeps_one_thread_alone(
    worker: Worker, booking: str, provider: Provider
) -> None:
    office = worker.office
    worker.set_up(IntegrationKind.PAYMENTS, provider.address)
    entry_id = office.standings(booking)[0].id
    id_ = office.do(open_checkout, reservation_id=booking, entry_id=entry_id, return_path="/pay")
    provider.goes_on.clear()
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(worker.works)
        assert provider.is_asked.wait(5)
        with office.database.writing(office.home.workspace_id) as session:
            put_call(session, office.clock, kind=OPENING, subject_id=id_)
        make_provider_calls(worker.tools, NEAR)
        assert (first.done(), len(provider.asked)) == (False, 1), "the second turn is let go by"
        provider.goes_on.set()
