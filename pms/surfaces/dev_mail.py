"""The mails written to the folder, shown in the browser; not in production."""

from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final, NamedTuple

from flask import Blueprint, Flask, Response, abort

from pms.foundation.ids import is_id
from pms.foundation.settings import Settings
from pms.surfaces.hypermedia import page


def install(app: Flask, settings: Settings) -> None:
    """Register the page, unless in production or if mail goes to a server."""
    is_there = not settings.is_production and settings.smtp_url is None
    app.jinja_env.globals["has_mailbox"] = is_there
    if not is_there:
        return
    blueprint = Blueprint("dev_mail", __name__)

    @blueprint.get("/mail")
    def mails() -> Response:
        return _forbid_caching(page("dev_mail/list.html", mails=newest(settings.mail_dir)))

    @blueprint.get("/mail/<mail_id>")
    def mail(mail_id: str) -> Response:
        found = one_of(settings.mail_dir, mail_id)
        if found is None:
            abort(404)
        return _forbid_caching(page("dev_mail/mail.html", mail=found))

    app.register_blueprint(blueprint)


def _forbid_caching(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


_MOST: Final = 50


class ReadMail(NamedTuple):
    """A mail as shown on the page."""

    id: str
    written_at: datetime
    recipient: str
    subject: str
    text: str
    attachments: tuple[str, ...]


def newest(folder: Path) -> Sequence[ReadMail]:
    """Return the newest mails; file names sort by time."""
    ids = sorted((path.stem for path in folder.glob("*.eml")), reverse=True)
    found = (one_of(folder, id_) for id_ in ids[:_MOST])
    return [mail for mail in found if mail is not None]


def one_of(folder: Path, mail_id: str) -> ReadMail | None:
    """Return one mail, or `None` for an unknown name."""
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
