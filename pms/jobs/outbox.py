"""Send the mails of the outbox, at least once each, urgent ones separately."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access import auth_tries, code_sign_in, kept_forms, own_sessions, sign_in_events
from pms.access.code_sign_in import Recipient, Recipients
from pms.access.models import SignInCode
from pms.catalogue import owners
from pms.channels import sending_results
from pms.foundation.files import Files
from pms.foundation.outbox import (
    LEASE,
    OutboxMail,
    lease_mails,
    mark_failed,
    mark_sent,
    release,
    withdraw_mail,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import lock_leased
from pms.jobs.mail_delivery import (
    Letterhead,
    MailLane,
    Postbox,
    compose,
    failure_of,
    is_of_server,
    letterhead,
    open_postbox,
)
from pms.jobs.notice_mails import OVER_CHECKS
from pms.jobs.runs import Tools
from pms.notices.sendings import end_notices_of, over_mails
from pms.reservations import own_tenancies
from pms.rules.enumerations import UserKind
from pms.workspaces.models import Workspace


def _find_recipient(
    session: Session, code: SignInCode, *, is_known: Callable[[Session, str, str], bool]
) -> Recipient | None:
    """Return the recipient of a code; the mail is in the language in which it was requested."""
    if code.workspace_id is None or not is_known(session, code.workspace_id, code.address):
        return None
    workspace = session.execute(
        select(Workspace.name, Workspace.name_en, Workspace.brand_hue, Workspace.slug).where(
            Workspace.id == code.workspace_id
        )
    ).one()
    operator = workspace.name_en if code.locale == "en" else None
    return Recipient(
        code.workspace_id,
        operator or workspace.name,
        code.locale,
        workspace.brand_hue,
        f"/{code.user_kind}/{workspace.slug}",
    )


resident_recipient = partial(_find_recipient, is_known=own_tenancies.is_residents_address)
owner_recipient = partial(_find_recipient, is_known=owners.is_owners_address)


LONGEST_TURN: Final = LEASE - timedelta(minutes=3)
"""The longest time for a batch; the lease outlasts it by more than the slowest mail takes."""
_log = structlog.get_logger("pms.jobs.outbox")


def send_outbox(tools: Tools) -> None:
    """Send the emails that are due, urgent ones first, and record the result of each.

    The lease commits before anything is sent: if a worker dies half way, another one sends the rest
    after the lease. The call returns at once while this process is still sending, or during a pause
    after the server failed.
    """
    _send_due(tools, tools.mail)


def send_urgent_mail(tools: Tools) -> None:
    """Send urgent mail only, even while other mail is being sent."""
    _send_due(tools, tools.urgent_mail, only_urgent=True)


def _send_due(tools: Tools, lane: MailLane, *, only_urgent: bool = False) -> None:
    with lane.turn(tools.clock.now()) as is_ours:
        if not is_ours:
            return
        until, is_working = tools.clock.now() + LONGEST_TURN, True
        with open_postbox(tools.postbox) as postbox:
            while is_working and (mails := _lease_batch(tools, only_urgent=only_urgent)):
                is_working = _send_batch(tools, postbox, mails, until)
        if is_working:
            lane.go_on()
        else:
            lane.rest(tools.clock.now())


def _lease_batch(tools: Tools, *, only_urgent: bool) -> list[OutboxMail]:
    return tools.database.write_across_workspaces(
        lambda session: lease_mails(session, tools.clock, only_urgent=only_urgent)
    )


def _send_batch(tools: Tools, postbox: Postbox, mails: list[OutboxMail], until: datetime) -> bool:
    """Send the mails of a lease that still have to leave, and return whether the server works."""
    heads, over = {}, set[str]()
    for workspace_id in {mail.workspace_id for mail in mails}:
        ids = [mail.id for mail in mails if mail.workspace_id == workspace_id]
        with tools.database.reading(workspace_id) as session:
            heads[workspace_id] = letterhead(session)
            over |= over_mails(session, ids, OVER_CHECKS)
    is_working = True
    for mail in mails:
        if not is_working or tools.clock.now() >= until:
            _note_result(tools, mail, None, was_tried=False)
        elif mail.id in over:
            _withdraw_leased(tools, mail)
        else:
            is_working = _send_mail(tools, postbox, mail, heads[mail.workspace_id])
    return is_working and tools.clock.now() < until


def _withdraw_leased(tools: Tools, mail: OutboxMail) -> None:
    def withdraw(session: WorkspaceSession) -> None:
        leased = lock_leased(session, mail)
        if leased is not None:
            withdraw_mail(leased, tools.clock)
            end_notices_of(session, tools.clock, leased.id)

    tools.database.write(mail.workspace_id, withdraw)


def _send_mail(tools: Tools, postbox: Postbox, mail: OutboxMail, head: Letterhead) -> bool:
    """Send one mail, record the result and return whether the server works."""
    settings = tools.settings
    is_working, failure = True, None
    # Urgent mail was requested by typing the address (a code, an invitation), so samples send it
    # too.
    if head.is_sample and not mail.is_urgent:
        _note_result(tools, mail, None)
        return True
    # An error of one mail, whatever it is, must not stop the others.
    try:
        message = compose(mail, head, settings.mail_from, Files(settings))
    except Exception as error:
        failure = _as_message(mail, error)
    else:
        try:
            postbox.post(message)
        except Exception as error:
            is_working, failure = not is_of_server(error), _as_message(mail, error)
    if failure is None:
        _log.info("mail sent", mail=mail.id, workspace=mail.workspace_id)
    _note_result(tools, mail, failure)
    return is_working


def _as_message(mail: OutboxMail, error: Exception) -> str:
    _log.warning("mail not sent", mail=mail.id, attempts=mail.attempts, failure=repr(error))
    return failure_of(error)


def _note_result(
    tools: Tools, mail: OutboxMail, failure: str | None, *, was_tried: bool = True
) -> None:
    def note(session: WorkspaceSession) -> None:
        leased = lock_leased(session, mail)
        if leased is None:
            return
        if not was_tried:
            release(leased, tools.clock)
            return
        if failure is None:
            mark_sent(leased, tools.clock)
        else:
            mark_failed(leased, tools.clock, failure)
        sending_results.note_mail(session, tools.clock, leased)

    tools.database.write(mail.workspace_id, note)


# Who an address belongs to, for each kind of user that is mailed codes.
RECIPIENTS: Final[Recipients] = {
    UserKind.STAFF: code_sign_in.staff_recipient,
    UserKind.RESIDENT: resident_recipient,
    UserKind.OWNER: owner_recipient,
}

_DAY: Final = timedelta(days=1)
_LONG_AGO: Final = timedelta(days=60)


def send_codes(tools: Tools) -> None:
    """Send sign-in codes and other urgent emails at once."""
    settings = tools.settings
    signer = Signer(settings.secret_key)
    tools.database.write_across_workspaces(
        lambda session: code_sign_in.mail_codes(
            session, tools.clock, signer, RECIPIENTS, base_url=settings.base_url
        )
    )
    send_urgent_mail(tools)


def forget_old_sign_ins(tools: Tools) -> None:
    """Delete expired codes, sign-in attempts and kept forms, and old sessions and sign-ins."""
    now = tools.clock.now()

    def forget(session: WorkspaceSession) -> None:
        own_sessions.forget_codes(session, now - _DAY)
        auth_tries.forget_tries(session, now - _DAY)
        kept_forms.forget_forms(session, now - _DAY)
        own_sessions.forget_sessions(session, now - _LONG_AGO)
        sign_in_events.forget_events(session, now)

    tools.database.write_across_workspaces(forget)
