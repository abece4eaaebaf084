"""The monthly amounts and fees of a price as the office types them."""

from collections.abc import Iterable, Sequence

from flask_babel import lazy_gettext
from wtforms import FieldList, Form, FormField

from pms.arrivals.offered_terms import OfferedFee
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee
from pms.surfaces.fields import FlagField, HiddenField, YenField
from pms.surfaces.reader_choice import chosen_language

_MOST_FEES = 40


class FeeForm(Form):
    """One fee of the catalogue: whether it is charged, and how much a month."""

    code = HiddenField()
    isCharged = FlagField(lazy_gettext("Charge it"))
    amountYen = YenField(lazy_gettext("Yen a month"))


class PriceForm(Form):
    """Everything a price holds each month, whole yen."""

    baseRentYen = YenField(lazy_gettext("Base rent (yen a month)"))
    utilitiesYen = YenField(lazy_gettext("Utilities (yen a month)"))
    buildingMaintenanceYen = YenField(lazy_gettext("Building maintenance (yen a month)"))
    shortTermSurchargeYen = YenField(lazy_gettext("Short-term surcharge (yen a month)"))
    guestSurchargeYen = YenField(lazy_gettext("Guest surcharge (yen a month)"))
    fees = FieldList(FormField(FeeForm), max_entries=_MOST_FEES)

    def offer_amounts(self, amounts: MonthlyAmounts) -> None:
        """Fill in the amounts to begin with; nothing stays empty."""
        self.baseRentYen.data = amounts.base_rent_yen
        self.utilitiesYen.data = amounts.utilities_yen or None
        self.buildingMaintenanceYen.data = amounts.building_maintenance_yen or None
        self.shortTermSurchargeYen.data = amounts.short_term_surcharge_yen or None
        self.guestSurchargeYen.data = amounts.guest_surcharge_yen or None

    def offer_fees(self, offered: Iterable[OfferedFee]) -> None:
        """Fill in the fees of the catalogue, those that are asked already chosen."""
        for fee, is_asked in ((one.fee, one.is_asked) for one in offered):
            row = {"code": fee.code, "isCharged": is_asked, "amountYen": fee.amount_yen}
            self.fees.append_entry(row)

    def name_fees(self, offered: Iterable[OfferedFee]) -> None:
        """Say of each fee what it is, in the reader's language."""
        labels = {one.fee.code: one.fee.label.said(chosen_language()) for one in offered}
        for row in self.fees.entries:
            code = row.form.code.data or ""
            label = labels.get(code) or code
            row.form.isCharged.label.text = label
            row.form.amountYen.label.text = lazy_gettext("%(fee)s (yen a month)", fee=label)

    @property
    def amounts(self) -> MonthlyAmounts:
        """The monthly amounts; an empty one is 0."""
        return MonthlyAmounts(
            base_rent_yen=self.baseRentYen.data or 0,
            utilities_yen=self.utilitiesYen.data or 0,
            building_maintenance_yen=self.buildingMaintenanceYen.data or 0,
            short_term_surcharge_yen=self.shortTermSurchargeYen.data or 0,
            guest_surcharge_yen=self.guestSurchargeYen.data or 0,
        )

    def charged(self, offered: Iterable[OfferedFee]) -> Sequence[MonthlyFee]:
        """The fees that are chosen, worded as the catalogue words them; unknown codes are none."""
        known = {one.fee.code: one.fee for one in offered}
        chosen = (row.form for row in self.fees.entries if row.form.isCharged.data)
        return [
            _priced(known[row.code.data], row.amountYen.data)
            for row in chosen
            if row.code.data in known
        ]


def _priced(fee: MonthlyFee, yen: int | None) -> MonthlyFee:
    amount = fee.amount_yen if yen is None else yen
    return MonthlyFee(fee.code, fee.label, fee.category, fee.tax_treatment, amount)
