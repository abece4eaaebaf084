"""A fixed-term lease is explained by a document of its own before it is signed, and ends on a day."""

import pytest
from sqlalchemy import select

from pms.arrivals.co_occupants import name_co_occupants
from pms.arrivals.dates import correct_dates
from pms.contracts.contract_papers import contract_paper, contract_pdf
from pms.contracts.explanations import (
    confirm_explanation,
    consent_to_explanation,
    explanation_of,
    explanation_pdf,
    explanation_to_read,
    is_unexplained,
    record_explanation,
)
from pms.contracts.issuing import issue_contract, renew_paper
from pms.contracts.merged_documents import builtin_text
from pms.contracts.queries import ContractState
from pms.contracts.signing import sign_contract
from pms.contracts.templates import write_template
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, Refused
from pms.reservations.residents import NamedPerson
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import LeaseKind
from tests.arrivals.office import Office, day
from tests.contracts.signing import LINK, explain, hold_talks_of, record, sent, sign
from tests.statements.papers import text_of


def ordinary(office: Office, body_ja: str | None = None) -> str:
    """Write a template of an ordinary lease; return its id."""
    return office.do(
        write_template,
        template_id=None,
        name="普通借家",
        body_ja=body_ja or builtin_text("ja", LeaseKind.ORDINARY),
        body_en=builtin_text("en", LeaseKind.ORDINARY),
        lease_kind=LeaseKind.ORDINARY,
    )


@pytest.fixture
def endless(office: Office) -> str:
    """A booking whose end was not agreed."""
    unit_id = office.home.unit("103")
    return office.book(unit_id, "2026-12-01", None, email="tanaka@example.jp")


def test_a_fixed_term_needs_its_last_day(office: Office, endless: str) -> None:
    with pytest.raises(Refused, match="contractEndDate: a fixed-term lease needs an end date"):
        office.do(issue_contract, reservation_id=endless)
    office.do(correct_dates, reservation_id=endless, override_contract_end_date=day("2027-11-30"))
    assert record(office, office.do(issue_contract, reservation_id=endless)).number == 1


@pytest.mark.parametrize(
    ("locale", "term"),
    [("ja", "2026年12月1日から（期間の定めなし）"), ("en", "from 1 December 2026, open-ended")],
)
def test_an_ordinary_lease_without_an_end_never_says_until(
    office: Office, endless: str, locale: str, term: str
) -> None:
    facts = {"reservation_id": endless, "template_id": ordinary(office), "locale": locale}
    contract_id = office.do(issue_contract, **facts)
    paper = record(office, contract_id)
    assert term in paper.body.replace("\\", "")
    assert not paper.needs_explanation
    sign(office, contract_id)
    assert record(office, contract_id).state is ContractState.SIGNED


def test_a_template_that_names_the_last_day_is_not_used_without_one(
    office: Office, endless: str
) -> None:
    template_id = ordinary(office, "# 契約書\n\n{{term.start}}から{{term.end}}まで")
    with pytest.raises(
        Refused, match="contractEndDate: the template '普通借家' prints the end date"
    ):
        office.do(issue_contract, reservation_id=endless, template_id=template_id)


def test_a_kind_of_lease_that_does_not_exist_is_refused(office: Office) -> None:
    facts = {"template_id": None, "name": "T", "body_ja": "# T", "body_en": ""}
    with pytest.raises(Refused, match="leaseKind: 'rolling'"):
        office.do(write_template, lease_kind="rolling", **facts)


