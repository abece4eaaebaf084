"""Share links: a project handed to a contractor, for as long as the office says."""

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import date, timedelta

import pytest

from pms.foundation.audit import audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer, is_opening_due, note_link_opened
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ProjectState, ShareLinkState
from pms.upkeep.models import MaintenanceProject, ShareLink
from pms.upkeep.share_links import (
    SHARE_LINK,
    OpenedLink,
    contractor_names,
    links_of_project,
    named_link,
    opened_link,
    revoke_share_link,
    share_link_record,
    share_project,
)
from tests.cast import CONTRACTOR, Cast

ACTOR = "person/okada"
SIGNER = Signer("a key of the tests")
TODAY = date(2026, 11, 20)


@pytest.fixture
def session(database: Database, cast: Cast) -> Iterator[WorkspaceSession]:
    """A session of Sumida that writes."""
    with database.writing(cast.sumida.workspace_id) as session:
        yield session


@pytest.fixture
def project_id(session: WorkspaceSession, clock: FixedClock, cast: Cast) -> str:
    """A leak in room 101."""
    row = MaintenanceProject(
        id=new_id(),
        number=42,
        title="101 水漏れ",
        building_id=cast.sumida.building_id,
        unit_id=cast.sumida.residents_room_id,
        opened_at=clock.now(),
        opened_by=ACTOR,
    )
    session.add(row)
    session.flush()
    return row.id


def share(
    session: WorkspaceSession, clock: FixedClock, project_id: str, expires_on: date | None = None
) -> str:
    return share_project(
        Work(session, clock, ACTOR),
        project_id=project_id,
        contractor_name=CONTRACTOR,
        contractor_phone="０３ー１２３４ー５６７８",
        hourly_yen=3_500,
        expires_on=expires_on,
        signer=SIGNER,
    )


def opened(session: WorkspaceSession, token: str, today: date = TODAY) -> OpenedLink | None:
    named = named_link(lambda: nullcontext(session), SIGNER, token)
    return opened_link(session, today, named) if named else None


def state(session: WorkspaceSession, token: str, today: date = TODAY) -> ShareLinkState:
    link = opened(session, token, today)
    assert link is not None
    return link.state


