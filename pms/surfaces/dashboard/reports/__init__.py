"""Figures of a month and of a day: deposits held, and what each month earned."""

from typing import Final

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.reports import deposits, earnings

ADDRESSES: Final = (
    Address("/reports/deposits", "deposit_report", deposits.show, OFFICE),
    Address("/reports/deposits.csv", "deposit_report_csv", deposits.export, OFFICE),
    Address("/reports/profit-and-loss", "profit_and_loss", earnings.show, OFFICE),
    Address("/reports/profit-and-loss.csv", "profit_and_loss_csv", earnings.export, OFFICE),
)
