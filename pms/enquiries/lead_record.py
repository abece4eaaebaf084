"""One lead as it stands: what was sent, what was said since, and earlier ones of the same address."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy.orm import Session

from pms.enquiries.lead_in_hand import no_lead
from pms.enquiries.lead_list import LEADS, WIDTH, ListedLead, listed_lead
from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.what_was_said import Said, what_was_said
from pms.foundation.ids import is_id
from pms.rules.days import add_months, day_of
from pms.rules.lead_steps import KEPT_DECLINED_MONTHS

_FEW: Final = 10


class LeadRecord(NamedTuple):
    """One lead, and what is known of whoever applies."""

    lead: ListedLead
    received_by: str
    external_id: str | None
    declined_at: datetime | None
    said: Sequence[Said]
    others: Sequence[ListedLead]

    @property
    def forgotten_on(self) -> date | None:
        """The day on which a declined lead is forgotten by itself."""
        if self.declined_at is None:
            return None
        return add_months(day_of(self.declined_at), KEPT_DECLINED_MONTHS) + timedelta(days=1)


def lead_record(session: Session, lead_id: str) -> LeadRecord:
    """Return the lead; raise `NotFound` for an id of nobody here."""
    row: Any = None
    if is_id(lead_id):
        question = LEADS.add_columns(
            Lead.received_by, Lead.external_id, Lead.declined_at, Lead.email_key
        )
        row = session.execute(question.where(Lead.id == lead_id)).first()
    if row is None:
        raise no_lead(lead_id)
    received_by, external_id, declined_at, email_key = row[WIDTH:]
    return LeadRecord(
        lead=listed_lead(row),
        received_by=received_by,
        external_id=external_id,
        declined_at=declined_at,
        said=what_was_said(session, LeadNote, LeadNote.lead_id == lead_id),
        others=_others(session, lead_id, email_key),
    )


def _others(session: Session, lead_id: str, email_key: str) -> Sequence[ListedLead]:
    question = LEADS.where(Lead.email_key == email_key, Lead.id != lead_id).limit(_FEW)
    return [listed_lead(row) for row in session.execute(question)]
