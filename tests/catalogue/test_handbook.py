"""The handbook of a building: pages in both languages, codes that are shown by tap alone."""

from dataclasses import replace

import pytest

from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import (
    add_handbook_page,
    edit_handbook_page,
    handbook_of,
    page_record,
    remove_handbook_page,
    reveal_code,
)
from pms.foundation.audit import audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HandbookTopic
from tests.cast import Cast
from tests.catalogue.conftest import ACTOR


@pytest.fixture
def page_id(session: WorkspaceSession, clock: FixedClock, cast: Cast, door: WrittenPage) -> str:
    building_id = cast.sumida.building_id
    return add_handbook_page(Work(session, clock, ACTOR), building_id=building_id, written=door)


def test_a_page_comes_last_and_keeps_its_code_to_itself(
    session: WorkspaceSession, cast: Cast, page_id: str
) -> None:
    handbook = handbook_of(session, cast.sumida.building_id)
    entry = handbook.entries[-1]
    assert (entry.id, entry.has_code, entry.has_both_languages) == (page_id, True, True)
    assert "*4821#" not in repr(handbook)
    assert "*4821#" not in repr(page_record(session, page_id))
    assert HandbookTopic.ENTRANCE not in handbook.missing
    assert {HandbookTopic.WIFI, HandbookTopic.RUBBISH} <= set(handbook.missing)


def test_who_looks_at_a_code_is_written_down_and_the_code_is_not(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, page_id: str
) -> None:
    assert reveal_code(Work(session, clock, ACTOR), page_id=page_id) == "*4821#"
    events = audit_events(session, audit_event=AuditEvent.CODE_REVEALED).audit_events
    assert [(done.actor, done.subject_id) for done in events] == [(ACTOR, cast.sumida.building_id)]
    assert "*4821#" not in repr(audit_events(session))


def test_an_edit_without_a_code_keeps_it_or_takes_it_away_as_told(
    session: WorkspaceSession, clock: FixedClock, door: WrittenPage, page_id: str
) -> None:
    plain = replace(door, guarded_code=None, body_en="Press the bell.")
    edit_handbook_page(
        Work(session, clock, ACTOR), page_id=page_id, version=1, written=plain, is_code_kept=True
    )
    assert reveal_code(Work(session, clock, ACTOR), page_id=page_id) == "*4821#"
    with pytest.raises(Collision):
        edit_handbook_page(Work(session, clock, ACTOR), page_id=page_id, version=1, written=plain)
    edit_handbook_page(Work(session, clock, ACTOR), page_id=page_id, version=2, written=plain)
    with pytest.raises(NotFound):
        reveal_code(Work(session, clock, ACTOR), page_id=page_id)


def test_one_language_is_enough_and_is_told(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    written = WrittenPage(title_ja="郵便", title_en="", body_ja="玄関の左。", body_en="")
    building_id = cast.sumida.building_id
    add_handbook_page(Work(session, clock, ACTOR), building_id=building_id, written=written)
    assert not handbook_of(session, building_id).entries[-1].has_both_languages
    with pytest.raises(Refused, match=r"^titleJa: "):
        add_handbook_page(
            Work(session, clock, ACTOR),
            building_id=building_id,
            written=replace(written, title_ja=" "),
        )


def test_a_removed_page_is_gone_and_remembered(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, page_id: str
) -> None:
    removed = remove_handbook_page(Work(session, clock, ACTOR), page_id=page_id)
    assert removed == cast.sumida.building_id
    (done,) = audit_events(session, audit_event=AuditEvent.HANDBOOK_PAGE_REMOVED).audit_events
    assert done.before["title_en"] == "Entrance"
    with pytest.raises(NotFound):
        page_record(session, page_id)


def test_a_page_of_another_workspace_is_none(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, door: WrittenPage
) -> None:
    with pytest.raises(NotFound):
        add_handbook_page(
            Work(session, clock, ACTOR), building_id=cast.minato.building_id, written=door
        )
