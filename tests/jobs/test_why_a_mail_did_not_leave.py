"""Why a mail did not leave is kept in the words of who refused it, and told as such."""

import smtplib

import pytest
from flask import Flask
from flask_babel import force_locale
from sqlalchemy import update

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import (
    MOST_ATTEMPTS,
    OutboxMail,
    lease_mails,
    put_mail,
    send_mail_again,
)
from pms.foundation.work import lock_leased
from pms.jobs.mail_delivery import failure_of
from pms.surfaces.labels.provider_calls import failure_text
from tests.cast import Cast

REFUSED = smtplib.SMTPRecipientsRefused({"a@b.jp": (550, b"5.1.1 no such\nuser")})


@pytest.mark.parametrize(
    ("error", "kept", "text"),
    [
        (REFUSED, "550: 5.1.1 no such user", "The provider rejected it (550): 5.1.1 no such user"),
        (
            smtplib.SMTPDataError(554, b""),
            "554: no reason given",
            "The provider rejected it without a reason (554).",
        ),
        (
            ConnectionRefusedError("nobody"),
            "ConnectionRefusedError: nobody",
            "The provider cannot be reached.",
        ),
        (
            FileNotFoundError("attachment"),
            "FileNotFoundError: attachment",
            "A system error prevented this. See the log for the reason.",
        ),
        (
            AttributeError("a defect"),
            "AttributeError",
            "A system error prevented this. See the log for the reason.",
        ),
    ],
)
def test_each_reason_is_told(error: Exception, kept: str, text: str, app: Flask) -> None:
    assert failure_of(error) == kept
    with app.test_request_context(), force_locale("en"):
        assert failure_text(kept) == text


@pytest.mark.differs("leases")
def test_an_old_try_says_nothing_of_a_mail_that_is_sent_again(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    """A worker that was slow still holds the address as it was before the office corrected it."""
    with database.writing(cast.sumida.workspace_id) as session:
        put_mail(session, clock, recipient="old@example.jp", subject="-", text="-")
        session.flush()
        gone = {"attempts": MOST_ATTEMPTS - 1}
        session.execute(update(OutboxMail).values(gone))
    with database.across_workspaces_writing() as session:
        (held,) = lease_mails(session, clock)
    with database.writing(cast.sumida.workspace_id) as session:
        assert lock_leased(session, held) is not None
        session.execute(update(OutboxMail).values(given_up_at=clock.now(), due_at=None))
        send_mail_again(session, clock, held.id, recipient="new@example.jp")
        session.flush()
        assert lock_leased(session, held) is None