def test_a_link_opens_its_project_for_a_contractor(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    link = opened(session, share(session, clock, project_id))
    assert link is not None
    assert (link.project_id, link.contractor_name, link.hourly_yen, link.state) == (
        project_id,
        CONTRACTOR,
        3_500,
        ShareLinkState.LIVE,
    )
    (found,) = links_of_project(session, project_id, TODAY)
    assert (found.id, found.contractor_phone) == (link.id, "03-1234-5678")
    assert contractor_names(session, [link.id, "no-id"]) == {link.id: CONTRACTOR}


def test_neither_the_row_nor_the_audit_keeps_what_opens_it(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    token = share(session, clock, project_id)
    named = named_link(lambda: nullcontext(session), SIGNER, token)
    assert named is not None
    assert len(named.nonce) == 32, "128 bits"
    row = session.get_one(ShareLink, (named.workspace_id, named.link_id))
    kept = repr([vars(row), audit_events(session)])
    assert named.nonce not in kept
    assert row.token_hash not in repr(audit_events(session))
    (done,) = audit_events(session, audit_event=AuditEvent.PROJECT_SHARED).audit_events
    assert (done.actor, done.after["contractor_name"]) == (ACTOR, CONTRACTOR)


def test_a_signature_alone_opens_nothing(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    named = named_link(lambda: nullcontext(session), SIGNER, share(session, clock, project_id))
    assert named is not None
    guessed = SIGNER.sign_parts("share-link", named.workspace_id, named.link_id, "0" * 32)
    assert opened(session, guessed) is None
    for text in ("", "x" * 500, "a.b.c", SIGNER.sign_parts("invitation", *named)):
        assert named_link(lambda: nullcontext(session), SIGNER, text) is None
    assert (
        named_link(
            lambda: nullcontext(session),
            Signer("another key"),
            SIGNER.sign_parts("share-link", *named),
        )
        is None
    )
    assert (
        named_link(
            lambda: nullcontext(session), SIGNER, SIGNER.sign_parts("share-link", "a", "b", "c")
        )
        is None
    )


def test_its_last_day_counts_to_its_end(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    token = share(session, clock, project_id, expires_on=TODAY + timedelta(days=3))
    assert state(session, token, TODAY + timedelta(days=3)) is ShareLinkState.LIVE
    assert state(session, token, TODAY + timedelta(days=4)) is ShareLinkState.EXPIRED


def test_a_revoked_link_is_revoked_at_once_and_for_good(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    token = share(session, clock, project_id)
    link = opened(session, token)
    assert link is not None
    assert revoke_share_link(Work(session, clock, ACTOR), share_link_id=link.id) == project_id
    assert state(session, token) is ShareLinkState.REVOKED
    revoke_share_link(Work(session, clock, "person/other"), share_link_id=link.id)
    (done,) = audit_events(session, audit_event=AuditEvent.SHARE_LINK_REVOKED).audit_events
    assert done.actor == ACTOR
    record = share_link_record(session, link.id, TODAY)
    assert (record.revoked_by, record.state) == (ACTOR, ShareLinkState.REVOKED)


def test_a_link_ends_with_its_project_and_lives_again_with_it(
    session: WorkspaceSession, clock: FixedClock, project_id: str, cast: Cast
) -> None:
    token = share(session, clock, project_id)
    project = session.get_one(MaintenanceProject, (cast.sumida.workspace_id, project_id))
    for ended in (ProjectState.DONE, ProjectState.CANCELLED):
        project.state = ended
        session.flush()
        assert state(session, token) is ShareLinkState.PROJECT_ENDED
    with pytest.raises(Refused):
        share(session, clock, project_id)
    project.state = ProjectState.OPEN
    session.flush()
    assert state(session, token) is ShareLinkState.LIVE


def test_an_opening_is_noted_once_a_minute(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    token = share(session, clock, project_id)
    link = opened(session, token)
    assert link is not None
    assert is_opening_due(link.last_opened_at, clock.now())
    note_link_opened(session, SHARE_LINK, link.id, clock.now())
    seen = opened(session, token)
    assert seen is not None
    assert not is_opening_due(seen.last_opened_at, clock.now() + timedelta(seconds=59))
    assert is_opening_due(seen.last_opened_at, clock.now() + timedelta(seconds=60))
    note_link_opened(session, SHARE_LINK, link.id, clock.now() - timedelta(hours=1))
    assert share_link_record(session, link.id, TODAY).last_opened_at == clock.now()


def test_live_links_stand_first(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    first = opened(session, share(session, clock, project_id))
    second = opened(session, share(session, clock, project_id))
    assert first is not None
    assert second is not None
    revoke_share_link(Work(session, clock, ACTOR), share_link_id=second.id)
    assert [each.id for each in links_of_project(session, project_id, TODAY)] == [
        first.id,
        second.id,
    ]


def test_what_is_wrong_is_refused_beside_its_field(
    session: WorkspaceSession, clock: FixedClock, project_id: str
) -> None:
    with pytest.raises(Refused, match=r"^expiresOn: .* is in the past"):
        share(session, clock, project_id, expires_on=clock.today() - timedelta(days=1))
    share(session, clock, project_id, expires_on=clock.today())
    with pytest.raises(Refused, match=r"^contractorName: "):
        share_project(
            Work(session, clock, ACTOR), project_id=project_id, contractor_name=" ", signer=SIGNER
        )
    with pytest.raises(Refused, match=r"^hourlyYen: "):
        share_project(
            Work(session, clock, ACTOR),
            project_id=project_id,
            contractor_name=CONTRACTOR,
            hourly_yen=-1,
            signer=SIGNER,
        )


def test_another_workspace_has_neither_link_nor_project(
    session: WorkspaceSession, clock: FixedClock, project_id: str, database: Database, cast: Cast
) -> None:
    token = share(session, clock, project_id)
    named = named_link(lambda: nullcontext(session), SIGNER, token)
    assert named is not None
    session.commit()
    with database.writing(cast.minato.workspace_id) as minato:
        assert opened_link(minato, TODAY, named) is None
        for audit_event in (
            lambda: share_link_record(minato, named.link_id, TODAY),
            lambda: revoke_share_link(Work(minato, clock, ACTOR), share_link_id=named.link_id),
            lambda: share(minato, clock, project_id),
        ):
            with pytest.raises(NotFound):
                audit_event()
