"""An answer says whether its mail left; one that was given up is to be answered again."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select

from pms.enquiries import enquiry_lists as enquiry_list
from pms.enquiries import lead_lists as lead_list
from pms.enquiries.enquiries import (
    WrittenEnquiry,
    move_enquiry,
    note_enquiry,
    receive_enquiry,
)
from pms.enquiries.enquiry_answers import (
    answer_enquiry,
    answer_lead,
    send_enquiry_again,
    send_lead_again,
)
from pms.enquiries.enquiry_lists import enquiry_record
from pms.enquiries.lead_lists import lead_record
from pms.enquiries.leads import move_lead, note_lead
from pms.enquiries.models import Lead
from pms.enquiries.notes import AnswerOrNote
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.outbox import MOST_ATTEMPTS, OutboxMail, lease_mails, mark_failed, mark_sent
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.models import Enquiry
from pms.rules.enumerations import EnquirySource, EnquiryState
from pms.rules.message_words import LeadState, MessageState
from tests.cast import Cast

pytestmark = pytest.mark.differs("outbox and leases")

PAGE = Paging(1, 50)
WHO: dict[str, Any] = {"name": "林 光", "email": "hikaru@example.jp", "message": "空いていますか"}
REFUSED = "SMTPRecipientsRefused: no such user"


class Kind(NamedTuple):
    """Enquiries or leads: both are answered in the same way."""

    receive: Callable[[WorkspaceSession, FixedClock], str]
    answer: Callable[..., None]
    note: Callable[..., None]
    again: Callable[..., None]
    close: Callable[..., None]
    answers: Callable[[WorkspaceSession, str], Sequence[AnswerOrNote]]
    to_answer: Callable[[WorkspaceSession], tuple[int, list[tuple[str, bool]]]]
    table: Any


def _enquiries(session: WorkspaceSession) -> tuple[int, list[tuple[str, bool]]]:
    search = enquiry_list.EnquirySearch(is_to_answer=True)
    found = enquiry_list.list_enquiries(session, search, PAGE).enquiries
    count = enquiry_list.count_enquiries(session).to_answer
    return count, [(one.id, one.is_unheard) for one in found]


def _leads(session: WorkspaceSession) -> tuple[int, list[tuple[str, bool]]]:
    found = lead_list.list_leads(session, lead_list.LeadSearch(is_to_answer=True), PAGE).leads
    return lead_list.count_leads(session).to_answer, [(one.id, one.is_unheard) for one in found]


def _asked(session: WorkspaceSession, clock: FixedClock) -> str:
    enquiry = WrittenEnquiry(**WHO, source=EnquirySource.WEBSITE)
    return receive_enquiry(Work(session, clock, "key/site"), enquiry=enquiry)


KINDS = {
    "enquiry": Kind(
        _asked,
        lambda s, c, id_, text: answer_enquiry(Work(s, c, "office"), enquiry_id=id_, text=text),
        lambda s, c, id_, text: note_enquiry(Work(s, c, "office"), enquiry_id=id_, text=text),
        lambda s, c, id_, note: send_enquiry_again(
            Work(s, c, "office"), enquiry_id=id_, note_id=note
        ),
        lambda s, c, id_: move_enquiry(
            Work(s, c, "office"), enquiry_id=id_, into=EnquiryState.LOST
        ),
        lambda s, id_: enquiry_record(s, id_).answers_and_notes,
        _enquiries,
        Enquiry,
    ),
    "lead": Kind(
        lambda s, c: receive_lead(Work(s, c, "key/site"), lead=WrittenLead(**WHO)),
        lambda s, c, id_, text: answer_lead(Work(s, c, "office"), lead_id=id_, text=text),
        lambda s, c, id_, text: note_lead(Work(s, c, "office"), lead_id=id_, text=text),
        lambda s, c, id_, note: send_lead_again(Work(s, c, "office"), lead_id=id_, note_id=note),
        lambda s, c, id_: move_lead(Work(s, c, "office"), lead_id=id_, into=LeadState.DECLINED),
        lambda s, id_: lead_record(s, id_).answers_and_notes,
        _leads,
        Lead,
    ),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def give_up(session: WorkspaceSession, clock: FixedClock) -> None:
    """Have the mail server refuse what waits until it is given up."""
    session.flush()
    for _ in range(MOST_ATTEMPTS):
        for mail in lease_mails(session, clock):
            mark_failed(mail, clock, REFUSED)
        clock.advance(timedelta(days=1))
    session.flush()


def the_answer(kind: Kind, session: WorkspaceSession, id_: str) -> AnswerOrNote:
    session.flush()
    (said,) = (one for one in kind.answers(session, id_) if one.is_answer)
    return said


def test_an_answer_waits_then_is_sent_or_tells_why_not(
    database: Database, clock: FixedClock, cast: Cast, kind: Kind
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        id_ = kind.receive(session, clock)
        kind.answer(session, clock, id_, "はい。")
        kind.note(session, clock, id_, "電話した")
        assert the_answer(kind, session, id_).state is MessageState.WAITING
        (mail,) = lease_mails(session, clock)
        mark_failed(mail, clock, "the server is away")
        waiting = the_answer(kind, session, id_)
        assert (waiting.state, waiting.failure) == (MessageState.WAITING, "the server is away")
        clock.advance(timedelta(minutes=2))
        mark_sent(mail, clock)
        sent = the_answer(kind, session, id_)
        assert (sent.state, sent.sent_at) == (MessageState.SENT, clock.now())
        (note,) = (one for one in kind.answers(session, id_) if not one.is_answer)
        assert (note.state, note.channel) == (None, None)
        assert kind.to_answer(session) == (0, [])


def test_an_answer_that_was_given_up_is_to_answer_again_until_it_is_sent_again(
    database: Database, clock: FixedClock, cast: Cast, kind: Kind
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        id_, other = kind.receive(session, clock), kind.receive(session, clock)
        assert kind.to_answer(session)[0] == 2
        kind.answer(session, clock, other, "はい。")
        for mail in lease_mails(session, clock):
            mark_sent(mail, clock)
        kind.answer(session, clock, id_, "はい。")
        give_up(session, clock)
        said = the_answer(kind, session, id_)
        assert (said.state, said.failure) == (MessageState.FAILED, REFUSED)
        assert kind.to_answer(session) == (1, [(id_, True)])
        session.get_one(kind.table, (cast.sumida.workspace_id, id_)).email = "new@example.jp"
        with pytest.raises(NotFound):
            kind.again(session, clock, other, said.id)
        kind.again(session, clock, id_, said.id)
        with pytest.raises(Refused, match="did not fail"):
            kind.again(session, clock, id_, said.id)
        assert the_answer(kind, session, id_).state is MessageState.WAITING
        assert kind.to_answer(session) == (0, [])
        (mail,) = lease_mails(session, clock)
        assert (mail.recipient, mail.attempts) == ("new@example.jp", 1)
        assert "はい。" in mail.text
        assert len(session.scalars(select(OutboxMail)).all()) == 2


@pytest.mark.parametrize("verb", ["note", "answer", "close"])
def test_whoever_sees_to_it_another_way_has_answered(
    database: Database, clock: FixedClock, cast: Cast, kind: Kind, verb: str
) -> None:
    words = () if verb == "close" else ("電話で伝えた",)
    with database.writing(cast.sumida.workspace_id) as session:
        id_ = kind.receive(session, clock)
        kind.answer(session, clock, id_, "はい。")
        getattr(kind, verb)(session, clock, id_, *words)
        give_up(session, clock)
        assert kind.to_answer(session) == (1, [(id_, True)]), "before it failed nobody knew"
        if verb == "close":
            session.get_one(kind.table, (cast.sumida.workspace_id, id_)).changed_at = clock.now()
        else:
            getattr(kind, verb)(session, clock, id_, *words)
        session.flush()
        assert kind.to_answer(session) == (0, [])
