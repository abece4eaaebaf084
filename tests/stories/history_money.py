"""What is billed, paid, charged, settled and sent back in any history."""

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pms.arrivals.lifecycles import cancel_booking
from pms.arrivals.price_changes import change_price
from pms.departures.notices import withdraw_notice
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import release_refund
from pms.deposits.settlements import AskedDeduction, settle
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.ledger.charge_plans import ManyCharge
from pms.ledger.charges import post_arrears_charge, post_charge, post_credit
from pms.ledger.many_charges import charge_many
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment, reverse_payment
from pms.ledger.posting import void_entry
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.month_to_month import clear_forced_month_to_month, force_month_to_month
from pms.rules.enumerations import EntryKind, FeeCategory, Lifecycle, TaxTreatment
from tests.stories.history import ANYBODY, History, when_there_is_one
from tests.stories.history_stays import COMING, HERE, RENTS
from tests.stories.recomputation import entry_figures

GONE = (Lifecycle.MOVED_OUT, Lifecycle.CANCELLED, Lifecycle.TRANSFERRED, Lifecycle.NOTICE_FILED)
CHARGED = st.sampled_from([1, 5_500, 33_000, 0, -100])
PAID = st.sampled_from(["all", "all", "a part", "too much", "nothing", "less than nothing"])
DEDUCTED = st.lists(st.sampled_from([8_800, 60_000, 250_000, 0, -1]), max_size=2)

VERBS: list[Callable[..., object]] = [
    cancel_booking,
    clear_forced_month_to_month,
    force_month_to_month,
    send_refund,
    settle,
    transfer_deposit,
    withdraw_notice,
]
"""What needs nothing but the reservation, which may well be the wrong one."""


_PAYMENTS = """
    SELECT id FROM payment WHERE workspace_id = :workspace AND reservation_id = :reservation
    ORDER BY id"""


