"""Tells cases and stories of tenancies taken over to the use cases, and reads the tables after."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from pms.arrivals.dates import correct_dates
from pms.arrivals.price_changes import change_price
from pms.arrivals.taking_over import take_over
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import withdraw_notice
from pms.deposits.deposit_report import deposit_report
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.queries import standings
from pms.pricing.agreed_price import AgreedDiscount
from pms.pricing.prices import freeze_price
from pms.reservations.month_to_month import force_month_to_month
from pms.rules.enumerations import Lifecycle, PaymentStatus, ReservationKind
from pms.rules.notices import FiledNotice
from pms.rules.taking_over import OpeningDebt
from pms.statements.building_income import incomes
from pms.statements.reports import profit_and_loss
from tests import cast
from tests.cases.stage import Stage
from tests.rules.worked_cases import Answer, Given, certain_day, day
from tests.stories import story_questions, story_settlements, story_verbs
from tests.stories.house import open_house
from tests.stories.telling import Telling, repriced_rows

NAMES = {"overrideMoveInDate": "overrideMoveIn", "overrideContractEndDate": "overrideContractEnd"}


class TakenOverTelling(Telling):
    """A telling whose residents are there already, as another system knew them."""

    def _already_there(self, name: str) -> str:
        found = self.story["reservations"][name]
        start, kind = certain_day(found, "moveIn"), ReservationKind(found.get("record", "resident"))
        row = cast.reservation(
            unit_id=self.room_of(name),
            kind=kind,
            lifecycle=Lifecycle.LIVING if start <= self.house.today else Lifecycle.BOOKED,
            move_in_date=start,
            contract_end_date=day(found, "contractEnd"),
            payment_status=PaymentStatus.PENDING,
            deposit_yen=found.get("deposit", 0),
            reservation_fee_yen=found.get("reservationFee", 0),
        )
        with self.house.database.writing(self.house.workspace_id) as session:
            session.add(row)
            session.flush()
            id_ = str(row.id)
        if kind is not ReservationKind.OWNER_RESIDENT:
            self._agree(id_, found, start)
        return id_

    def _agree(self, id_: str, given: Given, start: date) -> None:
        prices = given.get("prices") or [
            {"amounts": given.get("monthly") or {"baseRent": given["baseRent"]}}
        ]
        with self.house.database.writing(self.house.workspace_id) as session:
            freeze_price(
                session,
                self.house.clock,
                reservation_id=id_,
                first_on=start,
                amounts=story_verbs.monthly(prices[0]["amounts"]),
                discount=_discount(given),
            )
        for step in prices[1:]:
            amounts = story_verbs.monthly(step["amounts"])
            from_on = certain_day(step, "from")
            self.house.do(change_price, reservation_id=id_, from_on=from_on, amounts=amounts)


def _discount(given: Given) -> AgreedDiscount | None:
    found = given.get("discount")
    if found is None:
        return None
    return AgreedDiscount(
        Bilingual("割引", "Discount"),
        percent=Decimal(found["percent"]),
        minimum_stay_days=found["minStayDays"],
    )


def tell_take_over(telling: Telling, step: Given) -> Answer:
    found = telling.reservation_of(step)
    notice = None
    if found.get("moveOut"):
        notice = FiledNotice(certain_day(found, "filedOn"), certain_day(found, "moveOut"))
    try:
        telling.house.do(
            take_over,
            reservation_id=telling.id_of(step),
            billed_through_on=certain_day(step, "billedThrough"),
            deposit_held_yen=step.get("depositHeld", 0),
            unpaid=[
                OpeningDebt(one["for"], one["amount"], certain_day(one, "dueOn"))
                for one in step.get("unpaid", ())
            ],
            overpaid_yen=step.get("overpaid", 0),
            notice=notice,
        )
    except Refused as refusal:
        return _refused(refusal)
    entries = sorted(telling.books.entries(telling.id_of(step)), key=lambda entry: entry.id)
    figures = [
        {
            "entry": entry.name,
            "total": telling.books.total_yen(entry.id),
            "paid": telling.books.paid_yen(entry.id),
            "dueOn": entry.due_on,
        }
        for entry in entries
    ]
    return {"entries": figures, **tell_balance(telling, step)}


def _refused(refusal: Refused) -> Answer:
    field = refusal.message.partition(":")[0]
    return {"refused": NAMES.get(field, field)}


def tell_balance(telling: Telling, step: Given) -> Answer:
    on = certain_day(step, "on")
    answer = story_questions.answer_balance(telling, step)
    report = telling.house.ask(lambda session: deposit_report(session, on))
    ids = {deposit.reservation_id for deposit in report.deposits}
    answer["inDepositReport"] = telling.id_of(step) in ids
    if "month" in step:
        month_on = date.fromisoformat(f"{step['month']}-01")
        answer["income"] = _income(telling, month_on)
    return answer


def _income(telling: Telling, month_on: date) -> int:
    """By what was billed and by what was received: they come to the same."""
    house = telling.house
    billed = house.ask(lambda session: profit_and_loss(session, month_on, 1)).month_yen(month_on)
    received = house.ask(lambda session: incomes(session, [house.building_id], month_on))
    assert received[house.building_id].by_month.get(month_on, 0) == billed
    return billed


def tell_notice(verb: Callable[[Telling, Given], Answer]) -> Callable[[Telling, Given], Answer]:
    """File or edit; what is charged may be less than the penalty, and days ahead are named."""

    def tell(telling: Telling, step: Given) -> Answer:
        id_, move_out_on = telling.id_of(step), certain_day(step, "moveOut")
        preview = telling.house.ask(
            lambda session: preview_notice(
                session, telling.house.clock, reservation_id=id_, move_out_on=move_out_on
            )
        )
        answer = verb(telling, step)
        ahead = preview.billed_ahead
        assert preview.charged_yen == answer["charged"]
        assert bool(preview.billed_ahead_yen) == (ahead is not None)
        found = ahead and {"first": ahead.first_on.isoformat(), "last": ahead.last_on.isoformat()}
        return {**answer, "billedAhead": found}

    return tell


def tell_withdrawal(telling: Telling, step: Given) -> Answer:
    before = telling.ledger(step)
    telling.house.do(withdraw_notice, reservation_id=telling.id_of(step))
    after = telling.ledger(step)
    charged = [entry for entry in after.entries if entry.kind == "penalty" and not entry.voided_on]
    return {
        "charged": sum(telling.books.total_yen(entry.id) for entry in charged),
        "repriced": repriced_rows(telling, before, after),
        **story_questions.answer_state(telling, step),
    }


def tell_override(column: str) -> Callable[[Telling, Given], Answer]:
    def tell(telling: Telling, step: Given) -> Answer:
        dates: dict[str, Any] = {column: certain_day(step, "to")}
        try:
            telling.house.do(correct_dates, reservation_id=telling.id_of(step), **dates)
        except Refused as refusal:
            return _refused(refusal)
        return {}

    return tell


def tell_settlement(telling: Telling, step: Given) -> Answer:
    answer = story_settlements.settle_story(telling, step)
    id_, on = telling.id_of(step), certain_day(step, "on")
    found = telling.house.ask(lambda session: standings(session, [id_], on))[id_]
    names = {entry.id: telling.name(entry) for entry in telling.books.entries(id_)}
    left = sorted((one for one in found if one.unpaid_yen), key=lambda one: one.due_on)
    open_ = [{"entry": names[one.id], "amount": one.unpaid_yen} for one in left]
    if "sent" in step:
        answer |= story_settlements.refund_story(telling, {"amount": step["sent"]})
    return {**answer, "open": open_}


STEPS: Mapping[str, Callable[[Telling, Given], Answer]] = {
    **story_verbs.VERBS,
    **story_settlements.SETTLEMENTS,
    **story_questions.QUESTIONS,
    "state": story_questions.answer_state,
    "takeOver": tell_take_over,
    "balance": tell_balance,
    "fileNotice": tell_notice(story_verbs.file_notice_story),
    "editNotice": tell_notice(story_verbs.edit_notice),
    "withdrawNotice": tell_withdrawal,
    "overrideMoveIn": tell_override("override_move_in_date"),
    "overrideContractEnd": tell_override("override_contract_end_date"),
    "settle": tell_settlement,
}


def begun(database: Database, given: Given) -> tuple[Telling, Answer]:
    """A case as a story of one tenancy, brought through its take-over and its steps."""
    facts = {key: value for key, value in given.items() if key not in ("steps", "takenOver", "on")}
    telling = TakenOverTelling(
        {"id": "case", "reservations": {"A": facts}, "steps": []}, open_house(database)
    )
    if "forcedOn" in given:
        telling.begin({"on": given["forcedOn"]})
        telling.house.do(force_month_to_month, reservation_id=telling.reservation("A"))
    take = {"do": "takeOver", **given["takenOver"]}
    telling.begin(take)
    if "successorStart" in given:
        telling.reservation("A")
        _book_successor(telling, certain_day(given, "successorStart"))
    answer = tell_take_over(telling, take)
    for step in given.get("steps", ()):
        telling.begin(step)
        STEPS[step["do"]](telling, step)
    return telling, answer


def _book_successor(telling: Telling, start_on: date) -> None:
    with telling.house.database.writing(telling.house.workspace_id) as session:
        session.add(
            cast.reservation(
                unit_id=telling.room_of("A"),
                lifecycle=Lifecycle.BOOKED,
                name="次の住人",
                move_in_date=start_on,
                contract_end_date=start_on + timedelta(days=364),
            )
        )


def answer_refused(stage: Stage, given: Given) -> Answer:
    telling, answer = begun(stage.database, given)
    if "act" in given:
        telling.begin(given["act"])
        answer = STEPS[given["act"]["do"]](telling, given["act"])
    field = answer.get("refused")
    return {"accepted": field is None, "field": field}


def answer_notice(stage: Stage, given: Given) -> Answer:
    return _tell_last(stage, given, given["act"])


def answer_step(name: str) -> Callable[[Stage, Given], Answer]:
    def answer(stage: Stage, given: Given) -> Answer:
        # The notice that came along was filed before: the step happens on its own day.
        facts = {key: value for key, value in given.items() if key != "filedOn"}
        return _tell_last(stage, given, {"do": name, **facts})

    return answer


def _tell_last(stage: Stage, given: Given, step: Given) -> Answer:
    telling, _ = begun(stage.database, given)
    telling.begin(step)
    return STEPS[step["do"]](telling, step)


ANSWERS: Mapping[str, Callable[[Stage, Given], Answer]] = {
    "takeover-bill": answer_step("bill"),
    "takeover-balance": answer_step("balance"),
    "takeover-settlement": answer_step("settle"),
    "takeover-notice": answer_notice,
    "takeover-refused": answer_refused,
}
