"""What owners are told and paid: a month of each building, prepared and published."""

from typing import Final

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.statements import (
    charging,
    deduction,
    months,
    papers,
    publishing,
    statement,
)

_MONTH: Final = "/owner-statements/<month>"
_OF_BUILDING: Final = "/owner-statements/<month>/buildings/<building_id>"

ADDRESSES: Final = (
    Address("/owner-statements", "owner_statements", months.show, OFFICE),
    Address(f"{_MONTH}/publication", "check_publishing_all", publishing.check_all, OFFICE),
    Address(f"{_MONTH}/publication", "publish_all", publishing.publish_all, OFFICE, "POST"),
    Address(_OF_BUILDING, "owner_statement", statement.show, OFFICE),
    Address(f"{_OF_BUILDING}/deductions", "post_owner_deduction", deduction.post, OFFICE, "POST"),
    Address(f"{_OF_BUILDING}/charges", "charge_into_month", charging.charge, OFFICE, "POST"),
    Address(f"{_OF_BUILDING}/publication", "check_publishing", publishing.check, OFFICE),
    Address(f"{_OF_BUILDING}/publication", "publish_statement", publishing.publish, OFFICE, "POST"),
    Address("/published-statements/<statement_id>/paper", "statement_paper", papers.pdf, OFFICE),
    Address("/published-statements/<statement_id>.csv", "statement_csv", papers.csv, OFFICE),
)
