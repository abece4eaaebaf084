"""A contract of the resident with its template, a provider, and a call to it that failed."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from pms.contracts.end_notices import notices_of, send_end_notices
from pms.contracts.issuing import issue_contract
from pms.contracts.new_terms import TermWishes, offer_term
from pms.contracts.queries import ENVELOPE
from pms.contracts.rent_proposals import RentWishes, answer_rent, proposals_of, propose_rents
from pms.contracts.templates import write_template
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import mark_call_failed, put_call
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import IntegrationKind
from pms.rules.rent_proposals import AmountChange, AmountWay, RentAnswer
from pms.workspaces.integrations import set_integration
from tests.cast import House


def contract_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of a template, a document, a notice of the end, a new term, a proposed rent, and a failed call."""
    with database.writing(house.workspace_id) as session:
        template_id = write_template(
            Work(session, clock, "staff"),
            template_id=None,
            name="定期借家",
            body_ja="# 契約書\n\n{{resident.name}} 様",
            body_en="",
        )
        work = Work(session, clock, "staff")
        send_end_notices(work, reservation_ids=[house.resident_id])
        (notice,) = notices_of(session, house.resident_id)
        wishes = RentWishes(
            from_on=date(2027, 1, 1),
            rent=AmountChange(AmountWay.RAISE_YEN, Decimal(3_000)),
            maintenance=AmountChange(AmountWay.KEEP),
            unit_yen=1,
            reason=Bilingual("周辺の賃料の上昇", None),
        )
        propose_rents(
            work, reservation_ids=[house.resident_id], wishes=wishes, base_url="https://example.jp"
        )
        (proposal,) = proposals_of(session, house.resident_id)
        # An offered term and a proposed rent exclude each other while the answer is open.
        answer_rent(
            work, proposal_id=proposal.id, answer=RentAnswer.DECLINE, words=None, is_own=True
        )
        term_id = offer_term(
            work, reservation_id=house.resident_id, wishes=TermWishes(months=12), link="/"
        )
        contract_id = issue_contract(
            Work(session, clock, "staff"), reservation_id=house.resident_id
        )
        set_integration(
            Work(session, clock, "staff"),
            Signer("tests"),
            kind=IntegrationKind.PAYMENTS,
            address="https://api.pay.example.com",
            account=None,
            secret="sk_test_12345678",
        )
        call = put_call(session, clock, kind=ENVELOPE, subject_id=contract_id)
        mark_call_failed(call, clock, "401: no such account", for_good=True)
        session.flush()
        return {
            "template_id": template_id,
            "contract_id": contract_id,
            "call_id": call.id,
            "end_notice_id": notice.id,
            "later_term_id": term_id,
            "rent_proposal_id": proposal.id,
            "integration_kind": IntegrationKind.PAYMENTS.value,
        }
