"""One harmless question shows whether a provider takes what was set; nothing is tried again."""

import pytest

from pms.foundation.outbox import troubled_calls
from pms.providers.authentication import Access
from pms.providers.probes import PROBES
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.integration_records import (
    ProviderTest,
    integrations,
    last_test,
    probe_integration,
)
from tests.checkouts.conftest import Worker
from tests.servers.provider import Provider

LINE = IntegrationKind.LINE


def asked(worker: Worker) -> ProviderTest | None:
    office = worker.office
    with office.database.writing(office.home.workspace_id) as session:
        probe_integration(session, office.clock, LINE)
    worker.works()
    return office.ask(last_test, office.ask(integrations)[LINE])


def test_a_provider_that_answers_works_and_a_new_secret_is_not_tested_yet(
    worker: Worker, provider: Provider
) -> None:
    worker.set_up(LINE, provider.address)
    found = asked(worker)
    assert found is not None
    assert found.done_at is not None
    assert found.failure is None
    worker.set_up(LINE, provider.address)
    assert worker.office.ask(last_test, worker.office.ask(integrations)[LINE]) is None


def test_a_refusal_is_told_once_and_is_no_call_that_failed(
    worker: Worker, provider: Provider
) -> None:
    worker.set_up(LINE, provider.address)
    provider.status = 401
    found = asked(worker)
    assert found is not None
    assert found.failure is not None
    assert "401" in found.failure
    assert worker.office.ask(troubled_calls) == []


@pytest.mark.parametrize("kind", list(PROBES))
def test_the_question_reads_and_carries_the_secret(kind: IntegrationKind) -> None:
    request = PROBES[kind](Access("https://api.example.com", "12345", "secret-1234"))
    assert request.method == "GET"
    assert "secret-1234" in request.headers["Authorization"]
    assert request.body is None
    assert "secret" not in request.url
