"""Everything that came in and waits for an answer or a decision, of every kind, in one list."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    Select,
    func,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from pms.channels.conversation_lists import InboxReach
from pms.channels.inbox_sources import QUESTIONS, InboxItem, InboxKind, Source
from pms.foundation.phrases import Bilingual
from pms.foundation.run_records import Paging
from pms.upkeep.ticket_updates import first_line


@dataclass(frozen=True, slots=True)
class InboxScope:
    """What somebody meets: from which sources, which conversations, and nothing too old.

    What a provider or a mail server refused before `failed_since`, and what was disputed before
    `disputed_since`, was settled in another way.
    """

    sources: frozenset[Source]
    reach: InboxReach
    failed_since: datetime
    disputed_since: datetime

    @property
    def days(self) -> Mapping[str, datetime]:
        """The values that the questions are asked with."""
        return {"failed_since": self.failed_since, "disputed_since": self.disputed_since}


def inbox_items(
    session: Session, scope: InboxScope, kind: InboxKind | None, paging: Paging
) -> Sequence[InboxItem]:
    """Return one page of what waits, of one kind or of all, the oldest first."""
    told = _everything(_questions(session, scope, kind), kind)
    if told is None:
        return []
    asked = select(told).order_by(told.c.at, told.c.id).offset(paging.offset).limit(paging.limit)
    return [_item(row) for row in session.execute(asked, scope.days)]


def first_of_each(
    session: Session, scope: InboxScope, few: int
) -> Mapping[Source, Sequence[InboxItem]]:
    """Return the oldest few of each source in one question, what failed before the rest."""
    found: dict[Source, list[InboxItem]] = {source: [] for source in Source}
    if questions := _questions(session, scope):
        for item in map(_item, session.execute(_first_of_each(questions, few), scope.days)):
            found[item.source].append(item)
    return found


@lru_cache(maxsize=32)
def _first_of_each(questions: tuple[Select[Any], ...], few: int) -> Select[Any]:
    parts = []
    for question in questions:
        asked = question.subquery()
        order = (asked.c.has_failed.desc(), asked.c.at, asked.c.id)
        parts.append(select(select(asked).order_by(*order).limit(few).subquery()))
    told = union_all(*parts).subquery()
    return select(told).order_by(told.c.has_failed.desc(), told.c.at, told.c.id)


def inbox_counts(session: Session, scope: InboxScope) -> Mapping[InboxKind, int]:
    """Return how many things of each kind wait; a kind with nothing is left out."""
    told = _everything(_questions(session, scope), None)
    if told is None:
        return {}
    rows = session.execute(select(told.c.kind, func.count()).group_by(told.c.kind), scope.days)
    return {InboxKind(kind): count for kind, count in rows}


@lru_cache(maxsize=32)
def _everything(questions: tuple[Select[Any], ...], kind: InboxKind | None) -> Any:
    if not questions:
        return None
    told = union_all(*questions).subquery()
    return select(told).where(told.c.kind == kind).subquery() if kind else told


def _questions(
    session: Session, scope: InboxScope, kind: InboxKind | None = None
) -> tuple[Select[Any], ...]:
    wanted = scope.sources & (_SOURCES[kind] if kind else frozenset(Source))
    return tuple(
        scope.reach.narrow(session, question) if source is Source.CONVERSATION else question
        for source, question in QUESTIONS.items()
        if source in wanted
    )


_SOURCES: Final[Mapping[InboxKind, frozenset[Source]]] = {
    InboxKind.MESSAGES: frozenset({Source.CONVERSATION}),
    InboxKind.TICKETS: frozenset({Source.CONVERSATION}),
    InboxKind.ENQUIRIES: frozenset({Source.CONVERSATION}),
    InboxKind.REPORTS: frozenset({Source.REPORT}),
    InboxKind.APPLICATIONS: frozenset({Source.LEAD}),
    InboxKind.ORDERS: frozenset({Source.ORDER}),
    InboxKind.PAYMENTS: frozenset({Source.DISPUTE, Source.EVENT}),
    InboxKind.FAILED: frozenset({Source.CALL, Source.MAIL}),
}


def kinds_of(sources: Collection[Source]) -> Sequence[InboxKind]:
    """Return the kinds that come from any of the sources, in their order."""
    return [kind for kind, own in _SOURCES.items() if own & set(sources)]


def _item(row: Any) -> InboxItem:
    kind, source, id_, who, words, ja, en, room, yen, at, has_failed = row
    return InboxItem(
        InboxKind(kind),
        Source(source),
        str(id_),
        first_line(who),
        first_line(words),
        Bilingual(ja, en),
        room,
        yen,
        at,
        bool(has_failed),
    )
