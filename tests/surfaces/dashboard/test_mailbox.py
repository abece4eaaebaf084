"""The page of the mailbox: set by an operator, its password never shown again, removed after a question."""

from sqlalchemy import select

from pms.channels.models import Mailbox
from pms.foundation.database import Database
from tests.cast import Cast
from tests.staff import Browser

PATH = "/mailbox"
SETTINGS = {
    "address": "office@sumida.example",
    "host": "imap.example.jp",
    "port": "993",
    "username": "office",
    "password": "a password of the mailbox",
    "folder": "INBOX",
    "hasPlus": "y",
}


def stored(database: Database, cast: Cast) -> Mailbox | None:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.scalar(select(Mailbox))


def test_a_mailbox_is_set_changed_and_removed(
    operator: Browser, office: Browser, database: Database, cast: Cast
) -> None:
    assert office.get(PATH).status_code == 403
    assert operator.post(PATH, SETTINGS).status_code == 303
    page = operator.get(PATH).text
    assert "imap.example.jp" in page
    assert SETTINGS["password"] not in page

    changed = SETTINGS | {"password": "", "folder": "Residents", "version": "1"}
    assert operator.post(PATH, changed).status_code == 303
    elsewhere = changed | {"host": "imap.example.com", "version": "2"}
    refused = operator.post(PATH, elsewhere)
    assert refused.status_code == 422
    assert 'id="password-error"' in refused.text
    box = stored(database, cast)
    assert box is not None
    assert (box.folder, box.host, box.version) == ("Residents", "imap.example.jp", 2)

    assert operator.post(f"{PATH}/reading").status_code == 303
    assert "office@sumida.example" in operator.get(f"{PATH}/removal").text
    assert operator.post(f"{PATH}/removal").status_code == 303
    assert stored(database, cast) is None
    assert operator.get(f"{PATH}/removal").status_code == 404
