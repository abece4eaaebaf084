"""A new term follows on the same reservation: from its signature on, and until its first day only."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import select

from pms.arrivals.dates import correct_dates
from pms.contracts.ending_terms import state_lease_kind
from pms.contracts.issuing import issue_amendment
from pms.contracts.merged_documents import builtin_text
from pms.contracts.models import Contract
from pms.contracts.new_terms import TermWishes, offer_term, terms_of, withdraw_term
from pms.contracts.outdated_papers import outdated_paper_of
from pms.contracts.queries import ContractState
from pms.contracts.templates import write_template
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.foundation.errors import Collision, Refused
from pms.ledger.billing import bill_month
from pms.pricing.agreed_price import MonthlyAmounts
from pms.pricing.prices import prices_of
from pms.reservations.month_to_month import month_to_month_of
from pms.reservations.residents import resident_record
from pms.rules.enumerations import FeeCategory, LeaseKind, MonthToMonthState, TaxTreatment
from pms.workspaces.models import Fee
from pms.workspaces.queries import policy
from tests.arrivals.office import Office, day
from tests.contracts.signing import LINK, record, sent, sign

_WISHES = TermWishes(months=6, change_yen=2_000, fee_code="renewal")


@pytest.fixture
def resident(office: Office) -> str:
    """田中 一郎 signed for half a year until 30 September 2027 and lives there, everything billed."""
    with office.database.writing(office.home.workspace_id) as session:
        session.add(
            Fee(
                code="renewal",
                label_ja="再契約料",
                label_en="New term fee",
                category=FeeCategory.OTHER,
                tax_treatment=TaxTreatment.EXEMPT,
                amount_yen=11_000,
                is_monthly=False,
            )
        )
    office.go_to("2027-03-10")
    amounts = MonthlyAmounts(base_rent_yen=68_000, utilities_yen=12_000)
    reservation_id = office.book(
        office.home.unit("101"),
        "2027-04-01",
        "2027-09-30",
        email="tanaka@example.jp",
        amounts=amounts,
    )
    sign(office, sent(office, reservation_id))
    office.go_to("2027-03-15")
    office.pay_all(reservation_id)
    office.go_to("2027-08-25")
    office.do(bill_month, through_on=day("2027-09-30"))
    office.go_to("2027-09-05")
    return reservation_id


def _offered(office: Office, reservation_id: str, wishes: TermWishes = _WISHES) -> str:
    return office.do(offer_term, reservation_id=reservation_id, wishes=wishes, link=LINK)


def _document(office: Office, term_id: str) -> str:
    with office.database.reading(office.home.workspace_id) as session:
        found = select(Contract.id).where(Contract.term_id == term_id)
        return session.scalars(found.order_by(Contract.number.desc())).first() or ""


def _state(office: Office, reservation_id: str) -> MonthToMonthState:
    found = office.ask(resident_record, reservation_id)
    return month_to_month_of(found, office.clock.today(), office.ask(policy)).state


def _ends(office: Office, reservation_id: str) -> tuple[object, object]:
    row = office.row(reservation_id)
    return row.contract_end_date, row.override_contract_end_date


def _rents(office: Office, reservation_id: str) -> Mapping[date, int]:
    price = office.ask(prices_of, [reservation_id])[reservation_id]
    return {period.first_on: period.amounts["base_rent"] for period in price.periods}


def _due(office: Office, reservation_id: str, on: str) -> list[int]:
    return [
        entry.payable_yen for entry in office.standings(reservation_id) if entry.due_on == day(on)
    ]


def test_an_offer_changes_nothing_until_it_is_signed(office: Office, resident: str) -> None:
    assert _state(office, resident) is MonthToMonthState.DERIVED
    term_id = _offered(office, resident)
    assert _ends(office, resident) == (day("2027-09-30"), None)
    assert _state(office, resident) is MonthToMonthState.DERIVED
    assert list(_rents(office, resident).values()) == [68_000]
    shown = record(office, _document(office, term_id))
    assert (shown.state, shown.needs_explanation) == (ContractState.SENT, True)
    assert "2028年3月31日" in shown.body
    assert "¥70,000" in shown.body
    assert "¥11,000" in shown.body


@pytest.mark.differs("a price period, an end and a charge change together with the signature")
def test_a_signed_term_counts_from_its_signature(office: Office, resident: str) -> None:
    term_id = _offered(office, resident)
    sign(office, _document(office, term_id))
    assert _ends(office, resident) == (day("2028-03-31"), None)
    assert office.row(resident).later_terms_from == "2027-10-01"
    assert office.row(resident).lease_kind is LeaseKind.FIXED_TERM
    assert _state(office, resident) is MonthToMonthState.NONE
    assert _rents(office, resident) == {day("2027-04-01"): 68_000, day("2027-10-01"): 70_000}
    assert 11_000 in _due(office, resident, "2027-09-30")
    assert office.ask(outdated_paper_of, resident) is None
    office.go_to("2027-09-25")
    office.do(bill_month, through_on=day("2027-10-31"))
    assert 82_000 in _due(office, resident, "2027-09-30")


def test_an_ordinary_lease_is_renewed_with_its_fee_and_the_ledger_goes_on(
    office: Office, resident: str
) -> None:
    office.do(state_lease_kind, reservation_id=resident, kind=LeaseKind.ORDINARY)
    template_id = office.do(
        write_template,
        template_id=None,
        name="普通借家",
        body_ja=builtin_text("ja", LeaseKind.ORDINARY),
        body_en=builtin_text("en", LeaseKind.ORDINARY),
        lease_kind=LeaseKind.ORDINARY,
    )
    before = {entry.id: entry.payable_yen for entry in office.standings(resident)}
    deposit_yen = office.ask(balance_on, resident, office.clock.today()).held_yen
    wishes = replace(_WISHES, template_id=template_id)
    document_id = _document(office, _offered(office, resident, wishes))
    shown = record(office, document_id)
    assert not shown.needs_explanation
    assert "更新" in shown.body and "¥11,000" in shown.body and "2027年9月30日" in shown.body
    sign(office, document_id)
    assert _ends(office, resident) == (day("2028-03-31"), None)
    assert office.row(resident).lease_kind is LeaseKind.ORDINARY
    after = {entry.id: entry.payable_yen for entry in office.standings(resident)}
    assert {id_: yen for id_, yen in after.items() if id_ in before} == before
    assert [yen for id_, yen in after.items() if id_ not in before] == [11_000]
    assert _due(office, resident, "2027-09-30") == [11_000]
    assert office.ask(balance_on, resident, office.clock.today()).held_yen == deposit_yen > 0
    office.go_to("2027-09-25")
    office.do(bill_month, through_on=day("2027-10-31"))
    assert sorted(_due(office, resident, "2027-09-30")) == [11_000, 82_000]


def test_rows_that_were_issued_for_the_new_term_take_its_price_and_give_it_back(
    office: Office, resident: str
) -> None:
    office.go_to("2027-09-25")
    office.do(bill_month, through_on=day("2027-10-31"))
    assert 80_000 in _due(office, resident, "2027-09-30")
    term_id = _offered(office, resident, TermWishes(months=6, change_yen=2_000))
    sign(office, _document(office, term_id))
    assert 82_000 in _due(office, resident, "2027-09-30")
    office.do(withdraw_term, term_id=term_id, reason="家賃が合わない")
    assert 80_000 in _due(office, resident, "2027-09-30")


@pytest.mark.differs("a price period is removed and the one before it runs on")
def test_a_withdrawn_term_leaves_everything_as_it_was(office: Office, resident: str) -> None:
    term_id = _offered(office, resident)
    document_id = _document(office, term_id)
    sign(office, document_id)
    office.go_to("2027-09-12")
    office.do(withdraw_term, term_id=term_id)
    assert _ends(office, resident) == (day("2027-09-30"), None)
    assert office.row(resident).later_terms_from is None
    assert _state(office, resident) is MonthToMonthState.DERIVED
    assert _rents(office, resident) == {day("2027-04-01"): 68_000}
    assert record(office, document_id).state is ContractState.REPLACED
    assert office.ask(outdated_paper_of, resident) is None
    with pytest.raises(Collision):
        office.do(withdraw_term, term_id=term_id)
    again = _offered(office, resident, TermWishes(months=6, change_yen=2_000))
    sign(office, _document(office, again))
    assert _ends(office, resident) == (day("2028-03-31"), None)


def test_from_its_first_day_a_term_is_withdrawn_no_more(office: Office, resident: str) -> None:
    term_id = _offered(office, resident)
    sign(office, _document(office, term_id))
    office.go_to("2027-10-01")
    with pytest.raises(Refused, match="2027-10-01"):
        office.do(withdraw_term, term_id=term_id)


def test_no_term_is_offered_signed_or_withdrawn_while_a_notice_is_filed(
    office: Office, resident: str
) -> None:
    term_id = _offered(office, resident)
    document_id = _document(office, term_id)
    office.do(file_notice, reservation_id=resident, move_out_on=day("2027-10-31"))
    with pytest.raises(Refused, match="notice"):
        _offered(office, resident)
    with pytest.raises(Refused, match="notice"):
        sign(office, document_id)


def test_a_term_is_refused_where_somebody_else_comes_before_its_end(
    office: Office, resident: str
) -> None:
    office.book(
        office.row(resident).unit_id,
        "2028-02-01",
        "2028-12-31",
        name="佐藤 花子",
        follows=[resident],
    )
    with pytest.raises(Refused):
        _offered(office, resident)
    term_id = _offered(office, resident, TermWishes(months=3))
    sign(office, _document(office, term_id))
    assert _ends(office, resident) == (day("2027-12-31"), None)


def test_a_notice_counts_by_the_term_in_force_on_its_day(office: Office, resident: str) -> None:
    """A month's term of 28 days with no whole month behind it would owe 15 days, a longer one 30."""
    term_id = _offered(office, resident, TermWishes(months=1))
    sign(office, _document(office, term_id))
    office.go_to("2027-10-02")
    preview = office.ask(
        preview_notice, office.clock, reservation_id=resident, move_out_on=day("2027-10-20")
    )
    assert preview.terms.term.start_on == day("2027-10-01")
    assert preview.terms.term.end_on == day("2027-10-31")
    assert preview.penalty.early_exit.days == 11


