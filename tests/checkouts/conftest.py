"""An office with a booking, a provider at hand, and a worker that makes the calls."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from pms.foundation.database import Database
from pms.foundation.provider_http import CallLimits
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.provider_calls import make_provider_calls
from pms.jobs.runs import Tools
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.integration_records import integrations
from pms.workspaces.integrations import set_integration
from tests.arrivals.office import Office, open_office
from tests.servers.provider import NEAR, Provider, open_provider

SECRET = "sk_test_a1b2c3d4e5f6"


@dataclass(frozen=True)
class Worker:
    """The worker of an office, and how the office sets its providers."""

    office: Office
    tools: Tools

    def works(self, after: timedelta = timedelta()) -> None:
        """Make what is due, after a while."""
        self.office.clock.advance(after)
        make_provider_calls(self.tools, NEAR)

    def set_up(self, kind: IntegrationKind, address: str, limits: CallLimits = NEAR) -> None:
        """Set a provider, as an operator does."""
        signer = Signer(self.tools.settings.secret_key)
        known = self.office.ask(integrations).get(kind)
        with self.office.database.writing(self.office.home.workspace_id) as session:
            set_integration(
                Work(session, self.office.clock, "staff"),
                signer,
                kind=kind,
                address=address,
                account="acct-1",
                secret=SECRET,
                expected_version=known.version if known else None,
                limits=limits,
            )


@pytest.fixture
def office(database: Database) -> Office:
    """An office on 20 November 2026 with one free room."""
    return open_office(database)


@pytest.fixture
def booking(office: Office) -> str:
    """田中 一郎 comes to room 101 in December, for four months."""
    unit_id = office.home.unit("101")
    return office.book(unit_id, "2026-12-01", "2027-03-31", email="tanaka@example.jp")


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that answers."""
    with open_provider() as provider:
        yield provider


@pytest.fixture
def worker(office: Office, settings: Settings) -> Worker:
    """The worker."""
    tools = Tools(settings, office.database, office.clock, choose_postbox(settings))
    return Worker(office, tools)
