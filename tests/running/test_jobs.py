"""The worker sends what waits, keeps its timetable, and shares it with other workers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import select

from pms.access.keys import issue_key, keys_of_workspaces
from pms.foundation.budget import bucket_of, open_storage
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import LEASE, MOST_ATTEMPTS, OutboxMail, put_mail
from pms.foundation.readiness import WORKER, last_beat
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import FolderPostbox, Postbox, choose_postbox
from pms.jobs.outbox import send_outbox
from pms.jobs.runs import Tools
from pms.jobs.worker import TIMETABLE, TimetableJob, Turn, enter, open_queue, period, record_key_use
from pms.rules.scopes import PRESETS, Preset
from tests.cast import Cast
from tests.databases import settings_of_a_test
from tests.servers.ports import free_port


@dataclass
class ClosedPostbox:
    """A mail server that is down."""

    asked: int = 0

    def post(self, message: EmailMessage) -> None:
        self.asked += 1
        raise ConnectionRefusedError("nobody listens")


class MailServer:
    """A real SMTP server on this machine that keeps what it is given."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []
        self.port = free_port()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # the library's name
        self.kept.append(envelope.original_content or b"")
        return "250 kept"


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    yield server
    controller.stop()


def tools_of(
    settings: Settings, database: Database, clock: FixedClock, postbox: Postbox | None = None
) -> Tools:
    return Tools(settings, database, clock, postbox or choose_postbox(settings))


def write_to_hanako(database: Database, clock: FixedClock, cast: Cast) -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        mail = put_mail(
            session,
            clock,
            recipient="hanako@example.jp",
            subject="六月分のご請求",
            text="請求書をお送りします。",
            html="<p>請求書をお送りします。</p>",
        )
        session.flush()
        return mail.id


def stored(database: Database, mail_id: str) -> OutboxMail:
    with database.across_workspaces_reading() as session:
        return session.scalars(select(OutboxMail).where(OutboxMail.id == mail_id)).one()


