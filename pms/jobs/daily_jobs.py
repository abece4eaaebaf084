"""The daily jobs, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from threading import Lock

import structlog

from pms.arrivals import lifecycles
from pms.collections import collected_bills
from pms.collections.collections_read import store_number
from pms.contracts import rent_proposals, term_questions
from pms.enquiries import leads
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound
from pms.foundation.files import Files
from pms.foundation.phrases import join_with_commas
from pms.foundation.runs import (
    Run,
    finished_runs,
    newest_run,
)
from pms.foundation.work import Work
from pms.inbox import people
from pms.jobs.billing_run import BILLING, billing_run
from pms.jobs.daily_runs import DailyProgress, DailyRun, open_day
from pms.jobs.runs import Tools
from pms.offers import refused_papers
from pms.personal_data import retention
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import billed_through_on, rent_issued_on
from pms.rules.days import JAPAN, day_of
from pms.site import kept_turns, visits
from pms.statements import arrival_reminders, due_invoices, reminders
from pms.stays import guests
from pms.upkeep import turnovers
from pms.workspaces import queries

ACTOR = "worker"
INVOICES_AT_ONCE = 2
REMINDERS_AT_ONCE = 20
GUESTS_AT_ONCE = 200
CHATS_AT_ONCE = 500
LEADS_AT_ONCE = 200
CHOICES_AT_ONCE = 50
_log = structlog.get_logger("pms.jobs.daily_jobs")
_at_work = Lock()


@dataclass(frozen=True)
class DailyJob:
    """A daily job; `from_hour` is the hour in Japan from which it is due."""

    name: str
    from_hour: int
    about: str
    work: Callable[[DailyRun], None]


def bill_due_rent(run: DailyRun) -> None:
    """Bill the month that the billing day opened, unless a run has finished since that day."""
    with run.database.reading(run.workspace_id) as session:
        figures = queries.policy(session)
        through_on = billed_through_on(run.clock.today(), figures)
        latest = newest_run(session, BILLING, f"{through_on:%Y-%m}")
    is_finished = latest is not None and latest.finished_at is not None
    opened_on = rent_issued_on(through_on, figures)
    if latest is not None and is_finished and day_of(latest.started_at) >= opened_on:
        return
    billed = billing_run(run.database, run.clock, run.actor, run.workspace_id)
    run.note(billed.result.get("entries", 0), billed.problems)


def advance(work: Work, after: str | None) -> DailyProgress:
    """Advance the lifecycles of reservations whose day has come."""
    moved = lifecycles.advance_lifecycles(work)
    lists = moved.confirmed, moved.living, moved.moved_out, moved.deposits_moved
    return DailyProgress(sum(map(len, lists)))


def plan_turnovers(work: Work, after: str | None) -> DailyProgress:
    """Plan missing cleanings after departures."""
    healed = turnovers.heal_turnovers(work.session, work.clock, after)
    return DailyProgress(healed.done, 0, healed.after_unit_id)


def follow_people(work: Work, after: str | None) -> DailyProgress:
    """Add to the inbox what was stored before it existed or by other means than the program."""
    caught = people.catch_up_with_people(work.session, after)
    return DailyProgress(caught.done, 0, caught.after)


def send_invoices(run: DailyRun) -> None:
    """Send the invoices of what was billed, a few in each transaction: typesetting takes time."""
    files = Files(run.database.settings)

    def send(work: Work, after: str | None) -> DailyProgress:
        sent = due_invoices.send_due_invoices(
            work.session,
            work.clock,
            files,
            after=after,
            most=INVOICES_AT_ONCE,
            number_of=partial(store_number, work.clock),
        )
        return DailyProgress(sent.sent, len(sent.refused_entry_ids), sent.last_entry_id)

    run.in_parts(send)


def remind_of_arrival(work: Work, after: str | None) -> DailyProgress:
    """Send the mails around arrivals that are due."""
    sent = arrival_reminders.send_arrival_reminders(work.session, work.clock)
    if sent:
        facts, about = {"sent": sent}, of_workspace(work.session)
        note_audit_event(work, AuditEvent.ARRIVAL_REMINDERS_SENT, about, after=facts)
    return DailyProgress(sent)


def remind_of_overdue(work: Work, after: str | None) -> DailyProgress:
    """Send reminders of overdue invoices."""
    reminded = reminders.send_overdue_reminders(
        work.session,
        work.clock,
        most=REMINDERS_AT_ONCE,
        number_of=partial(store_number, work.clock),
    )
    if reminded:
        facts, about = {"sent": reminded}, of_workspace(work.session)
        note_audit_event(work, AuditEvent.OVERDUE_REMINDERS_SENT, about, after=facts)
    return DailyProgress(reminded, 0, "more" if reminded == REMINDERS_AT_ONCE else None)


def remind_of_ends(run: DailyRun) -> None:
    """Ask once more who did not answer for two weeks, about the end of a term or a new rent."""
    base_url = run.database.settings.base_url

    def remind(work: Work, after: str | None) -> DailyProgress:
        reminded = term_questions.remind_of_terms(work, most=REMINDERS_AT_ONCE)
        reminded = max(
            reminded, rent_proposals.remind_of_rents(work, base_url, most=REMINDERS_AT_ONCE)
        )
        return DailyProgress(reminded, 0, "more" if reminded == REMINDERS_AT_ONCE else None)

    run.in_parts(remind)


def collect_bills(work: Work, after: str | None) -> DailyProgress:
    """Collect the bills of residents who pay by card or at a store."""
    planned = collected_bills.plan_collections(work, after, most=CHOICES_AT_ONCE)
    return DailyProgress(planned.done, 0, planned.after)


def forget_old_guests(run: DailyRun) -> None:
    """Delete guest register entries that were kept as long as the law requires, part by part."""
    files = Files(run.database.settings)

    def forget(work: Work, after: str | None) -> DailyProgress:
        forgotten = guests.forget_guests(work, files, most=GUESTS_AT_ONCE)
        return DailyProgress(forgotten, 0, "more" if forgotten == GUESTS_AT_ONCE else None)

    run.in_parts(forget)


def count_visits(work: Work, after: str | None) -> DailyProgress:
    """Count the visits of past days, and delete the reports that were counted."""
    # A part passes on the day that failed last.
    failed_on = date.min if after is None else date.fromisoformat(after)
    counting = visits.count_telemetry(work.session, work.clock, after=failed_on)
    if counting.failed_on is not None:
        failed_on = counting.failed_on
        _log.error("day of visits not counted", day=failed_on.isoformat(), why=counting.failure)
    problems = int(counting.failed_on is not None)
    return DailyProgress(
        counting.days, problems, failed_on.isoformat() if counting.goes_on else None
    )


def forget_old_leads(run: DailyRun) -> None:
    """Delete declined leads after their retention period, part by part."""
    files = Files(run.database.settings)

    def forget(work: Work, after: str | None) -> DailyProgress:
        forgotten = leads.forget_declined(work, files, most=LEADS_AT_ONCE)
        return DailyProgress(forgotten, 0, "more" if forgotten == LEADS_AT_ONCE else None)

    run.in_parts(forget)


def forget_old_chats(work: Work, after: str | None) -> DailyProgress:
    """Delete conversations with the website's assistant that are older than 90 days."""
    forgotten = kept_turns.forget_chats(work, most=CHATS_AT_ONCE)
    return DailyProgress(forgotten, 0, "more" if forgotten == CHATS_AT_ONCE else None)


