"""What must not be read from a database or a disk is sealed, and the secret key can be changed."""

import hashlib
import hmac
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace

import pyotp
import pytest
from cryptography.fernet import Fernet
from sqlalchemy import select, update

from app import create_app
from pms.access.models import Person
from pms.access.second_factors import confirm_second_factor, start_second_factor, take_factor
from pms.access.sessions import Visitor
from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import add_handbook_page, reveal_code
from pms.catalogue.models import HandbookPage
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.sealing import seal
from pms.foundation.settings import Settings, secret_keys
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import IntegrationKind
from pms.rules.links import GuestRegisterEntry
from pms.stays.check_in_links import link_stay
from pms.stays.guests import guests_of, register_guest, send_passport
from pms.stays.models import GuestRegistration
from pms.stays.stay_links import CHECK_IN_LINK
from pms.stays.stays import stay_terms
from pms.workspaces.integrations import access_to, set_integration
from pms.workspaces.models import Integration
from tests.cast import Cast
from tests.staff import Staff, open_browser
from tests.surfaces.command_line.conftest import Operator

NEW = "a newer secret of more than thirty-two letters"
GUEST = GuestRegisterEntry(
    name="Emma Wilson",
    address="Leeds",
    contact="e@example.com",
    nationality="UK",
    passport_number="PAB123456",
)
PICTURE = b"the picture of a passport"


class Secrets:
    """What is to be sealed in Sumida, as it is written and read."""

    def __init__(self, settings: Settings, clock: FixedClock, cast: Cast, staff: Staff) -> None:
        self.settings, self.clock, self.house = settings, clock, cast.sumida
        self.person_id = staff.operator_id
        self.link_id = self.page_id = self.file_key = self.factor = ""
        self.opened: list[Database] = []

    def database(self, *keys: str) -> Database:
        self.opened.append(Database(replace(self.settings, secret_key=",".join(keys))))
        return self.opened[-1]

    def write(self, database: Database) -> None:
        self.file_key = Files(database.settings).put_alone(PICTURE, "webp")
        with database.writing(self.house.workspace_id) as session:
            self.link_id = link_stay(
                Work(session, self.clock, "office"), reservation_id=self.house.guest_id
            )
            register_guest(
                Work(session, self.clock, "guest"), link_id=self.link_id, position=1, guest=GUEST
            )
            send_passport(
                Work(session, self.clock, "guest"),
                link_id=self.link_id,
                position=1,
                file_key=self.file_key,
            )
            set_integration(
                Work(session, self.clock, "office"),
                database.signer,
                kind=IntegrationKind.PAYMENTS,
                address="https://pay.example.com",
                account=None,
                secret="sk_live_provider",
            )
            page = WrittenPage(
                title_ja="鍵箱", title_en="Key box", body_ja="", body_en="", guarded_code="4729#"
            )
            self.page_id = add_handbook_page(
                Work(session, self.clock, "office"),
                building_id=self.house.building_id,
                written=page,
            )
        with database.across_workspaces_writing() as session:
            signer, person_id = database.signer, self.person_id
            self.factor = start_second_factor(session, signer, person_id, issuer="Sumida").secret
            digits = pyotp.TOTP(self.factor).at(self.clock.now())
            by = Visitor("", "", "")
            confirm_second_factor(session, self.clock, signer, person_id, digits, by=by)

    def read(self, database: Database) -> dict[str, object]:
        """Everything that opens, and what does not as `None`."""
        with database.writing(self.house.workspace_id) as session:
            (guest,) = guests_of(session, self.link_id, stay_terms(session))
            access = access_to(session, database.signer, IntegrationKind.PAYMENTS)
            return {
                "number": guest.facts.passport_number,
                "code": reveal_code(Work(session, self.clock, "office"), page_id=self.page_id),
                "provider": access.secret,
                "picture": Files(database.settings).get(self.file_key),
                "factor": self.shows_factor(database),
            }

    def shows_factor(self, database: Database) -> bool:
        digits = pyotp.TOTP(self.factor).at(self.clock.now())
        apart = self.database(database.settings.secret_key)
        with apart.across_workspaces_reading() as session:
            person = session.get_one(Person, self.person_id)
            person.factor_step = 0
            is_good = take_factor(database.signer, person, digits, self.clock.now())
            session.rollback()
        return is_good


