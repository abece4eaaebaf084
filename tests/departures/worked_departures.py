"""How the use cases answer the worked cases of penalties and edits."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from pms.departures.notice_plans import preview_notice
from pms.departures.notices import FiledMoveOut, file_notice, reschedule_move_out
from pms.rules.enumerations import EntryKind, ReservationKind
from pms.rules.penalties import Penalty
from tests.cases.stage import Stage
from tests.departures.desk import Desk, day, open_desk
from tests.rules.worked_cases import Answer, Given, written
from tests.rules.worked_money import price_periods, written_computation


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


def answer_penalty(stage: Stage, given: Given) -> Answer | None:
    """Foretold, stored and billed to the same yen."""
    if given.get("amendment"):
        return None  # A room or occupant change is no notice: it has none to be filed.
    desk = open_desk(stage.database, stage.clock)
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
    billed = desk.entries(id_, EntryKind.PENALTY)
    assert sum(entry.total_yen for entry in billed) == found.notice.penalty_yen
    assert (found.notice.penalty_entry_id is not None) == bool(billed)
    assert len(billed) <= 1
    return answer_of(found, found.notice)


ANSWERS_ON_DEPARTURES: Mapping[str, Callable[[Stage, Given], Answer | None]] = {
    "penalty": answer_penalty,
    "edit": answer_penalty,
}
