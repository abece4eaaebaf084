"""What the tests of signing in share: the staff, codes asked for, and the digits in a mail."""

import re

import pytest
from sqlalchemy import select

from pms.access.code_sign_in import mail_codes, staff_recipient
from pms.access.mailed_codes import AskedCode, MailedWay, Screen, mailed_way, request_code
from pms.access.models import Person
from pms.access.sessions import AuthContext, Visitor
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer, token_hash
from pms.rules.enumerations import UserKind
from tests.cast import Cast
from tests.staff import Staff, introduce_staff

OPERATOR = "operator@sumida.example"
STRANGER = "nobody@sumida.example"
PASSWORD = "correct horse battery"


class SignIns:
    """Signs staff in; everyone's password is `PASSWORD`."""

    def __init__(self, auth: AuthContext, clock: FixedClock, staff: Staff) -> None:
        self.auth, self.clock, self.staff = auth, clock, staff
        kept = auth.passwords.hash_password(PASSWORD)
        with auth.database.across_workspaces_writing() as session:
            for person in session.scalars(select(Person)):
                person.password_hash = kept

    def visitor(
        self, address: str = OPERATOR, client: str = "192.0.2.1", known_device: str = ""
    ) -> Visitor:
        """Somebody who tries to sign in."""
        around = client.rpartition(".")[0]
        return Visitor(address, client, "Chrome, Windows", known_device, around)

    def asks(
        self,
        screen: str,
        address: str = OPERATOR,
        client: str = "192.0.2.1",
        *,
        browser: str = "",
        known_device: str = "",
    ) -> AskedCode:
        """Ask for a code from a screen of a browser."""
        bound_to = Screen(UserKind.STAFF, None, address, token_hash(screen), browser)
        who = self.visitor(address, client, known_device)
        with self.auth.database.across_workspaces_writing() as session:
            return request_code(session, self.clock, bound_to, visitor=who, locale="ja")

    def asked_way(self, screen: str, client: str = "192.0.2.1", **more: str) -> MailedWay:
        """Ask for a code from a screen; return what it then waits for."""
        assert not self.asks(screen, client=client, **more).wait
        bound_to = Screen(UserKind.STAFF, None, OPERATOR, token_hash(screen))
        with self.auth.reading() as session:
            return mailed_way(session, self.clock, bound_to)

    def mailed_link(self) -> str:
        """The token of the link in the newest mail."""
        found = re.search(r"/sign-in/link/(\S+)", self.newest_mail().text)
        assert found is not None
        return found[1]

    def mails(self) -> int:
        """Let the worker write what is due; return how many mails leave."""
        with self.auth.database.across_workspaces_writing() as session:
            return mail_codes(
                session,
                self.clock,
                self.auth.signer,
                {UserKind.STAFF: staff_recipient},
                base_url="https://pms.example",
            )

    def newest_mail(self) -> OutboxMail:
        """The newest mail, after the worker has written it."""
        self.mails()
        with self.auth.reading() as session:
            newest = select(OutboxMail).order_by(OutboxMail.id.desc())
            mail = session.scalars(newest).first()
        assert mail is not None
        return mail

    def mailed_code(self) -> str:
        """The digits in the newest mail."""
        mail = self.newest_mail()
        found = re.match(r"\d{6}", mail.subject)
        assert found is not None, mail.subject
        return found[0]


@pytest.fixture
def sign_ins(settings: Settings, database: Database, cast: Cast, clock: FixedClock) -> SignIns:
    """Signing in to Sumida and Minato, with their staff."""
    auth = AuthContext(database, clock, Passwords(settings), Signer(settings.secret_key))
    return SignIns(auth, clock, introduce_staff(database, cast))