ALL = {
    "number": "PAB123456",
    "code": "4729#",
    "provider": "sk_live_provider",
    "picture": PICTURE,
    "factor": True,
}


@pytest.fixture
def kept(settings: Settings, clock: FixedClock, cast: Cast, staff: Staff) -> Iterator[Secrets]:
    secrets = Secrets(settings, clock, cast, staff)
    yield secrets
    for opened in secrets.opened:
        opened.dispose()


def rotate(operator: Operator, *keys: str) -> str:
    operator.monkeypatch.setenv("PMS_SECRET_KEY", ",".join(keys))
    said = operator.types("keys rotate-secret")
    assert said.code == 0, said.err
    return said.out


def test_neither_the_database_nor_the_disk_gives_anything_away(
    kept: Secrets, database: Database
) -> None:
    kept.write(database)
    with database.reading(kept.house.workspace_id) as session:
        (number,) = session.scalars(select(GuestRegistration.passport_number))
    first = database.signer.key_ids[0]
    assert number is not None
    assert number.startswith(f"{first}.")
    assert "PAB123456" not in number
    on_disk = [path.read_bytes() for path in kept.settings.files_dir.glob("*/*")]
    assert not any(PICTURE in content for content in on_disk)
    assert any(first.encode() in content for content in on_disk)
    assert kept.read(database) == ALL


def test_what_was_written_before_there_were_seals_opens_and_is_sealed(
    kept: Secrets, operator: Operator, database: Database
) -> None:
    kept.write(database)
    key = kept.settings.secret_key
    owner = kept.house.workspace_id
    derived = hmac.new(key.encode(), f"sealed-secret\x1f{owner}".encode(), hashlib.sha256)
    nameless = Fernet(urlsafe_b64encode(derived.digest())).encrypt(b"sk_live_provider").decode()
    with database.writing(owner) as session:
        for table, values in (
            (GuestRegistration, {"passport_number": "PAB123456"}),
            (HandbookPage, {"guarded_code": "4729#"}),
        ):
            session.execute(update(table).values(values))
        written(session, nameless)
    path = kept.settings.files_dir / kept.file_key[:2] / kept.file_key
    path.write_bytes(PICTURE)
    factor_of_before(database, kept, key)
    assert kept.read(database) == ALL

    said = operator.types("doctor").out
    assert "WRONG  sealed texts: " in said
    assert "WRONG  sealed files: 1 are not" in said
    rotate(operator, NEW, key)
    said = operator.types("doctor").out
    assert "ok     sealed texts: " in said
    assert "ok     sealed files: " in said
    assert PICTURE not in path.read_bytes()
    assert kept.read(kept.database(NEW)) == ALL


def written(session: WorkspaceSession, sealed_secret: str) -> None:
    session.execute(update(Integration).values(sealed_secret=sealed_secret))


def factor_of_before(database: Database, kept: Secrets, key: str) -> None:
    """Earlier releases derived the secret from a salt and their only key."""
    with database.across_workspaces_writing() as session:
        person = session.get_one(Person, kept.person_id)
        person.sealed_factor, person.factor_salt = None, "5a17"
        found = f"second factor\x1f{person.id}\x1f5a17".encode()
    rng = hmac.new(key.encode(), found, hashlib.sha256).digest()
    kept.factor = b32encode(rng[:20]).decode()


def test_a_new_key_before_the_old_one_opens_everything_and_seals_it_anew(
    kept: Secrets, operator: Operator, database: Database
) -> None:
    old = kept.settings.secret_key
    kept.write(database)
    assert kept.read(kept.database(NEW, old)) == ALL
    said = rotate(operator, NEW, old)
    assert Signer(NEW).key_ids[0] in said
    assert kept.read(kept.database(NEW)) == ALL
    assert kept.read(kept.database("yet another", NEW)) == ALL


