"""A mail server that hangs holds up neither other work nor, once it answers, a PIN."""

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import AT_ONCE, LEASE, OutboxMail, put_mail
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import SmtpPostbox, choose_postbox
from pms.jobs.outbox import LONGEST_TURN, send_outbox, send_urgent_mail
from pms.jobs.runs import Tools
from pms.jobs.worker import LONG_JOBS, THREADS
from tests.cast import Cast
from tests.servers.ports import free_port

PATIENCE_SECONDS = 0.5


class HangingServer:
    """Accepts every connection and never says a word."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.held: list[socket.socket] = []
        self.met = Event()
        self._thread = Thread(target=self._accept)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                one, _ = self._listener.accept()
            except OSError:
                return
            self.held.append(one)
            self.met.set()

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for one in self.held:
            one.close()


class MailServer:
    """A real mail server that notes for each mail its subject and on which connection it came."""

    def __init__(self) -> None:
        self.port, self.kept = free_port(), list[tuple[str, object]]()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # the library's name
        text = (envelope.original_content or b"").decode()
        subject = next(line for line in text.splitlines() if line.startswith("Subject: "))
        self.kept.append((subject.removeprefix("Subject: "), session.peer))
        return "250 kept"


@pytest.fixture
def hanging() -> Iterator[HangingServer]:
    server = HangingServer()
    yield server
    server.stop()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    yield server
    controller.stop()


@pytest.fixture
def ascii_server() -> Iterator[MailServer]:
    """A server that takes addresses of ASCII alone, as many do."""
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=server.port, enable_SMTPUTF8=False)
    controller.start()
    yield server
    controller.stop()


Write = Callable[..., None]


@pytest.fixture
def write(database: Database, clock: FixedClock, cast: Cast) -> Write:
    def written(*subjects: str, is_urgent: bool = False, to: str = "hanako@example.jp") -> None:
        with database.writing(cast.sumida.workspace_id) as session:
            for subject in subjects:
                facts: dict[str, Any] = {
                    "recipient": to,
                    "subject": subject,
                    "text": "x",
                }
                put_mail(session, clock, **facts, is_urgent=is_urgent)

    return written


MakeTools = Callable[[int], Tools]


@pytest.fixture
def make_tools(settings: Settings, database: Database, clock: FixedClock) -> MakeTools:
    """Return what makes a worker's tools whose mail goes to a port of this machine."""

    def made(port: int) -> Tools:
        postbox = SmtpPostbox(f"smtp://127.0.0.1:{port}", PATIENCE_SECONDS)
        return Tools(settings, database, clock, postbox)

    return made


def outbox(database: Database) -> list[OutboxMail]:
    with database.across_workspaces_reading() as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.subject)))


@pytest.mark.differs("outbox and leases")
def test_of_a_batch_one_mail_meets_a_server_that_hangs_and_the_others_keep_their_tries(
    make_tools: MakeTools, clock: FixedClock, hanging: HangingServer, write: Write
) -> None:
    write(*(f"invoice {n:02}" for n in range(10)))
    tools = make_tools(hanging.port)
    began = time.perf_counter()
    for _ in range(5):
        send_outbox(tools)
    # One try of half a second; the server is then left alone.
    assert time.perf_counter() - began < 4 * PATIENCE_SECONDS
    assert len(hanging.held) == 1
    mails = outbox(tools.database)
    assert sum(mail.attempts for mail in mails) == 1
    assert sum(mail.due_at == clock.now() for mail in mails) == 9
    assert [mail.failure for mail in mails if mail.failure] == [
        "SMTPServerDisconnected: Connection unexpectedly closed: timed out"
    ]
    for rest in (15, 30, 60):
        clock.advance(timedelta(seconds=rest))
        send_outbox(tools)
    assert len(hanging.held) == 4


def test_while_one_thread_waits_for_the_server_no_other_does(
    make_tools: MakeTools, hanging: HangingServer, write: Write
) -> None:
    write("invoice 1", "invoice 2")
    tools = make_tools(hanging.port)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(send_outbox, tools)
        assert hanging.met.wait(10)
        began = time.perf_counter()
        send_outbox(tools)
        assert time.perf_counter() - began < PATIENCE_SECONDS / 2
        waiting.result()
    # Every long job may wait at once, and signs of life are shown all the same.
    assert THREADS > LONG_JOBS


def test_a_pin_goes_while_an_invoice_waits_for_the_server(
    make_tools: MakeTools, hanging: HangingServer, mail_server: MailServer, write: Write
) -> None:
    write("invoice")
    tools = make_tools(hanging.port)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(send_outbox, tools)
        assert hanging.met.wait(10)
        write("PIN", is_urgent=True)
        send_urgent_mail(make_tools(mail_server.port))
        waiting.result()
    assert [subject for subject, _ in mail_server.kept] == ["PIN"]


@pytest.mark.differs("outbox and leases")
def test_a_batch_takes_one_connection_and_pins_go_first(
    make_tools: MakeTools, clock: FixedClock, mail_server: MailServer, write: Write
) -> None:
    write("invoice 1", "invoice 2", "invoice 3")
    clock.advance(timedelta(minutes=1))
    write("PIN", is_urgent=True)
    tools = make_tools(mail_server.port)
    send_outbox(tools)
    assert mail_server.kept[0][0] == "PIN"
    assert len(mail_server.kept) == 4
    assert len({peer for _, peer in mail_server.kept}) == 1


def test_a_lease_outlives_its_batch(settings: Settings) -> None:
    postbox = choose_postbox(replace(settings, smtp_url="smtp://mail.example"))
    assert isinstance(postbox, SmtpPostbox)
    slowest_mail = timedelta(seconds=10 * postbox.patience_seconds)
    assert LONGEST_TURN + slowest_mail < LEASE
    assert AT_ONCE == 20


def test_an_address_that_the_server_cannot_take_holds_up_no_other_mail(
    ascii_server: MailServer, make_tools: MakeTools, write: Write, database: Database, cast: Cast
) -> None:
    write("1", to="花子@example.jp")
    write("2", "3")
    tools = make_tools(ascii_server.port)
    send_outbox(tools)
    assert [subject for subject, _ in ascii_server.kept] == ["2", "3"]
    with database.reading(cast.sumida.workspace_id) as session:
        failed = session.scalars(select(OutboxMail).where(OutboxMail.failure.is_not(None))).one()
    assert (failed.subject, "SMTPUTF8" in (failed.failure or "")) == ("1", True)
    with tools.mail.turn(tools.clock.now()) as is_ours:
        assert is_ours, "the server is not left alone for it"
