"""Charge for several residents is posted once to each, started twice, killed anywhere or stopped by hand."""

from datetime import UTC, date, datetime

import pytest
from sqlalchemy import func, select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.runs import Run, ask_to_stop
from pms.foundation.work import Work
from pms.jobs.bulk_runs import charging_run
from pms.ledger.charge_plans import ChargeBar, ManyCharge, plan_charges
from pms.ledger.many_charges import ask_many_charges
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.pricing.models import PricePeriod
from pms.reservations.models import Reservation
from pms.rules.enumerations import FeeCategory, Lifecycle, RunState, TaxTreatment
from tests.cast import Cast, building, reservation, unit

NOON = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
RESIDENTS = 9
EVERYONE = RESIDENTS + 1  # with Hanako Sato of the cast


class DyingClock(FixedClock):
    """A clock whose process is killed when it is asked for the n-th time."""

    def __init__(self, lives: int) -> None:
        super().__init__(NOON)
        self.lives = lives

    def now(self) -> datetime:
        self.lives -= 1
        if self.lives < 0:
            raise KeyboardInterrupt
        return super().now()


def charge(**given: object) -> ManyCharge:
    """3,300 yen for a new lock, due on 1 December."""
    usual: dict[str, object] = {
        "item": "charge",
        "label": Bilingual("鍵の交換", "New lock"),
        "amount_yen": 3_300,
        "percent": None,
        "category": FeeCategory.OTHER,
        "tax_treatment": TaxTreatment.TAXABLE_10,
        "due_on": date(2026, 12, 1),
    }
    return ManyCharge(**{**usual, **given})  # type: ignore[arg-type]


@pytest.fixture
def houses(database: Database, cast: Cast) -> list[str]:
    """Three more houses of three rooms, all lived in; the ids of the buildings."""
    ids = []
    with database.writing(cast.sumida.workspace_id) as session:
        for number in range(3):
            house = building(id=new_id(), slug=f"h{number}", name=f"家{number}", name_en=None)
            session.add(house)
            session.flush()
            ids.append(house.id)
            for room in range(3):
                slug = f"h{number}-{room}"
                home = unit(id=new_id(), building_id=house.id, name=f"{room}", slug=slug)
                session.add(home)
                session.flush()
                session.add(
                    reservation(unit_id=home.id, name=f"住人{number}{room}", email=f"{slug}@e.jp")
                )
    return ids


def asked(database: Database, clock: FixedClock, cast: Cast, what: ManyCharge) -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        return ask_many_charges(Work(session, clock, "office"), charge_id=new_id(), charge=what).id


def posted(database: Database, cast: Cast) -> tuple[int, int, int]:
    """How many charges stand, at how many reservations, and what they come to."""
    with database.reading(cast.sumida.workspace_id) as session:
        entries = select(
            func.count(LedgerEntry.id), func.count(LedgerEntry.reservation_id.distinct())
        )
        count, reservations = session.execute(entries).one()
        total_yen = session.scalar(select(func.sum(LedgerLine.amount_yen))) or 0
    return count, reservations, int(total_yen)


def run_of(database: Database, cast: Cast, run_id: str) -> Run:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.get_one(Run, (cast.sumida.workspace_id, run_id))