class HistoryOfMoney(History):
    """The ledger, the deposit and the refund."""

    @rule(months=st.integers(0, 2))
    def rent_is_billed(self, months: int) -> None:
        """A run, and once more: the second finds nothing left."""
        through_on = self.day(30 * months)
        assert self.attempt(bill_month, through_on=through_on)
        imprint = self.imprint
        assert self.attempt(bill_month, through_on=through_on)
        assert self.imprint == imprint

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, entry=ANYBODY, how=PAID)
    def an_entry_is_paid(self, number: int, entry: int, how: str) -> None:
        who = self.somebody(number, *COMING, *HERE)
        entry_id = self.entry_of(who, entry)
        if entry_id is None:
            return
        open_yen = self._open_yen(who, entry_id)
        amounts = {"all": open_yen, "a part": open_yen // 3, "too much": open_yen + 4_321}
        yen = amounts.get(how, 0 if how == "nothing" else -500)
        is_paid = self.attempt(
            record_payment, reservation_id=who, entry_id=entry_id, amount_yen=yen
        )
        assert not is_paid or yen > 0

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, yen=st.sampled_from([10_000, 77_777, 400_000, 0]))
    def somebody_pays_without_saying_for_what(self, number: int, yen: int) -> None:
        who = self.somebody(number, *COMING, *HERE)
        self.attempt(record_payment, reservation_id=who, amount_yen=yen)

    @when_there_is_one(*COMING, *HERE, *GONE)
    @rule(number=ANYBODY, which=ANYBODY, yen=st.sampled_from([None, None, 1, 20_000, 10**9, 0]))
    def a_payment_is_taken_back(self, number: int, which: int, yen: int | None) -> None:
        """Reversed as wrong, or so much of it sent back."""
        who = self.somebody(number, *COMING, *HERE, *GONE)
        payments = [id_ for (id_,) in self.house.books.ask(_PAYMENTS, reservation=who)]
        if not payments:
            return
        payment_id = payments[which % len(payments)]
        if yen is None:
            self.attempt(reverse_payment, payment_id=payment_id, reason="wrong person")
        else:
            asked = {"amount_yen": yen, "reference": new_id()}
            is_back = self.attempt(return_payment, payment_id=payment_id, **asked)
            assert not is_back or yen > 0

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, yen=CHARGED)
    def something_is_credited(self, number: int, yen: int) -> None:
        who = self.somebody(number, *COMING, *HERE)
        label = Bilingual("暖房の故障", "Heating out of order")
        is_credited = self.attempt(post_credit, reservation_id=who, amount_yen=yen, label=label)
        assert not is_credited or yen > 0

    @when_there_is_one(*HERE)
    @rule(number=ANYBODY, yen=CHARGED, is_deposit=st.booleans())
    def something_is_charged(self, number: int, yen: int, is_deposit: bool) -> None:
        """A new key, or the deposit for a pet."""
        who = self.somebody(number, *HERE)
        category = FeeCategory.DEPOSIT if is_deposit else FeeCategory.SERVICE
        asked = {"amount_yen": yen, "label": Bilingual("追加", "More"), "category": category}
        is_charged = self.attempt(post_charge, reservation_id=who, **asked)
        assert not is_charged or yen > 0

    @when_there_is_one(*HERE)
    @rule(
        percent=st.sampled_from(["0.5", "33.3", "110"]),
        category=st.sampled_from([FeeCategory.SERVICE, FeeCategory.DEPOSIT, FeeCategory.OTHER]),
        tax_treatment=st.sampled_from(TaxTreatment),
    )
    def a_percentage_of_the_rent_is_charged(
        self, percent: str, category: FeeCategory, tax_treatment: TaxTreatment
    ) -> None:
        """A fee for everybody who lives here; asked again, nobody is charged twice."""
        charge = ManyCharge(
            item="renewal",
            label=Bilingual("更新料", "Renewal fee"),
            amount_yen=None,
            percent=percent,
            category=category,
            tax_treatment=tax_treatment,
            due_on=self.day(10),
        )
        asked = {
            "charge": charge,
            "period": new_id(),
            "reservation_ids": [id_ for id_, _ in self.people],
        }
        assert self.attempt(charge_many, **asked)
        imprint = self.imprint
        assert self.attempt(charge_many, **asked)
        assert self.imprint == imprint

    @when_there_is_one(*HERE)
    @rule(number=ANYBODY, entry=ANYBODY, yen=CHARGED)
    def arrears_are_charged(self, number: int, entry: int, yen: int) -> None:
        who = self.somebody(number, *HERE)
        entry_id = self.entry_of(who, entry)
        if entry_id is not None:
            self.attempt(post_arrears_charge, entry_id=entry_id, amount_yen=yen)

    @when_there_is_one(*HERE)
    @rule(number=ANYBODY, entry=ANYBODY)
    def an_entry_is_voided(self, number: int, entry: int) -> None:
        """Anything but the move-in invoice and the penalty, which follow the dates."""
        who = self.somebody(number, *HERE)
        kinds = {
            EntryKind.RENT,
            EntryKind.STUB,
            EntryKind.CHARGE,
            EntryKind.ARREARS,
            EntryKind.CREDIT,
        }
        entries = [one for one in self.house.books.entries(who) if one.kind in kinds]
        if entries:
            entry_id = entries[entry % len(entries)].id
            self.attempt(void_entry, entry_id=entry_id)

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, days=st.integers(-30, 90), rent_yen=st.one_of(RENTS, st.just(-1)))
    def the_price_changes(self, number: int, days: int, rent_yen: int) -> None:
        who = self.somebody(number, *COMING, *HERE)
        amounts = MonthlyAmounts(rent_yen, 9_000)
        self.attempt(change_price, reservation_id=who, from_on=self.day(days), amounts=amounts)

    @when_there_is_one(Lifecycle.TRANSFERRED)
    @rule(number=ANYBODY)
    def a_deposit_is_moved(self, number: int) -> None:
        who = self.somebody(number, Lifecycle.TRANSFERRED)
        self.attempt(transfer_deposit, reservation_id=who)

    @when_there_is_one(*GONE)
    @rule(number=ANYBODY, deducted=DEDUCTED)
    def a_deposit_is_settled(self, number: int, deducted: list[int]) -> None:
        who = self.somebody(number, *GONE)
        deductions = [AskedDeduction("清掃", yen) for yen in deducted]
        is_settled = self.attempt(settle, reservation_id=who, deductions=deductions)
        assert not is_settled or all(yen > 0 for yen in deducted)

    @when_there_is_one(Lifecycle.SETTLED)
    @rule(number=ANYBODY, yen=st.sampled_from([None, None, 1, 10_000, 10**9, 0, -1]))
    def a_refund_is_sent(self, number: int, yen: int | None) -> None:
        who = self.somebody(number, Lifecycle.SETTLED)
        self.attempt(release_refund, reservation_id=who, reason="電話で合意")
        self.attempt(send_refund, reservation_id=who, amount_yen=yen)

    @when_there_is_one(*Lifecycle)
    @rule(number=ANYBODY, verb=st.sampled_from(VERBS))
    def something_is_tried_on_anybody(self, number: int, verb: Callable[..., object]) -> None:
        self.attempt(verb, reservation_id=self.somebody(number))

    def _open_yen(self, reservation_id: str, entry_id: str) -> int:
        figures = entry_figures(self.house.books, reservation_id, self.house.today)
        return next(
            (max(one.deposit_yen - one.surplus_yen, 0) for one in figures if one.id == entry_id), 0
        )
