"""A key counts once in its workspace; one that is taken back was never sent."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.idempotency import is_new
from tests.cast import LONG_AGO, Cast

pytestmark = pytest.mark.differs("locks")


def claimed(session: Session, key: str) -> bool:
    return is_new(session, FixedClock(LONG_AGO), "person/1", key)


def test_a_key_is_claimed_once_in_each_workspace(database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        assert claimed(session, "tap")
        assert not claimed(session, "tap")
        assert claimed(session, "another tap")
    with database.writing(cast.sumida.workspace_id) as session:
        assert not claimed(session, "tap")
    with database.writing(cast.minato.workspace_id) as session:
        assert claimed(session, "tap")


def test_a_claim_that_is_taken_back_was_never_made(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with pytest.raises(KeyError), database.writing(home) as session:
        assert claimed(session, "tap")
        raise KeyError
    with database.writing(home) as session:
        assert claimed(session, "tap")


def test_a_claim_waits_for_who_is_just_making_it(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with ThreadPoolExecutor() as others, database.writing(home) as session:
        assert claimed(session, "tap")
        later = others.submit(lambda: database.write(home, lambda session: claimed(session, "tap")))
        assert not wait([later], timeout=0.2).done
    assert not later.result()
