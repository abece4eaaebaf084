"""Keeps answers that cost much in the process, for as long as nothing they are made of changes."""

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
    """The newest few answers; each is handed out only while the state it was made of stands.

    `most` is smaller where an answer tells of many rows. Nothing is kept of a session that writes: what it sees may be taken back.
    """

    _all: ClassVar["WeakSet[KeptAnswers]"] = WeakSet()

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()
        self._all.add(self)

    @classmethod
    def forget_all(cls) -> None:
        """Forget every answer of this process, when its database was replaced by another."""
        for kept in cls._all:
            with kept._lock:
                kept._kept.clear()

    def answer(
        self, session: Session, question: Hashable, state: Hashable, asked: Callable[[], Answer]
    ) -> Answer:
        """Return the kept answer to a question, or ask; `state` is read before it is asked."""
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
    """Have a session that only reads keep what it was asked, while one page is made of it."""
    session.info[_ANSWERS] = {}


def asked_once(session: Session, question: Callable[..., Answer], *given: Hashable) -> Answer:
    """Return what the session answered to the same question before, or ask it.

    Several parts of a page ask the same. Other sessions, all that write among them, are asked
    each time.
    """
    answers = session.info.get(_ANSWERS)
    if answers is None:
        return question(session, *given)
    key = (question, *given)
    if key not in answers:
        answers[key] = question(session, *given)
    found: Answer = answers[key]
    return found
