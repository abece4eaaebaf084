"""Says whom an answer did not reach: its mail was given up, and nobody saw to it since."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, exists, or_
from sqlalchemy.orm import aliased

from pms.enquiries.models import Enquiry, EnquiryNote, Lead, LeadNote
from pms.foundation.outbox import OutboxMail
from pms.rules import enquiry_steps, lead_steps


def _is_unheard(
    asked: type[Enquiry] | type[Lead], notes: Any, about: str, open_states: Sequence[Any]
) -> ColumnElement[bool]:
    """What was said or noted since it was given up counts as seen to, and so does closing."""
    answer, later = aliased(notes), aliased(notes)
    is_later = (
        later.workspace_id == asked.workspace_id,
        getattr(later, about) == asked.id,
        later.at > OutboxMail.given_up_at,
    )
    return (
        exists()
        .where(
            answer.workspace_id == asked.workspace_id,
            getattr(answer, about) == asked.id,
            OutboxMail.workspace_id == answer.workspace_id,
            OutboxMail.id == answer.mail_id,
            OutboxMail.given_up_at.is_not(None),
            or_(asked.state.in_(open_states), asked.changed_at < OutboxMail.given_up_at),
            ~exists().where(*is_later).correlate(asked, OutboxMail),
        )
        .correlate(asked)
    )


IS_ENQUIRY_UNHEARD: Final = _is_unheard(Enquiry, EnquiryNote, "enquiry_id", enquiry_steps.OPEN)
IS_LEAD_UNHEARD: Final = _is_unheard(Lead, LeadNote, "lead_id", lead_steps.OPEN)
