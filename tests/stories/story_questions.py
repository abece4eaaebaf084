"""What a story asks without changing anything: states, balances, labels and reports."""

from collections.abc import Callable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import book
from pms.availability.labels import label
from pms.availability.units import UnitSearch, availability_of, search_units
from pms.deposits.deposit_report import balance_on, deposit_report
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.ledger.statement import statement
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.availability import UnknownKinds, read_excluded_kinds
from pms.rules.contract_dates import contract_days
from pms.rules.days import CorruptDay
from pms.rules.enumerations import BlockSource, DepositExclusion, ReservationKind
from pms.rules.notices import notice_class_days, window_opens_on
from pms.rules.unit_stays import billable_span, month_to_month_state
from pms.workspaces.queries import policy
from tests import cast
from tests.rules.worked_cases import Answer, Given, certain_day, day, written
from tests.stories.house import ACTOR
from tests.stories.recomputation import balance_on as recomputed_on
from tests.stories.telling import Telling


def answer_terms(telling: Telling, step: Given) -> Answer:
    """What the contract would be if it were booked."""
    found = telling.reservation_of(step)
    with telling.tried_out() as session:
        booked = book(
            Work(session, telling.house.clock, ACTOR),
            unit_id=telling.room_of("A"),
            kind=ReservationKind.RESIDENT,
            name="住人",
            move_in_date=certain_day(found, "moveIn"),
            contract_end_date=day(found, "contractEnd"),
            amounts=MonthlyAmounts(1),
        )
        term = tenancy_of(session, booked.reservation_id, telling.house.today).term
        figures = policy(session)
    return {
        "contractDays": contract_days(term),
        "noticeClass": notice_class_days(term, figures),
        "windowOpens": written(window_opens_on(term, figures)),
    }


def answer_state(telling: Telling, step: Given) -> Answer:
    on = telling.house.today

    def asked(session: Session) -> Answer:
        facts = tenancy_of(session, telling.id_of(step), on), on, policy(session)
        span = billable_span(*facts)
        return {
            "monthToMonth": month_to_month_state(*facts).value,
            "billableSpan": span
            and {"first": written(span.first_on), "last": written(span.last_on)},
        }

    return telling.house.ask(asked)


def answer_balance(telling: Telling, step: Given) -> Answer:
    """The program's balance, its statement's, and the one worked out from the tables agree."""
    id_, on = telling.id_of(step), certain_day(step, "on")
    found = telling.house.ask(lambda session: balance_on(session, id_, on))
    assert telling.house.ask(lambda session: statement(session, id_, on)).deposit == found
    answer = {
        "held": found.held_yen,
        "unpaid": found.unpaid_yen,
        "overpaid": found.overpaid_yen,
        "balance": found.balance_yen,
    }
    recomputed = recomputed_on(telling.books, id_, on)
    assert answer == {**recomputed._asdict(), "balance": recomputed.balance}
    return answer


def answer_reporting(telling: Telling, step: Given) -> Answer:
    """A row of a rent roll is counted among what is left out; no reservation is made of it."""
    id_, on = telling.id_of(step), certain_day(step, "on")
    with telling.tried_out() as session:
        before = deposit_report(session, on)
        is_included = id_ in {deposit.reservation_id for deposit in before.deposits}
        if not step.get("imported", False):
            return {"included": is_included}
        room = telling.room_of(step.get("of", "A"))
        session.add(cast.external_block(unit_id=room, source=BlockSource.RENT_ROLL))
        session.flush()
        after = deposit_report(session, on)
    assert after.deposits == before.deposits
    left_out = after.excluded[DepositExclusion.RENT_ROLL]
    return {"included": left_out != before.excluded[DepositExclusion.RENT_ROLL] + 1}


def answer_availability(telling: Telling, step: Given) -> Answer:
    ids = [telling.reservation(name) for name in step["unit"]]
    with telling.tried_out() as session:
        if "corruptMoveOut" in step:
            row = session.scalars(select(Reservation).where(Reservation.id == ids[0])).one()
            row.move_out_date = CorruptDay(step["corruptMoveOut"])
            session.flush()
        found = availability_of(session, telling.room_of(step["unit"][0]), telling.house.today)
    return {"state": found.state.value, "date": written(found.on), "label": label(found)}


def answer_booking_check(telling: Telling, step: Given) -> Answer:
    """Somebody tries to book the unit; nothing of it is kept."""
    with telling.tried_out() as session:
        try:
            book(
                Work(session, telling.house.clock, ACTOR),
                unit_id=telling.room_of(step["unit"][0]),
                kind=ReservationKind.RESIDENT,
                name="次の住人",
                move_in_date=certain_day(step, "start"),
                amounts=MonthlyAmounts(60_000),
            )
        except Refused:
            return {"status": 400}
    return {"status": 200}


def answer_view(telling: Telling, step: Given) -> Answer:
    assert telling.id_of(step)
    excluded = read_excluded_kinds(step["query"].get("excludeRecords"))
    assert not isinstance(excluded, UnknownKinds)
    search, today = UnitSearch(excluded=tuple(excluded)), telling.house.today
    found = telling.house.ask(lambda session: search_units(session, search, today))
    return {"shown": telling.room_of(step["of"]) in {unit.id for unit in found.units}}


QUESTIONS: Mapping[str, Callable[[Telling, Given], Answer]] = {
    "terms": answer_terms,
    "balance": answer_balance,
    "reporting": answer_reporting,
    "availability": answer_availability,
    "bookingCheck": answer_booking_check,
    "view": answer_view,
}