@pytest.mark.usefixtures("houses")
def test_everyone_who_lives_there_is_charged_once_and_the_others_are_counted(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        plan = plan_charges(session, clock.today(), charge())
    assert len(plan.charged) == EVERYONE
    assert plan.total_yen == EVERYONE * 3_300
    assert plan.barred == {ChargeBar.OWNER_RESIDENT: 1, ChargeBar.GUEST: 1}
    run = charging_run(
        database,
        clock,
        cast.sumida.workspace_id,
        run_id=asked(database, clock, cast, charge()),
        part=4,
    )
    assert run.state is RunState.FINISHED
    assert run.result["total_yen"] == EVERYONE * 3_300
    assert posted(database, cast) == (EVERYONE, EVERYONE, EVERYONE * 3_300)


def test_only_the_buildings_chosen_are_charged(
    database: Database, clock: FixedClock, cast: Cast, houses: list[str]
) -> None:
    what = charge(building_ids=tuple(houses[:2]))
    charging_run(
        database, clock, cast.sumida.workspace_id, run_id=asked(database, clock, cast, what)
    )
    assert posted(database, cast)[:2] == (6, 6)


@pytest.mark.usefixtures("houses")
def test_a_percentage_is_taken_of_each_rent_and_who_has_none_is_left_out(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        plan = plan_charges(session, clock.today(), charge(amount_yen=None, percent="50"))
        rent_yen = session.scalars(select(PricePeriod.base_rent_yen)).one()
    assert [one.yen for one in plan.charged] == [rent_yen // 2]
    assert plan.barred[ChargeBar.NO_RENT] == RESIDENTS


@pytest.mark.differs("locks")
@pytest.mark.usefixtures("houses")
def test_started_twice_it_charges_nobody_twice(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    workspace_id, what, charge_id = cast.sumida.workspace_id, charge(), new_id()
    for _ in range(2):
        with database.writing(workspace_id) as session:
            run = ask_many_charges(Work(session, clock, "office"), charge_id=charge_id, charge=what)
        for _ in range(2):
            charging_run(database, clock, workspace_id, run_id=run.id, part=3)
    assert posted(database, cast)[:2] == (EVERYONE, EVERYONE)


@pytest.mark.differs("locks")
@pytest.mark.usefixtures("houses")
def test_killed_anywhere_and_started_again_it_charges_everyone_once(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    run_id = asked(database, clock, cast, charge())
    deaths, lives = 0, 0
    while run_of(database, cast, run_id).finished_at is None:
        lives += 1
        try:
            charging_run(
                database, DyingClock(lives), cast.sumida.workspace_id, run_id=run_id, part=4
            )
        except KeyboardInterrupt:
            deaths += 1
    assert deaths > 2
    run = run_of(database, cast, run_id)
    assert (run.done, run.result["reservations"]) == (EVERYONE, EVERYONE)
    assert posted(database, cast) == (EVERYONE, EVERYONE, EVERYONE * 3_300)


@pytest.mark.usefixtures("houses")
def test_stopped_by_hand_it_waits_and_goes_on_where_it_was(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    workspace_id, charge_id = cast.sumida.workspace_id, new_id()
    with database.writing(workspace_id) as session:
        run = ask_many_charges(Work(session, clock, "office"), charge_id=charge_id, charge=charge())
        ask_to_stop(Work(session, clock, "office"), run.id)
    assert charging_run(database, clock, workspace_id, run_id=run.id).state is RunState.STOPPED
    assert posted(database, cast)[0] == 0
    with database.writing(workspace_id) as session:
        ask_many_charges(Work(session, clock, "office"), charge_id=charge_id, charge=charge())
    assert charging_run(database, clock, workspace_id, run_id=run.id).state is RunState.FINISHED
    assert posted(database, cast)[0] == EVERYONE


def test_where_nobody_lives_nothing_is_begun(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(building(id=(empty := new_id()), slug="empty", name="空", name_en=None))
    with pytest.raises(Refused, match="no residents"):
        asked(database, clock, cast, charge(building_ids=(empty,)))


@pytest.mark.usefixtures("houses")
def test_who_moved_out_meanwhile_is_left_out(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    run_id = asked(database, clock, cast, charge())
    with database.writing(cast.sumida.workspace_id) as session:
        plan = plan_charges(session, clock.today(), charge())
        row = session.get_one(
            Reservation, (cast.sumida.workspace_id, plan.charged[0].reservation_id)
        )
        row.lifecycle = Lifecycle.MOVED_OUT
    charging_run(database, clock, cast.sumida.workspace_id, run_id=run_id)
    assert posted(database, cast)[0] == EVERYONE - 1
