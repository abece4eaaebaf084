"""A fixed term is explained by a person before it is signed: who, when, how, and of which paper."""

from datetime import UTC, datetime, timedelta

import pytest

from pms.access.models import Member, Person
from pms.arrivals.dates import correct_dates
from pms.contracts.envelope_events import EnvelopeEvent, note_envelope_event
from pms.contracts.envelopes import note_handing
from pms.contracts.explanation_records import ExplanationLack
from pms.contracts.explanations import (
    confirm_explanation,
    consent_to_explanation,
    explanation_lack,
    explanation_of,
    explanation_to_read,
    record_explanation,
    record_talk,
    wish_explanation,
)
from pms.contracts.issuing import renew_paper
from pms.contracts.queries import ContractState
from pms.contracts.signing import sign_contract, state_signature
from pms.contracts.waiting_talks import unexplained_contracts
from pms.foundation.clock import bank_closure
from pms.foundation.errors import Collision, Refused
from pms.rules.enumerations import EsignStatus, StaffRole
from pms.rules.explanations import ExplanationWay, explanation_times
from pms.workspaces.settings import set_policy
from tests.arrivals.office import Office, day
from tests.contracts.signing import LINK, record, sent

SINCE = datetime(2026, 4, 1, tzinfo=UTC)
PHONE = ExplanationWay.PHONE


@pytest.fixture
def aoki(office: Office) -> str:
    """A member of the office."""
    with office.database.across_workspaces_writing() as session:
        person = Person(email="aoki@office.example", name="青木", created_at=SINCE, locale="ja")
        session.add(person)
        session.flush()
        person_id = person.id
    with office.database.writing(office.home.workspace_id) as session:
        session.add(Member(person_id=person_id, role=StaffRole.OFFICE, accepted_at=SINCE))
    return person_id


def read(office: Office, contract_id: str) -> None:
    """Let the resident agree to the electronic paper, and confirm having read it."""
    document, _ = office.ask(explanation_to_read, record(office, contract_id))
    facts = {"contract_id": contract_id, "document_hash": document.body_hash}
    office.do(consent_to_explanation, device="Firefox", **facts)
    office.do(confirm_explanation, **facts)


def lack(office: Office, contract_id: str) -> ExplanationLack | None:
    return office.ask(explanation_lack, record(office, contract_id))


def sign(office: Office, contract_id: str) -> None:
    shown = record(office, contract_id).body_hash
    office.do(
        sign_contract,
        contract_id=contract_id,
        name="田中 一郎",
        document_hash=shown,
        device="Firefox",
    )


def test_a_contract_waits_for_the_paper_then_for_a_person(
    office: Office, booking: str, aoki: str
) -> None:
    contract_id = sent(office, booking)
    assert lack(office, contract_id) is ExplanationLack.PAPER
    assert not office.ask(unexplained_contracts, 9)
    with pytest.raises(Refused, match="handedOn: the resident does not have the document"):
        office.do(record_talk, contract_id=contract_id, person_id=aoki, way=PHONE)
    read(office, contract_id)
    assert lack(office, contract_id) is ExplanationLack.PERSON
    with pytest.raises(Refused, match="explained by a member of staff"):
        sign(office, contract_id)
    with pytest.raises(Refused, match="explained by a member of staff"):
        office.do(state_signature, reservation_id=booking, status=EsignStatus.SIGNED)
    at = explanation_times(office.clock.now(), bank_closure)[0]
    with pytest.raises(Refused, match="wishedAt: this time has passed"):
        office.do(
            wish_explanation, contract_id=contract_id, way=PHONE, wished_at=office.clock.now()
        )
    office.do(wish_explanation, contract_id=contract_id, way=PHONE, wished_at=at)
    [waiting] = office.ask(unexplained_contracts, 9)
    assert not waiting.is_signed
    assert (waiting.contract_id, waiting.wished_way, waiting.wished_at) == (contract_id, PHONE, at)
    for wrong, reason in (
        ({"explained_at": office.clock.now() + timedelta(minutes=1)}, "explainedOn: "),
        ({"person_id": "0" * 32}, "personId: choose the member of staff"),
        ({"questions": "?" * 2001}, "questions: this has 2001 characters"),
    ):
        facts = {"contract_id": contract_id, "person_id": aoki, "way": PHONE} | wrong
        with pytest.raises(Refused, match=reason):
            office.do(record_talk, **facts)
    before = office.clock.now() - timedelta(minutes=10)
    talk = {"contract_id": contract_id, "person_id": aoki, "way": PHONE, "questions": "更新は？"}
    office.do(record_talk, explained_at=before, **talk)
    with pytest.raises(Collision, match="already been explained"):
        office.do(record_talk, **talk)
    assert not office.ask(unexplained_contracts, 9)
    given = office.ask(explanation_of, record(office, contract_id))
    assert given is not None
    assert given.talk is not None
    assert (given.talk.name, given.talk.explained_at) == ("青木", before)
    sign(office, contract_id)
    assert record(office, contract_id).state is ContractState.SIGNED


