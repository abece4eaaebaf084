"""Sends the mails that wait in the outbox, at least once each."""

import structlog

from pms.channels.note_mail import note_mail
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail, lease_mails, mark_failed, mark_sent, still_leased
from pms.jobs.letterhead import Letterhead, letterhead
from pms.jobs.postbox import compose, failure_of
from pms.jobs.tools import Tools

_log = structlog.get_logger("pms.jobs.send_outbox")


def send_outbox(tools: Tools) -> None:
    """Lease what is due, hand it over, and record for each mail how it went.

    The lease commits before anything is sent: a worker that dies half way leaves the rest to
    another one, after the lease.
    """
    with tools.database.across_workspaces_writing() as session:
        mails = lease_mails(session, tools.clock)
    heads = {workspace: _head(tools, workspace) for workspace in {m.workspace_id for m in mails}}
    for mail in mails:
        _send(tools, mail, heads[mail.workspace_id])


def _head(tools: Tools, workspace_id: str) -> Letterhead:
    with tools.database.reading(workspace_id) as session:
        return letterhead(session)


def _send(tools: Tools, mail: OutboxMail, head: Letterhead) -> None:
    failure = _post(tools, mail, head)
    with tools.database.writing(mail.workspace_id) as session:
        leased = still_leased(session, mail)
        if leased is None:
            return
        if failure is None:
            mark_sent(leased, tools.clock)
        else:
            mark_failed(leased, tools.clock, failure)
        note_mail(session, tools.clock, leased)


def _post(tools: Tools, mail: OutboxMail, head: Letterhead) -> str | None:
    settings = tools.settings
    try:
        tools.postbox.post(compose(mail, head, settings.mail_from, Files(settings)))
    # What is wrong with one mail, whatever it is, never holds up the others.
    except Exception as error:
        _log.warning("mail not sent", mail=mail.id, attempts=mail.attempts, failure=repr(error))
        return failure_of(error)
    _log.info("mail sent", mail=mail.id, workspace=mail.workspace_id)
    return None
