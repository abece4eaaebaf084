"""The paper of a settlement: its lines by the rule of wear, its answers, and when a refund may leave."""

from datetime import date
from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.deposits.deposit_report import balance_on
from pms.deposits.models import SettlementLine
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import (
    PaperRecord,
    agree_to_paper,
    held_refunds,
    mark_paper_sent,
    object_to_paper,
    paper_of,
    release_refund,
)
from pms.deposits.settlements import AskedDeduction, WornTerms, settle
from pms.foundation.errors import NotFound, Refused
from pms.foundation.outbox import OutboxMail
from pms.reservations.models import Reservation
from pms.rules.enumerations import FeeCategory
from pms.rules.settlement_papers import HeldRefund, PaperState
from pms.rules.wear import DeductionBearer, WornItem
from tests.cases.by_use_cases import check_case
from tests.cases.files import kept_cases
from tests.cases.stage import Stage
from tests.departures.desk import Desk
from tests.deposits.test_settle import left_in_august
from tests.rules.worked_cases import Given

WALLPAPER = AskedDeduction(
    "居間",
    0,
    FeeCategory.REPAIR,
    WornTerms(WornItem.WALLPAPER, Decimal("10"), 1_200, life_months=72, fitted_on=date(2022, 9, 1)),
)
COOKER = AskedDeduction(
    "",
    0,
    FeeCategory.REPAIR,
    WornTerms(WornItem.COOKER, Decimal(1), 30_000, DeductionBearer.WEAR, 72),
)


@pytest.mark.differs("exact quantities and sums")
@pytest.mark.parametrize(
    "case", kept_cases("practice.json", "settlement-paper"), ids=lambda case: case["id"]
)
def test_a_worked_case_comes_out_by_the_use_cases(stage: Stage, case: Given) -> None:
    assert check_case(lambda: stage, case) == []


@pytest.fixture
def settled(desk: Desk) -> tuple[Desk, str]:
    """Settled on 5 September 2025 with a worn wallpaper and a cooker that costs nothing."""
    id_ = left_in_august(desk)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.scalars(select(Reservation).where(Reservation.id == id_)).one()
        row.email = "hanako@example.jp"
    desk.do(settle, reservation_id=id_, deductions=[WALLPAPER, COOKER])
    return desk, id_


def paper(desk: Desk, id_: str) -> PaperRecord:
    found = desk.ask(paper_of, id_, desk.clock.today())
    assert isinstance(found, PaperRecord)
    return found


def sent(desk: Desk, id_: str) -> str:
    return desk.do(mark_paper_sent, reservation_id=id_).settled.settlement.id


def held(desk: Desk, settlement_id: str) -> HeldRefund | None:
    return desk.ask(held_refunds, [settlement_id], desk.clock.today()).get(settlement_id)


def test_a_line_of_nothing_is_on_the_paper_and_no_deduction(settled: tuple[Desk, str]) -> None:
    desk, id_ = settled
    found = paper(desk, id_)
    # 12,000 × (72 − 36) ÷ 72
    assert [(line.used_months, line.cost_yen, line.resident_yen) for line in found.lines] == [
        (36, 12_000, 6_000),
        (6, 30_000, 0),
    ]
    (deduction,) = found.settled.deductions
    assert (deduction.asked_yen, deduction.words.en) == (6_000, "Wallpaper (居間)")
    assert found.tax.tax_yen == 545
    assert found.settled.settlement.remainder_yen == 24_000


def test_an_age_counts_from_the_effective_move_in_where_no_day_is_entered(desk: Desk) -> None:
    id_ = left_in_august(desk)
    terms = WornTerms(WornItem.CARPET, Decimal(1), 7_200, life_months=72)
    desk.do(settle, reservation_id=id_, deductions=[AskedDeduction("", 0, terms=terms)])
    row = desk.ask(lambda session: session.scalars(select(SettlementLine)).one())
    assert (row.fitted_on, row.used_months) == (date(2025, 3, 1), 6)


def test_a_plain_amount_is_a_line_of_its_own(desk: Desk) -> None:
    id_ = left_in_august(desk)
    desk.do(settle, reservation_id=id_, deductions=[AskedDeduction("清掃", 11_000)])
    (line,) = paper(desk, id_).lines
    assert (line.words.ja, line.cost_yen, line.resident_yen) == ("清掃", 11_000, 11_000)


