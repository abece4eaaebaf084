"""What stands at every door: the database before any workspace is known, clock and secrets."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.passwords import Passwords
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Sealer

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Doorway:
    """The tools of those use cases that begin before it is known who comes.

    They take them instead of a session: a password is hashed between two short transactions, so
    that nobody waits for a lock while it is.
    """

    database: Database
    clock: Clock
    passwords: Passwords
    sealer: Sealer

    def write(self, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Return what `act` returns, which writes of people, who belong to no workspace.

        As every write it runs again after a conflict.
        """
        return self.database.write_across_workspaces(act)

    @contextmanager
    def reading(self) -> Iterator[WorkspaceSession]:
        """Give a session that reads of people."""
        with self.database.across_workspaces_reading() as session:
            yield session


@dataclass(frozen=True)
class Visitor:
    """Who stands at a door, as far as the request itself tells: address, network, browser.

    `client` is the network whose tries are counted, `neighbourhood` the wider one around it.
    `known_device` names a browser in which this address signed in before: strangers who guess
    or ask elsewhere do not slow it down.
    """

    address: str
    client: str
    device: str
    known_device: str = ""
    neighbourhood: str = ""
