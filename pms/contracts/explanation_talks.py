"""Explaining a document in person: when its reader asked for it, and who did it."""

from datetime import datetime
from typing import Final

from pms.access.members import members
from pms.contracts.models import ExplanationTalk, PriorExplanation
from pms.foundation.audit import Subject, note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.explanations import ExplanationWay

LONGEST_QUESTIONS: Final = 2_000


def write_talk(
    work: Work,
    *,
    explanation_id: str,
    person_id: str,
    way: ExplanationWay,
    about: Subject,
    explained_at: datetime | None = None,
    questions: str | None = None,
) -> None:
    """Store that a member of staff explained a document, now or at an earlier instant.

    Raises `Refused` for an instant in the future and for who is no member of the workspace.
    """
    locked(work.session, PriorExplanation, explanation_id)
    now = work.clock.now()
    if explained_at is not None and explained_at > now:
        raise Refused("explainedOn: the explanation cannot be in the future.")
    names = {member.person_id: member.name for member in members(work.session)}
    if person_id not in names:
        raise Refused("personId: choose the member of staff who explained it.")
    asked = (questions or "").strip() or None
    if asked is not None and len(asked) > LONGEST_QUESTIONS:
        raise Refused(
            "questions: this has {found_characters} characters. Enter at most {most_characters}.",
            found_characters=len(asked),
            most_characters=LONGEST_QUESTIONS,
        )
    talk = ExplanationTalk(
        id=new_id(),
        explanation_id=explanation_id,
        person_id=person_id,
        name=names[person_id],
        explained_at=explained_at or now,
        way=way,
        questions=asked,
        written_at=now,
        written_by=work.actor,
    )
    work.session.add(talk)
    noted = {"name": talk.name, "explained_at": talk.explained_at, "way": way, "questions": asked}
    note_audit_event(work, AuditEvent.EXPLANATION_SPOKEN, about, after=noted)
    work.session.flush()


def write_wish(
    work: Work,
    *,
    explanation_id: str,
    way: ExplanationWay,
    wished_at: datetime | None,
    about: Subject,
) -> None:
    """Store how and when the reader wants to be explained the document; None is as soon as possible.

    A later wish takes the place of an earlier one. Raises `Refused` for a time that has passed.
    """
    row = locked(work.session, PriorExplanation, explanation_id)
    if wished_at is not None and wished_at <= work.clock.now():
        raise Refused("wishedAt: this time has passed. Choose another one.")
    row.wished_way, row.wished_at = way, wished_at
    noted = {"way": way, "wished_at": wished_at}
    note_audit_event(work, AuditEvent.EXPLANATION_WISHED, about, after=noted)
    work.session.flush()
