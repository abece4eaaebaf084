"""Tells an owner by mail that a statement is published, and leads them to it."""

from urllib.parse import urlencode

from sqlalchemy.orm import Session

from pms.catalogue.models import Owner
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.statements.models import OwnerStatement
from pms.statements.published_figures import read
from pms.workspaces.queries import branding


def mail_statement(
    session: Session, clock: Clock, statement: OwnerStatement, owner: Owner, base_url: str
) -> bool:
    """Have the mail sent in the owner's language; `False` when no address is recorded.

    The link goes by the door with the address filled in: who is signed in passes through it.
    """
    if not owner.email:
        return False
    brand, published = branding(session), read(statement.figures)
    figures, home = published.figures, f"/owner/{brand.slug}"
    told = {"next": f"{home}/statements/{statement.id}", "email": owner.email}
    mail = mail_text(
        "statement",
        owner.locale,
        hue=brand.hue,
        operator=brand.name.said(owner.locale),
        recipient=owner.name,
        building=Bilingual(published.building_ja, published.building_en).said(owner.locale),
        month_on=statement.month_on,
        income_yen=figures.income_yen,
        deducted_yen=figures.deducted_yen,
        payout_yen=figures.payout_yen,
        payout_on=figures.payout_on,
        is_correction=statement.version > 1,
        link=f"{base_url}{home}/sign-in?{urlencode(told)}",
    )
    put_mail(session, clock, recipient=owner.email, **mail._asdict())
    return True
