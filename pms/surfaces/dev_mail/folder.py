"""Reads the folder of mails."""

from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final, NamedTuple

from pms.foundation.ids import is_id

_MOST: Final = 50


class ReadMail(NamedTuple):
    """A mail as the page shows it."""

    id: str
    written_at: datetime
    recipient: str
    subject: str
    text: str
    attachments: tuple[str, ...]


def newest(folder: Path) -> Sequence[ReadMail]:
    """Return the newest mails; their names follow the order of their making."""
    ids = sorted((path.stem for path in folder.glob("*.eml")), reverse=True)
    found = (one_of(folder, id_) for id_ in ids[:_MOST])
    return [mail for mail in found if mail is not None]


def one_of(folder: Path, mail_id: str) -> ReadMail | None:
    """Return one mail, `None` for any other name."""
    path = folder / f"{mail_id}.eml"
    if not is_id(mail_id) or not path.is_file():
        return None
    message = message_from_bytes(path.read_bytes(), _class=EmailMessage, policy=default)
    body = message.get_body(("plain",))
    return ReadMail(
        mail_id,
        parsedate_to_datetime(str(message["Date"])),
        str(message["To"]),
        str(message["Subject"]),
        str(body.get_content()) if body else "",
        tuple(part.get_filename() or "" for part in message.iter_attachments()),
    )
