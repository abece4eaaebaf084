"""Charge for several residents is planned by building and unit, asked for once, and posted once to each."""

from collections.abc import Iterable
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.runs import finish, hold_run, run_record
from pms.ledger.charge_plans import ChargeBar, ChargedTenancy, ChargePlan, ManyCharge, plan_charges
from pms.ledger.many_charges import (
    ChargedMany,
    OneTimeFee,
    ask_many_charges,
    charge_many,
    fees_for_many,
)
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import deposit_balances
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory, Lifecycle, ReservationKind, TaxTreatment
from tests.cast import building, fee, unit
from tests.ledger.conftest import ACTOR, Books

TODAY, DUE = date(2026, 11, 20), date(2026, 12, 1)
PERIOD = "0" * 31 + "1"
LOCK = Bilingual("鍵の交換", "New lock")


def lock(**given: Any) -> ManyCharge:
    """3,300 yen for a new lock, due on 1 December."""
    usual: dict[str, Any] = {
        "item": "lock",
        "label": LOCK,
        "amount_yen": 3_300,
        "percent": None,
        "category": FeeCategory.REPAIR,
        "tax_treatment": TaxTreatment.TAXABLE_10,
        "due_on": DUE,
    }
    return ManyCharge(**usual | given)


def living(books: Books, **given: Any) -> str:
    return books.resident(date(2026, 4, 1), date(2027, 3, 31), **given)


def planned(
    books: Books, charge: ManyCharge | None = None, ids: Iterable[str] | None = None
) -> ChargePlan:
    with books.reading() as session:
        return plan_charges(session, TODAY, charge or lock(), ids)


def charged(plan: ChargePlan) -> list[str]:
    return [one.reservation_id for one in plan.charged]


def post(books: Books, *ids: str, charge: ManyCharge | None = None) -> ChargedMany:
    asked = {"charge": charge or lock(), "period": PERIOD, "reservation_ids": ids}
    done: ChargedMany = books.do(charge_many, **asked)
    return done


def second_house(books: Books) -> tuple[str, str]:
    """Another house, which sorts before the first one, and its only room."""
    house_id, room_id = new_id(), new_id()
    with books.writing() as session:
        session.add(building(id=house_id, slug="annex", name="アネックス", name_en="Annex"))
        session.flush()
        session.add(unit(id=room_id, building_id=house_id, name="1", slug="annex-1"))
    return house_id, room_id


def test_whoever_lives_there_is_charged_by_building_and_unit(books: Books) -> None:
    first, leaving = living(books, name="佐藤 花子"), living(books, lifecycle="notice_filed")
    house_id, room_id = second_house(books)
    other = living(books, unit_id=room_id, name="Emma Wilson")
    plan = planned(books)
    assert charged(plan) == [other, first, leaving]
    assert plan.charged[0] == ChargedTenancy(
        other, "Emma Wilson", "1", Bilingual("アネックス", "Annex"), 3_300
    )
    assert plan.charged[1].name == "佐藤 花子"
    assert (plan.total_yen, plan.buildings, plan.barred) == (9_900, 2, {})
    assert charged(planned(books, lock(building_ids=(house_id,)))) == [other]
    assert charged(planned(books, ids=[leaving])) == [leaving]
    assert charged(planned(books, ids=[])) == []


def test_who_is_left_out_is_counted_by_reason(books: Books) -> None:
    living(books, kind=ReservationKind.OWNER_RESIDENT)
    for stage in (Lifecycle.BOOKED, Lifecycle.LIVING):
        living(books, kind=ReservationKind.GUEST, lifecycle=stage)
    for stage in (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.CONFIRMED):
        living(books, lifecycle=stage)
    for stage in (Lifecycle.MOVED_OUT, Lifecycle.SETTLED, Lifecycle.CANCELLED):
        living(books, lifecycle=stage)
    living(books, cancelled_at=books.clock.now())
    plan = planned(books)
    assert plan.charged == []
    assert plan.barred == {
        ChargeBar.OWNER_RESIDENT: 1,
        ChargeBar.GUEST: 2,
        ChargeBar.NOT_MOVED_IN: 3,
    }


def test_a_percentage_is_of_the_rent_in_force_and_rounded_for_each(books: Books) -> None:
    ids = [
        living(books, amounts=amounts)
        for amounts in (MonthlyAmounts(66_667), MonthlyAmounts(0, utilities_yen=9_000), None)
    ]
    half = lock(amount_yen=None, percent="50")
    plan = planned(books, half)
    assert [(one.reservation_id, one.yen) for one in plan.charged] == [(ids[0], 33_334)]
    assert plan.barred == {ChargeBar.NO_RENT: 2}


