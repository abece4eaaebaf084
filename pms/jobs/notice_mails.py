"""Sends notices by the ways that leave the page, unless what they are about is over by then."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.bank.models import PayoutFile
from pms.contracts.models import Contract, ContractSignature
from pms.departures.models import MoveOutNotice
from pms.deposits.models import SettlementPaper
from pms.enquiries.models import Lead
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Enquiry, Ticket
from pms.jobs.runs import Tools
from pms.notices.models import Notice
from pms.notices.sendings import OverCheck, OverChecks, due_workspaces, hand_over_due
from pms.reservations.models import Reservation
from pms.rules.enumerations import EnquiryState, RequestState, TaskState, TicketSide
from pms.rules.message_words import LeadState
from pms.rules.notices_to_people import NoticeKind
from pms.upkeep.models import MaintenanceRequest, Task


def send_notices(tools: Tools) -> None:
    """Put the mails of notices that are due into the outbox, one mail for many of a kind."""
    with tools.database.across_workspaces_reading() as session:
        workspace_ids = due_workspaces(session, tools.clock)
    for workspace_id in workspace_ids:
        hand_over = partial(hand_over_due, clock=tools.clock, checks=OVER_CHECKS)
        while tools.database.write(workspace_id, hand_over):
            tools.database.let_others_write()


def _find_gone(
    column: InstrumentedAttribute[str] | InstrumentedAttribute[str | None],
    *remains: ColumnElement[bool],
) -> OverCheck:
    """Return the check of a kind: notices whose row is not there, or not as it has to be."""

    def find_over(session: Session, notices: Sequence[Notice]) -> set[str]:
        subject_ids = {notice.subject_id for notice in notices}
        there = set(session.scalars(select(column).where(column.in_(subject_ids), *remains)))
        return {notice.id for notice in notices if notice.subject_id not in there}

    return find_over


def _find_done_tasks(session: Session, notices: Sequence[Notice]) -> set[str]:
    """Return the notices of tasks that are done, cancelled, or now somebody else's."""
    asked = select(Task.id, Task.assignee_id).where(
        Task.id.in_({notice.subject_id for notice in notices}), Task.state != TaskState.DONE
    )
    assigned = {(task_id, person_id) for task_id, person_id in session.execute(asked)}
    return {
        notice.id for notice in notices if (notice.subject_id, notice.reader_id) not in assigned
    }


def _find_explained(session: Session, notices: Sequence[Notice]) -> set[str]:
    """Return the notices of contracts that were signed, or whose booking was cancelled."""
    asked = (
        select(Contract.id)
        .outerjoin(ContractSignature, refers_to(ContractSignature.contract_id, Contract))
        .join(Reservation, refers_to(Contract.reservation_id, Reservation))
        .where(
            Contract.id.in_({notice.subject_id for notice in notices}),
            ContractSignature.id.is_(None),
            Reservation.cancelled_at.is_(None),
        )
    )
    waiting = set(session.scalars(asked))
    return {notice.id for notice in notices if notice.subject_id not in waiting}


OVER_CHECKS: Final[OverChecks] = {
    NoticeKind.TASK_GIVEN: _find_done_tasks,
    NoticeKind.TASK_CHANGED: _find_done_tasks,
    NoticeKind.TASK_SENT_BACK: _find_done_tasks,
    NoticeKind.REPORT_RECEIVED: _find_gone(
        MaintenanceRequest.id, MaintenanceRequest.state == RequestState.REPORTED
    ),
    NoticeKind.MESSAGE_RECEIVED: _find_gone(Ticket.id, Ticket.awaits == TicketSide.STAFF),
    NoticeKind.ENQUIRY_RECEIVED: _find_gone(
        Enquiry.id, Enquiry.state == EnquiryState.NEW, Enquiry.answered_at.is_(None)
    ),
    NoticeKind.LEAD_RECEIVED: _find_gone(Lead.id, Lead.state == LeadState.NEW),
    NoticeKind.APPLICATION_RECEIVED: _find_gone(Reservation.id, Reservation.cancelled_at.is_(None)),
    NoticeKind.MOVE_OUT_FILED: _find_gone(
        MoveOutNotice.reservation_id, MoveOutNotice.withdrawn_at.is_(None)
    ),
    NoticeKind.SETTLEMENT_OBJECTED: _find_gone(
        SettlementPaper.id,
        SettlementPaper.released_at.is_(None),
        SettlementPaper.agreed_at.is_(None),
    ),
    NoticeKind.CONTRACT_TO_EXPLAIN: _find_explained,
    NoticeKind.PAYOUT_TO_CONFIRM: _find_gone(
        PayoutFile.id, PayoutFile.confirmed_at.is_(None), PayoutFile.dropped_at.is_(None)
    ),
    NoticeKind.PAYOUT_WITHOUT_CONFIRMER: _find_gone(
        PayoutFile.id, PayoutFile.confirmed_at.is_(None), PayoutFile.dropped_at.is_(None)
    ),
}
