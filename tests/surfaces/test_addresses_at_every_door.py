"""One rule of what an email address is: the same at every door, and all that it takes is mailed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from email import message_from_bytes
from typing import Final

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.access.invitations import invite_member
from pms.access.members import find_or_add_person
from pms.arrivals.contacts import HolderContact, check_contact
from pms.arrivals.sheets import cells
from pms.catalogue.checks import check_email
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.outbox import send_outbox
from pms.jobs.runs import Tools
from pms.rules.addresses import address_problem, folded_address, plain_address
from pms.rules.enumerations import StaffRole
from pms.sheets.refusals import Unreadable
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.fields import EmailField, TextField
from tests.cast import Cast
from tests.servers.ports import free_port

TAKEN: Final[Mapping[str, tuple[str, str]]] = {
    "taro@example.jp": ("taro@example.jp", "taro@example.jp"),
    "taro..yamada@docomo.ne.jp": ("taro..yamada@docomo.ne.jp", '"taro..yamada"@docomo.ne.jp'),
    "taro.@ezweb.ne.jp": ("taro.@ezweb.ne.jp", '"taro."@ezweb.ne.jp'),
    ".taro@docomo.ne.jp": (".taro@docomo.ne.jp", '".taro"@docomo.ne.jp'),
    '"taro..yamada"@docomo.ne.jp': ("taro..yamada@docomo.ne.jp", '"taro..yamada"@docomo.ne.jp'),
    "ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ": ("taro@example.jp", "taro@example.jp"),
    "-ta/ro+1=x@sub.example.co.jp": ("-ta/ro+1=x@sub.example.co.jp",) * 2,
    "o'neill@xn--fiq228c.jp": ("o'neill@xn--fiq228c.jp",) * 2,
    f"{'x' * 64}@example.jp": (f"{'x' * 64}@example.jp",) * 2,
}
"""What is typed, what is stored of it, and what the mail server reads."""
REFUSED: Final = (
    "taro",
    "@example.jp",
    "taro@",
    "a b@example.jp",
    "a@b@example.jp",
    "taro@example",
    "taro@example..jp",
    "taro@-example.jp",
    "taro@example.123",
    "taro@192.168.1.1",
    "taro@例え.jp",
    "太郎@example.jp",
    "jos\u00e9@example.jp",
    "a,b@example.jp",
    "<taro@example.jp>",
    "Taro <taro@example.jp>",
    "taro@example.jp\nBcc: x@example.jp",
    f"{'x' * 65}@example.jp",
    f"{'x' * 63}.@example.jp",
    f"taro@{'x' * 64}.jp",
    f"taro@{'example.' * 32}jp",
)
Door = Callable[[str], str | None]


class AddressForm(Form):
    """A form with an address."""

    email = EmailField("Email")


@pytest.fixture
def doors(app: Flask, database: Database, clock: FixedClock, cast: Cast) -> Mapping[str, Door]:
    def over_the_api(text: str) -> str | None:
        body = JsonBody({"email": text})
        address = body.email("email", needed=True)
        body.finish()
        return address

    def in_a_form(text: str) -> str | None:
        with app.test_request_context():
            form = AddressForm(MultiDict({"email": text}))
            return form.email.data if form.validate() else None

    def of_staff(text: str) -> str | None:
        with database.across_workspaces_writing() as session:
            return find_or_add_person(
                session, clock, email=text, name="Taro", locale="ja", password_hash=None
            ).email

    def of_an_invitation(text: str) -> str | None:
        with database.writing(cast.sumida.workspace_id) as session:
            made = invite_member(
                Work(session, clock, "staff"),
                signer=Signer(database.settings.secret_key),
                email=text,
                role=StaffRole.OFFICE,
                locale="ja",
                inviter="Boss",
                link=lambda token: f"https://example.jp/{token}",
            )
            return made.email

    return {
        "API": over_the_api,
        "form": in_a_form,
        "booking": lambda text: check_contact(HolderContact(name="Taro", email=text)).email,
        "sheet": cells.email,
        "owner, waitlist, viewing": lambda text: check_email("email", text),
        "staff": of_staff,
        "invitation": of_an_invitation,
    }


def enters(door: Door, text: str) -> str | None:
    try:
        return door(text)
    except (Refused, Unreadable):
        return None


def test_every_door_takes_the_same_addresses(doors: Mapping[str, Door]) -> None:
    for name, door in doors.items():
        for typed, (stored, _) in TAKEN.items():
            assert folded_address(enters(door, typed) or "") == folded_address(stored), (
                name,
                typed,
            )
        for typed in REFUSED:
            assert enters(door, typed) is None, (name, typed)


def test_a_refusal_says_why() -> None:
    for typed in REFUSED:
        with pytest.raises(Refused) as refusal:
            check_contact(HolderContact(name="Taro", email=typed))
        assert "is not an email address" in refusal.value.message
    reasons = {address_problem(plain_address(typed)) for typed in REFUSED}
    assert len(reasons) == 4 and None not in reasons


def test_every_field_of_an_address_is_checked() -> None:
    """A filter may hold part of an address; whatever is stored goes through the one field."""
    fields = [
        (form.__module__, form.__name__, name, field.field_class)
        for form in every_form(FlaskForm)
        for name, field in vars(form).items()
        if "email" in name.lower() and hasattr(field, "field_class")
    ]
    assert len(fields) > 10
    for module, form, name, kind in fields:
        is_filter = form.endswith("FilterForm")
        is_checked = is_filter or issubclass(kind, EmailField) or not issubclass(kind, TextField)
        assert is_checked, (module, form, name)


def every_form(form: type[FlaskForm]) -> Iterator[type[FlaskForm]]:
    for below in form.__subclasses__():
        yield below
        yield from every_form(below)


class MailServer(Controller):
    """A real mail server that takes ASCII alone and notes whom each mail is for, as it was said."""

    def __init__(self) -> None:
        self.said, self.kept = list[str](), list[tuple[str, str]]()
        super().__init__(self, hostname="127.0.0.1", port=free_port())

    def factory(self) -> SMTP:
        """Return a server that notes the lines of recipients before it reads them."""
        said = self.said

        class Listening(SMTP):
            async def smtp_RCPT(self, arg: str) -> None:  # noqa: N802  # the library's name
                said.append(arg)
                await super().smtp_RCPT(arg)

        return Listening(self.handler, enable_SMTPUTF8=False)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # the library's name
        header = message_from_bytes(envelope.original_content or b"")["To"].strip()
        self.kept.append((self.said[-1], header))
        return "250 kept"


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.stop()


def test_every_address_that_is_taken_is_mailed(
    database: Database,
    clock: FixedClock,
    cast: Cast,
    mail_server: MailServer,
    doors: Mapping[str, Door],
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        for typed in TAKEN:
            recipient = doors["booking"](typed) or ""
            put_mail(session, clock, recipient=recipient, subject="-", text="-")
    mailing = replace(database.settings, smtp_url=f"smtp://127.0.0.1:{mail_server.port}")
    send_outbox(Tools(mailing, database, clock, choose_postbox(mailing)))
    mailed = [read for _, read in TAKEN.values()]
    assert mail_server.kept == [(f"TO:<{address}>", address) for address in mailed]
