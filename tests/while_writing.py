"""Whether a transaction is open to write while something else happens, such as reading a file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from types import ModuleType
from typing import Any

import pytest

from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession


def watch_writing(monkeypatch: pytest.MonkeyPatch, *readers: tuple[ModuleType, str]) -> list[bool]:
    """For each call of these functions, whether its thread had a transaction open to write."""
    here, found = local(), list[bool]()
    open_writing = Database.writing

    @contextmanager
    def writing(database: Database, workspace_id: str) -> Iterator[WorkspaceSession]:
        with open_writing(database, workspace_id) as session:
            here.is_writing = True
            try:
                yield session
            finally:
                here.is_writing = False

    def watched(read: Callable[..., Any]) -> Callable[..., Any]:
        def note_and_read(*given: Any, **named: Any) -> Any:
            found.append(getattr(here, "is_writing", False))
            return read(*given, **named)

        return note_and_read

    monkeypatch.setattr(Database, "writing", writing)
    for module, name in readers:
        monkeypatch.setattr(module, name, watched(getattr(module, name)))
    return found
