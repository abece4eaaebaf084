"""A mail leaves in its workspace's name, and an answer to it reaches the office."""

from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from sqlalchemy import select, update

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail, put_mail
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import Letterhead, choose_postbox
from pms.jobs.outbox import send_outbox
from pms.jobs.runs import Tools
from pms.site.models import SiteConfiguration
from pms.workspaces.models import Workspace
from tests.cast import Cast

RECIPIENT = "hanako@sumida.example"


def queue(database: Database, clock: FixedClock, workspace_id: str, subject: str) -> None:
    with database.writing(workspace_id) as session:
        put_mail(session, clock, recipient=RECIPIENT, subject=subject, text="-")


def sent(settings: Settings, database: Database, clock: FixedClock) -> dict[str, EmailMessage]:
    send_outbox(Tools(settings, database, clock, choose_postbox(settings)))
    read = (path.read_bytes() for path in settings.mail_dir.iterdir())
    mails = [message_from_bytes(raw, _class=EmailMessage, policy=default) for raw in read]
    return {str(mail["Subject"]): mail for mail in mails}


def test_each_workspace_signs_with_its_own_name_and_is_answered_at_its_own_address(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(
            update(Workspace).values(name="隅田シェアハウス", name_en="Sumida Share House")
        )
        session.execute(update(SiteConfiguration).values(contact_email="office@sumida.example"))
    queue(database, clock, cast.sumida.workspace_id, "ours")
    queue(database, clock, cast.minato.workspace_id, "theirs")
    mails = sent(settings, database, clock)
    assert mails["ours"]["From"] == "隅田シェアハウス <no-reply@localhost>"
    assert mails["ours"]["Reply-To"] == "office@sumida.example"
    assert "隅田シェアハウス" not in mails["theirs"]["From"]
    assert mails["theirs"]["Reply-To"] is None


def test_a_mail_in_another_name_is_signed_with_it_and_not_answered_at_the_workspaces_address(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(SiteConfiguration).values(contact_email="office@sumida.example"))
    queue(database, clock, cast.sumida.workspace_id, "a sign-up")
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(OutboxMail).values(sender_name="Property Management Service"))
    mail = sent(settings, database, clock)["a sign-up"]
    assert mail["From"] == "Property Management Service <no-reply@localhost>"
    assert mail["Reply-To"] is None


def test_the_name_is_the_one_of_the_workspaces_language(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    english = {"name": "隅田シェアハウス", "name_en": "Sumida Share House", "default_locale": "en"}
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(Workspace).values(english))
    queue(database, clock, cast.sumida.workspace_id, "ours")
    assert (
        sent(settings, database, clock)["ours"]["From"] == "Sumida Share House <no-reply@localhost>"
    )


@pytest.mark.parametrize(
    ("mail_from", "shown"),
    [
        ("pms@mail.example", '"Sumida, Inc." <pms@mail.example>'),
        ("Desk <pms@mail.example>", "Desk <pms@mail.example>"),
    ],
)
def test_a_name_in_the_settings_stays(mail_from: str, shown: str) -> None:
    assert str(Letterhead("Sumida, Inc.", None).sender(mail_from)) == shown


LONG = "K.K. <x@elsewhere.example>, Sumida Residential Management, Furnished Monthly Rooms, Limited"


def test_a_long_name_stays_one_sender() -> None:
    message = EmailMessage()
    message["From"] = Letterhead(LONG, None).sender("no-reply@localhost")
    read = message_from_bytes(message.as_bytes(), _class=EmailMessage, policy=default)
    (only,) = read["From"].addresses
    assert only.addr_spec == "no-reply@localhost"
    assert "Sumida Residential Management" in only.display_name


def test_an_address_no_header_can_hold_stops_no_other_mail(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(SiteConfiguration).values(contact_email="a@[b.jp"))
    queue(database, clock, cast.sumida.workspace_id, "ours")
    clock.advance(timedelta(seconds=1))
    queue(database, clock, cast.minato.workspace_id, "theirs")
    assert sent(settings, database, clock).keys() == {"theirs"}
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(OutboxMail.failure)).one() == "AttributeError"


def test_a_sample_writes_to_nobody_unless_somebody_typed_the_address(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.minato.workspace_id) as session:
        session.execute(update(Workspace).values(sample_of=cast.sumida.workspace_id))
    queue(database, clock, cast.minato.workspace_id, "reminder")
    with database.writing(cast.minato.workspace_id) as session:
        put_mail(session, clock, recipient=RECIPIENT, subject="code", text="-", is_urgent=True)
    assert set(sent(settings, database, clock)) == {"code"}
    with database.reading(cast.minato.workspace_id) as session:
        assert all(session.scalars(select(OutboxMail.sent_at)))
