"""Writes down a deed of the hottest paths, whose facts are plain already, in one statement."""

from typing import Final

from pms.foundation.audit import AuditRecord, Subject
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.prepared_writes import PreparedInsert
from pms.foundation.prepared_writing import Writing
from pms.rules.deeds import Deed

PlainFacts = dict[str, str | int | None]
_KEEP: Final = PreparedInsert(
    AuditRecord,
    *("at", "actor", "deed", "subject_kind", "subject_id", "before", "after", "via"),
)


def note_quickly(
    session: Writing,
    clock: Clock,
    actor: str,
    deed: Deed,
    subject: Subject,
    *,
    before: PlainFacts,
    after: PlainFacts,
) -> None:
    """Keep a deed as `note_deed` does; the facts are texts and figures that hold no secret."""
    _KEEP.run(
        session,
        id=new_id(),
        at=clock.now(),
        actor=actor,
        deed=deed.value,
        subject_kind=subject[0],
        subject_id=subject[1],
        before=before or None,
        after=after or None,
        via=None,
    )
