"""Caches expensive results in the process for as long as the data they depend on is unchanged."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, ClassVar, Final, TypeVar
from weakref import WeakSet

from sqlalchemy.orm import Session

from pms.foundation.db import READ_ONLY
from pms.foundation.tenancy import workspace_of

Answer = TypeVar("Answer")

MOST: Final = 16


class KeptAnswers:
    """A cache of the newest results; each is returned only while its state is unchanged.

    `most` is smaller where a result covers many rows. Results of a writing session are not cached:
    what it sees may be rolled back.
    """

    _all: ClassVar["WeakSet[KeptAnswers]"] = WeakSet()

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()
        self._all.add(self)

    @classmethod
    def forget_all(cls) -> None:
        """Clear every cache of this process, after its database was replaced by another."""
        for kept in cls._all:
            with kept._lock:
                kept._kept.clear()

    def answer(
        self, session: Session, question: Hashable, state: Hashable, asked: Callable[[], Answer]
    ) -> Answer:
        """Return the cached result of a question, or call `asked`; `state` was read before it."""
        connection = session.connection()
        if not connection.get_execution_options().get(READ_ONLY, False):
            return asked()
        key = (str(connection.engine.url), workspace_of(session), question)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] == state:
            found: Answer = kept[1]
            return found
        answer = asked()
        with self._lock:
            self._kept[key] = (state, answer)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer


_ANSWERS: Final = "answered_once"


def answer_once(session: Session) -> None:
    """Let a reading session cache repeated queries while one page is rendered."""
    session.info[_ANSWERS] = {}


def asked_once(session: Session, question: Callable[..., Answer], *given: Hashable) -> Answer:
    """Return the session's cached result of the same question, or run the query.

    Several parts of a page need the same result. Other sessions, such as all that write, run the
    query each time.
    """
    answers = session.info.get(_ANSWERS)
    if answers is None:
        return question(session, *given)
    key = (question, *given)
    if key not in answers:
        answers[key] = question(session, *given)
    found: Answer = answers[key]
    return found
