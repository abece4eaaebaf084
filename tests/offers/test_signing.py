"""Signing what was shown and booking it: both or neither, and the very same text."""

import pytest
from sqlalchemy import select

from pms.catalogue.models import UnitFee
from pms.contracts.explanations import is_unexplained
from pms.contracts.merged_documents import builtin_text
from pms.contracts.models import PriorExplanation
from pms.contracts.queries import current_contract
from pms.contracts.templates import write_template
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.offers.applications import sign_and_book
from pms.offers.frozen_terms import StatedDetails
from pms.offers.offer_documents import contract_of_offer, explanation_of_offer
from pms.rules.enumerations import EsignStatus, LeaseKind, Locale
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
    letting.explain(link)
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
    letting.explain(link)
    shown = office.ask(contract_of_offer, office.clock, link.id)
    with pytest.raises(Refused):
        sign(office, link.id, " ", shown.body_hash)
    with office.database.writing(office.home.workspace_id) as session:
        session.get_one(Workspace, office.home.workspace_id).name = "別の会社"
    with pytest.raises(Collision):
        sign(office, link.id, "田中 一郎", shown.body_hash)
    assert office.counts()["reservation"] == office.counts()["contract"] == 0


def test_a_fixed_term_is_explained_before_it_is_signed(letting: Letting, room: str) -> None:
    office = letting.office
    link = letting.offer(room, "2026-12-20", MAY)
    letting.state(link)
    shown = office.ask(contract_of_offer, office.clock, link.id)
    with pytest.raises(Collision, match="prior explanation"):
        sign(office, link.id, "田中 一郎", shown.body_hash)
    assert office.counts()["reservation"] == 0
    letting.explain(link)
    sign(office, link.id, "田中 一郎", shown.body_hash)
    with office.database.reading(office.home.workspace_id) as session:
        [given] = session.scalars(select(PriorExplanation))
    contract = office.ask(current_contract, given.reservation_id)
    assert contract is not None
    assert contract.signed is not None
    assert not office.ask(is_unexplained, contract)


def test_another_language_is_explained_anew(letting: Letting, room: str) -> None:
    office = letting.office
    link = letting.offer(room, "2026-12-20", MAY)
    letting.state(link)
    letting.explain(link)
    letting.state(link, EMMA)
    offered = office.ask(explanation_of_offer, office.clock, link.id)
    assert offered is not None
    assert (offered.given, offered.document.title[:5]) == (None, "Prior")


def test_a_fixed_term_is_offered_with_its_last_day(letting: Letting, room: str) -> None:
    with pytest.raises(Refused, match="contractEndDate: a fixed-term lease needs an end date"):
        letting.offer(room, "2026-12-20")
    template_id = letting.office.do(
        write_template,
        template_id=None,
        name="普通借家",
        body_ja=builtin_text("ja", LeaseKind.ORDINARY),
        body_en="",
        lease_kind=LeaseKind.ORDINARY,
    )
    link = letting.offer(room, "2026-12-20", template_id=template_id)
    letting.state(link)
    office = letting.office
    assert office.ask(explanation_of_offer, office.clock, link.id) is None
    shown = office.ask(contract_of_offer, office.clock, link.id)
    assert "期間の定めなし" in shown.body
    sign(office, link.id, "田中 一郎", shown.body_hash)


def sign(office: Office, link_id: str, name: str, document_hash: str) -> None:
    """As a surface signs: what is refused leaves nothing behind."""
    with office.database.writing(office.home.workspace_id) as session:
        sign_and_book(
            Work(session, office.clock, "applicant/x"),
            link_id=link_id,
            name=name,
            document_hash=document_hash,
            device="",
        )
