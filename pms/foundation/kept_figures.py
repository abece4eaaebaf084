"""Figures that take long to make, kept in a table for all processes of an installation.

The table is only a cache. A row is read while its state is the present one, and never otherwise:
the state names the release and the counters of the rows that the figure was made of. The first who
needs a figure makes it; a job makes it again after a change.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from datetime import date, datetime, timedelta
from importlib.metadata import version
from time import perf_counter
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Date, Text, UniqueConstraint, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.building_paths import hidden
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.db import Base, Instant, insert_new
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import (
    EVERY_WORKSPACE,
    OfWorkspace,
    WorkspaceSession,
    buildings_of,
    workspace_of,
)
from pms.foundation.versions import MOST, KeptAnswers, reads_only

Question = TypeVar("Question", bound=Hashable)
Figure = TypeVar("Figure")

LONG_SECONDS = 0.2
"""What is made faster than this is not stored: to read it would be little quicker."""
KEPT_UNASKED: Final = timedelta(days=7)
"""How long a figure that nobody asks for is made again after changes, and kept."""
_PROGRAM: Final = version("pms")
_MADE: Final = "figures_made"
_READ: Final = "figures_read"


class KeptFigure(OfWorkspace, Base):
    """A figure and the state that it was made of; question, state and value are JSON.

    They are texts, because the database never looks into them. `asked_on` is the last day on which
    somebody needed the figure.
    """

    __tablename__ = "kept_figure"
    building_path = hidden("made of the rows of all buildings")
    __table_args__ = (UniqueConstraint("workspace_id", "name", "question"),)

    name: Mapped[str]
    question: Mapped[str]
    state: Mapped[str] = mapped_column(Text)
    value: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime] = mapped_column(Instant)
    asked_on: Mapped[date] = mapped_column(Date)


class _MadeFigure(NamedTuple):
    name: str
    question: str
    state: str
    value: str


class _ReadFigure(NamedTuple):
    id: str
    asked_on: date


class SharedAnswers(Generic[Question, Figure]):
    """Like `KeptAnswers`, with results that all processes share where they took long to make.

    `question` and `figure` are the types as which the JSON is read. `again` asks a question as it
    would be asked now, with a state of its own.
    """

    def __init__(
        self,
        name: str,
        question: type[Question],
        figure: Any,
        again: Callable[[Session, Clock, Question], object],
        most: int = MOST,
    ) -> None:
        self.name = name
        self._question, self._figure, self._again = question, figure, again
        self._kept = KeptAnswers(most)

    def answer(
        self, session: Session, question: Question, state: Hashable, asked: Callable[[], Figure]
    ) -> Figure:
        """Return the kept result of a question, or call `asked`; `state` was read before it."""
        return self._kept.answer(
            session, question, state, lambda: self._find_shared(session, question, state, asked)
        )

    def ask_again(self, session: Session, clock: Clock, question: str) -> object:
        """Ask a stored question, so that its result is made where it is not the present one."""
        return self._again(session, clock, msgspec.json.decode(question, type=self._question))

    def _find_shared(
        self, session: Session, question: Question, state: Hashable, asked: Callable[[], Figure]
    ) -> Figure:
        is_of_all = buildings_of(session) is None and workspace_of(session) != EVERY_WORKSPACE
        if not reads_only(session) or not is_of_all:
            return asked()
        key, fingerprint = _encode_json(question), _encode_json((_PROGRAM, state))
        kept = session.execute(
            select(KeptFigure.id, KeptFigure.asked_on, KeptFigure.value).where(
                KeptFigure.name == self.name,
                KeptFigure.question == key,
                KeptFigure.state == fingerprint,
            )
        ).one_or_none()
        if kept is not None:
            try:
                found: Figure = msgspec.json.decode(kept.value, type=self._figure)
            except msgspec.DecodeError:
                pass  # in another form, which a release without a number of its own wrote
            else:
                session.info.setdefault(_READ, []).append(_ReadFigure(kept.id, kept.asked_on))
                return found
        began = perf_counter()
        answer = asked()
        if perf_counter() - began >= LONG_SECONDS:
            made = _MadeFigure(self.name, key, fingerprint, _encode_json(answer))
            session.info.setdefault(_MADE, []).append(made)
        return answer


def _encode_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def keep_figures(
    database: Database, clock: Clock, session: WorkspaceSession, *, is_asked: bool = True
) -> None:
    """Store what a reading session had to make, after it was closed.

    Without `is_asked` it was not made for somebody. What cannot be written now is left out, and
    made again by the next.
    """
    made: Sequence[_MadeFigure] = session.info.pop(_MADE, ())
    today = clock.today()
    read: Sequence[_ReadFigure] = session.info.pop(_READ, ())
    first = [figure.id for figure in read if is_asked and figure.asked_on != today]
    if not made and not first:
        return

    def store(session: WorkspaceSession) -> None:
        for figure in made:
            same = KeptFigure.name == figure.name, KeptFigure.question == figure.question
            asked_on = session.scalar(select(KeptFigure.asked_on).where(*same))
            session.execute(delete(KeptFigure).where(*same))
            asked_on = today if is_asked or asked_on is None else asked_on
            facts = {"made_at": clock.now(), "asked_on": asked_on, **figure._asdict()}
            # Another process may have stored it meanwhile, which is as good.
            insert_new(session, KeptFigure, [facts])
        session.execute(
            update(KeptFigure).where(one_of(KeptFigure.id, first)).values(asked_on=today)
        )

    database.note(str(session.workspace_id), store)


class WantedFigure(NamedTuple):
    """A stored question of a workspace that somebody asked lately."""

    workspace_id: str
    name: str
    question: str


def wanted_figures(session: Session, today: date, names: Collection[str]) -> Sequence[WantedFigure]:
    """Return the figures that somebody needed lately; the session reads across workspaces."""
    rows = session.execute(
        select(KeptFigure.workspace_id, KeptFigure.name, KeptFigure.question)
        .where(KeptFigure.asked_on >= today - KEPT_UNASKED, KeptFigure.name.in_(names))
        .order_by(KeptFigure.workspace_id, KeptFigure.id)
    )
    return [WantedFigure(*row) for row in rows]


def forget_figures(session: Session, today: date) -> None:
    """Delete what nobody needed lately; the session writes across workspaces."""
    session.execute(delete(KeptFigure).where(KeptFigure.asked_on < today - KEPT_UNASKED))
