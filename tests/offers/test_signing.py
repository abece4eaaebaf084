"""Signing what was shown and booking it: both or neither, and the very same text."""

import pytest

from pms.catalogue.models import UnitFee
from pms.contracts.queries import current_contract
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.offers.contract_of_offer import contract_of_offer
from pms.offers.sign_and_book import sign_and_book
from pms.offers.stated_details import StatedDetails
from pms.rules.enumerations import EsignStatus, Locale
from pms.workspaces.models import Workspace
from tests.arrivals.office import Office
from tests.cast import fee
from tests.offers.letting import TANAKA, Letting
from tests.offers.test_offering import HALF, MAY

EMMA = StatedDetails(name="Emma Wilson", email="emma@example.com", locale=Locale.EN)


@pytest.mark.parametrize("details", [TANAKA, EMMA])
def test_the_document_shown_is_the_document_signed(
    letting: Letting, room: str, details: StatedDetails
) -> None:
    office = letting.office
    for code in ("zeal", "internet", "water"):
        id_ = new_id()
        office.home.store(
            fee(id=id_, code=code, label_ja=f"{code}代", label_en=code.title()),
            UnitFee(unit_id=room, fee_id=id_, amount_yen=1_000),
        )
    link = letting.offer(room, "2026-12-20", MAY, discount=HALF)
    letting.state(link, details)
    shown = office.ask(contract_of_offer, office.clock, link.id)
    assert details.name in shown.body
    booked = office.do(
        sign_and_book,
        link_id=link.id,
        name=details.name,
        document_hash=shown.body_hash,
        device="a telephone",
    )
    contract = office.ask(current_contract, booked.reservation_id)
    assert contract is not None
    assert (contract.body, contract.locale) == (shown.body, details.locale)
    assert contract.signed is not None
    assert (contract.signed.name, contract.signed.document_hash) == (details.name, shown.body_hash)
    assert office.row(booked.reservation_id).esign_status is EsignStatus.SIGNED


def test_another_text_than_the_one_read_books_nothing(letting: Letting, room: str) -> None:
    office = letting.office
    link = letting.offer(room, "2026-12-20", MAY)
    letting.state(link)
    shown = office.ask(contract_of_offer, office.clock, link.id)
    with pytest.raises(Refused):
        sign(office, link.id, " ", shown.body_hash)
    with office.database.writing(office.home.workspace_id) as session:
        session.get_one(Workspace, office.home.workspace_id).name = "別の会社"
    with pytest.raises(Collision):
        sign(office, link.id, "田中 一郎", shown.body_hash)
    assert office.counts()["reservation"] == office.counts()["contract"] == 0


def sign(office: Office, link_id: str, name: str, document_hash: str) -> None:
    """As a surface signs: what is refused leaves nothing behind."""
    with office.database.writing(office.home.workspace_id) as session:
        sign_and_book(
            session,
            office.clock,
            "applicant/x",
            link_id=link_id,
            name=name,
            document_hash=document_hash,
            device="",
        )
