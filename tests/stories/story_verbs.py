"""What staff and residents do in a story, by the use cases, and what the tables say afterwards."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from pms.arrivals.amendments import amend
from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.arrivals.lifecycles import cancel_booking
from pms.arrivals.price_changes import change_price
from pms.departures.expected_departures import record_expected_departure
from pms.departures.notices import file_notice, reschedule_move_out
from pms.deposits.deposit_transfers import transfer_deposit
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.ledger.charges import post_arrears_charge
from pms.ledger.move_in import change_esign_status
from pms.ledger.payment_plan import record_payment
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts
from pms.reservations.month_to_month import force_month_to_month
from pms.rules.enumerations import EsignStatus, ReservationKind
from tests.rules.worked_cases import Answer, Given, certain_day, day
from tests.rules.worked_money import item_of, name_of
from tests.stories.story_questions import answer_state
from tests.stories.telling import Ledger, Telling, new_rows, repriced_rows, standing, written_row

HALF_A_YEAR = timedelta(days=182)


def monthly(amounts: Mapping[str, int]) -> MonthlyAmounts:
    return MonthlyAmounts(**{"base_rent_yen": 0, **_columns(amounts)})


def _columns(amounts: Mapping[str, int]) -> dict[str, int]:
    return {f"{item_of(name)}_yen": yen for name, yen in amounts.items()}


def _discount(given: Given) -> AgreedDiscount | None:
    found = given.get("discount")
    if found is None:
        return None
    return AgreedDiscount(
        Bilingual("割引", "Discount"),
        percent=Decimal(found["percent"]),
        minimum_stay_days=found["minStayDays"],
    )


def booking_facts(telling: Telling, name: str) -> dict[str, Any]:
    """Return what the use case of booking is told of a reservation of the story."""
    found = telling.story["reservations"][name]
    return {
        "unit_id": telling.room_of(name),
        "contract_end_date": day(found, "contractEnd"),
        "amounts": monthly(
            found["monthly"] if "monthly" in found else found["prices"][0]["amounts"]
        ),
        "discount": _discount(found),
        "reservation_fee_yen": found.get("reservationFee", 0),
        "deposit_yen": found.get("deposit", 0),
    }


def book_story(telling: Telling, step: Given) -> Answer:
    """Booked and signed; a reservation that an amendment made is booked already."""
    name = step.get("of", "A")
    if name not in telling.reservations:
        booked = telling.house.do(
            book,
            kind=ReservationKind.RESIDENT,
            name=f"住人 {name}",
            move_in_date=certain_day(telling.reservation_of(step), "moveIn"),
            **booking_facts(telling, name),
        )
        telling.reservations[name] = booked.reservation_id
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        telling.house.do(change_esign_status, reservation_id=telling.id_of(step), status=status)
    return _issued_invoice(telling, step)


def _issued_invoice(telling: Telling, step: Given) -> Answer:
    invoice, ledger = telling.entry(step, "move-in"), telling.ledger(step)
    one_time = telling.books.ask(
        "SELECT item, sum(amount_yen) FROM ledger_line WHERE workspace_id = :workspace"
        " AND entry_id = :entry AND row_id IS NULL GROUP BY item",
        entry=invoice.id,
    )
    return {
        "oneTime": {name_of(item): yen for item, yen in one_time},
        "rows": [written_row(row) for row in standing(ledger.rows, invoice.id)],
        "total": telling.books.total_yen(invoice.id),
        "dueOn": invoice.due_on,
    }


def bill(telling: Telling, step: Given) -> Answer:
    """A run for the one reservation, and once more: the second writes nothing."""
    before, through_on = telling.ledger(step), certain_day(step, "through")
    ids = [telling.id_of(step)]
    telling.house.do(bill_month, reservation_ids=ids, through_on=through_on)
    after, imprint = telling.ledger(step), telling.books.imprint()
    telling.house.do(bill_month, reservation_ids=ids, through_on=through_on)
    assert telling.books.imprint() == imprint
    return {"rows": new_rows(telling, before, after)}


def pay(telling: Telling, step: Given) -> Answer:
    entry = telling.entry(step, step["entry"])
    telling.house.do(
        record_payment,
        reservation_id=telling.id_of(step),
        entry_id=entry.id,
        amount_yen=step["amount"],
    )
    return {
        "paid": telling.books.paid_yen(entry.id),
        "total": telling.books.total_yen(entry.id),
    }


def raise_arrears(telling: Telling, step: Given) -> Answer:
    telling.charges[step["entry"]] = telling.house.do(
        post_arrears_charge,
        entry_id=telling.entry(step, step["for"]).id,
        amount_yen=step["amount"],
        due_on=certain_day(step, "dueOn"),
    )
    return {"cancels": telling.entry(step, step["entry"]).cancelled_yen}


def change_price_story(telling: Telling, step: Given) -> Answer:
    before = _price_on(telling, step)
    wanted = MonthlyAmounts(**{**before, **_columns(step["amounts"])})
    telling.house.do(
        change_price,
        reservation_id=telling.id_of(step),
        from_on=certain_day(step, "from"),
        amounts=wanted,
    )
    found = _price_on(telling, step)
    assert found == asdict(wanted)
    in_force = {item: yen for item, yen in found.items() if yen}
    return {"amounts": {name_of(item.removesuffix("_yen")): yen for item, yen in in_force.items()}}


def _price_on(telling: Telling, step: Given) -> dict[str, int]:
    columns = list(asdict(MonthlyAmounts(0)))
    (found,) = telling.books.ask(
        f"SELECT {', '.join(columns)} FROM price_period WHERE workspace_id = :workspace"
        " AND reservation_id = :reservation AND first_on <= :day"
        " AND (last_on IS NULL OR last_on >= :day)",
        reservation=telling.id_of(step),
        day=step["from"],
    )
    return dict(zip(columns, found, strict=True))


def override_move_in(telling: Telling, step: Given) -> Answer:
    before = telling.ledger(step)
    telling.house.do(
        correct_dates,
        reservation_id=telling.id_of(step),
        override_move_in_date=certain_day(step, "to"),
    )
    after, invoice = telling.ledger(step), telling.entry(step, "move-in")
    alive = {entry.id for entry in before.entries if entry.voided_on is None}
    voided = [entry for entry in after.entries if entry.voided_on and entry.id in alive]
    return {
        "invoiceTotal": telling.books.total_yen(invoice.id),
        "rows": [written_row(row) for row in standing(after.rows, invoice.id)],
        "voided": [telling.name(entry) for entry in voided],
        "created": new_rows(telling, before, after),
    }


def force(telling: Telling, step: Given) -> Answer:
    telling.house.do(force_month_to_month, reservation_id=telling.id_of(step))
    return answer_state(telling, step)


def successor(telling: Telling, step: Given) -> Answer:
    """Somebody books the unit from a day on, or that booking is cancelled."""
    if step["start"] is None:
        telling.house.do(cancel_booking, reservation_id=telling.successors.pop("A"))
    else:
        start_on = certain_day(step, "start")
        booked = telling.house.do(
            book,
            unit_id=telling.room_of("A"),
            kind=ReservationKind.RESIDENT,
            name="次の住人",
            move_in_date=start_on,
            contract_end_date=start_on + HALF_A_YEAR,
            amounts=MonthlyAmounts(64_000),
            reservation_fee_yen=20_000,
        )
        telling.successors["A"] = booked.reservation_id
    return answer_state(telling, step)


def file_notice_story(telling: Telling, step: Given) -> Answer:
    """Filed by the resident the moment it is; staff need not say when."""
    before = telling.ledger(step)
    telling.house.do(
        file_notice, reservation_id=telling.id_of(step), move_out_on=certain_day(step, "moveOut")
    )
    return _filed(telling, step, before)


def edit_notice(telling: Telling, step: Given) -> Answer:
    before = telling.ledger(step)
    telling.house.do(
        reschedule_move_out,
        reservation_id=telling.id_of(step),
        move_out_on=certain_day(step, "moveOut"),
    )
    return _filed(telling, step, before)


def _filed(telling: Telling, step: Given, before: Ledger) -> Answer:
    (notice,) = telling.books.ask(
        "SELECT filed_on, notice_owed_days, notice_given_days, notice_missing_days,"
        " early_exit_yen, short_notice_yen, penalty_yen, penalty_days, kind, basis, is_capped,"
        " runs_until_on, penalty_entry_id, forfeit_yen FROM move_out_notice"
        " WHERE workspace_id = :workspace AND reservation_id = :reservation"
        " AND withdrawn_at IS NULL",
        reservation=telling.id_of(step),
    )
    names = (
        *("filedOn", "noticeOwed", "noticeGiven", "noticeMissing", "earlyExit", "shortNotice"),
        *("amount", "days", "kind", "basis", "capped", "runsUntil", "entry", "forfeit"),
    )
    answer = dict(zip(names, notice, strict=True))
    billed_yen = telling.books.total_yen(answer["entry"]) if answer["entry"] else 0
    came_along = telling.books.number(
        "SELECT penalty_elsewhere_yen FROM reservation"
        " WHERE workspace_id = :workspace AND id = :reservation",
        reservation=telling.id_of(step),
    )
    assert (billed_yen, answer["forfeit"]) == (max(answer["amount"] - came_along, 0), 0)
    repriced = repriced_rows(telling, before, telling.ledger(step))
    capped = bool(answer["capped"])
    return {**answer, "charged": billed_yen, "capped": capped, "repriced": repriced}


def amend_story(telling: Telling, step: Given) -> Answer:
    """A room change: the new record is booked by the same audit event."""
    before = telling.ledger(step)
    (name,) = {other["to"] for other in telling.story["steps"] if "to" in other}
    amended = telling.house.do(
        amend,
        reservation_id=telling.id_of(step),
        last_on=certain_day(step, "lastDay"),
        **booking_facts(telling, name),
    )
    telling.reservations[name] = amended.booked.reservation_id
    after = telling.ledger(step)
    penalties = [entry.id for entry in after.entries if entry.kind == "penalty"]
    return {
        "amount": sum(telling.books.total_yen(entry) for entry in penalties),
        "repriced": repriced_rows(telling, before, after),
    }


def transfer(telling: Telling, step: Given) -> Answer:
    """The two lines of the paper transfer, whose sum is 0."""
    old, new = telling.id_of(step), telling.reservations[step["to"]]
    telling.house.do(transfer_deposit, reservation_id=old)
    moved = dict(
        telling.books.ask(
            "SELECT reservation_id, sum(CASE kind WHEN 'in' THEN amount_yen ELSE -amount_yen END)"
            " FROM deposit_move WHERE workspace_id = :workspace AND transfer_id IS NOT NULL"
            " GROUP BY reservation_id"
        )
    )
    assert moved.keys() == {old, new}
    assert sum(moved.values()) == 0
    return {"amount": moved[new]}


def expect_departure(telling: Telling, step: Given) -> Answer:
    telling.house.do(
        record_expected_departure,
        reservation_id=telling.id_of(step),
        expected_departure_on=date.fromisoformat(step["date"]),
    )
    return {}


def cancel(telling: Telling, step: Given) -> Answer:
    before = telling.ledger(step)
    telling.house.do(cancel_booking, reservation_id=telling.id_of(step))
    return {
        "repriced": repriced_rows(telling, before, telling.ledger(step)),
        "total": telling.books.total_yen(telling.entry(step, "move-in").id),
    }


VERBS: Mapping[str, Callable[[Telling, Given], Answer]] = {
    "book": book_story,
    "bill": bill,
    "pay": pay,
    "arrears": raise_arrears,
    "changePrice": change_price_story,
    "overrideMoveIn": override_move_in,
    "force": force,
    "successor": successor,
    "fileNotice": file_notice_story,
    "editNotice": edit_notice,
    "amend": amend_story,
    "transferDeposit": transfer,
    "expectedDeparture": expect_departure,
    "cancel": cancel,
}
