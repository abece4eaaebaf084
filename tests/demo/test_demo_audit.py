"""The demo's audit tells what its staff did, for each workspace its own."""

from datetime import date

from pms.foundation.audit import actors, audit_events
from pms.foundation.database import Database
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.surfaces.labels.audit_facts import FACT_LABELS
from tests.demo.test_demo_workspaces import Seeded

TOLD = {
    AuditEvent.RESERVATION_BOOKED,
    AuditEvent.NOTICE_FILED,
    AuditEvent.PAYMENT_RECORDED,
    AuditEvent.DEPOSIT_SETTLED,
    AuditEvent.REFUND_SENT,
    AuditEvent.RENT_BILLED,
}


def test_every_kind_of_audit_event_is_told_in_both_workspaces(
    database: Database, seeded: Seeded
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            assert {
                audit_event
                for audit_event in TOLD
                if not audit_events(session, audit_event=audit_event).total
            } == set()
            assert any(actor.startswith("person/") for actor in actors(session))


def test_nothing_is_told_of_a_day_to_come(database: Database, seeded: Seeded, today: date) -> None:
    with database.reading(seeded[0].id) as session:
        newest = audit_events(session, limit=1).audit_events[0]
    assert day_of(newest.at) <= today


def test_every_fact_of_the_demo_is_worded(database: Database, seeded: Seeded) -> None:
    with database.reading(seeded[0].id) as session:
        events = audit_events(session, limit=20_000).audit_events
    assert {name for one in events for name in (*(one.before or ()), *(one.after or ()))} <= {
        *FACT_LABELS
    }