def test_the_explanation_of_an_older_paper_does_not_count(
    office: Office, booking: str, aoki: str
) -> None:
    first = sent(office, booking)
    read(office, first)
    earlier = office.clock.now() - timedelta(minutes=1)
    talk = {"person_id": aoki, "way": ExplanationWay.MET, "explained_at": earlier}
    office.do(record_talk, contract_id=first, **talk)
    later = day("2027-06-30")
    office.do(correct_dates, reservation_id=booking, override_contract_end_date=later)
    second = office.do(renew_paper, contract_id=first, link=LINK)
    read(office, second)
    given = office.ask(explanation_of, record(office, second))
    assert given is not None
    assert (given.paper_version, given.talk) == (2, None)
    assert lack(office, second) is ExplanationLack.PERSON
    office.do(record_talk, contract_id=second, **talk)
    sign(office, second)


def test_a_workspace_may_do_without(office: Office, booking: str) -> None:
    contract_id = sent(office, booking)
    read(office, contract_id)
    office.do(set_policy, explanation_by_person=False)
    assert lack(office, contract_id) is None
    assert not office.ask(unexplained_contracts, 9)
    sign(office, contract_id)


@pytest.mark.parametrize("is_explained", [False, True])
def test_a_signature_that_a_provider_reports_is_kept_and_what_it_lacks_is_known(
    office: Office, booking: str, aoki: str, is_explained: bool
) -> None:
    contract_id = sent(office, booking)
    with office.database.writing(office.home.workspace_id) as session:
        note_handing(session, contract_id=contract_id, envelope="env-1")
    if is_explained:
        office.do(record_explanation, contract_id=contract_id, handed_on=office.clock.today())
        before = office.clock.now() - timedelta(minutes=1)
        facts = {"contract_id": contract_id, "person_id": aoki, "way": PHONE}
        office.do(record_talk, explained_at=before, **facts)
    office.do(note_envelope_event, envelope="env-1", event=EnvelopeEvent.COMPLETED)
    assert record(office, contract_id).state is ContractState.SIGNED
    assert office.row(booking).esign_status is EsignStatus.SIGNED
    late = [(each.contract_id, each.is_signed) for each in office.ask(unexplained_contracts, 9)]
    assert late == ([] if is_explained else [(contract_id, True)])


def test_an_explanation_before_such_a_signature_is_entered_afterwards(
    office: Office, booking: str, aoki: str
) -> None:
    contract_id = sent(office, booking)
    with office.database.writing(office.home.workspace_id) as session:
        note_handing(session, contract_id=contract_id, envelope="env-1")
    office.do(note_envelope_event, envelope="env-1", event=EnvelopeEvent.COMPLETED)
    signed_at = office.clock.now()
    office.go_to("2026-11-25")
    with pytest.raises(Refused, match="handedOn: "):
        office.do(record_explanation, contract_id=contract_id, handed_on=day("2026-11-21"))
    office.do(record_explanation, contract_id=contract_id, handed_on=day("2026-11-20"))
    facts = {"contract_id": contract_id, "person_id": aoki, "way": PHONE}
    for at in (None, signed_at):
        with pytest.raises(Refused, match="explainedOn: the contract was signed before"):
            office.do(record_talk, explained_at=at, **facts)
    assert office.ask(unexplained_contracts, 9)
    office.do(record_talk, explained_at=signed_at - timedelta(minutes=5), **facts)
    assert not office.ask(unexplained_contracts, 9)