def test_a_waiting_mail_becomes_a_file_on_ones_own_machine(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    mail_id = write_to_hanako(database, clock, cast)
    send_outbox(tools_of(settings, database, clock))
    (path,) = settings.mail_dir.iterdir()
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert path.name == f"{mail_id}.eml"
    assert message["Subject"] == "六月分のご請求"
    assert message["Message-ID"] == f"<{mail_id}@localhost>"
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content() == "請求書をお送りします。\n"
    assert stored(database, mail_id).sent_at == clock.now()


def write_with_a_paper(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast, file_key: str
) -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        mail = put_mail(
            session,
            clock,
            recipient="hanako@example.jp",
            subject="六月分のご請求",
            text="請求書をお送りします。",
            html="<p>請求書をお送りします。</p>",
            attachments=[
                {"name": "請求書.pdf", "media_type": "application/pdf", "file_key": file_key}
            ],
        )
        session.flush()
        return mail.id


def test_a_stored_file_goes_along_under_its_japanese_name(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    file_key = Files(settings).put(b"%PDF-1.7 a paper", "pdf")
    write_with_a_paper(settings, database, clock, cast, file_key)
    send_outbox(tools_of(settings, database, clock))
    (path,) = settings.mail_dir.iterdir()
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    (attached,) = message.iter_attachments()
    assert attached.get_filename() == "請求書.pdf"
    assert attached.get_content_type() == "application/pdf"
    assert attached.get_content() == b"%PDF-1.7 a paper"
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content() == "請求書をお送りします。\n"


def test_a_mail_whose_file_is_missing_waits_instead_of_leaving_without_it(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    mail_id = write_with_a_paper(settings, database, clock, cast, f"{'0' * 64}.pdf")
    send_outbox(tools_of(settings, database, clock))
    assert not settings.mail_dir.exists()
    assert "請求書.pdf" in (stored(database, mail_id).failure or "")


@pytest.mark.differs("leases")
def test_a_sent_mail_is_not_sent_again(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    write_to_hanako(database, clock, cast)
    tools = tools_of(settings, database, clock)
    send_outbox(tools)
    for path in settings.mail_dir.iterdir():
        path.unlink()
    clock.advance(timedelta(days=1))
    send_outbox(tools)
    assert list(settings.mail_dir.iterdir()) == []


def test_a_mail_arrives_at_a_real_mail_server(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast, mail_server: MailServer
) -> None:
    write_to_hanako(database, clock, cast)
    url = f"smtp://127.0.0.1:{mail_server.port}"
    send_outbox(tools_of(replace(settings, smtp_url=url), database, clock))
    (content,) = mail_server.kept
    message = message_from_bytes(content, policy=policy.default)
    assert (message["To"], message["Subject"]) == ("hanako@example.jp", "六月分のご請求")


@pytest.mark.differs("leases")
def test_a_mail_server_that_is_down_is_tried_later_and_given_up_visibly(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    mail_id = write_to_hanako(database, clock, cast)
    postbox = ClosedPostbox()
    tools = tools_of(settings, database, clock, postbox)
    send_outbox(tools)
    send_outbox(tools)
    assert postbox.asked == 1
    assert stored(database, mail_id).failure == "ConnectionRefusedError: nobody listens"
    for _ in range(MOST_ATTEMPTS + 3):
        clock.advance(timedelta(days=1))
        send_outbox(tools)
    assert postbox.asked == MOST_ATTEMPTS
    assert stored(database, mail_id).given_up_at is not None


@pytest.mark.differs("leases")
def test_a_worker_that_died_while_sending_leaves_the_mail_to_another(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    class Dying:
        def post(self, message: EmailMessage) -> None:
            raise KeyboardInterrupt

    write_to_hanako(database, clock, cast)
    with pytest.raises(KeyboardInterrupt):
        send_outbox(tools_of(settings, database, clock, Dying()))
    send_outbox(tools_of(settings, database, clock))
    assert not settings.mail_dir.exists()
    clock.advance(LEASE)
    send_outbox(tools_of(settings, database, clock))
    assert len(list(settings.mail_dir.iterdir())) == 1


def test_a_line_break_in_an_address_cannot_forge_a_header(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        forged = "a@example.jp\nBcc: everyone@example.jp"
        put_mail(session, clock, recipient=forged, subject="x", text="x")
    send_outbox(tools_of(settings, database, clock))
    assert not settings.mail_dir.exists()


def test_the_heartbeat_is_on_the_timetable(
    settings: Settings, database: Database, clock: FixedClock
) -> None:
    tools = tools_of(settings, database, clock)
    (heartbeat,) = (entry for entry in TIMETABLE if entry.name == "heartbeat")
    heartbeat.work(tools)
    with database.across_workspaces_reading() as session:
        assert last_beat(session, WORKER) == clock.now()


@pytest.mark.differs("once a period")
def test_each_period_runs_once_however_many_workers_there_are(
    settings: Settings, database: Database, clock: FixedClock
) -> None:
    entry = TimetableJob("nightly", timedelta(hours=24), lambda tools: None, once=True)
    turns = [Turn(entry, tools_of(settings, database, clock)) for _ in range(3)]

    def due() -> list[bool]:
        return [turn(clock.now()) for turn in turns]

    assert due() == [True, False, False]
    assert due() == [False, False, False]
    clock.advance(timedelta(hours=24))
    turns.reverse()
    assert due() == [True, False, False]


def test_work_that_may_be_repeated_is_due_in_every_worker(
    settings: Settings, database: Database, clock: FixedClock
) -> None:
    entry = TimetableJob("heartbeat", timedelta(seconds=15), lambda tools: None)
    turns = [Turn(entry, tools_of(settings, database, clock)) for _ in range(2)]
    assert [turn(clock.now()) for turn in turns] == [True, True]
    assert [turn(clock.now()) for turn in turns] == [False, False]


@pytest.mark.differs("once a period")
def test_a_turn_missed_for_want_of_a_database_is_taken_when_it_is_back(
    settings: Settings, database: Database, clock: FixedClock
) -> None:
    entry = TimetableJob("nightly", timedelta(hours=24), lambda tools: None, once=True)
    nowhere = replace(settings, database_url="sqlite:////nowhere/at/all.sqlite3")
    turn = Turn(entry, tools_of(nowhere, Database(nowhere), clock))
    assert turn(clock.now()) is False
    turn._tools = tools_of(settings, database, clock)
    assert turn(clock.now()) is True


def test_a_period_is_named_by_its_beginning() -> None:
    moment = datetime(2026, 11, 20, 3, 7, 44, tzinfo=UTC)
    assert period(moment, timedelta(seconds=15)) == "2026-11-20T03:07:30+00:00"
    assert period(moment, timedelta(hours=24)) == "2026-11-20T00:00:00+00:00"


@pytest.mark.parametrize("kind", ["file", "postgresql", "valkey"])
def test_the_timetable_passes_through_every_kind_of_queue(
    kind: str, request: pytest.FixtureRequest, settings: Settings, clock: FixedClock
) -> None:
    asked = {
        "file": lambda: settings_of_a_test(settings.data_dir),
        "postgresql": lambda: replace(
            settings, database_url=request.getfixturevalue("postgresql_url")
        ),
        "valkey": lambda: replace(settings, redis_url=request.getfixturevalue("valkey_url")),
    }
    chosen = asked[kind]()
    queue, ran = open_queue(chosen), []
    entry = TimetableJob("count", timedelta(seconds=15), lambda tools: ran.append(1))
    database = Database(chosen)
    enter(queue, tools_of(chosen, database, clock), [entry])
    for task in queue.read_periodic(None):
        queue.enqueue(task)
    task = queue.dequeue()
    assert task is not None
    queue.execute(task)
    assert ran == [1]
    queue.storage.close()
    database.dispose()


@pytest.mark.differs("time")
def test_when_a_key_was_last_used_is_copied_from_the_budget(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        used, idle = (
            issue_key(Work(session, clock, "staff"), name=name, scopes=PRESETS[Preset.READ])
            for name in ("used", "idle")
        )
    storage = open_storage(settings)
    storage.spend(bucket_of(used.id), 300, 3600)
    asked_at = storage.last_use(bucket_of(used.id))
    storage.close()
    tools = tools_of(settings, database, clock)
    record_key_use(tools)
    record_key_use(tools)
    assert asked_at is not None
    with database.across_workspaces_reading() as session:
        noted = {key.id: key.last_used_at for key in keys_of_workspaces(session)}
    assert noted[used.id] == asked_at.replace(microsecond=0)
    assert noted[idle.id] is None


def test_the_folder_is_chosen_without_a_mail_server(settings: Settings) -> None:
    assert choose_postbox(settings) == FolderPostbox(settings.mail_dir)