def forget_old_people(run: DailyRun) -> None:
    """Delete personal data that was kept for its years, part by part."""
    files = Files(run.database.settings)

    def forget_papers(work: Work, after: str | None) -> DailyProgress:
        forgotten = refused_papers.forget_refused_papers(work, files, most=GUESTS_AT_ONCE)
        return DailyProgress(forgotten, 0, "more" if forgotten == GUESTS_AT_ONCE else None)

    def forget(work: Work, after: str | None) -> DailyProgress:
        retained = retention.forget_old_records(work, files, after)
        return DailyProgress(retained.done, 0, retained.after)

    run.in_parts(forget_papers)
    run.in_parts(forget)


DAILY_JOBS = (
    DailyJob(
        "advance-lifecycles",
        0,
        "Confirm bookings, and move residents in and out on their day.",
        lambda run: run.in_parts(advance),
    ),
    DailyJob(
        "plan-turnovers",
        1,
        "Add move-out cleanings that are missing.",
        lambda run: run.in_parts(plan_turnovers),
    ),
    DailyJob(
        "count-telemetry",
        1,
        "Count the website visits of past days, then delete the single events.",
        lambda run: run.in_parts(count_visits),
    ),
    DailyJob(
        "follow-people",
        2,
        "Add tickets and enquiries that are missing from the inbox.",
        lambda run: run.in_parts(follow_people),
    ),
    DailyJob(
        "forget-guests",
        2,
        "Delete guest register entries and passports after their retention period.",
        forget_old_guests,
    ),
    DailyJob(
        "forget-leads",
        2,
        "Delete job applications and résumés that were declined a year ago.",
        forget_old_leads,
    ),
    DailyJob(
        "forget-chats",
        2,
        "Delete conversations with the website's assistant after 90 days.",
        lambda run: run.in_parts(forget_old_chats),
    ),
    DailyJob(
        "forget-people",
        2,
        "Delete enquiries, viewings, waitlist entries and data of former residents after their years.",
        forget_old_people,
    ),
    DailyJob("bill-month", 3, "Bill the next month, starting on the billing day.", bill_due_rent),
    DailyJob("send-invoices", 9, "Send the invoices of new bills.", send_invoices),
    DailyJob(
        "collect-bills",
        9,
        "Collect bills by card and at convenience stores.",
        lambda run: run.in_parts(collect_bills),
    ),
    DailyJob(
        "send-arrival-reminders",
        9,
        "Send the emails before and after an arrival.",
        lambda run: run.in_parts(remind_of_arrival),
    ),
    DailyJob(
        "remind-of-ends-of-terms",
        9,
        "Remind residents who have not answered what they want when their term ends.",
        remind_of_ends,
    ),
    DailyJob(
        "send-overdue-reminders",
        10,
        "Send reminders for overdue invoices.",
        lambda run: run.in_parts(remind_of_overdue),
    ),
)


