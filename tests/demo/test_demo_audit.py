"""The demo's audit tells what its staff did, for each workspace its own."""

from datetime import date

from pms.foundation.audit_trail import actors, deeds, person_of
from pms.foundation.database import Database
from pms.rules.days import day_of
from pms.rules.deeds import Deed
from tests.demo.test_demo_workspaces import Seeded

TOLD = {
    Deed.RESERVATION_BOOKED,
    Deed.NOTICE_FILED,
    Deed.PAYMENT_RECORDED,
    Deed.DEPOSIT_SETTLED,
    Deed.REFUND_SENT,
    Deed.RENT_BILLED,
}


def test_every_kind_of_deed_is_told_in_both_workspaces(database: Database, seeded: Seeded) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            assert {deed for deed in TOLD if not deeds(session, deed=deed).total} == set()
            assert any(person_of(actor) for actor in actors(session))


def test_nothing_is_told_of_a_day_to_come(database: Database, seeded: Seeded, today: date) -> None:
    with database.reading(seeded[0].id) as session:
        newest = deeds(session, limit=1).deeds[0]
    assert day_of(newest.at) <= today
