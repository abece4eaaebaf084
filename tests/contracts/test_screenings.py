"""Applicants are looked at, approved or declined, and a contract follows what was decided."""

import pytest
from sqlalchemy import select

from pms.contracts.envelopes import send_contract
from pms.contracts.issuing import issue_contract
from pms.contracts.queries import ContractState
from pms.contracts.screening_decisions import move_screening, start_screening
from pms.contracts.screenings import screening_of, screening_record
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, Refused
from pms.rules.enumerations import EsignStatus
from pms.rules.screening import ScreeningState
from pms.workspaces.settings import set_policy
from tests.arrivals.office import Office
from tests.contracts.signing import LINK, record, sent

REVIEW, APPROVED = ScreeningState.IN_REVIEW, ScreeningState.APPROVED
DECLINED, WITHDRAWN = ScreeningState.DECLINED, ScreeningState.WITHDRAWN


def test_each_decision_is_kept_with_who_when_and_why(office: Office, booking: str) -> None:
    screening_id = office.do(start_screening, reservation_id=booking)
    with pytest.raises(Collision, match="already being screened"):
        office.do(start_screening, reservation_id=booking)
    with pytest.raises(Refused, match=r"state: this application is received\. It cannot become"):
        office.do(move_screening, screening_id=screening_id, to=APPROVED)
    office.do(move_screening, screening_id=screening_id, to=REVIEW)
    office.go_to("2026-11-21")
    with pytest.raises(Refused, match="reason: enter why"):
        office.do(move_screening, screening_id=screening_id, to=DECLINED, reason="  ")
    with pytest.raises(Refused, match="reason: this has 1001 characters"):
        office.do(move_screening, screening_id=screening_id, to=DECLINED, reason="x" * 1001)
    office.do(move_screening, screening_id=screening_id, to=DECLINED, reason="収入の確認ができず")
    found = office.ask(screening_record, screening_id)
    assert [(step.state, step.reason, step.written_by) for step in found.steps] == [
        (ScreeningState.RECEIVED, None, "staff"),
        (REVIEW, None, "staff"),
        (DECLINED, "収入の確認ができず", "staff"),
    ]
    assert found.steps[-1].written_at == office.clock.now()
    with pytest.raises(Refused, match=r"state: this application is declined\."):
        office.do(move_screening, screening_id=screening_id, to=WITHDRAWN)
    with office.database.reading(office.home.workspace_id) as session:
        kept = str([(row.before, row.after) for row in session.scalars(select(AuditRecord))])
    assert "収入" not in kept, "the reason is not repeated in the audit log"


def test_a_contract_waits_for_the_approval_where_the_workspace_says_so(
    office: Office, booking: str
) -> None:
    office.do(set_policy, screening_before_contract=True)
    contract_id = office.do(issue_contract, reservation_id=booking)
    with pytest.raises(Refused, match="not approved yet"):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    screening_id = office.do(start_screening, reservation_id=booking)
    office.do(move_screening, screening_id=screening_id, to=REVIEW)
    with pytest.raises(Refused, match="not approved yet"):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    office.do(move_screening, screening_id=screening_id, to=APPROVED)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    assert record(office, contract_id).state is ContractState.SENT


@pytest.mark.parametrize("to", [DECLINED, WITHDRAWN])
def test_nothing_is_sent_to_or_signed_by_an_applicant_whose_application_is_closed(
    office: Office, booking: str, to: ScreeningState
) -> None:
    contract_id = sent(office, booking)
    screening_id = office.do(start_screening, reservation_id=booking)
    office.do(move_screening, screening_id=screening_id, to=REVIEW)
    office.do(move_screening, screening_id=screening_id, to=to, reason="他の申込者")
    assert record(office, contract_id).state is ContractState.REPLACED
    assert office.row(booking).esign_status is EsignStatus.EXPIRED
    again = office.do(issue_contract, reservation_id=booking)
    with pytest.raises(Collision, match="This application is closed"):
        office.do(send_contract, contract_id=again, link=LINK)
    # Another application of the same person begins anew.
    office.do(start_screening, reservation_id=booking)
    office.do(send_contract, contract_id=again, link=LINK)


def test_a_booking_without_a_screening_is_sent_its_contract(office: Office, booking: str) -> None:
    assert office.ask(screening_of, booking) is None
    contract_id = sent(office, booking)
    assert record(office, contract_id).state is ContractState.SENT
