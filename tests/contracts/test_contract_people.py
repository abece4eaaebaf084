"""People and papers of a contract: what is kept sealed, what holds a contract, what papers print."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.lifecycles import cancel_booking
from pms.contracts import people_changes
from pms.contracts.contract_people import named_people, people_of_reservation
from pms.contracts.envelopes import send_contract
from pms.contracts.issuing import issue_contract
from pms.contracts.models import IdentityPaper
from pms.contracts.people_changes import WrittenPaper
from pms.contracts.queries import contract_record
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.work import find_row
from pms.offers.refused_papers import forget_refused_papers
from pms.reservations.models import Reservation
from pms.rules.contract_people import AskedFor, IdentityKind, PeopleKind
from tests.arrivals.office import Office
from tests.contracts.signing import LINK

GUARANTOR: Mapping[str, Any] = {
    "name": "田中 正",
    "name_kana": "たなか ただし",
    "address": "千葉県柏市1-2-3",
    "phone": "04-7100-0000",
    "born_on": date(1962, 4, 1),
    "relationship": "父",
}


def ask(office: Office, booking: str, level: AskedFor, *kinds: PeopleKind) -> None:
    """Let the building of a booking ask for pieces."""
    with office.database.reading(office.home.workspace_id) as session:
        building_id = find_row(session, Reservation, booking).unit.building_id
    office.do(
        people_changes.ask_of_building,
        building_id=building_id,
        asked=dict.fromkeys(kinds, level),
    )


def name(office: Office, booking: str, piece: PeopleKind, **written: Any) -> str:
    """Name somebody of a booking's contract; return what the people hang on."""
    people_id = hold(office, booking)
    office.do(people_changes.write_party, people_id=people_id, kind=piece, written=written)
    return people_id


def hold(office: Office, booking: str) -> str:
    """Return what the people of a booking hang on."""
    with office.database.writing(office.home.workspace_id) as session:
        return people_changes.hold_people(session, office.clock, reservation_id=booking)


def test_a_guarantor_without_a_highest_amount_gets_no_paper(office: Office, booking: str) -> None:
    name(office, booking, PeopleKind.GUARANTOR, **GUARANTOR)
    with pytest.raises(Refused, match="no highest amount"):
        office.do(issue_contract, reservation_id=booking)
    name(office, booking, PeopleKind.GUARANTOR, highest_yen=2_064_000)
    name(office, booking, PeopleKind.GUARANTEE_COMPANY, name="大和保証", number="A-77")
    contract_id = office.do(issue_contract, reservation_id=booking, locale="en")
    body = office.ask(contract_record, contract_id).body.replace("\\", "")
    assert "田中 正 (address: 千葉県柏市1-2-3)" in body
    assert "up to a highest amount of ¥2,064,000" in body
    assert "大和保証, no. A-77" in body
    people_id = office.ask(people_of_reservation, booking)
    kept = office.ask(named_people, people_id).guarantor
    assert kept is not None
    assert (kept.name_kana, kept.relationship) == ("タナカ タダシ", "父"), "the rest was kept"


def test_a_contract_waits_for_what_its_building_asks_for(office: Office, booking: str) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)
    ask(office, booking, AskedFor.OPTIONAL, *PeopleKind)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    ask(office, booking, AskedFor.REQUIRED, PeopleKind.GUARANTOR, PeopleKind.EMERGENCY_CONTACT)
    contract_id = office.do(issue_contract, reservation_id=booking)
    with pytest.raises(Refused, match="asks for a guarantor, and none is named"):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    name(office, booking, PeopleKind.GUARANTOR, **GUARANTOR, highest_yen=2_064_000)
    contract_id = office.do(issue_contract, reservation_id=booking)
    with pytest.raises(Refused, match="asks for an emergency contact"):
        office.do(send_contract, contract_id=contract_id, link=LINK)
    name(
        office,
        booking,
        PeopleKind.EMERGENCY_CONTACT,
        name="田中 花",
        phone="０９０-１１１１-２２２２",
    )
    office.do(send_contract, contract_id=contract_id, link=LINK)


def test_another_guarantor_leaves_an_unsigned_contract_behind(office: Office, booking: str) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking)
    assert office.ask(contract_record, contract_id).outdated_at is None
    name(office, booking, PeopleKind.OCCUPATION, kind="school", name="東都大学")
    assert office.ask(contract_record, contract_id).outdated_at is None
    people_id = name(office, booking, PeopleKind.GUARANTOR, **GUARANTOR, highest_yen=1_000_000)
    assert office.ask(contract_record, contract_id).outdated_at is not None
    office.do(people_changes.remove_party, people_id=people_id, kind=PeopleKind.GUARANTOR)
    assert office.ask(named_people, people_id).guarantor is None


def test_the_number_of_a_paper_is_sealed_and_each_look_at_it_is_noted(
    office: Office, booking: str
) -> None:
    people_id = hold(office, booking)
    card = WrittenPaper(IdentityKind.RESIDENCE_CARD, "AB12345678CD")
    with pytest.raises(Refused, match="expiresOn: enter the day"):
        office.do(people_changes.add_paper, people_id=people_id, written=card)
    card = card._replace(expires_on=date(2027, 3, 1))
    paper_id = office.do(people_changes.add_paper, people_id=people_id, written=card)
    with pytest.raises(Refused, match="number: do not enter the number of a My Number card"):
        number = WrittenPaper(IdentityKind.MY_NUMBER_CARD, "123456789012", date(2030, 1, 1))
        office.do(people_changes.add_paper, people_id=people_id, written=number)
    later = WrittenPaper(IdentityKind.RESIDENCE_CARD, None, date(2029, 3, 1))
    office.do(people_changes.correct_paper, paper_id=paper_id, written=later)
    assert office.do(people_changes.open_paper, paper_id=paper_id).number == "AB12345678CD"
    with office.database.reading(office.home.workspace_id) as session:
        kept = session.scalars(select(IdentityPaper)).one()
        assert "AB12345678CD" not in (kept.sealed_number or "")
        noted = session.scalars(select(AuditRecord).order_by(AuditRecord.at, AuditRecord.id)).all()
    events = [row.audit_event for row in noted if row.audit_event.startswith("identity_paper")]
    assert sorted(events) == [
        "identity_paper.added",
        "identity_paper.corrected",
        "identity_paper.opened",
    ]
    assert "AB12345678CD" not in str([(row.before, row.after) for row in noted])


def test_papers_of_a_cancelled_application_go_after_thirty_days(
    office: Office, booking: str
) -> None:
    people_id = hold(office, booking)
    files = Files(office.database.settings)
    key = files.put_alone(b"a picture", "webp")
    card = WrittenPaper(IdentityKind.STUDENT_CARD, file_key=key)
    office.do(people_changes.add_paper, people_id=people_id, written=card)
    office.do(cancel_booking, reservation_id=booking)
    assert office.do(forget_refused_papers, files=files) == 0
    office.go_to("2026-12-21")
    assert office.do(forget_refused_papers, files=files) == 1
    assert files.get(key) is None
    assert office.ask(named_people, people_id).papers == []
