"""Has the link of a stay sent to its guest by mail."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import checked_email
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.rules.deeds import Deed
from pms.rules.enumerations import CheckInLinkState
from pms.stays.links_in_hand import link_in_hand
from pms.stays.stay_links import stay_link
from pms.stays.stay_terms import stay_terms
from pms.workspaces.queries import branding


def mail_check_in_link(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    link_id: str,
    email: str | None,
    address: str,
) -> str:
    """Return whom the mail goes to: the address given, else that of the booking.

    `address` is the link itself; the mail is in the booking's language and tells no code.
    """
    row = link_in_hand(session, link_id)
    link = stay_link(session, link_id, clock.today())
    if link.state is not CheckInLinkState.LIVE:
        raise Refused("email: the link opens nothing; nothing was sent.")
    recipient = checked_email("email", email) or link.email
    if recipient is None:
        raise Refused("email: the booking names no address; state one.")
    terms, locale = stay_terms(session), link.locale
    brand = branding(session)
    mail = mail_text(
        "check-in-link",
        locale,
        hue=brand.hue,
        operator=brand.name.said(locale),
        recipient=link.guest_name,
        home=f"{link.building.said(locale)} {link.unit_name}",
        check_in_on=link.check_in_on,
        check_in_time=terms.check_in_time,
        check_out_on=link.check_out_on,
        check_out_time=terms.check_out_time,
        address=address,
    )
    put_mail(session, clock, recipient=recipient, **mail._asdict())
    row.sent_at = clock.now()
    about = of_reservation(row.reservation_id)
    note_deed(session, clock, actor, Deed.CHECK_IN_LINK_SENT, about, after={"email": recipient})
    session.flush()
    return recipient
