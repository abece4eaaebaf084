"""A take-over of many tenancies goes live by a worker: asked for in the request, written in one transaction."""

import pytest

from pms.arrivals.models import Takeover
from pms.arrivals.takeover import going_live, guides
from pms.arrivals.takeover.answered import TAKEN
from pms.arrivals.takeover.going_live import ask_to_go_live
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.runs import Run
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.reservations.models import Reservation
from pms.rules.enumerations import RunState, TakeoverState
from tests.takeover.test_guide import LATER, Office, office

__all__ = ["office"]


@pytest.fixture(autouse=True)
def _fifty_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """52 tenancies are many."""
    monkeypatch.setattr(going_live, "MOST_AT_ONCE", 50)


@pytest.fixture
def tools(settings: Settings, database: Database, office: Office) -> Tools:
    """The worker's tools."""
    return Tools(settings, database, office.clock, choose_postbox(settings))


@pytest.fixture
def asked(office: Office) -> tuple[str, str]:
    """A guide that is settled, and the run that was asked for it."""
    id_ = office.start("heights_aoba.xlsx")
    office.types(id_, LATER, {"starts_later_paid": TAKEN})
    return id_, office.act(ask_to_go_live, office.guide(id_)).id


def run_of(office: Office, run_id: str) -> Run:
    found: Run = office.ask(lambda session: session.get_one(Run, (office.workspace_id, run_id)))
    return found


@pytest.mark.differs("one writer at a time, or progress beside the transaction")
def test_asking_writes_nothing_and_the_worker_writes_all(
    office: Office, tools: Tools, asked: tuple[str, str]
) -> None:
    id_, run_id = asked
    assert office.count(Reservation) == 0
    assert (run_of(office, run_id).total, run_of(office, run_id).done) == (52, 0)
    do_asked_runs(tools)
    run = run_of(office, run_id)
    assert (run.state, run.done, run.failure) == (RunState.FINISHED, 52, None)
    assert office.count(Reservation) == 52
    state = office.ask(lambda session: guides.stored_guide(session, id_).state)
    assert state is TakeoverState.LIVE


def test_what_is_refused_by_the_worker_stands_in_the_run(
    office: Office, tools: Tools, asked: tuple[str, str]
) -> None:
    id_, run_id = asked
    office.do(guides.keep_totals, id_, {"unpaid": 1})
    do_asked_runs(tools)
    run = run_of(office, run_id)
    assert run.state is RunState.FINISHED_WITH_PROBLEMS
    assert "check is not finished" in run.result["refused"][0]["message"]
    assert office.count(Reservation) == 0


def test_a_check_that_is_not_settled_is_refused_in_the_request(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    with pytest.raises(Refused, match="rows without an answer: 1"):
        office.act(ask_to_go_live, office.guide(id_))
    assert office.count(Run) == 0


def test_a_run_that_was_taken_up_again_writes_nothing_twice(
    office: Office, tools: Tools, asked: tuple[str, str]
) -> None:
    id_, run_id = asked
    office.live(id_)
    do_asked_runs(tools)
    assert run_of(office, run_id).state is RunState.FINISHED
    assert (office.count(Reservation), office.count(Takeover)) == (52, 1)
