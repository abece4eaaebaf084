"""Who comes, moves, stays on and leaves in any history."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from pms.arrivals.amendments import amend
from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking
from pms.arrivals.taking_over import take_over
from pms.departures.notices import file_notice, reschedule_move_out, withdraw_notice
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.ledger.move_in import change_esign_status
from pms.ledger.payment_plan import record_payment
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts
from pms.pricing.prices import freeze_price
from pms.reservations.month_to_month import clear_forced_month_to_month, force_month_to_month
from pms.rules.enumerations import EsignStatus, Lifecycle, ReservationKind
from pms.rules.taking_over import OpeningDebt
from tests import cast
from tests.stories.history import ANYBODY, BEGINNING, ROOMS, History, when_there_is_one
from tests.stories.house import morning
from tests.stories.tenancy import booking

RENTS = st.sampled_from([50_000, 61_234, 93_000])
A_ROOM = st.sampled_from(ROOMS)
A_STAY = st.one_of(st.none(), st.integers(0, 40), st.integers(40, 400), st.just(-1))
A_SHARE = st.sampled_from([None, "7.5", "33.3"])
CAME_ALONG = st.one_of(
    st.none(),
    st.tuples(
        st.integers(-40, 60),
        st.sampled_from([0, 93_000]),
        st.sampled_from([0, 12_000, 61_234]),
        st.sampled_from([0, 5_000, 200_000]),
    ),
)
"""The last day billed elsewhere, counted from the beginning; held, unpaid and overpaid."""
BOOKED_ON, STARTS_ON = date(2024, 10, 15), date(2024, 11, 10)
PAID_AT_FIRST = 250_000
COMING = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
HERE = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)


class HistoryOfStays(History):
    """Bookings, moves, dates and notices."""

    @initialize(
        stays=st.lists(st.integers(31, 400), min_size=2, max_size=2),
        came_along=CAME_ALONG,
        is_forced=st.booleans(),
    )
    def two_people_live_here(
        self, stays: list[int], came_along: tuple[int, int, int, int] | None, is_forced: bool
    ) -> None:
        """They came in November, signed, paid their invoices and have been billed since.

        The second may be forced month to month, and a third one may live here who was billed
        elsewhere before.
        """
        house, who = self.house, ""
        for room, stay in zip(ROOMS, stays, strict=False):
            house.go_to(morning(BOOKED_ON))
            facts = {**booking(house, room), "move_in_date": STARTS_ON}
            ends_on = STARTS_ON + timedelta(days=stay)
            who = house.do(book, **{**facts, "contract_end_date": ends_on}).reservation_id
            for status in (EsignStatus.SENT, EsignStatus.SIGNED):
                house.do(change_esign_status, reservation_id=who, status=status)
            house.do(record_payment, reservation_id=who, amount_yen=PAID_AT_FIRST)
        house.go_to(morning(BEGINNING))
        house.do(advance_lifecycles)
        if is_forced:
            house.do(force_month_to_month, reservation_id=who)
        if came_along is not None:
            self._take_over(*came_along)
        house.do(bill_month)
        self.look_around()

    def _take_over(self, days: int, held_yen: int, unpaid_yen: int, overpaid_yen: int) -> None:
        """Somebody of another system lives in the last room; some days are billed already."""
        house, id_ = self.house, new_id()
        with house.database.writing(house.workspace_id) as session:
            session.add(
                cast.reservation(
                    id=id_,
                    unit_id=house.room(ROOMS[-1]),
                    move_in_date=STARTS_ON,
                    contract_end_date=STARTS_ON + timedelta(days=364),
                )
            )
            session.flush()
            amounts = MonthlyAmounts(61_234, 5_000)
            freeze_price(
                session, house.clock, reservation_id=id_, first_on=STARTS_ON, amounts=amounts
            )
        debts = [OpeningDebt("key", unpaid_yen, BEGINNING - timedelta(days=40))]
        house.do(
            take_over,
            reservation_id=id_,
            billed_through_on=BEGINNING + timedelta(days=days),
            deposit_held_yen=held_yen,
            unpaid=debts if unpaid_yen else [],
            overpaid_yen=overpaid_yen,
        )

    @when_there_is_one(*HERE, *COMING)
    @rule(number=ANYBODY, days=st.integers(-40, 40), held_yen=st.integers(-1, 90_000))
    def take_somebody_over(self, number: int, days: int, held_yen: int) -> None:
        """Refused for whoever has entries here already."""
        self.attempt(
            take_over,
            reservation_id=self.somebody(number, *HERE, *COMING),
            billed_through_on=self.day(days),
            deposit_held_yen=held_yen,
        )

    @rule(days=st.integers(1, 45))
    def days_pass(self, days: int) -> None:
        self.house.days_pass(days)
        assert self.attempt(advance_lifecycles)

    @rule(
        room=A_ROOM,
        start=st.integers(-10, 45),
        stay=A_STAY,
        price=st.tuples(RENTS, st.sampled_from([0, 12_000, -1]), A_SHARE),
        one_time=st.tuples(st.sampled_from([0, 20_000]), st.sampled_from([0, 45_000, 93_000])),
    )
    def somebody_books(
        self,
        room: str,
        start: int,
        stay: int | None,
        price: tuple[int, int, str | None],
        one_time: tuple[int, int],
    ) -> None:
        rent_yen, utilities_yen, percent = price
        start_on = self.day(start)
        is_booked = self.attempt(
            book,
            unit_id=self.house.room(room),
            kind=ReservationKind.RESIDENT,
            name="佐藤 花子",
            move_in_date=start_on,
            contract_end_date=None if stay is None else start_on + timedelta(days=stay),
            amounts=MonthlyAmounts(rent_yen, utilities_yen),
            reservation_fee_yen=one_time[0],
            deposit_yen=one_time[1],
            discount=_discount(percent),
        )
        assert not is_booked or (utilities_yen >= 0 and stay != -1)

    @rule(
        room=A_ROOM,
        start=st.integers(-10, 45),
        nights=st.one_of(st.integers(1, 20), st.sampled_from([0, 180, 181])),
        rent_yen=st.one_of(st.none(), RENTS),
        one_time=st.tuples(st.sampled_from([0, 20_000]), st.sampled_from([0, 45_000])),
    )
    def a_guest_books(
        self, room: str, start: int, nights: int, rent_yen: int | None, one_time: tuple[int, int]
    ) -> None:
        is_booked = self.attempt(
            book,
            unit_id=self.house.room(room),
            kind=ReservationKind.GUEST,
            name="Emma Wilson",
            move_in_date=self.day(start),
            contract_end_date=self.day(start + nights),
            amounts=None if rent_yen is None else MonthlyAmounts(rent_yen),
            reservation_fee_yen=one_time[0],
            deposit_yen=one_time[1],
        )
        assert not is_booked or 0 < nights <= 180

    @when_there_is_one(*COMING)
    @rule(number=ANYBODY)
    def somebody_signs(self, number: int) -> None:
        who = self.somebody(number, *COMING)
        for status in (EsignStatus.SENT, EsignStatus.SIGNED):
            self.attempt(change_esign_status, reservation_id=who, status=status)

    @when_there_is_one(*COMING)
    @rule(number=ANYBODY)
    def a_booking_is_cancelled(self, number: int) -> None:
        who = self.somebody(number, *COMING)
        self.attempt(cancel_booking, reservation_id=who)

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, days=st.integers(-40, 40), is_taken_back=st.booleans())
    def the_start_is_corrected(self, number: int, days: int, is_taken_back: bool) -> None:
        who = self.somebody(number, *COMING, *HERE)
        day = None if is_taken_back else self.day(days)
        self.attempt(correct_dates, reservation_id=who, override_move_in_date=day)

    @when_there_is_one(*COMING, *HERE)
    @rule(number=ANYBODY, days=st.integers(-40, 120), is_taken_back=st.booleans())
    def the_end_is_corrected(self, number: int, days: int, is_taken_back: bool) -> None:
        who = self.somebody(number, *COMING, *HERE)
        day = None if is_taken_back else self.day(days)
        self.attempt(correct_dates, reservation_id=who, override_contract_end_date=day)

    @when_there_is_one(*HERE)
    @rule(number=ANYBODY, room=A_ROOM, days=st.integers(-5, 40), rent_yen=RENTS)
    def somebody_changes_rooms(self, number: int, room: str, days: int, rent_yen: int) -> None:
        who = self.somebody(number, *HERE)
        self.attempt(
            amend,
            reservation_id=who,
            last_on=self.day(days),
            unit_id=self.house.room(room),
            contract_end_date=self.day(days + 100),
            amounts=MonthlyAmounts(rent_yen),
        )

    @when_there_is_one(Lifecycle.LIVING)
    @rule(number=ANYBODY, days=st.integers(-20, 70))
    def somebody_files_a_notice(self, number: int, days: int) -> None:
        who = self.somebody(number, Lifecycle.LIVING)
        self.attempt(file_notice, reservation_id=who, move_out_on=self.day(days))

    @when_there_is_one(Lifecycle.NOTICE_FILED)
    @rule(number=ANYBODY, days=st.integers(-20, 70))
    def a_notice_is_edited(self, number: int, days: int) -> None:
        who = self.somebody(number, Lifecycle.NOTICE_FILED)
        self.attempt(reschedule_move_out, reservation_id=who, move_out_on=self.day(days))

    @when_there_is_one(Lifecycle.NOTICE_FILED)
    @rule(number=ANYBODY)
    def a_notice_is_withdrawn(self, number: int) -> None:
        who = self.somebody(number, Lifecycle.NOTICE_FILED)
        self.attempt(withdraw_notice, reservation_id=who)

    @when_there_is_one(Lifecycle.NOTICE_FILED)
    @rule(number=ANYBODY, days=st.integers(0, 3))
    def a_move_out_day_comes(self, number: int, days: int) -> None:
        who = self.somebody(number, Lifecycle.NOTICE_FILED)
        ((leaves_on,),) = self.house.books.ask(
            "SELECT ends_on FROM reservation WHERE workspace_id = :workspace AND id = :who", who=who
        )
        until = date.fromisoformat(leaves_on) - self.house.today
        self.house.days_pass(max(until.days, 0) + days)
        self.attempt(advance_lifecycles)

    @when_there_is_one(Lifecycle.LIVING)
    @rule(number=ANYBODY)
    def somebody_is_forced_month_to_month(self, number: int) -> None:
        who = self.somebody(number, Lifecycle.LIVING)
        self.attempt(force_month_to_month, reservation_id=who)

    @when_there_is_one(Lifecycle.LIVING)
    @rule(number=ANYBODY)
    def the_force_is_taken_back(self, number: int) -> None:
        who = self.somebody(number, Lifecycle.LIVING)
        self.attempt(clear_forced_month_to_month, reservation_id=who)


def _discount(percent: str | None) -> AgreedDiscount | None:
    if percent is None:
        return None
    return AgreedDiscount(Bilingual("割引", "Discount"), Decimal(percent))
