"""Failed collections and those with an unknown result: listing, retrying and giving up."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from pms.collections.collected_bills import (
    CHARGING,
    LOOKING,
    cancel_collection,
    collect_once_more,
)
from pms.collections.collections_read import CollectionLine, collection_lines, collection_record
from pms.collections.models import Collection
from pms.foundation.errors import Refused
from pms.foundation.outbox import ProviderCall, make_call_again, put_call
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.ledger.debts import unsettled_standings
from pms.ledger.models import EntryTotal
from pms.reservations.models import Reservation
from pms.rules.enumerations import CollectionState

_MOST_LOOKED_AT: Final = 200
_Later = aliased(Collection)


def failed_collections(session: Session, on: date, most: int) -> Sequence[CollectionLine]:
    """Return the last collections of open bills that failed or have no result, newest first."""
    is_last = (
        ~select(_Later.id)
        .where(
            _Later.workspace_id == Collection.workspace_id,
            _Later.entry_id == Collection.entry_id,
            _Later.attempt > Collection.attempt,
        )
        .exists()
    )
    is_open = (
        select(EntryTotal.id)
        .where(
            refers_to(Collection.entry_id, EntryTotal),
            EntryTotal.billed_yen > EntryTotal.paid_yen,
        )
        .exists()
    )
    is_unfinished = Collection.state.in_((CollectionState.FAILED, CollectionState.ASKED))
    found: list[CollectionLine] = []
    for skip in range(0, _MOST_LOOKED_AT, most):
        lines = collection_lines(
            session,
            most,
            is_unfinished,
            Collection.failure.is_not(None),
            is_last,
            is_open,
            skip=skip,
        )
        # The collections whose bills are not fully paid at the end of a day.
        unsettled = unsettled_standings(session, on)
        owed = {
            bill.id
            for reservation_id in {line.collection.reservation_id for line in lines}
            for bill in unsettled.get(reservation_id, ())
            if not bill.is_voided and bill.open_yen > 0
        }
        unpaid_collections = [line for line in lines if line.collection.entry_id in owed]
        found += unpaid_collections
        if len(found) >= most or len(lines) < most:
            break
    return found[:most]


def collect_again(work: Work, collection_id: str) -> None:
    """Collect a bill once more; with an unknown result or another amount, ask the provider first.

    Raises `Refused` when the bill is being collected or is paid, or its resident pays in another
    way.
    """
    known = collection_record(work.session, collection_id)
    locked(work.session, Reservation, known.reservation_id)
    record = collection_record(work.session, collection_id)
    if record.state is CollectionState.FAILED:
        collect_once_more(work, record)
    elif call_id := _given_up_call(work.session, collection_id):
        make_call_again(work.session, work.clock, call_id)
    elif record.is_of_other_amount and not _is_being_asked(work.session, collection_id):
        put_call(work.session, work.clock, kind=LOOKING, subject_id=collection_id)
    else:
        raise Refused("collection: this bill is being collected or has been collected.")


def give_up_unknown(work: Work, collection_id: str) -> None:
    """End a collection with an unknown result, after a person found no payment at the provider.

    Or one of another amount, after its money was recorded. Money that arrives nevertheless is
    recorded by the provider's event.
    """
    known = collection_record(work.session, collection_id)
    locked(work.session, Reservation, known.reservation_id)
    may_end = _given_up_call(work.session, collection_id) is not None or (
        known.is_of_other_amount and not _is_being_asked(work.session, collection_id)
    )
    if known.state is not CollectionState.ASKED or not may_end:
        raise Refused("collection: the result is known, or the provider is being asked.")
    cancel_collection(work, collection_id)


def _is_being_asked(session: Session, collection_id: str) -> bool:
    query = select(ProviderCall.id).where(
        ProviderCall.kind.in_((CHARGING, LOOKING)),
        ProviderCall.subject_id == collection_id,
        ProviderCall.given_up_at.is_(None),
        ProviderCall.done_at.is_(None),
    )
    return session.scalar(query.limit(1)) is not None


def _given_up_call(session: Session, collection_id: str) -> str | None:
    """Return the charging call that was given up, or None while it is retried automatically."""
    query = select(ProviderCall.id).where(
        ProviderCall.kind == CHARGING,
        ProviderCall.subject_id == collection_id,
        ProviderCall.given_up_at.is_not(None),
        ProviderCall.done_at.is_(None),
    )
    return session.scalar(query)
