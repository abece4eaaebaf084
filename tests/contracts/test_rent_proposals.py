"""A rent is proposed to many at once: agreed it begins on its day, declined nothing changes."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest
from sqlalchemy import select

from pms.arrivals.price_changes import change_price
from pms.contracts.contract_papers import letter_pdf
from pms.contracts.models import RentProposal
from pms.contracts.new_terms import TermWishes, offer_term
from pms.contracts.rent_proposals import (
    RentWishes,
    answer_rent,
    apply_declined_rent,
    listed_proposals,
    plan_rents,
    pressing_proposals,
    proposals_of,
    propose_rents,
    remind_of_rents,
    withdraw_rent,
)
from pms.departures.notices import file_notice
from pms.foundation.errors import Collision, Refused
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.pricing.agreed_price import MonthlyAmounts
from pms.pricing.prices import prices_of
from pms.rules.rent_proposals import AmountChange, AmountWay, RentAnswer, changed_yen, read_change
from pms.workspaces.settings import set_policy
from tests.arrivals.office import Office, day
from tests.contracts.signing import LINK

_BASE = "https://pms.example.jp"
_KEEP = AmountChange(AmountWay.KEEP)
_AMOUNTS = MonthlyAmounts(
    base_rent_yen=68_450, utilities_yen=12_000, building_maintenance_yen=5_000
)


def _wishes(from_on: str = "2027-10-01", rent: AmountChange | None = None) -> RentWishes:
    return RentWishes(
        from_on=day(from_on),
        rent=rent or AmountChange(AmountWay.RAISE_PERCENT, Decimal(3)),
        maintenance=AmountChange(AmountWay.SET_YEN, Decimal(6_000)),
        unit_yen=100,
        reason=Bilingual("固定資産税と周辺の賃料の上昇", None),
    )


@pytest.fixture
def resident(office: Office) -> str:
    """田中 一郎 lives there until March 2028, billed until the end of September 2027."""
    office.go_to("2027-04-01")
    reservation_id = office.house(
        office.home.unit("101"),
        "2027-04-01",
        "2028-03-31",
        email="tanaka@example.jp",
        amounts=_AMOUNTS,
    )
    office.go_to("2027-08-25")
    office.do(bill_month, through_on=day("2027-09-30"))
    office.go_to("2027-09-01")
    return reservation_id


def _propose(office: Office, reservation_id: str, wishes: RentWishes | None = None) -> str:
    facts = {"wishes": wishes or _wishes(), "base_url": _BASE}
    assert office.do(propose_rents, reservation_ids=[reservation_id], **facts) == 1
    return office.ask(proposals_of, reservation_id)[0].id


def _answer(office: Office, proposal_id: str, answer: RentAnswer, is_own: bool = True) -> None:
    office.do(answer_rent, proposal_id=proposal_id, answer=answer, words=" はい ", is_own=is_own)


def _amounts(office: Office, reservation_id: str) -> Mapping[date, tuple[int, ...]]:
    price = office.ask(prices_of, [reservation_id])[reservation_id]
    items = ("base_rent", "building_maintenance", "utilities")
    return {
        period.first_on: tuple(period.amounts[item] for item in items) for period in price.periods
    }


def _due(office: Office, reservation_id: str, on: str) -> list[int]:
    return [
        entry.payable_yen for entry in office.standings(reservation_id) if entry.due_on == day(on)
    ]


def _refusal(office: Office, reservation_id: str, wishes: RentWishes) -> Refused | None:
    with office.database.reading(office.home.workspace_id) as session:
        (planned,) = plan_rents(session, office.clock.today(), [reservation_id], wishes)
        return planned.refusal


@pytest.mark.parametrize(
    ("way", "figure", "unit_yen", "expected"),
    [
        (AmountWay.KEEP, "9", 100, 68_450),
        (AmountWay.RAISE_YEN, "2000", 100, 70_450),
        (AmountWay.LOWER_YEN, "2000", 1, 66_450),
        (AmountWay.SET_YEN, "71000", 1_000, 71_000),
        (AmountWay.RAISE_PERCENT, "3", 1, 70_504),
        (AmountWay.RAISE_PERCENT, "3", 100, 70_500),
        (AmountWay.RAISE_PERCENT, "2.5", 1_000, 70_000),
        (AmountWay.LOWER_PERCENT, "50", 10, 34_230),
    ],
)
def test_an_amount_changes_by_yen_or_by_percent_rounded_once_to_its_unit(
    way: AmountWay, figure: str, unit_yen: int, expected: int
) -> None:
    assert changed_yen(68_450, AmountChange(way, Decimal(figure)), unit_yen) == expected


@pytest.mark.parametrize(
    ("text", "way", "figure"),
    [
        ("+3%", AmountWay.RAISE_PERCENT, "3"),
        ("-2.5%", AmountWay.LOWER_PERCENT, "2.5"),
        ("+2,000", AmountWay.RAISE_YEN, "2000"),
        ("-500", AmountWay.LOWER_YEN, "500"),
        (" 71,000 ", AmountWay.SET_YEN, "71000"),
    ],
)
def test_a_change_is_read_as_it_is_typed(text: str, way: AmountWay, figure: str) -> None:
    assert read_change(text) == (way, Decimal(figure))


@pytest.mark.parametrize("text", ["", "3%", "+101%", "+1.5", "¥300", "7,10", "+-3"])
def test_what_is_no_change_is_not_guessed(text: str) -> None:
    assert read_change(text) is None


def test_a_proposal_is_a_letter_with_one_link_and_changes_nothing(
    office: Office, resident: str
) -> None:
    with office.database.reading(office.home.workspace_id) as session:
        before = len(session.scalars(select(OutboxMail)).all())
    _propose(office, resident)
    assert list(_amounts(office, resident).values()) == [(68_450, 5_000, 12_000)]
    with office.database.reading(office.home.workspace_id) as session:
        mails = session.scalars(select(OutboxMail).order_by(OutboxMail.id)).all()
        assert len(mails) == before + 1
        assert any(f"/{resident}/rent" in mail.text for mail in mails)
        (row,) = proposals_of(session, resident)
        for words in ("¥68,450", "¥70,500", "¥6,000", "2027年10月1日", "固定資産税", "第32条"):
            assert words in row.body.replace("\\", "")
        assert letter_pdf(session, row).startswith(b"%PDF")


@pytest.mark.differs("a price period begins and issued rows are repriced with the answer")
def test_an_agreed_rent_begins_on_its_day_also_for_rows_already_issued(
    office: Office, resident: str
) -> None:
    office.go_to("2027-09-25")
    office.do(bill_month, through_on=day("2027-10-31"))
    before = _due(office, resident, "2027-08-31")
    assert 85_450 in _due(office, resident, "2027-09-30")
    proposal_id = _propose(office, resident)
    _answer(office, proposal_id, RentAnswer.AGREE)
    assert _amounts(office, resident) == {
        day("2027-04-01"): (68_450, 5_000, 12_000),
        day("2027-10-01"): (70_500, 6_000, 12_000),
    }
    assert 88_500 in _due(office, resident, "2027-09-30")
    assert _due(office, resident, "2027-08-31") == before
    with pytest.raises(Collision):
        _answer(office, proposal_id, RentAnswer.DECLINE)
    office.do(withdraw_rent, proposal_id=proposal_id, reason="誤り")
    assert list(_amounts(office, resident).values()) == [(68_450, 5_000, 12_000)]
    assert 85_450 in _due(office, resident, "2027-09-30")


def test_an_agreed_rent_cannot_be_withdrawn_from_its_first_day_on(
    office: Office, resident: str
) -> None:
    proposal_id = _propose(office, resident)
    _answer(office, proposal_id, RentAnswer.AGREE)
    with pytest.raises(Refused, match="reason"):
        office.do(withdraw_rent, proposal_id=proposal_id, reason=" ")
    office.go_to("2027-10-01")
    with pytest.raises(Refused, match="began on"):
        office.do(withdraw_rent, proposal_id=proposal_id, reason="遅い")


def test_a_declined_rent_leaves_the_rent_unless_the_workspace_chose_otherwise(
    office: Office, resident: str
) -> None:
    proposal_id = _propose(office, resident)
    _answer(office, proposal_id, RentAnswer.DECLINE)
    assert list(_amounts(office, resident).values()) == [(68_450, 5_000, 12_000)]
    facts = {"proposal_id": proposal_id, "reason": "調停の成立"}
    with pytest.raises(Refused, match="agreement"):
        office.do(apply_declined_rent, **facts)
    office.do(set_policy, declined_rent_stays=False)
    office.go_to("2027-11-05")
    row = office.do(apply_declined_rent, **facts)
    assert row.begun_reason == "調停の成立"
    assert _amounts(office, resident)[day("2027-10-01")] == (70_500, 6_000, 12_000)


def test_a_resident_changes_an_answer_until_the_day_and_staff_record_one_later(
    office: Office, resident: str
) -> None:
    proposal_id = _propose(office, resident)
    for answer in (RentAnswer.TALK, RentAnswer.DECLINE):
        _answer(office, proposal_id, answer)
        assert office.ask(proposals_of, resident)[0].answer is answer
    office.go_to("2027-10-02")
    with pytest.raises(Refused, match="has passed"):
        _answer(office, proposal_id, RentAnswer.AGREE)
    _answer(office, proposal_id, RentAnswer.AGREE, is_own=False)
    assert day("2027-10-01") in _amounts(office, resident)


def test_silence_is_reminded_of_once_and_then_on_today_and_so_is_a_wish_to_talk(
    office: Office, resident: str
) -> None:
    proposal_id = _propose(office, resident, _wishes("2027-12-01"))
    for on, reminded, pressing in (
        ("2027-09-14", 0, 0),
        ("2027-09-15", 1, 0),
        ("2027-09-16", 0, 0),
        ("2027-09-29", 0, 1),
    ):
        office.go_to(on)
        assert office.do(remind_of_rents, base_url=_BASE, most=9) == reminded
        assert len(office.ask(pressing_proposals, office.clock.today())) == pressing
    _answer(office, proposal_id, RentAnswer.DECLINE)
    assert office.ask(pressing_proposals, office.clock.today()) == []
    _answer(office, proposal_id, RentAnswer.TALK)
    assert len(office.ask(pressing_proposals, office.clock.today())) == 1
    office.do(file_notice, reservation_id=resident, move_out_on=day("2027-12-31"))
    assert office.ask(pressing_proposals, office.clock.today()) == []


def test_a_new_proposal_takes_the_place_of_one_without_agreement(
    office: Office, resident: str
) -> None:
    first = _propose(office, resident)
    office.go_to("2027-09-02")
    second = _propose(office, resident, _wishes("2027-11-01"))
    listed = office.ask(listed_proposals, office.clock.today())
    assert [each.proposal.id for each in listed] == [second]
    with pytest.raises(Collision):
        _answer(office, first, RentAnswer.AGREE)


def test_no_rent_is_proposed_where_it_cannot_begin(office: Office, resident: str) -> None:
    assert "fixed term ends" in str(_refusal(office, resident, _wishes("2028-04-01")))
    keep = _wishes(rent=_KEEP)
    assert _refusal(office, resident, keep) is None
    less = AmountChange(AmountWay.LOWER_YEN, Decimal(90_000))
    assert _refusal(office, resident, _wishes(rent=less)) is not None
    facts = {"reservation_ids": [resident], "base_url": _BASE}
    with pytest.raises(Refused, match="fromOn"):
        office.do(propose_rents, wishes=_wishes("2027-09-01"), **facts)
    office.do(change_price, reservation_id=resident, from_on=day("2027-12-01"), amounts=_AMOUNTS)
    assert "another price" in str(_refusal(office, resident, _wishes("2027-12-01")))
    assert office.do(propose_rents, wishes=_wishes("2027-12-01"), **facts) == 0
    office.do(file_notice, reservation_id=resident, move_out_on=day("2027-12-31"))
    assert "notice" in str(_refusal(office, resident, _wishes("2027-12-02")))


def test_a_rent_whose_price_changed_meanwhile_is_proposed_again(
    office: Office, resident: str
) -> None:
    proposal_id = _propose(office, resident, _wishes("2027-12-01"))
    amounts = MonthlyAmounts(base_rent_yen=60_000, building_maintenance_yen=5_000)
    office.do(change_price, reservation_id=resident, from_on=day("2027-11-01"), amounts=amounts)
    with pytest.raises(Collision, match="changed since"):
        _answer(office, proposal_id, RentAnswer.AGREE)
    with office.database.reading(office.home.workspace_id) as session:
        (row,) = session.scalars(select(RentProposal)).all()
        assert row.begun_at is None


def test_an_offered_term_and_a_proposed_rent_exclude_each_other(
    office: Office, resident: str
) -> None:
    facts = {"reservation_id": resident, "wishes": TermWishes(months=12), "link": LINK}
    proposal_id = _propose(office, resident)
    with pytest.raises(Refused, match="proposed rent"):
        office.do(offer_term, **facts)
    office.do(withdraw_rent, proposal_id=proposal_id, reason="再契約で改定")
    office.do(offer_term, **facts)
    assert "on offer" in str(_refusal(office, resident, _wishes()))
