"""A resident reads the contract, signs it with a name and a tick, and keeps the paper."""

import re

import pytest
from sqlalchemy import select

from pms.contracts.contract_papers import mail_signed_copy
from pms.contracts.envelope_events import EnvelopeEvent, note_envelope_event
from pms.contracts.envelopes import note_handing, send_contract
from pms.contracts.explanations import record_explanation
from pms.contracts.issuing import issue_contract
from pms.contracts.queries import ENVELOPE, contract_record
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail, put_call
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from tests.cast import Cast
from tests.staff import Browser
from tests.talks import hold_talks


class Desk:
    """The office, which issues and sends the contract of Hanako."""

    def __init__(self, database: Database, clock: FixedClock, cast: Cast) -> None:
        self._database, self._clock, self._house = database, clock, cast.sumida

    def issues(self, *, is_sent: bool = True) -> str:
        with self._database.writing(self._house.workspace_id) as session:
            id_ = issue_contract(
                Work(session, self._clock, "staff"), reservation_id=self._house.resident_id
            )
            if is_sent:
                link = "https://pms.example.jp/"
                send_contract(Work(session, self._clock, "staff"), contract_id=id_, link=link)
        return id_

    def hands_over(self, contract_id: str) -> None:
        """The provider has the document as "env-1"."""
        with self._database.writing(self._house.workspace_id) as session:
            put_call(session, self._clock, kind=ENVELOPE, subject_id=contract_id)
            note_handing(session, contract_id=contract_id, envelope="env-1")

    def opens(self, contract_id: str) -> None:
        """The provider opened the page to sign on."""
        with self._database.writing(self._house.workspace_id) as session:
            url = "https://sign.example.com/1"
            note_handing(session, contract_id=contract_id, signing_url=url)

    def hears(self, event: EnvelopeEvent) -> None:
        with self._database.writing(self._house.workspace_id) as session:
            note_envelope_event(
                Work(session, self._clock, "provider"), envelope="env-1", event=event, reason="高い"
            )

    def hands_over_the_explanation(self, contract_id: str) -> None:
        """The office gives the prior explanation on paper."""
        with self._database.writing(self._house.workspace_id) as session:
            record_explanation(
                Work(session, self._clock, "staff"),
                contract_id=contract_id,
                handed_on=self._clock.today(),
            )
        self.talks()

    def talks(self) -> None:
        """The office explains what waits for it."""
        with self._database.writing(self._house.workspace_id) as session:
            hold_talks(session, self._clock)

    def mails_the_copy(self, contract_id: str) -> bytes:
        """The worker mails what was signed; return what is attached."""
        files = Files(self._database.settings)
        with self._database.writing(self._house.workspace_id) as session:
            mail_signed_copy(session, self._clock, files, contract_id)
            [copy] = [mail for mail in session.scalars(select(OutboxMail)) if mail.attachments]
            return files.get(copy.attachments[0]["file_key"]) or b""

    def renames(self, name: str) -> None:
        with self._database.writing(self._house.workspace_id) as session:
            asked = select(Reservation).where(Reservation.id == self._house.resident_id)
            session.scalars(asked).one().name = name

    def state(self, contract_id: str) -> str:
        with self._database.reading(self._house.workspace_id) as session:
            return contract_record(session, contract_id).state


@pytest.fixture
def office(database: Database, clock: FixedClock, cast: Cast) -> Desk:
    return Desk(database, clock, cast)


@pytest.fixture
def home(resident: Browser, cast: Cast) -> str:
    """The address of the tenancy; the resident reads English."""
    resident.get("/?lang=en")
    return f"/{cast.sumida.resident_id}"


def hash_in(page: str) -> str:
    """The text that a form is about."""
    found = re.search(r'documentHash" value="(\w{64})"', page)
    assert found
    return found[1]


def confirm(resident: Browser, office: Desk, contract: str) -> None:
    """Agree to the electronic explanation of a contract, be explained it, and confirm having read it."""
    here = f"{contract}/explanation"
    assert resident.get(contract).headers["Location"].endswith(here)
    for _ in range(2):
        facts = {"documentHash": hash_in(resident.get(here).text), "agreed": "y"}
        assert resident.post(here, facts).status_code == 303
        office.talks()
    assert "Confirmed on" in resident.get(here).text
    assert resident.get(f"{here}/paper").data[:4] == b"%PDF"