def daily_job(name: str) -> DailyJob:
    """Return the job with this name; raise `NotFound` listing the known ones."""
    for job in DAILY_JOBS:
        if job.name == name:
            return job
    names = join_with_commas(job.name for job in DAILY_JOBS)
    raise NotFound("Job '{name}' was not found. Available jobs: {names}.", name=name, names=names)


def do_daily(
    job: DailyJob,
    database: Database,
    clock: Clock,
    workspace_id: str,
    *,
    actor: str = ACTOR,
    again: bool = False,
) -> Run | None:
    """Run a job for today in one workspace; return its run, or None if it was done before."""
    run = open_day(database, clock, actor, workspace_id, job.name, again=again)
    if run is None:
        return None
    try:
        job.work(run)
        return run.finish()
    except Exception as failure:
        run.note_failure(failure)
        raise


def run_due_jobs(tools: Tools) -> None:
    """Run the daily jobs that are due; one that fails does not stop the others.

    The call returns at once while this process is still doing daily jobs.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        _do_due(tools)
    finally:
        _at_work.release()


def _do_due(tools: Tools) -> None:
    hour = tools.clock.now().astimezone(JAPAN).hour
    due = [job for job in DAILY_JOBS if job.from_hour <= hour]
    with tools.database.across_workspaces_reading() as session:
        ids = [workspace.id for workspace in queries.all_workspaces(session)]
        names = [job.name for job in due]
        done = finished_runs(session, names, tools.clock.today().isoformat())
    for job in due:
        for workspace_id in ids:
            if (workspace_id, job.name) not in done:
                try:
                    do_daily(job, tools.database, tools.clock, workspace_id)
                except Exception:
                    _log.exception("daily job failed", job=job.name, workspace=workspace_id)
