"""A document whose stay was changed is signed no more, or asks for an amendment once it is signed."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.amendments import amend
from pms.arrivals.co_occupants import name_co_occupants
from pms.arrivals.contacts import HolderContact, change_contact
from pms.arrivals.dates import correct_dates
from pms.arrivals.price_changes import change_price
from pms.contracts.envelopes import send_contract
from pms.contracts.issuing import issue_amendment, renew_paper
from pms.contracts.outdated_papers import changes_since, outdated_papers
from pms.contracts.queries import ContractKind, ContractState, agreed_contract
from pms.contracts.stated_terms import StatedTerm
from pms.departures.notices import file_notice
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, Refused
from pms.foundation.outbox import OutboxMail
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.residents import NamedPerson
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus, IntegrationKind
from tests.arrivals.office import RENT, Office, day
from tests.checkouts.conftest import Worker, provider, worker
from tests.contracts.signing import LINK, record, sent, sign
from tests.servers.provider import Provider
from tests.surfaces.agent_api.test_questions_to_the_database import statements

__all__ = ["provider", "worker"]

Change = Callable[[Office, str], Any]


def later_start(office: Office, booking: str) -> None:
    office.do(correct_dates, reservation_id=booking, override_move_in_date=day("2026-12-08"))


def later_end(office: Office, booking: str) -> None:
    office.do(correct_dates, reservation_id=booking, override_contract_end_date=day("2027-06-30"))


def dearer(office: Office, booking: str) -> None:
    office.do(
        change_price,
        reservation_id=booking,
        from_on=day("2027-02-01"),
        amounts=MonthlyAmounts(base_rent_yen=98_000),
    )


def two_people(office: Office, booking: str) -> None:
    office.do(name_co_occupants, reservation_id=booking, people=[NamedPerson("田中 春")])


def other_name(office: Office, booking: str) -> None:
    contact = HolderContact(name="田中 一朗", email="tanaka@example.jp")
    office.do(change_contact, reservation_id=booking, contact=contact)


def other_telephone(office: Office, booking: str) -> None:
    contact = HolderContact(name="田中 一郎", email="tanaka@example.jp", phone="090-1234-5678")
    office.do(change_contact, reservation_id=booking, contact=contact)


def mails(office: Office) -> list[OutboxMail]:
    with office.database.reading(office.home.workspace_id) as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


@pytest.mark.parametrize(
    ("change", "term", "now"),
    [
        (later_start, StatedTerm.DATES, "2026年12月8日から2027年3月31日まで"),
        (later_end, StatedTerm.DATES, "2026年12月1日から2027年6月30日まで"),
        (dearer, StatedTerm.MONTHLY, "¥93,000（2027年2月1日から：賃料 ¥98,000）"),
        (two_people, StatedTerm.PEOPLE, "田中 一郎、田中 春"),
        (other_name, StatedTerm.PEOPLE, "田中 一朗"),
    ],
)
def test_what_was_sent_is_signed_no_more_once_the_stay_changed(
    office: Office, booking: str, change: Change, term: StatedTerm, now: str
) -> None:
    contract_id = sent(office, booking)
    change(office, booking)
    shown = record(office, contract_id)
    assert shown.state is ContractState.OUTDATED
    assert shown.outdated_at == office.clock.now()
    with pytest.raises(Collision, match="changed after this document was written"):
        sign(office, contract_id)
    with pytest.raises(Collision, match="Renew it first"):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    assert office.row(booking).esign_status is EsignStatus.EXPIRED
    [changed] = office.ask(changes_since, shown)
    assert changed.term is term
    assert now in (changed.after.ja or "")
    [paper] = office.ask(outdated_papers, 5).papers
    assert (paper.reservation_id, paper.is_signed) == (booking, False)


def test_the_signer_and_the_audit_are_told_once(office: Office, booking: str) -> None:
    sent(office, booking)
    two_people(office, booking)
    later_end(office, booking)
    _, found = mails(office)
    assert found.recipient == "tanaka@example.jp"
    assert "署名できなくなりました" in found.text
    with office.database.reading(office.home.workspace_id) as session:
        asked = select(AuditRecord.actor).where(
            AuditRecord.audit_event == AuditEvent.CONTRACT_OUTDATED
        )
        assert session.scalars(asked).all() == ["staff"]


def test_what_no_document_says_outdates_none(office: Office, booking: str) -> None:
    contract_id = sent(office, booking)
    other_telephone(office, booking)
    office.do(correct_dates, reservation_id=booking, arrival_date=day("2026-12-05"))
    assert record(office, contract_id).state is ContractState.SENT
    assert office.ask(outdated_papers, 5).total == 0


def test_one_act_writes_it_anew_and_sends_it(office: Office, booking: str) -> None:
    first = sent(office, booking)
    later_start(office, booking)
    second = office.do(renew_paper, contract_id=first, link=LINK)
    assert record(office, first).state is ContractState.REPLACED
    assert record(office, second).state is ContractState.SENT
    assert "2026年12月8日" in record(office, second).body
    assert office.row(booking).esign_status is EsignStatus.SENT
    assert len(mails(office)) == 3
    with pytest.raises(Collision, match="document was already renewed, or the contract terms"):
        office.do(renew_paper, contract_id=first, link=LINK)
    sign(office, second)
    assert office.row(booking).esign_status is EsignStatus.SIGNED
    assert office.ask(outdated_papers, 5).total == 0


def test_a_signed_one_asks_for_an_amendment_until_that_is_signed(
    office: Office, booking: str
) -> None:
    lease = sent(office, booking)
    sign(office, lease)
    later_end(office, booking)
    dearer(office, booking)
    shown = record(office, lease)
    assert (shown.state, shown.outdated_at) == (ContractState.SIGNED, office.clock.now())
    [paper] = office.ask(outdated_papers, 5).papers
    assert paper.is_signed
    amendment_id = office.do(renew_paper, contract_id=lease, link=LINK)
    amendment = record(office, amendment_id)
    assert (amendment.kind, amendment.title) == (ContractKind.AMENDMENT, "契約内容変更の覚書")
    for said in ("2027年3月31日まで", "2027年6月30日まで", "¥98,000"):
        assert said in amendment.body
    assert "敷金" not in amendment.body
    assert office.ask(outdated_papers, 5).total == 0
    with pytest.raises(Collision, match="document was already renewed, or the contract terms"):
        office.do(renew_paper, contract_id=lease, link=LINK)
    assert office.row(booking).esign_status is EsignStatus.SIGNED
    sign(office, amendment_id)
    assert office.ask(outdated_papers, 5).total == 0
    agreed = office.ask(agreed_contract, booking)
    assert agreed is not None
    assert agreed.id == amendment_id
    with pytest.raises(Collision, match="document was already renewed, or the contract terms"):
        office.do(renew_paper, contract_id=lease, link=LINK)


def test_a_change_taken_back_leaves_what_was_signed_as_it_is(office: Office, booking: str) -> None:
    lease = sent(office, booking)
    sign(office, lease)
    later_end(office, booking)
    office.do(correct_dates, reservation_id=booking, override_contract_end_date=None)
    assert record(office, lease).outdated_at is None


def test_an_amendment_that_waits_is_outdated_by_the_next_change(
    office: Office, booking: str
) -> None:
    lease = sent(office, booking)
    sign(office, lease)
    later_end(office, booking)
    first = office.do(renew_paper, contract_id=lease, link=LINK)
    dearer(office, booking)
    assert record(office, first).state is ContractState.OUTDATED
    assert office.row(booking).esign_status is EsignStatus.SIGNED
    second = office.do(renew_paper, contract_id=first, link=LINK)
    assert "¥98,000" in record(office, second).body
    sign(office, second)
    assert office.ask(outdated_papers, 5).total == 0


def test_leaving_changes_no_document(office: Office, booking: str) -> None:
    lease = sent(office, booking)
    sign(office, lease)
    office.pay_all(booking)
    office.go_to("2026-12-02")
    office.do(file_notice, reservation_id=booking, move_out_on=day("2027-01-15"))
    assert record(office, lease).outdated_at is None


def test_a_document_stays_behind_when_its_stay_goes_on_in_another_room(
    office: Office, booking: str
) -> None:
    contract_id = sent(office, booking)
    office.go_to("2026-12-10")
    room = office.home.unit("102")
    office.do(amend, reservation_id=booking, last_on=day("2026-12-31"), unit_id=room, amounts=RENT)
    assert record(office, contract_id).state is ContractState.OUTDATED
    with pytest.raises(Collision, match="contract terms changed"):
        sign(office, contract_id)
    assert office.ask(outdated_papers, 5).total == 0


def test_a_provider_is_told_to_close_what_is_outdated(
    office: Office, booking: str, provider: Provider, worker: Worker
) -> None:
    worker.set_up(IntegrationKind.ESIGN, provider.address)
    sent(office, booking)
    worker.works()
    two_people(office, booking)
    worker.works()
    [closed] = [one for one in provider.asked if one.method == "PUT"]
    assert closed.path == "/v2.1/accounts/acct-1/envelopes/env-1"
    assert closed.payload["status"] == "voided"


def test_nothing_signed_is_nothing_to_amend(office: Office, booking: str) -> None:
    with pytest.raises(Refused, match="There is no signed contract to amend"):
        office.do(issue_amendment, reservation_id=booking)
    sign(office, sent(office, booking))
    with pytest.raises(Refused, match="contract already says the same"):
        office.do(issue_amendment, reservation_id=booking)


def test_a_change_of_one_stay_compares_no_other(office: Office, booking: str) -> None:
    sent(office, booking)
    other = office.book(
        office.home.unit("102"), "2026-12-01", "2027-03-31", email="suzuki@example.jp"
    )
    sent(office, other)
    two_people(office, booking)
    with statements() as first:
        office.do(name_co_occupants, reservation_id=booking, people=[NamedPerson("田中 秋")])
    for number in range(103, 108):
        sent(
            office,
            office.book(
                office.home.unit(str(number)), "2026-12-01", "2027-03-31", email="suzuki@example.jp"
            ),
        )
    with statements() as second:
        office.do(name_co_occupants, reservation_id=booking, people=[NamedPerson("田中 夏")])
    assert len(second) == len(first)