def test_each_is_charged_once_of_a_period_and_it_is_noted_once(books: Books) -> None:
    books.at(TODAY)
    first, second, gone = (living(books) for _ in range(3))
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, gone))
        row.lifecycle = Lifecycle.MOVED_OUT
    assert post(books, first) == ChargedMany(1, 3_300)
    assert post(books, first, second, gone) == ChargedMany(1, 3_300)
    assert post(books, first, second, gone) == ChargedMany(0, 0)
    assert post(books) == ChargedMany(0, 0)
    assert books.entries(gone) == ()
    (entry,) = books.entries(second)
    assert (entry.kind, entry.period, entry.label) == ("charge", PERIOD, LOCK)
    assert (entry.issued_on, entry.due_on) == (TODAY, DUE)
    (line,) = entry.lines
    assert (line.item, line.label, line.amount_yen) == ("lock", LOCK, 3_300)
    assert (line.category, line.tax_treatment, line.first_on, line.last_on) == (
        FeeCategory.REPAIR,
        TaxTreatment.TAXABLE_10,
        None,
        None,
    )
    with books.reading() as session:
        asked = select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.CHARGES_POSTED)
        noted = session.scalars(asked).all()
    facts = {"label_ja": "鍵の交換", "label_en": "New lock", "due_on": "2026-12-01"}
    assert [(one.actor, one.after) for one in noted] == [
        (ACTOR, {**facts, "reservations": 1, "total_yen": 3_300}) for _ in range(2)
    ]


def test_a_deposit_for_many_is_held_and_bears_no_tax(books: Books) -> None:
    books.at(TODAY)
    id_ = living(books)
    post(books, id_, charge=lock(category=FeeCategory.DEPOSIT))
    (line,) = books.entry(id_, "charge").lines
    assert (line.is_deposit, line.tax_treatment) == (True, TaxTreatment.OUT_OF_SCOPE)
    books.do(record_payment, reservation_id=id_, amount_yen=3_300)
    with books.reading() as session:
        assert deposit_balances(session, [id_], TODAY)[id_].held_yen == 3_300


def test_rent_or_another_charge_of_the_same_period_hinders_no_charge(books: Books) -> None:
    id_ = books.booked(TODAY, date(2026, 12, 1), None)
    for period in ("move-in", "another"):
        asked = {"charge": lock(), "period": period, "reservation_ids": [id_]}
        assert books.do(charge_many, **asked) == ChargedMany(1, 3_300)


def test_a_charge_due_before_today_is_due_today(books: Books) -> None:
    books.at(TODAY)
    id_ = living(books)
    post(books, id_, charge=lock(due_on=date(2026, 11, 1)))
    assert books.entry(id_, "charge").due_on == TODAY


def test_a_charge_comes_back_from_its_run_as_it_was_asked(books: Books) -> None:
    books.at(TODAY)
    living(books)
    for charge in (lock(), lock(amount_yen=None, percent="33.330", building_ids=())):
        run = books.do(ask_many_charges, charge_id=new_id(), charge=charge)
        with books.reading() as session:
            assert ManyCharge.of(run_record(session, run.id).asked) == charge
    chosen = lock(building_ids=("a", "b"))
    assert ManyCharge.of(chosen.to_json) == chosen


def test_the_same_check_page_leads_to_the_same_run_also_when_it_is_done(books: Books) -> None:
    books.at(TODAY)
    id_ = living(books)
    asked = {"charge_id": new_id(), "charge": lock()}
    run = books.do(ask_many_charges, **asked)
    assert (run.kind, run.subject, run.started_by) == ("charges", asked["charge_id"], ACTOR)
    post(books, id_)
    with books.writing() as session:
        # Nobody is left whom it could charge, and still it is the same run.
        row = session.get_one(Reservation, (books.workspace_id, id_))
        row.lifecycle = Lifecycle.MOVED_OUT
    assert books.do(ask_many_charges, **asked).id == run.id
    with books.writing() as session:
        finish(hold_run(session, run.id), books.clock)
    again = books.do(ask_many_charges, **asked)
    assert (again.id, again.finished_at) == (run.id, books.clock.now())


def test_a_check_page_that_is_not_ours_or_reaches_nobody_begins_nothing(books: Books) -> None:
    with pytest.raises(Refused, match="there are no residents to charge in these buildings"):
        books.do(ask_many_charges, charge_id=new_id(), charge=lock())
    living(books)
    for torn in ("", "page", "x" * 32):
        with pytest.raises(Refused, match="page cannot be verified"):
            books.do(ask_many_charges, charge_id=torn, charge=lock())


def test_one_time_fees_are_offered_by_label_and_a_reservation_fee_is_not(books: Books) -> None:
    once: dict[str, Any] = {"is_monthly": False, "category": FeeCategory.OTHER}
    with books.writing() as session:
        session.add_all(
            [
                fee(code="water"),
                fee(code="held", **once | {"category": FeeCategory.DEPOSIT}),
                fee(code="booking", **once | {"category": FeeCategory.RESERVATION_FEE}),
                fee(code="b", label_ja="う", amount_yen=None, percent="50", **once),
                fee(code="a", label_ja="う", **once),
                fee(code="c", label_ja="あ", label_en="First", amount_yen=700, **once),
            ]
        )
    with books.reading() as session:
        offered = fees_for_many(session)
    assert [one.code for one in offered] == ["c", "a", "b", "held"]
    assert offered[0] == OneTimeFee(
        "c", Bilingual("あ", "First"), 700, None, FeeCategory.OTHER, TaxTreatment.TAXABLE_10
    )
    assert (offered[2].amount_yen, offered[2].percent) == (None, "50")