def test_doctor_counts_second_factors_too(
    kept: Secrets, operator: Operator, database: Database
) -> None:
    kept.write(database)
    rotate(operator, kept.settings.secret_key)
    assert "ok     sealed texts: " in operator.types("doctor").out
    factor_of_before(database, kept, kept.settings.secret_key)
    assert "WRONG  sealed texts: 1 are not" in operator.types("doctor").out


def test_doctor_counts_private_files_alone(
    kept: Secrets, operator: Operator, database: Database
) -> None:
    files = Files(kept.settings)
    files.put(b"a picture of a building that anybody may see", "webp")
    for content in (b"one", b"two"):
        files.put_alone(content, "pdf")
    assert "ok     sealed files: " in operator.types("doctor").out
    operator.monkeypatch.setenv("PMS_SECRET_KEY", f"{NEW},{kept.settings.secret_key}")
    assert "WRONG  sealed files: 2 are not" in operator.types("doctor").out


def test_a_key_that_is_missing_is_told_and_nothing_is_lost(
    kept: Secrets, operator: Operator, database: Database
) -> None:
    kept.write(database)
    other = kept.database(NEW)
    with other.writing(kept.house.workspace_id) as session:
        with pytest.raises(Refused, match="its secret key is missing"):
            reveal_code(Work(session, kept.clock, "office"), page_id=kept.page_id)
        (guest,) = guests_of(session, kept.link_id, stay_terms(session))
        assert guest.facts.passport_number == "???"
    assert Files(other.settings).get(kept.file_key) is None
    assert not kept.shows_factor(other)

    operator.monkeypatch.setenv("PMS_SECRET_KEY", NEW)
    said = operator.types("keys rotate-secret")
    assert said.code == 1
    assert "Add the earlier key" in said.err
    assert kept.read(database) == ALL


def test_a_row_copied_into_another_workspace_opens_nothing(
    kept: Secrets, database: Database, cast: Cast
) -> None:
    sealed = seal(database.signer, cast.minato.workspace_id, "0451#")
    kept.write(database)
    with database.writing(kept.house.workspace_id) as session:
        session.execute(update(HandbookPage).values(guarded_code=sealed))
        with pytest.raises(Refused):
            reveal_code(Work(session, kept.clock, "office"), page_id=kept.page_id)


def test_cookies_and_links_of_the_old_key_stay_good_while_it_is_in_the_list(
    settings: Settings, clock: FixedClock, cast: Cast, staff: Staff
) -> None:
    old = create_app(settings, clock=clock)
    browser = open_browser(old, clock, staff.operator_id, "sumida")
    cookie = browser.client.get_cookie("session")
    assert cookie is not None
    link = Signer(settings.secret_key).sign_parts(CHECK_IN_LINK.purpose, "a workspace", "a link")
    answers = {}
    for keys in ((NEW, settings.secret_key), (NEW,)):
        found = ",".join(keys)
        app = create_app(replace(settings, secret_key=found), clock=clock)
        client = app.test_client()
        client.set_cookie("session", cookie.value)
        written = {"csrf_token": browser.form_token, "dueOn": "never"}
        answers[keys] = (
            client.get("/dashboard/sumida/").status_code,
            client.post("/dashboard/sumida/tasks", data=written).status_code,
            Signer(found).read(CHECK_IN_LINK.purpose, link) is not None,
        )
        app.extensions["pms.database"].dispose()
    old.extensions["pms.database"].dispose()
    assert answers[NEW, settings.secret_key] == (200, 422, True)
    assert answers[(NEW,)][::2] == (303, False)


def test_commas_stand_between_keys() -> None:
    assert secret_keys(" first , second,") == ("first", "second")
    assert Signer("first,second").key_ids == (*Signer("first").key_ids, *Signer("second").key_ids)


def test_production_wants_every_key_long(settings: Settings) -> None:
    unsafe = replace(settings, env="production", secret_key=f"{NEW},short").unsafe_reasons()
    assert any("PMS_SECRET_KEY is missing or short" in reason for reason in unsafe)
