"""A document is issued, read, and signed by typing a name; what was signed never changes."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.lifecycles import cancel_booking
from pms.catalogue.management_forms import WrittenManagementForm, set_management_form
from pms.catalogue.models import Building, Owner, Unit
from pms.contracts.contract_papers import contract_paper
from pms.contracts.explanations import is_unexplained
from pms.contracts.issuing import issue_contract
from pms.contracts.models import ContractSignature
from pms.contracts.queries import ContractState, contract_record, contracts_of, current_contract
from pms.contracts.signing import sign_contract
from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.ids import new_id
from pms.ledger.move_in import change_esign_status
from pms.reservations.models import Reservation
from pms.rules.enumerations import EsignStatus, Lifecycle
from pms.rules.management_forms import ManagementForm
from pms.statements.invoices import operator_of
from tests.arrivals.office import Office
from tests.contracts.signing import explain, record

DEVICE = "Mozilla/5.0 (iPhone)"


def signing(office: Office, contract_id: str, name: str = "田中 一郎", **given: str) -> None:
    """Sign the document as it is shown, its explanation confirmed before."""
    waiting = record(office, contract_id)
    if waiting.may_be_signed and office.ask(is_unexplained, waiting):
        explain(office, contract_id)
    shown = office.ask(contract_record, contract_id).body_hash
    facts = {"document_hash": shown, "device": DEVICE} | given
    office.do(sign_contract, contract_id=contract_id, name=name, **facts)


def signatures(office: Office) -> int:
    with office.database.reading(office.home.workspace_id) as session:
        return len(session.scalars(select(ContractSignature)).all())


def set_form(office: Office, booking: str, form: ManagementForm, **given: Any) -> None:
    building_id = office.ask(stay_of_document, booking)
    written = WrittenManagementForm(form=form, from_on=office.clock.today(), **given)
    office.do(set_management_form, building_id=building_id, written=written)


def stay_of_document(session: Session, reservation_id: str) -> str:
    asked = select(Unit.building_id).join(Reservation, Reservation.unit_id == Unit.id)
    return session.scalars(asked.where(Reservation.id == reservation_id)).one()


def test_lessor_and_agent_are_those_of_the_form_on_the_day_of_the_document(
    office: Office, booking: str
) -> None:
    with office.database.writing(office.home.workspace_id) as session:
        owner = Owner(id=new_id(), name="川瀬 美智子", created_at=office.clock.now())
        session.add(owner)
        session.flush()
        building = session.get_one(
            Building, (office.home.workspace_id, stay_of_document(session, booking))
        )
        building.owner_id = owner.id
    set_form(office, booking, ManagementForm.AGENCY, lessor_address="東京都墨田区向島2-3-4")
    agency = office.do(issue_contract, reservation_id=booking)
    set_form(office, booking, ManagementForm.MASTER_LEASE)
    lease = office.do(issue_contract, reservation_id=booking, locale="en")
    operator = office.ask(operator_of).name
    first, second = (office.ask(contract_record, id_) for id_ in (agency, lease))
    assert "貸主 川瀬 美智子（以下「甲」" in first.body
    signs = f"川瀬 美智子　東京都墨田区向島2-3-4　貸主代理人：{operator.ja}"
    assert signs in office.ask(contract_paper, first)["lessor"]
    assert f'{operator.in_language("en")} ("the lessor")' in second.body.replace("\\", "")
    assert "agent" not in office.ask(contract_paper, second)["lessor"]


def test_a_document_holds_the_facts_of_the_booking(office: Office, booking: str) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)
    shown = office.ask(contract_record, contract_id)
    assert (shown.title, shown.number, shown.locale) == ("定期建物賃貸借契約書", 1, "ja")
    for fact in ("田中 一郎", "2026年12月1日", "2027年3月31日", "¥93,000", "¥30,000"):
        assert fact in shown.body
    assert "{{" not in shown.body
    in_english = office.do(issue_contract, reservation_id=booking, locale="en")
    assert "1 December 2026" in office.ask(contract_record, in_english).body
    with pytest.raises(Refused, match="locale: 'fr'"):
        office.do(issue_contract, reservation_id=booking, locale="fr")


def test_signing_once_moves_the_status_and_confirms_what_is_paid(
    office: Office, booking: str
) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)
    assert office.row(booking).esign_status is EsignStatus.PENDING
    office.pay_all(booking)
    signing(office, contract_id, "  田中　一郎 ")
    signing(office, contract_id, "somebody else")
    row, shown = office.row(booking), office.ask(contract_record, contract_id)
    assert (row.esign_status, row.lifecycle) == (EsignStatus.SIGNED, Lifecycle.CONFIRMED)
    assert shown.state is ContractState.SIGNED
    assert shown.signed is not None
    assert shown.signed.name == "田中 一郎"
    assert (shown.signed.at, shown.signed.device) == (office.clock.now(), DEVICE)
    assert shown.signed.document_hash == shown.body_hash
    assert signatures(office) == 1


def test_only_the_document_that_was_shown_is_signed(office: Office, booking: str) -> None:
    first = office.do(issue_contract, reservation_id=booking)
    seen = office.ask(contract_record, first).body_hash
    second = office.do(issue_contract, reservation_id=booking, locale="en")
    with pytest.raises(Collision, match="replaced"):
        signing(office, first)
    with pytest.raises(Collision, match="replaced"):
        signing(office, second, document_hash=seen)
    with pytest.raises(Refused, match="signature: enter your name"):
        signing(office, second, name=" 　 ")
    assert office.row(booking).esign_status is EsignStatus.PENDING
    assert signatures(office) == 0
    signing(office, second)
    third = office.do(issue_contract, reservation_id=booking)
    states = [one.state for one in office.ask(contracts_of, booking)]
    assert states == [ContractState.ISSUED, ContractState.SIGNED, ContractState.REPLACED]
    newest = office.ask(current_contract, booking)
    assert newest is not None
    assert newest.id == third


def test_a_cancelled_booking_gets_no_contract_and_no_signature(
    office: Office, booking: str
) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)
    office.do(cancel_booking, reservation_id=booking)
    with pytest.raises(Collision, match="cancelled"):
        signing(office, contract_id)
    with pytest.raises(Refused, match="cancelled"):
        office.do(issue_contract, reservation_id=booking)


@pytest.mark.parametrize(
    "before",
    [
        (),
        (EsignStatus.SENT,),
        (EsignStatus.SENT, EsignStatus.PARTIALLY_SIGNED),
        (EsignStatus.SENT, EsignStatus.DECLINED),
        (EsignStatus.SENT, EsignStatus.EXPIRED),
        (EsignStatus.SENT, EsignStatus.SIGNED),
    ],
)
def test_from_every_status_a_new_document_is_signed(
    office: Office, booking: str, before: tuple[EsignStatus, ...]
) -> None:
    for status in before:
        office.do(change_esign_status, reservation_id=booking, status=status)
    signing(office, office.do(issue_contract, reservation_id=booking))
    assert office.row(booking).esign_status is EsignStatus.SIGNED


def test_two_who_sign_at_once_leave_one_signature(office: Office, booking: str) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)

    def attempt(number: int) -> str:
        try:
            signing(office, contract_id, f"署名 {number}")
        except Problem as problem:
            return problem.message
        return "signed"

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(attempt, range(8))) == {"signed"}
    assert signatures(office) == 1
