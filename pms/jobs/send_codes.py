"""Writes the mails of sign-in codes that were asked for, and forgets what doors need no more."""

from datetime import timedelta
from typing import Final

from pms.access.door_tries import forget_tries
from pms.access.kept_forms import forget_forms
from pms.access.mail_codes import Recipients, mail_codes, staff_recipient
from pms.access.old_doors import forget_codes, forget_sessions
from pms.access.sign_in_events import forget_events
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Sealer
from pms.jobs.code_recipients import owner_recipient, resident_recipient
from pms.jobs.send_outbox import send_urgent_mail
from pms.jobs.tools import Tools
from pms.rules.enumerations import Door

# A door that mails codes says here whom an address belongs to.
RECIPIENTS: Final[Recipients] = {
    Door.STAFF: staff_recipient,
    Door.RESIDENT: resident_recipient,
    Door.OWNER: owner_recipient,
}

_DAY: Final = timedelta(days=1)
_LONG_AGO: Final = timedelta(days=60)


def send_codes(tools: Tools) -> None:
    """Put the codes that are due into the outbox and send what is urgent: somebody waits."""
    settings = tools.settings
    sealer = Sealer(settings.secret_key)
    tools.database.write_across_workspaces(
        lambda session: mail_codes(
            session, tools.clock, sealer, RECIPIENTS, base_url=settings.base_url
        )
    )
    send_urgent_mail(tools)


def forget_old_doors(tools: Tools) -> None:
    """Delete codes, tries and kept forms of yesterday, old sessions and old records of sign-ins."""
    now = tools.clock.now()

    def forget(session: WorkspaceSession) -> None:
        forget_codes(session, now - _DAY)
        forget_tries(session, now - _DAY)
        forget_forms(session, now - _DAY)
        forget_sessions(session, now - _LONG_AGO)
        forget_events(session, now)

    tools.database.write_across_workspaces(forget)
