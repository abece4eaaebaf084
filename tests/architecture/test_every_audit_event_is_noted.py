"""Whoever changes the world leaves an audit event in the audit: every use case that is told who acts."""

import ast
from collections.abc import Iterator, Mapping

import pytest

from pms.rules.audit_events import AuditEvent
from tests.architecture.noted_events import Program
from tests.architecture.source_tree import Finding, Source, listed, python_sources

# Steps of an audit event that the use cases calling them note: no step is an audit event of its own.
STEPS = {
    "pms.bank.imports.begin_import": "a bank statement imported",
    "pms.bank.whole_imports.begin_imports": "a bank statement imported",
    "pms.bank.accounts.account_of": "a bank statement imported",
    "pms.departures.notices.drop_notice": "a notice that is withdrawn, a room change",
    "pms.departures.notices.write_notice": "a notice filed or rescheduled",
    "pms.departures.notices.file_notice_given_before": "a tenancy taken over",
    "pms.arrivals.takeover.written_terms.write_own_terms": "a tenancy taken over",
    "pms.arrivals.taking_over.file_notices_given_before": "a tenancy taken over",
    "pms.departures.notices.bill_penalty": "a notice filed, rescheduled or recomputed",
    "pms.departures.notices.set_figures": "a notice filed, rescheduled or recomputed",
    "pms.deposits.settlements.settlement_row": "a settlement",
    "pms.enquiries.notes.note_columns": "a note or an answer",
    "pms.ledger.move_in_invoices.issue_move_in_invoice": "a booking",
    "pms.ledger.kept_fees.keep_paid_fee": "a cancellation",
    "pms.ledger.opening.post_openings": "a tenancy taken over",
    "pms.ledger.repricing.override_rows": "corrected dates",
    "pms.ledger.charges.post_penalty": "a notice",
    "pms.ledger.posting.post_entries": "whatever is charged or billed",
    "pms.ledger.repricing.reprice_rows": "whatever ends or moves a tenancy",
    "pms.reservations.changes.mark_changed": "whatever changes a reservation",
    "pms.upkeep.tickets.post_words": "a ticket opened or answered",
    "pms.upkeep.ticket_updates.post_step": "a ticket opened, work that moves",
    "pms.upkeep.ticket_updates.tell_tickets": "work that moves",
    "pms.upkeep.visit_tasks.take_out": "a visit changed or cancelled",
}
# A run is a row that itself tells who started it and when; the work it does is noted.
RUNS = {
    "pms.jobs.daily_jobs.count_visits",
    "pms.jobs.daily_jobs.follow_people",
    "pms.foundation.runs.start_run",
    "pms.jobs.daily_jobs.do_daily",
    "pms.jobs.daily_runs.open_day",
    "pms.jobs.worker.run_job",
}
# How a person looks at lists is theirs alone; a view says whose it is.
OWN_SETTINGS = {
    "pms.access.list_views.keep_columns",
    "pms.access.list_views.save_view",
    "pms.access.list_views.remove_view",
}
# A notice is a row that itself says what happened, who did it and who was told; the act is noted.
NOTICES = {
    "pms.bank.second_person.mail_waiting_file",
    "pms.notices.notices.notify_staff",
    "pms.upkeep.report_notices.tell_of_message",
    "pms.upkeep.report_notices.tell_of_report",
    "pms.upkeep.task_notices.tell_assignees",
}
OUTSIDE = ("pms/foundation/audit", "pms/surfaces/", "pms/demo/")


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """The modules of the program, each read and parsed once."""
    return list(python_sources("pms/"))


@pytest.fixture(scope="module")
def program(sources: list[Source]) -> Program:
    return Program(s for s in sources if not s.path.startswith(OUTSIDE))


def silent(found: Program) -> Iterator[Finding]:
    """Each public function that is told who acts, notes nothing and is no step of an audit event."""
    known = found.noting | STEPS.keys() | RUNS | OWN_SETTINGS | NOTICES
    for name in found.taking_an_actor():
        if name not in known:
            yield found.finding(name, "is told who acts and notes no audit event")


def loose_steps(found: Program, steps: Mapping[str, str]) -> Iterator[Finding]:
    """Each step of an audit event that somebody takes who notes none."""
    for step in steps:
        for caller in found.callers_of(step) - found.noting - steps.keys():
            if not found.callers_of(caller) & found.noting:
                yield found.finding(caller, f"calls {step} and notes no audit event")


def test_every_use_case_notes_its_audit_event(program: Program) -> None:
    assert not listed(silent(program))


def test_every_step_of_a_audit_event_is_taken_by_one_that_is_noted(program: Program) -> None:
    assert set(STEPS) <= program.functions.keys(), "a step is listed that is gone"
    assert not listed(loose_steps(program, STEPS))


def test_every_audit_event_of_the_list_is_done_by_somebody(sources: list[Source]) -> None:
    done = {
        node.attr
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "AuditEvent"
    }
    assert {audit_event.name for audit_event in AuditEvent} - done == set()


PLANTED = '''"""Planted."""
from pms.foundation.audit import note_audit_event
def speaks(work): note_audit_event(work)
def asks(work): _asked(work.session)
def _asked(session): speaks(session)
def hides(work): pass
'''


def test_a_planted_silent_use_case_is_found() -> None:
    found = Program([Source("pms/planted.py", PLANTED)])
    assert [finding.what for finding in silent(found)] == [
        "hides: is told who acts and notes no audit event"
    ]


def test_a_planted_step_of_nobody_is_found() -> None:
    found = Program([Source("pms/planted.py", PLANTED + "def lone(session): hides(session)\n")])
    (finding,) = loose_steps(found, {"pms.planted.hides": "planted"})
    assert finding.what.startswith("lone: calls pms.planted.hides")
