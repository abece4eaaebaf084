"""A real IMAP server on a free loopback port, with one empty mailbox."""

import signal
import sys
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from imap_tools import MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from tests.servers.ports import free_port
from tests.servers.process import Server, fresh_folder

USER: Final = "office"
PASSWORD: Final = "a password of the mailbox"
FOLDER: Final = "INBOX"


@dataclass(frozen=True)
class ImapServer:
    """A running server; mails are put into its mailbox as a mail server would."""

    port: int
    server: Server

    def receives(self, mail: EmailMessage | bytes) -> None:
        with self._open() as box:
            content = mail if isinstance(mail, bytes) else mail.as_bytes()
            box.append(content, FOLDER)

    def flags(self) -> list[tuple[str, ...]]:
        """Return the flags of each mail."""
        with self._open() as box:
            return [mail.flags for mail in box.fetch(mark_seen=False, headers_only=True)]

    def answers(self) -> bool:
        try:
            with self._open():
                return True
        except (OSError, ImapToolsError):
            return False

    def stop(self) -> None:
        self.server.stop()

    def _open(self) -> MailBoxUnencrypted:
        return MailBoxUnencrypted("127.0.0.1", self.port, timeout=20).login(USER, PASSWORD, FOLDER)


def start_imap() -> ImapServer:
    folder, port = fresh_folder("pms-imap-"), free_port()
    command: list[str | Path] = [
        *(Path(sys.executable).with_name("pymap"), "--host", "127.0.0.1", "--port", str(port)),
        *("--no-tls", "--no-service", "admin", "--no-service", "managesieve"),
        *("dict", "--demo-user", USER, "--demo-password", PASSWORD),
    ]
    found = ImapServer(port, Server(folder, command, stop_by=signal.SIGTERM))
    found.server.wait_until(found.answers)
    return found
