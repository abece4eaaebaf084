"""A document signed at a provider: handed over once, and moved on by what the provider tells."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from pms.arrivals.lifecycles import cancel_booking
from pms.contracts.envelope_events import EnvelopeEvent, note_envelope_event
from pms.contracts.envelopes import ask_signing_page, send_contract
from pms.contracts.issuing import issue_contract
from pms.contracts.queries import ContractState
from pms.foundation.errors import Collision, Refused
from pms.foundation.outbox import OutboxMail, make_call_again, troubled_calls
from pms.rules.enumerations import EsignStatus, IntegrationKind
from tests.arrivals.office import Office
from tests.checkouts.conftest import SECRET, Worker, provider, worker
from tests.contracts.signing import LINK, record, sign
from tests.servers.provider import Provider

__all__ = ["provider", "worker"]

SENT, SEEN, PART, DONE, NO, GONE = EnvelopeEvent


def mails(office: Office) -> list[OutboxMail]:
    with office.database.reading(office.home.workspace_id) as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def notify(office: Office, event: EnvelopeEvent, envelope: str = "env-1", **more: str) -> bool:
    return office.do(note_envelope_event, envelope=envelope, event=event, **more)


@pytest.fixture
def at_the_provider(worker: Worker, office: Office, booking: str, provider: Provider) -> str:
    """The id of a document that waits at the provider."""
    worker.set_up(IntegrationKind.ESIGN, provider.address)
    contract_id = office.do(issue_contract, reservation_id=booking)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    worker.works()
    return contract_id


def test_without_a_provider_a_mail_leads_to_the_document(
    office: Office, booking: str, worker: Worker
) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    assert office.row(booking).esign_status is EsignStatus.SENT
    with pytest.raises(Collision, match="sent since"):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    sign(office, contract_id)
    worker.works()
    worker.works()
    asked, copy = mails(office)
    assert (asked.recipient, LINK in asked.text) == ("tanaka@example.jp", True)
    assert [one["name"] for one in copy.attachments] == ["契約書-1.pdf"]
    assert "田中 一郎" in copy.text
    with pytest.raises(Collision, match="document is signed or has ended"):
        office.do(send_contract, contract_id=contract_id, link=LINK)


def test_a_document_without_an_address_is_not_sent(office: Office) -> None:
    nobody = office.book(office.home.unit("102"), "2026-12-01", "2027-03-31", email=None)
    contract_id = office.do(issue_contract, reservation_id=nobody)
    with pytest.raises(Refused, match="email: "):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    assert office.row(nobody).esign_status is EsignStatus.PENDING


def test_a_document_is_handed_over_with_its_paper_and_its_signer(
    office: Office, booking: str, provider: Provider, worker: Worker, at_the_provider: str
) -> None:
    [asked] = provider.asked
    assert asked.path == "/v2.1/accounts/acct-1/envelopes"
    assert asked.headers["Authorization"] == f"Bearer {SECRET}"
    [signer] = asked.payload["recipients"]["signers"]
    assert (signer["name"], signer["email"]) == ("田中 一郎", "tanaka@example.jp")
    assert asked.payload["documents"][0]["documentBase64"].startswith("JVBERi0")
    with pytest.raises(Collision, match="page of the signature service"):
        sign(office, at_the_provider)
    path = "/resident/ours/documents"
    for _ in range(2):
        with office.database.writing(office.home.workspace_id) as session:
            ask_signing_page(session, office.clock, contract_id=at_the_provider, return_path=path)
    worker.works()
    assert len(provider.asked) == 2
    assert provider.asked[1].payload["returnUrl"].endswith(path)
    assert record(office, at_the_provider).signing_url == f"{provider.address}/signing/env-1"


@pytest.mark.parametrize(
    "story",
    [
        ([SENT, SEEN], ContractState.SENT, EsignStatus.SENT),
        ([SENT, PART, PART], ContractState.SENT, EsignStatus.PARTIALLY_SIGNED),
        ([PART, DONE, DONE, NO, GONE, SENT], ContractState.SIGNED, EsignStatus.SIGNED),
        ([DONE], ContractState.SIGNED, EsignStatus.SIGNED),
        ([SEEN, NO, NO, DONE], ContractState.DECLINED, EsignStatus.DECLINED),
        ([PART, GONE, NO], ContractState.EXPIRED, EsignStatus.EXPIRED),
    ],
)
def test_late_and_repeated_events_change_nothing(
    office: Office,
    booking: str,
    at_the_provider: str,
    story: tuple[list[EnvelopeEvent], ContractState, EsignStatus],
) -> None:
    events, state, status = story
    for event in events:
        notify(office, event, reason="Too dear")
    found = record(office, at_the_provider)
    assert (found.state, office.row(booking).esign_status) == (state, status)
    assert found.decline_reason == ("Too dear" if state is ContractState.DECLINED else None)
    assert not notify(office, DONE, "an envelope of nobody")


def test_after_a_refusal_a_new_document_is_signed_here(
    office: Office, booking: str, provider: Provider, worker: Worker, at_the_provider: str
) -> None:
    notify(office, NO)
    with pytest.raises(Collision, match="ask the office for a new one"):
        sign(office, at_the_provider)
    provider.status = 401
    again = office.do(issue_contract, reservation_id=booking)
    office.do(send_contract, contract_id=again, link=LINK)
    worker.works()
    # The provider refused for good: the resident is not left waiting for it.
    assert record(office, again).is_signed_here
    sign(office, again)
    assert office.row(booking).esign_status is EsignStatus.SIGNED
    assert not notify(office, DONE)


def test_a_document_whose_answer_was_lost_is_handed_over_once(
    office: Office, booking: str, provider: Provider, worker: Worker
) -> None:
    worker.set_up(IntegrationKind.ESIGN, provider.address)
    contract_id = office.do(issue_contract, reservation_id=booking)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    provider.loses_answers = True
    worker.works()
    provider.loses_answers = False
    worker.works(timedelta(minutes=5))
    assert list(provider.envelopes) == ["env-1"]
    assert record(office, contract_id).envelope == "env-1"


def test_a_signature_after_the_cancellation_changes_nothing(
    office: Office, booking: str, worker: Worker, at_the_provider: str
) -> None:
    office.do(cancel_booking, reservation_id=booking)
    before = len(mails(office))
    assert not notify(office, DONE)
    worker.works()
    assert record(office, at_the_provider).signed is None
    assert office.row(booking).esign_status is EsignStatus.SENT
    assert len(mails(office)) == before


def test_a_document_of_a_booking_cancelled_meanwhile_stays_here(
    office: Office, booking: str, provider: Provider, worker: Worker
) -> None:
    worker.set_up(IntegrationKind.ESIGN, provider.address)
    contract_id = office.do(issue_contract, reservation_id=booking)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    office.do(cancel_booking, reservation_id=booking)
    worker.works()
    assert provider.asked == []
    handing = record(office, contract_id).handing
    assert handing is not None
    assert handing.is_given_up


@pytest.mark.parametrize(
    "story",
    [
        ("completed", ContractState.SIGNED, EsignStatus.SIGNED),
        ("declined", ContractState.DECLINED, EsignStatus.DECLINED),
        ("voided", ContractState.EXPIRED, EsignStatus.EXPIRED),
    ],
)
def test_how_a_document_ended_is_asked_for_hourly(
    booking: str,
    provider: Provider,
    worker: Worker,
    at_the_provider: str,
    story: tuple[str, ContractState, EsignStatus],
) -> None:
    (status, state, esign), office = story, worker.office
    worker.works(timedelta(hours=1))
    assert provider.asked[-1].path == "/v2.1/accounts/acct-1/envelopes/env-1"
    assert record(office, at_the_provider).state is ContractState.SENT
    provider.stands["env-1"] = {"status": status, "declinedReason": "Too\0dear"}
    worker.works(timedelta(hours=1))
    found = record(office, at_the_provider)
    assert (found.state, office.row(booking).esign_status) == (state, esign)
    assert found.decline_reason == ("Too dear" if state is ContractState.DECLINED else None)
    asked = len(provider.asked)
    worker.works(timedelta(hours=2))
    assert len(provider.asked) == asked


def test_what_is_tried_again_after_a_lost_answer_is_handed_over_once(
    office: Office, booking: str, provider: Provider, worker: Worker
) -> None:
    worker.set_up(IntegrationKind.ESIGN, provider.address)
    contract_id = office.do(issue_contract, reservation_id=booking)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    provider.loses_answers = True
    worker.works()
    provider.loses_answers = False

    def try_again() -> None:
        [call] = office.ask(troubled_calls)
        with office.database.writing(office.home.workspace_id) as session:
            make_call_again(session, office.clock, call.id)

    try_again()
    worker.works()
    assert len(provider.asked) == 1, "what is tried again by itself waits for its time"
    provider.status = 401
    worker.works(timedelta(minutes=5))
    provider.status = 200
    try_again()
    worker.works()
    assert list(provider.envelopes) == ["env-1"]
    assert record(office, contract_id).envelope == "env-1"
