"""Gives back the days that were billed beyond a move-out before the tenancy was taken over."""

from datetime import date, datetime

from pms.departures.notice_plans import preview_notice
from pms.departures.notices import FiledMoveOut, file_notice
from pms.foundation.work import Work
from pms.ledger.charges import post_credit
from pms.ledger.wording import rent_label
from pms.rules.enumerations import FeeCategory


def file_notice_giving_back(
    work: Work,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    expected_version: int | None = None,
) -> FiledMoveOut:
    """File a notice and credit those days at today's price, in one act.

    Where no day was billed ahead it only files. Raises what filing a notice raises.
    """
    ahead = preview_notice(
        work.session,
        work.clock,
        reservation_id=reservation_id,
        move_out_on=move_out_on,
        filed_at=filed_at,
    )
    filed = file_notice(
        work,
        reservation_id=reservation_id,
        move_out_on=move_out_on,
        filed_at=filed_at,
        expected_version=expected_version,
    )
    if ahead.billed_ahead is not None and ahead.billed_ahead_yen:
        post_credit(
            work,
            reservation_id=reservation_id,
            amount_yen=ahead.billed_ahead_yen,
            label=rent_label(*ahead.billed_ahead),
            category=FeeCategory.RENT,
        )
    return filed
