"""Hypothesis tries any history of a house: the journals balance and add up to the ledger.

PMS_HISTORIES=400 for as many as a release is tried with.
"""

import os
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select

from pms.accounting.closings import close_month, reopen_month
from pms.accounting.months import latest_closing
from pms.catalogue.buildings import name_building_owner
from pms.catalogue.management_forms import WrittenManagementForm, set_management_form
from pms.catalogue.models import Building
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import release_refund
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import FeeCategory, Lifecycle
from pms.rules.management_forms import ManagementForm
from pms.rules.master_leases import LeaseRentKind, LeaseStep
from pms.statements.master_leases import WrittenMasterLease, agree_master_lease
from pms.statements.owner_money import post_owner_deduction
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_terms import agree_terms
from tests import cast
from tests.accounting.accountant import agree, closed_rows, same_as_kept, same_as_shared
from tests.stories.history import ANYBODY, when_there_is_one
from tests.stories.history_money import HistoryOfMoney
from tests.stories.history_stays import COMING, HERE, HistoryOfStays
from tests.tiers import examples

pytestmark = pytest.mark.differs("sums and dates in SQL")

EXAMPLES = {"sqlite": examples(2, 20), "postgresql": examples(1, 5)}
_PAYMENTS = """
    SELECT id, received_on FROM payment
    WHERE workspace_id = :workspace AND reservation_id = :reservation ORDER BY id"""