@pytest.mark.parametrize("quantity", ["0", "-1", "0.0001", "100000"])
def test_a_quantity_that_is_none_is_refused_by_its_row(desk: Desk, quantity: str) -> None:
    id_ = left_in_august(desk)
    terms = WornTerms(WornItem.CARPET, Decimal(quantity), 1_000)
    with pytest.raises(Refused) as refusal:
        desk.do(settle, reservation_id=id_, deductions=[AskedDeduction("", 0, terms=terms)])
    assert refusal.value.field == "deductions[0].quantity"


def test_a_refund_waits_until_the_days_of_objection_have_passed(settled: tuple[Desk, str]) -> None:
    desk, id_ = settled
    settlement_id = paper(desk, id_).settled.settlement.id
    assert held(desk, settlement_id) == HeldRefund(PaperState.UNSENT, None)
    sent(desk, id_)
    assert held(desk, settlement_id) == HeldRefund(PaperState.SENT, date(2025, 9, 20))
    desk.on("2025-09-19")
    assert held(desk, settlement_id)
    desk.on("2025-09-20")
    assert held(desk, settlement_id) is None


def test_sending_again_does_not_begin_the_days_anew(settled: tuple[Desk, str]) -> None:
    desk, id_ = settled
    settlement_id = sent(desk, id_)
    desk.on("2025-09-12")
    sent(desk, id_)
    held_now = held(desk, settlement_id)
    assert held_now is not None
    assert held_now.free_on == date(2025, 9, 20)


def test_who_agrees_frees_the_refund(settled: tuple[Desk, str]) -> None:
    desk, id_ = settled
    with pytest.raises(Refused):
        desk.do(agree_to_paper, reservation_id=id_)
    settlement_id = sent(desk, id_)
    desk.do(agree_to_paper, reservation_id=id_)
    assert held(desk, settlement_id) is None
    assert paper(desk, id_).state is PaperState.AGREED
    with pytest.raises(Refused):
        desk.do(object_to_paper, reservation_id=id_, objections={1: "やはり高い"})


def test_an_objection_holds_the_refund_until_it_is_released_with_a_reason(
    settled: tuple[Desk, str],
) -> None:
    desk, id_ = settled
    settlement_id = sent(desk, id_)
    with pytest.raises(NotFound):
        desk.do(object_to_paper, reservation_id=id_, objections={9: "?"})
    with pytest.raises(Refused):
        desk.do(object_to_paper, reservation_id=id_, objections={1: " "})
    desk.do(
        object_to_paper, reservation_id=id_, objections={1: "入居時からの傷です", None: "確認を"}
    )
    desk.on("2025-12-01")
    assert held(desk, settlement_id) == HeldRefund(PaperState.OBJECTED, None)
    found = paper(desk, id_)
    assert [each.words for each in found.objections_to(1)] == ["入居時からの傷です"]
    with pytest.raises(Refused):
        desk.do(release_refund, reservation_id=id_, reason=" ")
    desk.do(release_refund, reservation_id=id_, reason="電話で説明し、了承を得た")
    assert held(desk, settlement_id) is None
    with pytest.raises(Refused):
        desk.do(release_refund, reservation_id=id_, reason="もう一度")


def test_an_objection_after_the_days_is_kept_and_holds_nothing(settled: tuple[Desk, str]) -> None:
    desk, id_ = settled
    settlement_id = sent(desk, id_)
    desk.on("2025-09-20")
    desk.do(object_to_paper, reservation_id=id_, objections={None: "遅れました"})
    assert held(desk, settlement_id) is None
    (late,) = paper(desk, id_).objections
    assert not late.counts


def test_the_resident_hears_of_the_refund(settled: tuple[Desk, str]) -> None:
    desk, id_ = settled
    desk.do(release_refund, reservation_id=id_, reason="電話で合意")
    before = desk.ask(mails_of)
    desk.do(send_refund, reservation_id=id_, amount_yen=20_000)
    (mail,) = [mail for mail in desk.ask(mails_of) if mail not in before]
    assert "¥20,000" in mail
    assert "¥4,000" in mail
    assert desk.ask(balance_on, id_, desk.clock.today()).held_yen == 0


def mails_of(session: Session) -> list[str]:
    return list(session.scalars(select(OutboxMail.text)))
