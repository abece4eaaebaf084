"""Sends the mails that wait in the outbox, at least once each, in lanes of their own."""

from datetime import timedelta
from typing import Final

import structlog

from pms.channels.note_mail import note_mail
from pms.foundation.files import Files
from pms.foundation.outbox import (
    LEASE,
    OutboxMail,
    lease_mails,
    mark_failed,
    mark_sent,
    release,
    still_leased,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.letterhead import Letterhead, letterhead
from pms.jobs.postbox import MailLane, Postbox, compose, failure_of, is_of_server, opened
from pms.jobs.tools import Tools

LONGEST_TURN: Final = LEASE - timedelta(minutes=3)
"""What a batch may take; the lease outlives it by more than the slowest mail needs."""
_log = structlog.get_logger("pms.jobs.send_outbox")


def send_outbox(tools: Tools) -> None:
    """Send what is due, urgent mail first, and record for each mail how it went.

    The lease commits before anything is sent: a worker that dies half way leaves the rest to
    another one, after the lease. While this process is still at it, or the server failed a moment
    ago, the next turn is let go by.
    """
    _send_due(tools, tools.mail)


def send_urgent_mail(tools: Tools) -> None:
    """Send what somebody waits for, whatever else is being sent."""
    _send_due(tools, tools.urgent_mail, only_urgent=True)


def _send_due(tools: Tools, lane: MailLane, *, only_urgent: bool = False) -> None:
    with lane.turn(tools.clock.now()) as is_ours:
        if is_ours:
            mails = tools.database.write_across_workspaces(
                lambda session: lease_mails(session, tools.clock, only_urgent=only_urgent)
            )
            if mails:
                _send_batch(tools, lane, mails)


def _send_batch(tools: Tools, lane: MailLane, mails: list[OutboxMail]) -> None:
    heads = {workspace: _head(tools, workspace) for workspace in {m.workspace_id for m in mails}}
    until = tools.clock.now() + LONGEST_TURN
    is_working = True
    with opened(tools.postbox) as postbox:
        for mail in mails:
            if is_working and tools.clock.now() < until:
                is_working = _send(tools, postbox, mail, heads[mail.workspace_id])
            else:
                _note(tools, mail, None, was_tried=False)
    if is_working:
        lane.go_on()
    else:
        lane.rest(tools.clock.now())


def _head(tools: Tools, workspace_id: str) -> Letterhead:
    with tools.database.reading(workspace_id) as session:
        return letterhead(session)


def _send(tools: Tools, postbox: Postbox, mail: OutboxMail, head: Letterhead) -> bool:
    """Send one mail, note how it went and return whether the server works."""
    settings = tools.settings
    is_working, failure = True, None
    # What is wrong with one mail, whatever it is, never holds up the others.
    try:
        message = compose(mail, head, settings.mail_from, Files(settings))
    except Exception as error:
        failure = _told(mail, error)
    else:
        try:
            postbox.post(message)
        except Exception as error:
            is_working, failure = not is_of_server(error), _told(mail, error)
    if failure is None:
        _log.info("mail sent", mail=mail.id, workspace=mail.workspace_id)
    _note(tools, mail, failure)
    return is_working


def _told(mail: OutboxMail, error: Exception) -> str:
    _log.warning("mail not sent", mail=mail.id, attempts=mail.attempts, failure=repr(error))
    return failure_of(error)


def _note(tools: Tools, mail: OutboxMail, failure: str | None, *, was_tried: bool = True) -> None:
    def note(session: WorkspaceSession) -> None:
        leased = still_leased(session, mail)
        if leased is None:
            return
        if not was_tried:
            release(leased, tools.clock)
            return
        if failure is None:
            mark_sent(leased, tools.clock)
        else:
            mark_failed(leased, tools.clock, failure)
        note_mail(session, tools.clock, leased)

    tools.database.write(mail.workspace_id, note)
