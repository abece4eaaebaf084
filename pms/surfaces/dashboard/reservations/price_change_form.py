"""A new price from a day on, as the office types it."""

from collections.abc import Iterable
from datetime import date
from typing import Self

from flask_babel import lazy_gettext

from pms.arrivals.offered_terms import OfferedFee
from pms.pricing.agreed_price import MonthlyAmounts
from pms.surfaces.dashboard.reservations.price_form import PriceForm
from pms.surfaces.fields import DayField, Required


class PriceChangeForm(PriceForm):
    """The first day, and every amount of the new period, not only those that change."""

    fromOn = DayField(lazy_gettext("From"), [Required()])

    @classmethod
    def begun(cls, from_on: date, amounts: MonthlyAmounts, offered: Iterable[OfferedFee]) -> Self:
        """Return the form with the price in force now, to be changed."""
        fees = list(offered)
        form = cls(data={"fromOn": from_on})
        form.offer_amounts(amounts)
        form.offer_fees(fees)
        form.name_fees(fees)
        return form
