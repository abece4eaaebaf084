"""Tells who owned a building on a day, by the deeds that named another owner for it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import AuditRecord
from pms.foundation.prepared import one_of
from pms.rules.days import day_of
from pms.rules.deeds import Deed

_NAMED = (
    select(AuditRecord.subject_id, AuditRecord.at, AuditRecord.before)
    .where(
        AuditRecord.subject_kind == "building",
        AuditRecord.deed == Deed.BUILDING_OWNER_NAMED.value,
        AuditRecord.before.is_not(None),
    )
    .order_by(AuditRecord.at, AuditRecord.id)
)


class Handover(NamedTuple):
    """The day on which a building left an owner."""

    on: date
    owner_id: str


def handovers(session: Session, building_ids: Collection[str]) -> Mapping[str, Sequence[Handover]]:
    """Return who owned the buildings before and until when, the earliest first."""
    found: dict[str, list[Handover]] = defaultdict(list)
    rows = session.execute(_NAMED.where(one_of(AuditRecord.subject_id, building_ids)))
    for building_id, at, before in rows:
        if before.get("owner_id") is not None:
            found[building_id].append(Handover(day_of(at), before["owner_id"]))
    return found


def owner_on(day: date, handed: Sequence[Handover], owner_now: str | None) -> str | None:
    """Return who owned a building at the end of a day; days without an owner go to the next."""
    return next((one.owner_id for one in handed if one.on > day), owner_now)


def left_by(session: Session, owner_ids: Collection[str]) -> Collection[str]:
    """Return the ids of the buildings that left one of the owners."""
    rows = session.execute(_NAMED)
    return {id_ for id_, _, before in rows if before.get("owner_id") in set(owner_ids)}
