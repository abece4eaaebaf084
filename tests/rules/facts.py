"""Hypothesis strategies for the facts the law is asked about."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from hypothesis import strategies as st

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import (
    FIRST_DAY,
    LAST_DAY,
    ONE_DAY,
    CorruptDay,
    Days,
    RecordedDay,
    inclusive_days,
    month_last,
)
from pms.rules.enumerations import RecurringItem, ReservationKind
from pms.rules.notices import ForcedFlag
from pms.rules.policy import Policy
from pms.rules.price_changes import PriceSpan
from pms.rules.rent_lines import Discount, Price
from pms.rules.unit_stays import Block, Stay, TenancyFacts

TODAY = date(2026, 6, 10)

any_days = st.dates(FIRST_DAY, LAST_DAY)
near_days = st.dates(TODAY - timedelta(days=60), TODAY + timedelta(days=60))
corrupt_days = st.builds(CorruptDay, st.text(min_size=1))
_IN_1960, _IN_2190 = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (1960, 2190))
instants = st.integers(_IN_1960, _IN_2190).map(lambda second: datetime.fromtimestamp(second, UTC))
policies = st.builds(
    Policy,
    full_calendar_month_is_long=st.booleans(),
    turnover_days=st.integers(0, 7),
    short_notice_days=st.integers(0, 20),
    long_notice_days=st.integers(20, 60),
)
kinds = st.sampled_from(ReservationKind)

recorded_days: st.SearchStrategy[RecordedDay] = st.one_of(st.none(), near_days, corrupt_days)
stays = st.builds(
    Stay,
    id=st.text(alphabet="ABCDEFGH", min_size=1, max_size=3),
    start_on=recorded_days,
    end_on=recorded_days,
    move_out_on=recorded_days,
    expected_departure_on=recorded_days,
    is_forced=st.booleans(),
    kind=kinds,
    is_cancelled=st.booleans(),
    is_unconfirmed=st.booleans(),
)
blocks = st.builds(Block, first_on=recorded_days, last_on=recorded_days)
stays_of_a_unit = st.lists(stays, max_size=4)
blocks_of_a_unit = st.lists(blocks, max_size=3)


@st.composite
def terms_with_an_end(draw: st.DrawFn) -> ContractTerm:
    start_on = draw(st.dates(date(2000, 1, 1), date(2100, 1, 1)))
    return ContractTerm(start_on, start_on + timedelta(days=draw(st.integers(0, 800))))


flags = st.builds(ForcedFlag, set_on=near_days, cleared_on=st.none() | near_days)
tenancies = st.builds(
    TenancyFacts,
    term=st.builds(ContractTerm, start_on=near_days, end_on=st.none() | near_days),
    kind=kinds,
    filed_on=st.none() | near_days,
    move_out_on=st.none() | near_days,
    successor_start_on=st.none() | near_days,
    forced=st.none() | flags,
    is_cancelled=st.booleans(),
    is_unconfirmed=st.booleans(),
)


def every_day(days: Days) -> list[date]:
    """All days of a run, in order."""
    count = inclusive_days(days.first_on, days.last_on)
    return [days.first_on + timedelta(days=day) for day in range(count)]


# Small rents meet every rounding; large ones are what is billed.
yen_a_month = st.integers(0, 40) | st.integers(0, 500_000)
items = st.sampled_from([*(item.value for item in RecurringItem), "parking", "bicycle"])
monthly_amounts = st.dictionaries(items, yen_a_month, max_size=4)
discounts = st.builds(
    Discount,
    percent=st.decimals(0, 100, places=2),
    is_recurring=st.booleans(),
) | st.builds(Discount, yen=yen_a_month, is_recurring=st.booleans())


@st.composite
def timelines(draw: st.DrawFn) -> tuple[PriceSpan, ...]:
    firsts = sorted(draw(st.sets(near_days, min_size=1, max_size=4)))
    lasts = [*(first_on - ONE_DAY for first_on in firsts[1:]), None]
    return tuple(
        PriceSpan(first_on, last_on, draw(monthly_amounts))
        for first_on, last_on in zip(firsts, lasts, strict=True)
    )


@st.composite
def days_of_a_month(draw: st.DrawFn) -> Days:
    first_on = draw(near_days)
    return Days(first_on, draw(st.dates(first_on, month_last(first_on))))


prices = st.builds(Price, periods=timelines(), discount=st.none() | discounts)
cap_months = st.sampled_from([0, 1, 2, Decimal("0.5"), Decimal("1.25")])
