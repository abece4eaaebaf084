"""Figures that take long to make, kept in a table for all processes of an installation.

The table is only a cache. A row is read while its state is the present one: the state names the
program and the counters of the rows that the figure was made of. The first who needs a figure makes
it; a job makes it again after a change. A page that says so may show the one from before the change
for some minutes, so that nobody waits for one that takes long.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Date, Text, UniqueConstraint, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.building_paths import hidden
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.db import Base, Instant, insert_new
from pms.foundation.migrating import current_head
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import (
    EVERY_WORKSPACE,
    OfWorkspace,
    WorkspaceSession,
    buildings_of,
    workspace_of,
)
from pms.foundation.versions import MOST, KeptAnswers, PassingAnswer, reads_only
from pms.rules.days import day_of

Question = TypeVar("Question", bound=Hashable)
Figure = TypeVar("Figure")

LONG_SECONDS = 0.2
"""What is made faster than this is not stored: to read it would be little quicker."""
LONG_CPU_MS = 500
"""What is made with less CPU than this is never shown as it was before a change."""
KEPT_UNASKED: Final = timedelta(days=7)
"""How long a figure that nobody asks for is made again after changes, and kept."""
SHOWN_OUTDATED: Final = timedelta(minutes=5)
"""How long a page shows a figure from before a change, where no job makes it again."""
_MADE: Final = "figures_made"
_READ: Final = "figures_read"
_ACCEPTED_AT: Final = "outdated_figures_accepted_at"
_OUTDATED: Final = "outdated_figures"
_WITHOUT_FIGURES: Final = frozenset({"surfaces", "demo", "translations"})


def hash_modules(folder: Path) -> str:
    """Return a hash of the modules that figures are made by; how they are shown does not matter."""
    found = sha256()
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder)
        if place.parts[0] not in _WITHOUT_FIGURES:
            found.update(f"{place}\0".encode() + path.read_bytes())
    return found.hexdigest()


@cache
def identify_program() -> str:
    """Return what names the code that runs: its modules, and the schema it is written for.

    The number of the release would stay the same after an update without an installation.
    """
    return f"{current_head()} {hash_modules(Path(__file__).parents[1])}"


class KeptFigure(OfWorkspace, Base):
    """A figure and the state that it was made of; question, state and value are JSON.

    They are texts, because the database never looks into them. `asked_on` is the last day on which
    somebody needed the figure, `outdated_since` when it was first shown after a change.
    """

    __tablename__ = "kept_figure"
    building_path = hidden("made of the rows of all buildings")
    __table_args__ = (UniqueConstraint("workspace_id", "name", "question"),)

    name: Mapped[str]
    question: Mapped[str]
    state: Mapped[str] = mapped_column(Text)
    value: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime] = mapped_column(Instant)
    cpu_ms: Mapped[int]
    asked_on: Mapped[date] = mapped_column(Date)
    outdated_since: Mapped[datetime | None] = mapped_column(Instant)


class _MadeFigure(NamedTuple):
    name: str
    question: str
    state: str
    value: str
    cpu_ms: int


class _ReadFigure(NamedTuple):
    id: str
    asked_on: date
    is_first_outdated: bool


def accept_outdated_figures(session: Session, now: datetime) -> None:
    """Let a reading session answer with figures from before a change, if they are of today.

    The page has to say it: `outdated_figures_of` returns from when they are.
    """
    session.info[_ACCEPTED_AT] = now


def outdated_figures_of(session: Session) -> datetime | None:
    """Return when the oldest figure was made that is from before a change, or None without any."""
    return min(session.info.get(_OUTDATED, ()), default=None)


class SharedAnswers(Generic[Question, Figure]):
    """Like `KeptAnswers`, with results that all processes share where they took long to make.

    `question` and `figure` are the types as which the JSON is read. `again` asks a question as it
    would be asked now, with a state of its own, and `usual` what a page shows at first, which is
    another question in each month.
    """

    def __init__(
        self,
        name: str,
        question: type[Question],
        figure: Any,
        again: Callable[[Session, Clock, Question], object],
        *,
        usual: Callable[[Session, Clock], Question],
        most: int = MOST,
    ) -> None:
        self.name, self._usual = name, usual
        self._question, self._figure, self._again = question, figure, again
        self._kept = KeptAnswers(most)

    def answer(
        self, session: Session, question: Question, state: Hashable, asked: Callable[[], Figure]
    ) -> Figure:
        """Return the kept result of a question, or call `asked`; `state` was read before it."""
        return self._kept.answer(
            session, question, state, lambda: self._find_shared(session, question, state, asked)
        )

    def ask_again(self, session: Session, clock: Clock, question: str | None) -> object:
        """Ask a stored question, or the usual one, so that there is a result of the present state."""
        asked = (
            self._usual(session, clock)
            if question is None
            else msgspec.json.decode(question, type=self._question)
        )
        return self._again(session, clock, asked)

    def _find_shared(
        self, session: Session, question: Question, state: Hashable, asked: Callable[[], Figure]
    ) -> Figure | PassingAnswer[Figure]:
        is_of_all = buildings_of(session) is None and workspace_of(session) != EVERY_WORKSPACE
        if not reads_only(session) or not is_of_all:
            return asked()
        key, program = _encode_json(question), f"{identify_program()} "
        fingerprint = program + _encode_json(state)
        kept = session.execute(
            select(KeptFigure).where(KeptFigure.name == self.name, KeptFigure.question == key)
        ).scalar_one_or_none()
        if kept is not None and kept.state.startswith(program):
            is_present = kept.state == fingerprint
            if is_present or _is_accepted(session, kept):
                with suppress(msgspec.DecodeError):
                    return self._note_read(session, kept, is_present)
        began, began_cpu = perf_counter(), thread_time()
        answer = asked()
        if perf_counter() - began >= LONG_SECONDS:
            cpu_ms = int((thread_time() - began_cpu) * 1_000)
            made = _MadeFigure(self.name, key, fingerprint, _encode_json(answer), cpu_ms)
            session.info.setdefault(_MADE, []).append(made)
        return answer

    def _note_read(
        self, session: Session, kept: KeptFigure, is_present: bool
    ) -> Figure | PassingAnswer[Figure]:
        found: Figure = msgspec.json.decode(kept.value, type=self._figure)
        is_first = not is_present and kept.outdated_since is None
        session.info.setdefault(_READ, []).append(_ReadFigure(kept.id, kept.asked_on, is_first))
        if is_present:
            return found
        session.info.setdefault(_OUTDATED, []).append(kept.made_at)
        return PassingAnswer(found)


def _is_accepted(session: Session, kept: KeptFigure) -> bool:
    now: datetime | None = session.info.get(_ACCEPTED_AT)
    return (
        now is not None
        and kept.cpu_ms >= LONG_CPU_MS
        and day_of(kept.made_at) == day_of(now)
        and (kept.outdated_since is None or now - kept.outdated_since < SHOWN_OUTDATED)
    )


def _encode_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def keep_figures(
    database: Database, clock: Clock, session: WorkspaceSession, *, asked_on: date | None = None
) -> None:
    """Store what a reading session had to make, after it was closed.

    It was needed today, or last on the day given. What cannot be written now is left out, and made
    again by the next.
    """
    made: Sequence[_MadeFigure] = session.info.pop(_MADE, ())
    today = clock.today()
    read: Sequence[_ReadFigure] = session.info.pop(_READ, ())
    first = [figure.id for figure in read if asked_on is None and figure.asked_on != today]
    outdated = [figure.id for figure in read if figure.is_first_outdated]
    if not made and not first and not outdated:
        return

    def store(session: WorkspaceSession) -> None:
        for figure in made:
            same = KeptFigure.name == figure.name, KeptFigure.question == figure.question
            last_on = session.scalar(select(KeptFigure.asked_on).where(*same))
            session.execute(delete(KeptFigure).where(*same))
            facts = {
                "made_at": clock.now(),
                "asked_on": max(filter(None, (asked_on or today, last_on))),
                **figure._asdict(),
            }
            # Another process may have stored it meanwhile, which is as good.
            insert_new(session, KeptFigure, [facts])
        session.execute(
            update(KeptFigure).where(one_of(KeptFigure.id, first)).values(asked_on=today)
        )
        session.execute(
            update(KeptFigure)
            .where(one_of(KeptFigure.id, outdated))
            .values(outdated_since=clock.now())
        )

    database.note(str(session.workspace_id), store)


class WantedFigure(NamedTuple):
    """A question of a workspace that somebody asked lately, as it is stored, or the usual one."""

    workspace_id: str
    name: str
    question: str | None
    asked_on: date


def wanted_figures(session: Session, today: date, names: Collection[str]) -> Sequence[WantedFigure]:
    """Return the figures that somebody needed lately; the session reads across workspaces."""
    rows = session.execute(
        select(KeptFigure.workspace_id, KeptFigure.name, KeptFigure.question, KeptFigure.asked_on)
        .where(KeptFigure.asked_on >= today - KEPT_UNASKED, KeptFigure.name.in_(names))
        .order_by(KeptFigure.workspace_id, KeptFigure.asked_on, KeptFigure.id)
    )
    return [WantedFigure(*row) for row in rows]


def forget_figures(session: Session, today: date) -> None:
    """Delete what nobody needed lately; the session writes across workspaces."""
    session.execute(delete(KeptFigure).where(KeptFigure.asked_on < today - KEPT_UNASKED))
