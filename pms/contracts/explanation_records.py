"""Prior explanations as they were given: the document, who explained it, and what is still missing."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ExplanationTalk, PriorExplanation
from pms.contracts.stated_terms import KEPT_TERMS
from pms.foundation.errors import no_such
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import readable_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.rules.enumerations import LeaseKind
from pms.rules.explanations import ExplanationWay, SpokenExplanation, unexplained_because
from pms.workspaces.queries import policy


class RecordedTalk(NamedTuple):
    """A member of staff explained a version of the document."""

    name: str
    explained_at: datetime
    way: ExplanationWay
    questions: str | None
    paper_version: int


class Explanation(NamedTuple):
    """How the explanation of a stay was given; `handed_on` is set only for paper.

    `talks` are those of every version of the document, the newest last.
    """

    id: str
    title: str
    body: str
    body_hash: str
    locale: str
    stated: Mapping[str, Any]
    parties: dict[str, Any] | None
    paper_version: int
    consented_at: datetime | None
    handed_on: date | None
    confirmed_at: datetime | None
    wished_way: ExplanationWay | None
    wished_at: datetime | None
    talks: Sequence[RecordedTalk]

    @property
    def talk(self) -> RecordedTalk | None:
        """The newest explanation of this version by a member of staff."""
        own = [talk for talk in self.talks if talk.paper_version == self.paper_version]
        return own[-1] if own else None


class ExplanationLack(StrEnum):
    """What a fixed term still lacks before it is signed."""

    PAPER = "paper"
    PERSON = "person"
    READING = "reading"


def explanations_of(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, Sequence[Explanation]]:
    """Return the explanations by reservation, in one query; a confirmed one comes last."""
    return asked_once(session, _group_explanations, tuple(reservation_ids))


def _group_explanations(
    session: Session, reservation_ids: tuple[str, ...]
) -> Mapping[str, Sequence[Explanation]]:
    found = _read_explanations(session, one_of(PriorExplanation.reservation_id, reservation_ids))
    by_reservation: dict[str, list[Explanation]] = defaultdict(list)
    for reservation_id, explanation in found:
        by_reservation[reservation_id or ""].append(explanation)
    return by_reservation


def explanation_record(session: Session, explanation_id: str) -> Explanation:
    """Return one explanation; raise `NotFound` for an unknown id."""
    found = _read_explanations(session, PriorExplanation.id == explanation_id)
    if not found:
        raise no_such("explanation", explanation_id)
    return found[0][1]


def _read_explanations(session: Session, condition: Any) -> list[tuple[str | None, Explanation]]:
    """Return explanations with their reservations, each with the talks of its reservation."""
    asked = (
        select(PriorExplanation, ExplanationTalk)
        .outerjoin(ExplanationTalk, refers_to(ExplanationTalk.explanation_id, PriorExplanation))
        .where(condition)
        .order_by(ExplanationTalk.explained_at, ExplanationTalk.id)
    )
    papers: dict[str, PriorExplanation] = {}
    talks: dict[str, list[RecordedTalk]] = defaultdict(list)
    for paper, talk in session.execute(asked):
        papers[paper.id] = paper
        if talk is not None:
            facts = (talk.name, talk.explained_at, talk.way, talk.questions)
            recorded = RecordedTalk(*facts, paper_version=paper.paper_version)
            talks[paper.reservation_id or paper.id].append(recorded)
    rows = sorted(
        papers.values(), key=lambda row: (row.confirmed_at is not None, row.written_at, row.id)
    )
    names = [name for name in Explanation._fields if name != "talks"]
    return [
        (
            row.reservation_id,
            Explanation(
                **{name: getattr(row, name) for name in names},
                talks=talks.get(row.reservation_id or row.id, ()),
            ),
        )
        for row in rows
    ]


# The subject of an explanation: another home or other days need a new one.
_EXPLAINED_TERMS: Final = ("dates", "room")


def is_explained_by(stated: Mapping[str, Any], explained: Mapping[str, Any]) -> bool:
    """Whether the terms of a document are those that an explanation was about.

    An explanation that cannot be read does not count: it is given again.
    """
    terms, about = (readable_stored(KEPT_TERMS, kept) for kept in (stated, explained))
    return (
        terms is not None
        and about is not None
        and all(
            term in terms and term in about and terms[term][0] == about[term][0]
            for term in _EXPLAINED_TERMS
        )
    )


def newest_about(
    found: Sequence[Explanation], stated: Mapping[str, Any] | None
) -> Explanation | None:
    """Return the last explanation of some terms; unknown terms are those of any."""
    return next(
        (
            explanation
            for explanation in reversed(found)
            if stated is None or is_explained_by(stated, explanation.stated)
        ),
        None,
    )


_LATER: Final = datetime.max.replace(tzinfo=UTC)


def lack_of_explanation(
    session: Session, given: Explanation | None, sign_at: datetime | None = None
) -> ExplanationLack | None:
    """Return what a fixed term lacks to be signed at an instant, or at a later one."""
    if given is None:
        return ExplanationLack.PAPER
    because = unexplained_because(
        kind=LeaseKind.FIXED_TERM,
        explanations=[
            SpokenExplanation(talk.name, talk.explained_at, talk.way, str(talk.paper_version))
            for talk in given.talks
        ],
        version=str(given.paper_version),
        sign_at=sign_at or _LATER,
        explanation_by_person=policy(session).explanation_by_person,
    )
    if because is not None:
        return ExplanationLack.PERSON
    return None if given.confirmed_at is not None else ExplanationLack.READING
