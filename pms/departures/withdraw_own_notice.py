"""Takes a resident's own notice back and confirms it by mail."""

from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice
from pms.departures.notice_mail import mail_withdrawal
from pms.departures.own_notice import refuse_unless_own
from pms.departures.withdraw_notice import withdraw_notice
from pms.foundation.clock import Clock
from pms.reservations.changing import reservation_to_change


def withdraw_own_notice(
    session: Session, clock: Clock, actor: str, *, reservation_id: str, version: int
) -> MoveOutNotice:
    """Withdraw the notice of a `version` that was seen; refuse what `withdraw_notice` refuses."""
    row = reservation_to_change(session, reservation_id)
    refuse_unless_own(row, clock.today())
    notice = withdraw_notice(session, clock, actor, reservation_id=row.id, version=version)
    mail_withdrawal(session, clock, row, notice)
    session.flush()
    return notice
