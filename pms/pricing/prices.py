"""Prices of units and reservations: periods, agreed prices, frozen ones, and the uses of fees."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import UnitFee
from pms.foundation.audit import facts_of, note_audit_event, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers, asked_once
from pms.foundation.work import Work, locked
from pms.pricing.agreed_price import (
    AgreedDiscount,
    MonthlyAmounts,
    MonthlyFee,
    check_amounts,
    check_discount,
    check_fees,
)
from pms.pricing.models import FrozenDiscount, PeriodFee, PricingSnapshot
from pms.pricing.models import PricePeriod as PeriodRow
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import contract_days
from pms.rules.enumerations import FeeCategory, RecurringItem, TaxTreatment
from pms.rules.price_changes import (
    PriceSpan,
    period_on,
    refusal_of_timeline,
    with_new_period,
)
from pms.rules.rent_lines import Discount, Price, earns_discount
from pms.workspaces.models import Fee
from pms.workspaces.queries import counters

_AMOUNTS = tuple(item.value for item in RecurringItem)
_PERIODS = select(
    PeriodRow.reservation_id,
    PeriodRow.id,
    PeriodRow.first_on,
    PeriodRow.last_on,
    *(getattr(PeriodRow, f"{item}_yen") for item in _AMOUNTS),
).order_by(PeriodRow.first_on)


@dataclass(frozen=True, slots=True)
class AgreedPrice:
    """A price in the form of the rules, with the labels of its fees and discount."""

    price: Price
    fees: tuple[Mapping[str, MonthlyFee], ...] = ()
    discount_label: Bilingual | None = None

    def fee_on(self, code: str, day: date) -> MonthlyFee:
        """Return a workspace-defined fee as worded on a day, else as first worded."""
        periods = self.price.periods
        for period, fees in zip(reversed(periods), reversed(self.fees), strict=True):
            if period.first_on <= day and code in fees:
                return fees[code]
        return next(fees[code] for fees in self.fees if code in fees)


@dataclass(slots=True)
class _Found:
    periods: list[PriceSpan] = field(default_factory=list)
    fees: list[Mapping[str, MonthlyFee]] = field(default_factory=list)


def agreed_prices(session: Session, reservation_ids: Iterable[str]) -> Mapping[str, AgreedPrice]:
    """Return the current prices of reservations in three queries; some may have none."""
    return asked_once(session, _agreed_prices, tuple(reservation_ids))


def _agreed_prices(session: Session, ids: tuple[str, ...]) -> Mapping[str, AgreedPrice]:
    periods = session.execute(_PERIODS.where(one_of(PeriodRow.reservation_id, ids))).all()
    rows = session.execute(
        select(
            FrozenDiscount.reservation_id,
            FrozenDiscount.label_ja,
            FrozenDiscount.label_en,
            FrozenDiscount.percent,
            FrozenDiscount.monthly_yen,
            FrozenDiscount.is_recurring,
            FrozenDiscount.minimum_stay_days,
        ).where(one_of(FrozenDiscount.reservation_id, ids))
    )
    fees = _read_fees(session, [period[1] for period in periods])
    discounts = {row.reservation_id: row for row in rows}
    found: defaultdict[str, _Found] = defaultdict(_Found)
    for reservation_id, period_id, first_on, last_on, *yen in periods:
        own = fees.get(period_id, {})
        amounts = dict(zip(_AMOUNTS, yen, strict=True))
        amounts.update((code, fee.amount_yen) for code, fee in own.items())
        found[reservation_id].periods.append(PriceSpan(first_on, last_on, amounts))
        found[reservation_id].fees.append(own)
    prices: dict[str, AgreedPrice] = {}
    for id_, price in found.items():
        frozen = discounts.get(id_)
        if frozen is None:
            agreed_price = AgreedPrice(Price(tuple(price.periods)), tuple(price.fees))
        else:
            discount = Discount(
                percent=None if frozen.percent is None else Decimal(frozen.percent),
                yen=frozen.monthly_yen,
                is_recurring=frozen.is_recurring,
                minimum_stay_days=frozen.minimum_stay_days,
            )
            label = Bilingual(frozen.label_ja, frozen.label_en)
            agreed_price = AgreedPrice(
                Price(tuple(price.periods), discount), tuple(price.fees), label
            )
        prices[id_] = agreed_price
    return prices


def prices_of(session: Session, reservation_ids: Iterable[str]) -> Mapping[str, Price]:
    """Return the current prices in the form of the rules; those without one are left out."""
    return {id_: agreed.price for id_, agreed in agreed_prices(session, reservation_ids).items()}


def price_of(session: Session, reservation_id: str) -> AgreedPrice:
    """Return the current price of one reservation; refuse a reservation without one."""
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    if agreed is None:
        raise Refused("Reservation {reservation_id} has no price.", reservation_id=reservation_id)
    return agreed


def original_amounts(session: Session, reservation_id: str) -> Mapping[str, int] | None:
    """Return the originally agreed amounts, in yen a month by item (Original price)."""
    row = session.scalar(
        select(PricingSnapshot).where(PricingSnapshot.reservation_id == reservation_id)
    )
    return None if row is None else {item: getattr(row, f"{item}_yen") for item in _AMOUNTS}


def _read_fees(session: Session, period_ids: list[str]) -> Mapping[str, Mapping[str, MonthlyFee]]:
    fees: defaultdict[str, dict[str, MonthlyFee]] = defaultdict(dict)
    for period_id, code, label_ja, label_en, category, tax, yen in session.execute(
        select(
            PeriodFee.period_id,
            PeriodFee.code,
            PeriodFee.label_ja,
            PeriodFee.label_en,
            PeriodFee.category,
            PeriodFee.tax_treatment,
            PeriodFee.amount_yen,
        )
        .where(one_of(PeriodFee.period_id, period_ids))
        .order_by(PeriodFee.code)
    ):
        label = Bilingual(label_ja, label_en)
        fees[period_id][code] = MonthlyFee(
            code, label, FeeCategory(category), TaxTreatment(tax), yen
        )
    return fees


def fee_uses(session: Session) -> Mapping[str, int]:
    """Return how many units and price periods use each fee, by code.

    They are counted once after each change of a unit's fees or of a price.
    """
    state = counters(session, CATALOGUE, OCCUPANCY)
    return _FEE_USES.answer(session, None, state, lambda: _count_fee_uses(session))


_FEE_USES: Final = KeptAnswers()


def _count_fee_uses(session: Session) -> Mapping[str, int]:
    on_units = (
        select(Fee.code, func.count(UnitFee.id))
        .join(UnitFee, refers_to(UnitFee.fee_id, Fee))
        .group_by(Fee.code)
    )
    in_prices = select(PeriodFee.code, func.count(PeriodFee.id)).group_by(PeriodFee.code)
    uses: Counter[str] = Counter()
    for question in (on_units, in_prices):
        for code, count in session.execute(question):
            uses[code] += count
    return uses


def remove_fee(work: Work, fee_id: str) -> str:
    """Remove a fee and return its code; refuse one in use (specification, Fee catalogue)."""
    row = locked(work.session, Fee, fee_id)
    uses = fee_uses(work.session).get(row.code, 0)
    if uses:
        raise Refused(
            "fee: '{code}' is used {uses} times, so it cannot be changed. Change its name instead.",
            code=row.code,
            uses=uses,
        )
    note_audit_event(work, AuditEvent.FEE_REMOVED, subject_of(row), before=facts_of(row))
    work.session.delete(row)
    work.session.flush()
    return row.code


def write_period(
    session: Session,
    reservation_id: str,
    *,
    first_on: date,
    last_on: date | None,
    columns: Mapping[str, int],
    fees: Iterable[MonthlyFee],
) -> str:
    """Add a period and its fees, and flush; return its id."""
    period_id = new_id()
    session.add(
        PeriodRow(
            id=period_id,
            reservation_id=reservation_id,
            first_on=first_on,
            last_on=last_on,
            **columns,
        )
    )
    session.flush()
    session.add_all(
        PeriodFee(
            period_id=period_id,
            code=fee.code,
            label_ja=fee.label.ja or fee.label.en or fee.code,
            label_en=fee.label.en or fee.label.ja or fee.code,
            category=fee.category,
            tax_treatment=fee.tax_treatment,
            amount_yen=fee.amount_yen,
        )
        for fee in fees
    )
    session.flush()
    return period_id


def add_price_period(
    session: Session,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> None:
    """Add a period; the period it cuts ends on the day before (Pricing snapshot, Current price).

    It ends where the period it cuts would have ended, so that there is no gap or overlap. Raises
    `Refused` when a period already begins on the day. The caller checks which days are billed.
    """
    columns, sound_fees = check_amounts(amounts), check_fees(fees)
    # The last day of each period, by its first day, once a new one begins on a day.
    periods = price_of(session, reservation_id).price.periods
    if any(period.first_on == from_on for period in periods):
        raise Refused(
            "Another price already starts on {from_on}. Choose another day.",
            from_on=from_on,
        )
    changed = with_new_period(periods, from_on, {})
    problem = refusal_of_timeline(changed)
    if problem is not None:
        raise Refused(
            "The price cannot start on {from_on}: {problem}.",
            from_on=from_on,
            problem=problem,
        )
    last_days = {period.first_on: period.last_on for period in changed}
    for row in session.scalars(select(PeriodRow).where(PeriodRow.reservation_id == reservation_id)):
        row.last_on = last_days[row.first_on]
    write_period(
        session,
        reservation_id,
        first_on=from_on,
        last_on=last_days[from_on],
        columns=columns,
        fees=sound_fees,
    )


def begin_changed_amounts(
    session: Session, *, reservation_id: str, from_on: date, changes: Mapping[RecurringItem, int]
) -> None:
    """Begin a period with the amounts in force on its first day, some of them changed.

    It keeps the monthly fees. The caller reprices what is billed for its days.
    """
    agreed = price_of(session, reservation_id)
    period = period_on(agreed.price.periods, from_on)
    yen = {item: changes.get(item, period.amounts.get(item, 0)) for item in RecurringItem}
    add_price_period(
        session,
        reservation_id=reservation_id,
        from_on=from_on,
        amounts=MonthlyAmounts(**{f"{item}_yen": amount for item, amount in yen.items()}),
        fees=[agreed.fee_on(code, from_on) for code in period.amounts if code not in _AMOUNTS],
    )


def drop_price_period(session: Session, *, reservation_id: str, from_on: date) -> None:
    """Remove the period that begins on a day; the one before it runs to its last day again.

    Without such a period nothing changes. The caller checks which days are billed.
    """
    rows = session.scalars(
        select(PeriodRow)
        .where(PeriodRow.reservation_id == reservation_id, PeriodRow.first_on <= from_on)
        .order_by(PeriodRow.first_on.desc())
        .limit(2)
    ).all()
    if len(rows) < 2 or rows[0].first_on != from_on:
        return
    dropped = rows[0]
    before = rows[1]
    last_on = dropped.last_on
    session.delete(dropped)
    session.flush()
    before.last_on = last_on
    session.flush()


def freeze_price(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    first_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
    discount: AgreedDiscount | None = None,
) -> None:
    """Write the price a resident agreed to, once (specification, Pricing snapshot).

    Raises `Refused` for a discount that the agreed term does not earn; afterwards it stays frozen.
    """
    columns, sound_fees = check_amounts(amounts), check_fees(fees)
    locked(session, Reservation, reservation_id)
    if session.scalar(
        select(PricingSnapshot.id).where(PricingSnapshot.reservation_id == reservation_id)
    ):
        raise Refused(
            "The price of reservation {reservation_id} was fixed at booking and cannot be changed.",
            reservation_id=reservation_id,
        )
    if discount is not None:
        session.add(_earn_discount(session, clock, reservation_id, discount))
    session.add(
        PricingSnapshot(reservation_id=reservation_id, frozen_at=clock.now(), **columns),
    )
    write_period(
        session, reservation_id, first_on=first_on, last_on=None, columns=columns, fees=sound_fees
    )


def _earn_discount(
    session: Session, clock: Clock, reservation_id: str, agreed: AgreedDiscount
) -> FrozenDiscount:
    term = tenancy_of(session, reservation_id, clock.today()).term
    if not earns_discount(check_discount(agreed), term):
        agreed_days = contract_days(term)
        if agreed_days is None:
            raise Refused(
                "The discount needs a stay of {minimum_days} days, but no last day is agreed.",
                minimum_days=agreed.minimum_stay_days,
            )
        raise Refused(
            "The discount needs a stay of {minimum_days} days, but {agreed_days} days are agreed.",
            minimum_days=agreed.minimum_stay_days,
            agreed_days=agreed_days,
        )
    return FrozenDiscount(
        reservation_id=reservation_id,
        label_ja=agreed.label.ja or agreed.label.en or "",
        label_en=agreed.label.en or agreed.label.ja or "",
        percent=None if agreed.percent is None else format(agreed.percent, "f"),
        monthly_yen=agreed.monthly_yen,
        is_recurring=agreed.is_recurring,
        minimum_stay_days=agreed.minimum_stay_days,
    )