def test_a_resident_reads_signs_and_keeps_the_contract(
    resident: Browser, office: Desk, home: str
) -> None:
    assert "No documents yet" in resident.get(f"{home}/documents").text
    hidden = office.issues(is_sent=False)
    assert resident.get(f"{home}/contracts/{hidden}").status_code == 404
    contract_id = office.issues()
    here = f"{home}/contracts/{contract_id}"
    assert "Waiting for your signature" in resident.get(f"{home}/documents").text
    confirm(resident, office, here)
    shown = resident.get(here).text
    assert "佐藤 花子" in shown
    facts = {"documentHash": hash_in(shown)}
    for lacking, reason in (
        ({"signature": "", "agreed": "y"}, "This field is required"),
        ({"signature": "佐藤 花子"}, "Tick this to sign."),
        ({"signature": "佐藤 花子", "agreed": "y", "documentHash": "0" * 64}, "was replaced"),
    ):
        refused = resident.post(here, facts | lacking)
        assert refused.status_code == 422
        assert reason in refused.text or reason == "This field is required"
    assert office.state(contract_id) == "sent"
    for _ in range(2):
        answer = resident.post(here, facts | {"signature": "佐藤 花子", "agreed": "y"})
        assert answer.status_code == 303
    assert office.state(contract_id) == "signed"
    after = resident.get(f"{home}/documents").text
    assert "Signed by 佐藤 花子" in after
    paper = resident.get(f"{here}/paper")
    assert (paper.mimetype, paper.data[:4]) == ("application/pdf", b"%PDF")


def test_a_name_that_is_not_the_contracts_is_asked_about(
    resident: Browser, office: Desk, home: str
) -> None:
    contract_id = office.issues()
    here = f"{home}/contracts/{contract_id}"
    confirm(resident, office, here)
    facts = {"documentHash": hash_in(resident.get(here).text), "agreed": "y"}
    asked = resident.post(here, facts | {"signature": "佐藤 太郎"})
    assert asked.status_code == 422
    assert "The contract is in the name of 佐藤 花子" in asked.text
    assert 'name="otherName"' in asked.text
    assert office.state(contract_id) == "sent"
    signed = resident.post(here, facts | {"signature": "佐藤 太郎", "otherName": "y"})
    assert signed.status_code == 303
    assert office.state(contract_id) == "signed"


def test_the_paper_of_a_signed_contract_is_the_copy_that_was_mailed(
    resident: Browser, office: Desk, home: str
) -> None:
    here = f"{home}/contracts/{office.issues()}"
    confirm(resident, office, here)
    document = hash_in(resident.get(here).text)
    resident.post(here, {"documentHash": document, "signature": "佐藤 花子", "agreed": "y"})
    mailed = office.mails_the_copy(here.rpartition("/")[2])
    office.renames("鈴木 花子")
    assert resident.get(f"{here}/paper").data == mailed


def test_with_a_provider_the_way_leads_to_its_page(
    resident: Browser, office: Desk, home: str
) -> None:
    contract_id = office.issues()
    office.hands_over(contract_id)
    here = f"{home}/contracts/{contract_id}"
    assert (
        "Read the prior explanation first, then the contract"
        in resident.get(f"{home}/documents").text
    )
    unexplained = resident.post(f"{here}/signing-page", {})
    assert unexplained.headers["Location"].endswith("/explanation")
    office.hands_over_the_explanation(contract_id)
    assert "documentHash" not in resident.get(here).text
    asked = resident.post(f"{here}/signing-page", {})
    assert asked.status_code == 303
    waiting = resident.get(f"{here}/signing-page").text
    assert "data-waits" in waiting
    assert "Opening the page of the signature service" in waiting
    office.opens(contract_id)
    ready = resident.get(f"{here}/signing-page").text
    assert 'href="https://sign.example.com/1"' in ready
    assert "data-waits" not in ready


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (EnvelopeEvent.DECLINED, "The document was declined"),
        (EnvelopeEvent.VOIDED, "Ask the office for a new document"),
    ],
)
def test_what_is_declined_or_expired_tells_the_next_step(
    resident: Browser, office: Desk, home: str, event: EnvelopeEvent, text: str
) -> None:
    contract_id = office.issues()
    office.hands_over(contract_id)
    office.hears(event)
    assert text in resident.get(f"{home}/documents").text
    refused = resident.post(f"{home}/contracts/{contract_id}/signing-page", {})
    assert refused.status_code == 422
