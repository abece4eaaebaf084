"""The office looks at a month's billing, asks for the run, and follows it."""

from urllib.parse import urlsplit

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.runs import finish, run_record, start_run, step
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.ledger.billing import Unbillable
from pms.rules.enumerations import RunState
from tests.cast import Cast
from tests.staff import Browser


def test_the_office_looks_before_it_bills(office: Browser) -> None:
    shown = office.get("/billing?lang=en")
    assert shown.status_code == 200
    assert "Needs review" in shown.text


def test_a_run_asked_for_is_done_by_the_worker(
    office: Browser, database: Database, settings: Settings, clock: FixedClock, cast: Cast
) -> None:
    answer = office.post("/billing/runs", {"month": "2026-12"})
    assert answer.status_code == 303
    run_id = urlsplit(answer.location).path.rpartition("/")[2]
    do_asked_runs(Tools(settings, database, clock, choose_postbox(settings)))
    with database.reading(cast.sumida.workspace_id) as session:
        run = run_record(session, run_id)
        assert run.state in (RunState.FINISHED, RunState.FINISHED_WITH_PROBLEMS)
    assert office.get(f"/runs/{run_id}").status_code == 200


def test_the_panel_of_a_run_that_ends_brings_what_could_not_be_done(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        run = start_run(Work(session, clock, "worker"), kind="import", subject="units", total=1)
        step(run, clock, done=1, problems=1)
        finish(run, clock, refused=[{"row": "3", "message": "rent: 'abc' is no amount."}])
        run_id = run.id
    panel = office.block(f"/runs/{run_id}?lang=en").text
    assert "1 problem is listed below." in panel
    assert "abc" in panel.partition("listed below")[2]


def test_what_a_run_could_not_do_names_the_person(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    resident_id = cast.sumida.resident_id
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, "worker")
        run = start_run(work, kind="billing", subject="2026-12", total=1)
        step(run, clock, done=1, problems=1)
        problem = {"reservation": resident_id, "reason": Unbillable.NO_PRICE.value}
        finish(run, clock, unbilled=[problem])
        run_id = run.id
    shown = office.get(f"/runs/{run_id}").text
    assert f'/reservations/{resident_id}">佐藤 花子</a>' in shown
    assert "佐藤 花子" in office.get(f"/runs/{run_id}/problems.csv").text


def test_an_unknown_month_is_refused_in_place(office: Browser) -> None:
    answer = office.post("/billing/runs", {"month": "2031-01", "lang": "en"})
    assert answer.status_code == 422
    assert "2031-01" in answer.text