class BookedHistory(HistoryOfStays, HistoryOfMoney):
    """Stays, money, and an accountant who closes months while things are still dated back."""

    is_owners = False
    is_leased = False

    @initialize(is_owners=st.booleans())
    def the_house_may_have_an_owner(self, is_owners: bool) -> None:
        if is_owners:
            self.an_owner_is_named()

    def an_owner_is_named(self) -> None:
        owner = cast.owner(id=new_id())
        with self.house.database.writing(self.house.workspace_id) as session:
            session.add(owner)
            session.flush()
            version = session.scalars(select(Building.version)).one()
            name_building_owner(
                Work(session, self.house.clock, "staff"),
                building_id=self.house.building_id,
                version=version,
                owner_id=owner.id,
            )
        self.is_owners = True
        self.look_around()

    @rule(back=st.integers(0, 3))
    def months_are_closed(self, back: int) -> None:
        before = closed_rows(self.house)
        month_on = add_months(month_first(self.house.today), -back)
        is_closed = self.attempt(close_month, month_on=month_on)
        assert not is_closed or back > 0
        after = closed_rows(self.house)
        assert set(before) <= set(after)

    @rule()
    def the_newest_month_is_opened_again(self) -> None:
        latest = self.house.ask(latest_closing)
        if latest is not None:
            assert self.attempt(reopen_month, closing_id=latest.id, reason="the bank erred")

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, yen=st.sampled_from([9_999, 120_000]), back=st.integers(1, 70))
    def money_is_found_that_came_earlier(self, number: int, yen: int, back: int) -> None:
        before = closed_rows(self.house)
        who = self.somebody(number, *COMING, *HERE)
        day = self.house.today - timedelta(days=back)
        self.attempt(record_payment, reservation_id=who, amount_yen=yen, received_on=day)
        assert closed_rows(self.house) == before

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, which=ANYBODY, back=st.integers(0, 40))
    def money_had_gone_back_earlier(self, number: int, which: int, back: int) -> None:
        who = self.somebody(number, *COMING, *HERE)
        payments = self.house.books.ask(_PAYMENTS, reservation=who)
        if payments:
            id_, received = payments[which % len(payments)]
            day = max(self.house.today - timedelta(days=back), date.fromisoformat(str(received)))
            asked = {"amount_yen": 5_000, "reference": new_id(), "returned_on": day}
            self.attempt(return_payment, payment_id=id_, **asked)

    @when_there_is_one(Lifecycle.SETTLED)
    @rule(number=ANYBODY, back=st.integers(0, 20))
    def a_refund_had_left_earlier(self, number: int, back: int) -> None:
        who, day = self.somebody(number, Lifecycle.SETTLED), self.day(-back)
        self.attempt(release_refund, reservation_id=who, reason="電話で合意")
        self.attempt(send_refund, reservation_id=who, sent_on=day)

    @rule(percent=st.sampled_from(["0", "5", "7.25"]), back=st.integers(0, 4))
    def terms_are_agreed(self, percent: str, back: int) -> None:
        from_on = add_months(month_first(self.house.today), -back)
        asked = {"from_on": from_on, "management_percent": Decimal(percent), "payout_day": 15}
        self.attempt(agree_terms, building_id=self.house.building_id, **asked)

    @rule(
        step=st.sampled_from(
            [
                LeaseStep(date.min, LeaseRentKind.FIXED, rent_yen=281_000),
                LeaseStep(date.min, LeaseRentKind.DUE, percent=Decimal("85")),
                LeaseStep(date.min, LeaseRentKind.RECEIVED, percent=Decimal("87.5")),
            ]
        ),
        back=st.integers(-20, 90),
        free_months=st.integers(0, 1),
    )
    def the_house_is_rented_whole(self, step: LeaseStep, back: int, free_months: int) -> None:
        """From here on the rents are the office's own, and the owner is paid for the house."""
        if self.is_owners:
            self.is_leased = True
            first_on = self.house.today - timedelta(days=back)
            self.a_form_is_set(ManagementForm.MASTER_LEASE, first_on)
            written = WrittenMasterLease(
                first_on=first_on, free_months=free_months, steps=(step._replace(from_on=first_on),)
            )
            self.attempt(agree_master_lease, building_id=self.house.building_id, written=written)

    @rule(back=st.integers(-20, 90))
    def the_house_is_managed_for_the_owner_again(self, back: int) -> None:
        if self.is_owners:
            self.a_form_is_set(ManagementForm.AGENCY, self.house.today - timedelta(days=back))

    def a_form_is_set(self, form: ManagementForm, from_on: date) -> None:
        written = WrittenManagementForm(form=form, from_on=from_on)
        self.attempt(set_management_form, building_id=self.house.building_id, written=written)

    @rule(yen=st.sampled_from([33_000, -4_400]), back=st.integers(0, 60))
    def the_owner_bears_a_cost(self, yen: int, back: int) -> None:
        if self.is_owners:
            asked: dict[str, object] = {
                "category": FeeCategory.REPAIR,
                "label": Bilingual("修繕", "Repair"),
            }
            asked |= {"amount_yen": yen, "deducted_on": self.day(-back)}
            self.attempt(post_owner_deduction, building_id=self.house.building_id, **asked)

    @rule(back=st.integers(1, 3))
    def a_statement_is_published(self, back: int) -> None:
        month_on = add_months(month_first(self.house.today), -back)
        asked = {"building_id": self.house.building_id, "month_on": month_on}
        self.attempt(publish_statement, **asked)

    @rule()
    def an_owner_is_found_late(self) -> None:
        """Days without an owner belong to the first: what was own income is theirs after all."""
        if not self.is_owners:
            self.an_owner_is_named()

    @rule()
    def the_accountant_adds_up(self) -> None:
        agree(self.house, is_owners=self.is_owners, is_leased=self.is_leased)

    @invariant()
    def pages_show_what_the_ledger_says(self) -> None:
        same_as_kept(self.house)

    @rule()
    def another_process_is_asked(self) -> None:
        same_as_shared(self.house)

    def teardown(self) -> None:
        agree(self.house, is_owners=self.is_owners, is_leased=self.is_leased)


def test_journals_balance_and_their_sum_equals_the_ledger(
    database: Database, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = request.getfixturevalue("database_kind")
    monkeypatch.setattr("pms.foundation.kept_figures.LONG_SECONDS", 0)

    class InThisDatabase(BookedHistory):
        def __init__(self) -> None:
            super().__init__(database)

    run_state_machine_as_test(
        InThisDatabase,
        settings=settings(
            max_examples=int(os.environ.get("PMS_HISTORIES", EXAMPLES[kind])),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
