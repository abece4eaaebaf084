"""The worked cases of penalties and edits come out of the database as the law tells them."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from pms.departures.notice_plans import preview_notice
from pms.departures.notices import FiledMoveOut, file_notice, reschedule_move_out
from pms.rules.days import JAPAN
from pms.rules.enumerations import EntryKind, ReservationKind
from pms.rules.penalties import Penalty
from tests.departures.desk import Desk, day
from tests.rules.worked_cases import Answer, Given, all_cases, differences, kind_of, written
from tests.rules.worked_money import price_periods, written_computation

pytestmark = pytest.mark.differs("sums and dates in SQL")

CASES = [
    case
    for case in all_cases()
    # A room or occupant change is no notice: it has none to be filed.
    if kind_of(case) in {"penalty", "edit"} and not case["given"].get("amendment")
]


def resident_of(desk: Desk, given: Given) -> str:
    overrides = {
        column: day(given[name])
        for name, column in (
            ("overrideMoveIn", "override_move_in_date"),
            ("overrideContractEnd", "override_contract_end_date"),
        )
        if given.get(name)
    }
    if "policy" in given:
        figures = dict(given["policy"])
        figures["early_exit_cap_months"] = Decimal(figures["early_exit_cap_months"])
        desk.policy(**figures)
    id_ = desk.resident(
        given["moveIn"],
        given.get("contractEnd"),
        price_periods(given),
        kind=ReservationKind(given.get("record", "resident")),
        **overrides,
    )
    if given.get("forcedOn"):
        desk.force(id_, given["forcedOn"], given.get("forcedClearedOn"))
    return id_


def answer_of(found: FiledMoveOut, notice: Any) -> Answer:
    """What is stored, and the two computations behind it."""
    return {
        "filedOn": written(notice.filed_on),
        "noticeOwed": notice.notice_owed_days,
        "noticeGiven": notice.notice_given_days,
        "noticeMissing": notice.notice_missing_days,
        "amount": notice.penalty_yen,
        "days": notice.penalty_days,
        "kind": str(notice.kind),
        "basis": str(notice.basis),
        "capped": notice.is_capped,
        "forfeit": notice.forfeit_yen,
        "runsUntil": written(notice.runs_until_on),
        **computations_of(found.penalty),
    }


def computations_of(penalty: Penalty) -> Answer:
    return {
        "earlyExit": written_computation(penalty.early_exit),
        "shortNotice": written_computation(penalty.short_notice),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_is_stored_billed_and_foretold_to_the_yen(desk: Desk, case: Given) -> None:
    given = case["given"]
    id_ = resident_of(desk, given)
    desk.on(given["filedOn"])
    steps = [{"on": given["filedOn"], "moveOut": given["moveOut"]}, *given.get("edits", ())]
    for number, step in enumerate(steps):
        desk.on(step["on"])
        asked = {"reservation_id": id_, "move_out_on": day(step["moveOut"])}
        foretold = desk.ask(preview_notice, desk.clock, **asked)
        found = desk.do(reschedule_move_out if number else file_notice, **asked)
        assert foretold.penalty == found.penalty
        assert foretold.repriced == found.repriced
    assert not list(differences(case["expect"], answer_of(found, found.notice)))
    billed = desk.entries(id_, EntryKind.PENALTY)
    assert sum(entry.total_yen for entry in billed) == found.notice.penalty_yen
    assert (found.notice.penalty_entry_id is not None) == bool(billed)
    assert len(billed) <= 1


def test_a_notice_filed_on_behalf_counts_from_the_day_in_japan_of_its_instant(desk: Desk) -> None:
    id_ = desk.resident("2025-05-01", "2025-10-31")
    desk.on("2025-10-05")
    at = desk.clock.now().astimezone(JAPAN).replace(day=3, hour=0, minute=30)
    asked = {"reservation_id": id_, "move_out_on": date(2025, 10, 31), "filed_at": at}
    found = desk.do(file_notice, **asked)
    assert found.notice.filed_on == date(2025, 10, 3)
    assert found.notice.notice_missing_days == 1
    assert desk.entries(id_, EntryKind.PENALTY)[0].issued_on == date(2025, 10, 5)
