"""Who cannot help leaving states why; accepted, the early-departure charge goes."""

import pytest

from pms.departures.departures import notice_in_force
from pms.departures.leaving_reasons import decide_reason, open_reasons, state_reason
from pms.departures.notices import file_notice
from pms.foundation.errors import Collision, Refused
from pms.rules.enumerations import LeaseKind
from pms.rules.notices import LeavingReason
from tests.departures.desk import Desk, day


@pytest.fixture
def leaving(desk: Desk) -> str:
    """A resident of a fixed term of two years who gave three weeks' notice in its first summer."""
    desk.on("2026-06-10")
    reservation_id = desk.resident("2026-04-01", "2028-03-31")
    desk.do(file_notice, reservation_id=reservation_id, move_out_on=day("2026-06-30"))
    return reservation_id


def _state(desk: Desk, reservation_id: str) -> None:
    facts = {"reason": LeavingReason.TRANSFER, "words": "大阪へ転勤", "is_own": False}
    desk.do(state_reason, reservation_id=reservation_id, **facts)


def _penalty(desk: Desk, reservation_id: str) -> int:
    notice = desk.ask(notice_in_force, reservation_id)
    assert notice is not None
    return notice.penalty_yen


def test_a_stated_reason_waits_and_changes_nothing(desk: Desk, leaving: str) -> None:
    assert _penalty(desk, leaving) == 93_000
    _state(desk, leaving)
    assert _penalty(desk, leaving) == 93_000
    (found,) = desk.ask(open_reasons, 5)
    assert (found.reservation_id, found.reason) == (leaving, LeavingReason.TRANSFER)


@pytest.mark.differs("a decision restates the penalty's entry")
def test_an_accepted_reason_leaves_the_missing_days_of_a_month(desk: Desk, leaving: str) -> None:
    _state(desk, leaving)
    desk.do(decide_reason, reservation_id=leaving, is_accepted=True, words="辞令を確認")
    assert _penalty(desk, leaving) == 27_000
    assert [entry.total_yen for entry in desk.entries(leaving, "penalty")] == [27_000]
    assert desk.ask(open_reasons, 5) == []
    with pytest.raises(Collision):
        desk.do(decide_reason, reservation_id=leaving, is_accepted=False, words="取消")


def test_a_refused_reason_keeps_the_penalty_and_needs_a_word(desk: Desk, leaving: str) -> None:
    _state(desk, leaving)
    with pytest.raises(Refused, match="decision"):
        desk.do(decide_reason, reservation_id=leaving, is_accepted=False, words=" ")
    desk.do(decide_reason, reservation_id=leaving, is_accepted=False, words="証明がない")
    assert _penalty(desk, leaving) == 93_000
    with pytest.raises(Collision):
        _state(desk, leaving)


def test_the_law_gives_it_for_fixed_terms_only(desk: Desk) -> None:
    desk.on("2026-06-10")
    ordinary = desk.resident("2026-04-01", "2028-03-31", lease_kind=LeaseKind.ORDINARY)
    desk.do(file_notice, reservation_id=ordinary, move_out_on=day("2026-06-30"))
    _state(desk, ordinary)
    with pytest.raises(Refused, match="fixed-term"):
        desk.do(decide_reason, reservation_id=ordinary, is_accepted=True, words="認める")


def test_without_a_notice_there_is_nothing_to_give_a_reason_for(desk: Desk) -> None:
    desk.on("2026-06-10")
    with pytest.raises(Refused, match="notice"):
        _state(desk, desk.resident("2026-04-01", "2028-03-31"))