def test_nothing_is_signed_before_the_explanation_is_confirmed(
    office: Office, booking: str
) -> None:
    contract_id = sent(office, booking)
    shown = record(office, contract_id)
    signature = {"name": "田中 一郎", "document_hash": shown.body_hash, "device": "Firefox"}
    document, given = office.ask(explanation_to_read, shown)
    assert given is None
    for text in ("更新がなく、期間の満了により終了します", "2027年3月31日まで", "田中 一郎"):
        assert text in document.body.replace("\\", "")
    facts = {"contract_id": contract_id, "document_hash": document.body_hash}
    with pytest.raises(Collision, match="prior explanation"):
        office.do(sign_contract, contract_id=contract_id, **signature)
    with pytest.raises(Collision, match="First agree to read the document online"):
        office.do(confirm_explanation, **facts)
    with pytest.raises(Collision, match="replaced"):
        office.do(consent_to_explanation, device="", **{**facts, "document_hash": "0" * 64})
    office.do(consent_to_explanation, device="Firefox", **facts)
    with pytest.raises(Collision, match="prior explanation"):
        office.do(sign_contract, contract_id=contract_id, **signature)
    agreed_at = office.clock.now()
    office.go_to("2026-11-21")
    for _ in range(2):
        office.do(confirm_explanation, **facts)
    with pytest.raises(Refused, match="explained by a member of staff"):
        office.do(sign_contract, contract_id=contract_id, **signature)
    hold_talks_of(office)
    given = office.ask(explanation_of, shown)
    assert given is not None
    assert (given.consented_at, given.confirmed_at) == (agreed_at, office.clock.now())
    office.do(sign_contract, contract_id=contract_id, **signature)
    assert record(office, contract_id).state is ContractState.SIGNED
    with office.database.reading(office.home.workspace_id) as session:
        audit_events = session.scalars(select(AuditRecord.audit_event)).all()
    assert (
        audit_events.count(AuditEvent.EXPLANATION_CONSENTED)
        == audit_events.count(AuditEvent.EXPLANATION_GIVEN)
        == 1
    )


def test_the_office_may_hand_it_over_on_paper(office: Office, booking: str) -> None:
    contract_id = sent(office, booking)
    with pytest.raises(Refused, match="handedOn: "):
        office.do(record_explanation, contract_id=contract_id, handed_on=day("2026-11-21"))
    office.do(record_explanation, contract_id=contract_id, handed_on=day("2026-11-19"))
    with pytest.raises(Collision, match="document is no longer valid, or it has already been"):
        office.do(record_explanation, contract_id=contract_id, handed_on=day("2026-11-19"))
    assert (
        office.ask(contract_paper, record(office, contract_id))["explanation"]
        == "2026年11月19日に書面を渡して説明"
    )
    hold_talks_of(office)
    sign(office, contract_id)
    paper = office.ask(contract_paper, record(office, contract_id))
    assert paper["explanation"].startswith(
        "2026年11月19日に書面を渡して説明。口頭の説明：2026年11月20日"
    )
    assert paper["explanation"].endswith("、電話、担当 青木")


def test_other_days_are_explained_anew_and_another_housemate_is_not(
    office: Office, booking: str
) -> None:
    contract_id = sent(office, booking)
    explain(office, contract_id)
    people = [NamedPerson("田中 春")]
    office.do(name_co_occupants, reservation_id=booking, people=people)
    second = office.do(renew_paper, contract_id=contract_id, link=LINK)
    assert not office.ask(is_unexplained, record(office, second))
    later = day("2027-06-30")
    office.do(correct_dates, reservation_id=booking, override_contract_end_date=later)
    third = office.do(renew_paper, contract_id=second, link=LINK)
    assert office.ask(is_unexplained, record(office, third))
    sign(office, third)
    office.do(correct_dates, reservation_id=booking, override_contract_end_date=None)
    amendment = office.do(renew_paper, contract_id=third, link=LINK)
    assert record(office, amendment).needs_explanation


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_no_paper_says_what_did_not_happen(office: Office, booking: str, locale: str) -> None:
    contract_id = office.do(issue_contract, reservation_id=booking, locale=locale)
    unsigned = text_of(office.ask(contract_pdf, contract_id))
    assert {"ja": "まだ行われていません", "en": "not given yet"}[locale] in unsigned
    claim = {"ja": "説明しました", "en": "and explained it"}[locale]
    assert claim not in record(office, contract_id).body
    sign(office, contract_id)
    signed = text_of(office.ask(contract_pdf, contract_id))
    assert {"ja": "電磁的方法により提供", "en": "as an electronic record"}[locale] in signed
    explanation = text_of(office.ask(explanation_pdf, record(office, contract_id)))
    assert {"ja": "事前説明書", "en": "Prior explanation"}[locale] in explanation
