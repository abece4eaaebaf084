"""Writes the ledgers of a demo workspace: every resident's, from the first booking to today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from heapq import heappop, heappush
from itertools import count

from pms.demo.accounts import (
    AccountHistory,
    KeptRow,
    post_arrears,
    post_credit,
    post_one_off,
    post_pet_deposit,
    record_by_mistake,
)
from pms.demo.leaving import Leaving, keep_move
from pms.demo.papers import number_papers
from pms.demo.paying import CourseFacts, PayingHabit, PlannedPayment, habit_of
from pms.demo.rows import STAFF, Chance, Rows, instant
from pms.demo.stay_plans import StayPlan, days_from
from pms.demo.tenancies import DemoStay
from pms.deposits.models import Amendment
from pms.ledger.planned_entries import planned_invoice, planned_rent, planned_row, worded_lines
from pms.ledger.tax_bases import taxes_of
from pms.pricing.prices import AgreedPrice
from pms.reservations.models import Reservation
from pms.rules.contract_dates import ContractTerm, billed_through_on, rent_issued_on
from pms.rules.days import add_months, month_first
from pms.rules.deposit import deposit_transfer
from pms.rules.enumerations import (
    EntryKind,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.invoices import OneTimeAmounts
from pms.rules.notices import ForcedFlag
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.rent_rows import (
    IssuedRow,
    move_in_rows,
    overridden_rows,
    repriced_rows,
    rows_to_issue,
    standing_lines,
)
from pms.rules.tax_classes import ItemClass, TaxBasis, TaxedItem
from pms.rules.unit_stays import TenancyFacts, billable_span
from pms.workspaces.models import TaxClassRow


def decided_taxes(today: date) -> tuple[ItemClass, ...]:
    """What the office decided of classes of tax: reservation fees were taxable until a fortnight ago."""
    fee, changed_on = TaxedItem.RESERVATION_FEE, days_from(today, -14)
    return (
        ItemClass(fee, date(changed_on.year - 6, 4, 1), TaxTreatment.TAXABLE_10),
        ItemClass(fee, changed_on, None),
    )


class Rent:
    """The rows of one account, planned by the rules as the use cases plan them."""

    def __init__(
        self, account: AccountHistory, price: AgreedPrice, policy: Policy, decided: TaxBasis
    ):
        self._account = account
        self._price = price
        self._policy = policy
        self._decided = decided

    def issue_invoice(self, tenancy: TenancyFacts, amounts: OneTimeAmounts, on: date) -> str:
        """The move-in invoice of a booking."""
        span = billable_span(tenancy, on, self._policy)
        start_on, taxes = tenancy.term.start_on, taxes_of(self._decided, tenancy, on)
        rows = tuple(
            planned_row(self._price, row, start_on, taxes)
            for row in (move_in_rows(span) if span else ())
        )
        whose = self._account.reservation_id
        invoice = planned_invoice(whose, amounts, rows, start_on=start_on, on=on, taxes=taxes)
        return self._account.post(invoice, on, 11)

    def bill(self, tenancy: TenancyFacts, on: date, hour: int) -> list[str]:
        """What a billing run of a day writes."""
        account, start_on = self._account, tenancy.term.start_on
        taxes = taxes_of(self._decided, tenancy, on)
        through_on = billed_through_on(on, self._policy)
        issued = account.issued_rows()
        return [
            account.post(
                planned_rent(
                    account.reservation_id, planned_row(self._price, row, start_on, taxes), on
                ),
                on,
                hour,
            )
            for row in rows_to_issue(tenancy, issued, on, through_on, self._policy)
        ]

    def reprice(self, tenancy: TenancyFacts, on: date, hour: int) -> None:
        """Append what the dates as they are now make of every row."""
        span = billable_span(tenancy, on, self._policy)
        after = repriced_rows(self._account.issued_rows(), span)
        self._apply_changes(zip(self._account.billed, after, strict=True), tenancy, on, hour)

    def override(self, tenancy: TenancyFacts, on: date) -> None:
        """What overridden contract dates make of an invoice before any other rent is billed."""
        account, start_on = self._account, tenancy.term.start_on
        taxes = taxes_of(self._decided, tenancy, on)
        span = billable_span(tenancy, on, self._policy)
        becomes = overridden_rows(account.issued_rows(), span)
        wanted = {row.first_on: row for row in becomes.invoice}
        invoice_id = account.of_kind(EntryKind.MOVE_IN)[0]
        changes: list[tuple[KeptRow, IssuedRow]] = []
        for kept in account.billed:
            row = wanted.pop(kept.row.first_on, None)
            changes.append((kept, kept.row._replace(last_on=row.last_on if row else None)))
        self._apply_changes(changes, tenancy, on, 10)
        for row in wanted.values():
            account.add_row(invoice_id, planned_row(self._price, row, start_on, taxes), on, 10)
        for row in becomes.created:
            entry = planned_rent(
                account.reservation_id, planned_row(self._price, row, start_on, taxes), on
            )
            account.post(entry, on, 10)

    def _apply_changes(
        self,
        changes: Iterable[tuple[KeptRow, IssuedRow]],
        tenancy: TenancyFacts,
        on: date,
        hour: int,
    ) -> None:
        start_on = tenancy.term.start_on
        for kept, after in list(changes):
            if after != kept.row:
                lines = worded_lines(
                    self._price,
                    standing_lines(self._price.price, after, start_on),
                    taxes_of(self._decided, tenancy, on),
                )
                self._account.extend(kept, after, lines, on, hour)


class Course:
    """Lets the days of one resident's reservation pass, in their order."""

    def __init__(self, rows: Rows, facts: CourseFacts):
        stays = facts.stay
        self.facts = facts
        self.plan: StayPlan = stays.plan
        self.account = AccountHistory(rows, stays.id)
        self.rng = Chance("money", stays.id)
        price = stays.terms.price()
        decided = TaxBasis(policy=decided_taxes(facts.today))
        self._rent = Rent(self.account, price, facts.policy, decided)
        self._payer = PayingHabit(stays.plan, facts.habit, facts.today, self.rng)
        self.leaving = Leaving(self.account, price, facts, self.rng)
        self._audit_events: list[tuple[date, int, Callable[[date], object]]] = []
        self._seen: set[str] = set()
        self._asked = 0

    def run(self) -> None:
        """Write everything that happened until now."""
        self._lay_out()
        while self._audit_events:
            on, _, audit_event = heappop(self._audit_events)
            audit_event(on)
            for entry_id, entry in self.account.entries.items():
                if entry_id in self._seen:
                    continue
                self._seen.add(entry_id)
                rows = entry.planned.rows
                first_on = rows[0].row.first_on if rows else on
                paid = self._payer.decide(
                    EntryKind(entry.planned.kind), first_on, entry.issued_on, entry.planned.due_on
                )
                if paid is not None:
                    self.at(max(paid.on, on), self._build_payment_act(entry_id, paid))

    def at(self, on: date, audit_event: Callable[[date], object]) -> None:
        """Have something happen on a day; of one day, in the order of asking."""
        self._asked += 1
        heappush(self._audit_events, (on, self._asked, audit_event))

    def tenancy(self, on: date) -> TenancyFacts:
        """The tenancy as it was known on a day."""
        plan, filed = self.plan, self.leaving.filed
        move_out_on = filed.move_out_on if filed else None
        if self.facts.amended_on and on >= self.facts.amended_on:
            move_out_on = _day_or_none(plan.move_out)
        forced = ForcedFlag(plan.forced_on, plan.forced_cleared_on) if plan.forced_on else None
        return TenancyFacts(
            self.term(on),
            filed_on=filed.filed_on if filed else None,
            move_out_on=move_out_on,
            successor_start_on=self.facts.successor_start_on if plan.move_out is None else None,
            forced=forced,
            is_cancelled=plan.cancelled_on is not None and plan.cancelled_on <= on,
        )

    def term(self, on: date) -> ContractTerm:
        """The contract as it read on a day: corrected the day after the booking."""
        plan = self.plan
        is_corrected = on > plan.booked_on
        start = (plan.override_move_in if is_corrected else None) or plan.move_in
        end = (plan.override_contract_end if is_corrected else None) or plan.contract_end
        start_on = _day_or_none(start)
        assert start_on is not None
        return ContractTerm(start_on, _day_or_none(end))

    def _lay_out(self) -> None:
        plan, today = self.plan, self.facts.today
        self.at(plan.booked_on, self._issue_move_in_invoice)
        if plan.override_move_in:
            self.at(
                days_from(plan.booked_on, 1), lambda on: self._rent.override(self.tenancy(on), on)
            )
        if plan.cancelled_on:
            self.at(plan.cancelled_on, self._cancel_booking)
        else:
            self._lay_out_months()
        for on, move_out_on in self.leaving.filings():
            self.at(on, self._build_filing_act(move_out_on))
        if self.facts.amended_on:
            self.at(self.facts.amended_on, self._reprice_rows)
        self._lay_out_charges()
        settled_on = self.leaving.settles_on()
        if settled_on is not None:
            self.at(settled_on, self.leaving.settle)
        # What a run of today would find was written this morning.
        if plan.lifecycle in _BILLED and not plan.cancelled_on and self._is_readable():
            self.at(today, lambda on: self._bill_rent(on, 0))

    def _lay_out_months(self) -> None:
        """A billing run on every billing day from the booking until yesterday."""
        month_on = month_first(self.plan.booked_on)
        while (on := rent_issued_on(add_months(month_on, 1), self.facts.policy)) < self.facts.today:
            if on > self.plan.booked_on:
                self.at(on, lambda on: self._bill_rent(on, 6))
            month_on = add_months(month_on, 1)

    def _lay_out_charges(self) -> None:
        plan, today = self.plan, self.facts.today
        if plan.lifecycle not in (Lifecycle.LIVING, Lifecycle.NOTICE_FILED):
            return
        lived_since = _day_or_none(plan.starts_on) or today
        if self.facts.number % 5 == 0:
            on = min(days_from(lived_since, self.rng.whole(5, 80)), days_from(today, -1))
            self.at(on, lambda on: post_one_off(self.account, self.facts.number // 5, on))
        self._lay_out_corrections(lived_since)
        if self.facts.habit.is_charged_arrears:
            self.at(days_from(today, -9), lambda on: post_arrears(self.account, on))

    def _lay_out_corrections(self, lived_since: date) -> None:
        """A pet that came, days without hot water, and a payment that was somebody else's."""
        number, today = self.facts.number, self.facts.today
        if number % 11 == 4 and days_from(today, -30) > lived_since:
            self.at(days_from(today, -30), lambda on: post_pet_deposit(self.account, on))
        if number % 11 == 3 and days_from(today, -12) > lived_since:
            self.at(days_from(today, -12), lambda on: post_credit(self.account, on))
        if number % 11 == 6:
            self.at(days_from(today, -6), lambda on: record_by_mistake(self.account, on))

    def _issue_move_in_invoice(self, on: date) -> None:
        plan, room = self.plan, self.facts.stay.unit.room
        is_new = not plan.is_moved_in_from_elsewhere
        amounts = OneTimeAmounts(room.reservation_fee_yen, room.deposit_yen) if is_new else None
        self._rent.issue_invoice(self.tenancy(on), amounts or OneTimeAmounts(), on)

    def _bill_rent(self, on: date, hour: int) -> None:
        if not self.leaving.is_settled:
            self._rent.bill(self.tenancy(on), on, hour)

    def _reprice_rows(self, on: date) -> None:
        self._rent.reprice(self.tenancy(on), on, 13)

    def _build_filing_act(self, move_out_on: date) -> Callable[[date], None]:
        def file(on: date) -> None:
            self.leaving.file(self.term(on), on, move_out_on)
            self._reprice_rows(on)

        return file

    def _cancel_booking(self, on: date) -> None:
        self._reprice_rows(on)
        self.leaving.keep_paid_fee(on)

    def _build_payment_act(self, entry_id: str, paid: PlannedPayment) -> Callable[[date], None]:
        def pay(on: date) -> None:
            if self.leaving.is_settled:
                return
            open_yen = self.account.standing(entry_id, on).open_yen
            yen = round(open_yen * paid.part) + paid.extra_yen
            if open_yen and yen:
                self.account.pay(entry_id, yen, on)

        return pay

    def _is_readable(self) -> bool:
        return self.plan.move_out is None or isinstance(self.plan.move_out, date)


_BILLED = frozenset(
    {
        Lifecycle.BOOKED,
        Lifecycle.CONFIRMED,
        Lifecycle.LIVING,
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
        Lifecycle.TRANSFERRED,
    }
)


def has_money(plan: StayPlan) -> bool:
    """Whether a stay has a ledger: a resident's whose start can be read."""
    return plan.kind is ReservationKind.RESIDENT and isinstance(plan.move_in, date)


def _day_or_none(day: object) -> date | None:
    return day if isinstance(day, date) else None


def keep_books(rows: Rows, stays: Sequence[DemoStay], today: date) -> None:
    """Keep the rows of all money of a workspace; reservations follow what their ledger tells."""
    courses = {facts.stay.id: Course(rows, facts) for facts in _list_course_facts(stays, today)}
    for course in courses.values():
        course.run()
        course.leaving.keep_notice()
    # Write each change of rooms as an amendment, and move its deposit on the new first day.
    new_of = {
        course.plan.person: course
        for course in courses.values()
        if course.plan.is_moved_in_from_elsewhere
    }
    for old in courses.values():
        amended_on, new = old.facts.amended_on, new_of.get(old.plan.person)
        if amended_on is None or new is None:
            continue
        start_on = new.tenancy(old.facts.today).term.start_on
        amendment_id = rows.add(
            Amendment,
            instant(amended_on, 13),
            old_reservation_id=old.account.reservation_id,
            new_reservation_id=new.account.reservation_id,
            last_on=days_from(start_on, -1),
            written_at=instant(amended_on, 13),
            written_by=STAFF,
        )
        transfer = deposit_transfer(old.account.held_yen(start_on), start_on)
        if transfer is not None:
            keep_move(old.account, transfer.out, transfer_id=amendment_id)
            keep_move(new.account, transfer.into, transfer_id=amendment_id)
    records = {row["id"]: row for row in rows.of(Reservation)}
    for id_, course in courses.items():
        # A settled reservation is refunded when all of a remainder was sent, and only then.
        record = records[id_]
        settled = course.leaving.settled
        if settled is None:
            continue
        record["lifecycle"] = Lifecycle.REFUNDED if settled.is_refunded else Lifecycle.SETTLED
        record["payment_status"] = (
            PaymentStatus.REFUNDED if settled.is_refunded else PaymentStatus.PAID
        )
    number_papers(rows, today)
    for decided in decided_taxes(today):
        at = instant(decided.from_on, 9)
        rows.add(TaxClassRow, at, **decided._asdict(), written_at=at, written_by=STAFF)


def _list_course_facts(stays: Sequence[DemoStay], today: date) -> Iterable[CourseFacts]:
    successors = _find_successor_starts(stays)
    amended = {
        stay.plan.person: stay.plan.booked_on
        for stay in stays
        if stay.plan.is_moved_in_from_elsewhere
    }
    places: defaultdict[Lifecycle, count[int]] = defaultdict(count)
    for stay in stays:
        if not has_money(stay.plan):
            continue
        number = next(places[stay.plan.lifecycle])
        is_old = stay.plan.lifecycle is Lifecycle.TRANSFERRED
        yield CourseFacts(
            stay=stay,
            today=today,
            policy=DEFAULT_POLICY,
            successor_start_on=successors.get(stay.id),
            amended_on=amended.get(stay.plan.person) if is_old else None,
            habit=habit_of(stay.plan, number),
            number=number,
        )


def _find_successor_starts(found_stays: Sequence[DemoStay]) -> Mapping[str, date]:
    """The start of the next stay of each stay's unit, cancelled ones left out."""
    by_unit: defaultdict[str, list[tuple[date, str]]] = defaultdict(list)
    for stay in found_stays:
        if stay.plan.starts_on and not stay.plan.cancelled_on:
            by_unit[stay.unit.id].append((stay.plan.starts_on, stay.id))
    found: dict[str, date] = {}
    for stays in by_unit.values():
        for start_on, id_ in stays:
            later = [other for other, _ in stays if other > start_on]
            if later:
                found[id_] = min(later)
    return found
