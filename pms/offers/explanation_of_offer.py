"""The prior explanation of an offered fixed-term lease: agreed to, read and confirmed on the link."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import ContractFacts
from pms.contracts.explanations import (
    Explanation,
    explanation_about,
    explanation_text,
    write_confirmation,
    write_consent,
)
from pms.contracts.merge_contract import MergedContract, lease_kind_of
from pms.foundation.audit import subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.offers.contract_of_offer import facts_of_offer
from pms.offers.link_in_hand import link_to_change
from pms.offers.models import ReservationLink
from pms.rules.enumerations import LeaseKind


class OfferedExplanation(NamedTuple):
    """The document as it is today; `given` is how it was given, `None` before the consent."""

    document: MergedContract
    given: Explanation | None

    @property
    def is_confirmed(self) -> bool:
        """Whether the contract may be signed."""
        return self.given is not None and self.given.confirmed_at is not None


def explanation_of_offer(session: Session, clock: Clock, link_id: str) -> OfferedExplanation | None:
    """Return the explanation of an offer, `None` where its lease needs none.

    Raises `Refused` while it is not stated who moves in.
    """
    row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
    if lease_kind_of(session, row.template_id) is not LeaseKind.FIXED_TERM:
        return None
    facts = facts_of_offer(session, clock, row)
    document = explanation_text(facts, facts.locale)
    return OfferedExplanation(document, _given(session, row, facts))


def consent_to_offered(
    session: Session, clock: Clock, actor: str, *, link_id: str, document_hash: str, device: str
) -> None:
    """Keep that the applicant agreed to an electronic record; doing it again changes nothing."""
    row = link_to_change(session, link_id)
    facts = facts_of_offer(session, clock, row)
    if _given(session, row, facts) is not None:
        return
    row.explanation_id = write_consent(
        session,
        clock,
        actor,
        facts=facts,
        locale=facts.locale,
        document_hash=document_hash,
        device=device,
        reservation_id=None,
        about=subject_of(row),
    )
    session.flush()


def confirm_offered(
    session: Session, clock: Clock, actor: str, *, link_id: str, document_hash: str
) -> None:
    """Keep that the applicant read the explanation; doing it again changes nothing."""
    row = link_to_change(session, link_id)
    if row.explanation_id is None:
        raise Collision("Agree to the electronic record first; then the document is shown.")
    write_confirmation(
        session,
        clock,
        actor,
        explanation_id=row.explanation_id,
        document_hash=document_hash,
        about=subject_of(row),
    )


def _given(session: Session, row: ReservationLink, facts: ContractFacts) -> Explanation | None:
    if row.explanation_id is None:
        return None
    return explanation_about(session, row.explanation_id, facts)
