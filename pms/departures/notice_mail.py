"""Writes the mails that confirm a resident's own notice, its change and its withdrawal."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.departures.models import MoveOutNotice
from pms.departures.preview_notice import NoticePreview
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.reservations.models import Reservation
from pms.workspaces.queries import branding


def mail_notice(session: Session, clock: Clock, row: Reservation, preview: NoticePreview) -> None:
    """Confirm a notice that was filed or changed, with the figures that were agreed to."""
    rent, penalty = preview.last_rent, preview.penalty
    _put(
        session,
        clock,
        row,
        "notice-filed",
        is_changed=preview.replaces is not None,
        filed_on=preview.filed_on,
        move_out_on=preview.move_out_on,
        penalty_yen=penalty.yen,
        is_early_exit=penalty.kind == "early_exit",
        runs_until_on=penalty.runs_until_on,
        last_rent_yen=rent.total_yen if rent else 0,
        deposit_back_yen=preview.deposit.remainder_yen,
        owed_yen=preview.deposit.owed_yen,
    )


def mail_withdrawal(
    session: Session, clock: Clock, row: Reservation, notice: MoveOutNotice
) -> None:
    """Confirm that a notice was taken back."""
    _put(session, clock, row, "notice-withdrawn", move_out_on=notice.move_out_on)


def _put(session: Session, clock: Clock, row: Reservation, occasion: str, **facts: Any) -> None:
    if not row.email:
        return
    locale, brand = row.locale, branding(session)
    mail = mail_text(
        occasion,
        locale,
        hue=brand.hue,
        operator=brand.name.said(locale),
        recipient=row.name,
        home=_home(session, row).said(locale),
        **facts,
    )
    put_mail(session, clock, recipient=row.email, **mail._asdict())


def _home(session: Session, row: Reservation) -> Bilingual:
    named = select(Unit.name, Building.name, Building.name_en).join(Unit.building)
    unit, ja, en = session.execute(named.where(Unit.id == row.unit_id)).one()
    return Bilingual(f"{ja} {unit}", f"{en or ja} {unit}")