def test_an_ended_term_is_followed_by_none(office: Office, resident: str) -> None:
    office.go_to("2027-10-01")
    with pytest.raises(Refused, match="2027-09-30"):
        _offered(office, resident)


def test_a_newer_offer_takes_the_earlier_one_back(office: Office, resident: str) -> None:
    first = _offered(office, resident)
    second = _offered(office, resident, TermWishes(months=12))
    states = {term.id: term.withdrawn_at is None for term in office.ask(terms_of, resident)}
    assert states == {first: False, second: True}
    with pytest.raises(Collision):
        sign(office, _document(office, first))


def test_an_amendment_of_a_new_term_amends_that_term(office: Office, resident: str) -> None:
    term_id = _offered(office, resident)
    sign(office, _document(office, term_id))
    with pytest.raises(Refused, match="no amendment"):
        office.do(issue_amendment, reservation_id=resident)


def test_an_override_belongs_to_the_term_that_was_last_when_it_was_set(
    office: Office, resident: str
) -> None:
    corrected = {"override_contract_end_date": day("2027-10-31")}
    office.do(correct_dates, reservation_id=resident, **corrected)
    term_id = _offered(office, resident, TermWishes(months=6))
    sign(office, _document(office, term_id))
    assert _ends(office, resident) == (day("2028-04-30"), None)
    with pytest.raises(Refused, match="2027-11-01"):
        office.do(
            correct_dates,
            reservation_id=resident,
            override_contract_end_date=day("2027-10-15"),
        )
    office.do(withdraw_term, term_id=term_id)
    assert _ends(office, resident) == (day("2027-09-30"), day("2027-10-31"))
