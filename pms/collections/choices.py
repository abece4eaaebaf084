"""The ways of payment a workspace offers, and a resident's choice: a kept card, or stores."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.checkouts.open_bills import pays_online
from pms.collections.models import Collection, CollectionTermsRow, PaymentChoice
from pms.foundation.audit import (
    note_audit_event,
    of_reservation,
    of_workspace,
    set_columns,
)
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.outbox import put_call
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to, workspace_of
from pms.foundation.work import Work, find_row, locked, refuse_other_version
from pms.providers.collected_payments import KeptCard
from pms.providers.payments import PaymentPage
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.bill_collection import OPEN_STATES, CollectionTerms
from pms.rules.enumerations import ChoiceState, CollectionState, PaymentWay

CONSENT: Final = "2026-11"
"""The version of the consent text that residents agree to; a changed text needs a new version."""
CARD_PAGE: Final = "collections.card_page"
CARD_LOOKUP: Final = "collections.card_lookup"
CARD_REMOVAL: Final = "collections.card_removal"
CANCELLING: Final = "collections.cancel"
"""The kinds of provider calls: a card's page, look-up and removal; cancelling a store's number."""

_BOUNDS: Final = {
    "attempts": (1, 4),
    "retry_days": (1, 10),
    "notice_days": (1, 14),
    "store_days": (3, 30),
}
_FIELDS: Final = {
    "attempts": "attempts",
    "retry_days": "retryDays",
    "notice_days": "noticeDays",
    "store_days": "storeDays",
}
_PAGE_LIVES: Final = timedelta(minutes=30)


class TermsRecord(NamedTuple):
    """The offered ways, with their version; 0 before the first."""

    terms: CollectionTerms
    version: int


class ResidentChoice(NamedTuple):
    """A resident's choice; `card` is set once one was entered."""

    id: str
    reservation_id: str
    way: PaymentWay
    state: ChoiceState
    consented_at: datetime
    reference: str | None
    url: str | None
    return_path: str | None
    card: KeptCard | None
    failure: str | None
    active_at: datetime | None


class ChoiceLine(NamedTuple):
    """A choice in force in a list, with its resident."""

    choice: ResidentChoice
    name: str
    building: Bilingual
    unit: str


def collection_terms(session: Session) -> TermsRecord:
    """Return what the workspace offers; without a row it offers nothing."""
    row = session.scalars(select(CollectionTermsRow)).one_or_none()
    if row is None:
        return TermsRecord(CollectionTerms(), 0)
    values = {field.name: getattr(row, field.name) for field in fields(CollectionTerms)}
    return TermsRecord(CollectionTerms(**values), row.version)


def write_terms(work: Work, terms: CollectionTerms, *, expected_version: int) -> None:
    """Write what the workspace offers; earlier choices stay in force."""
    for name, (least, most) in _BOUNDS.items():
        given = getattr(terms, name)
        if type(given) is not int or not least <= given <= most:
            raise Refused(
                "{field}: {given} is not possible. Enter {least} to {most}.",
                field=_FIELDS[name],
                given=given,
                least=least,
                most=most,
            )
    row = work.session.scalars(select(CollectionTermsRow).with_for_update()).one_or_none()
    refuse_other_version(row, expected_version)
    values = asdict(terms)
    if row is None:
        workspace_id = workspace_of(work.session)
        row = CollectionTermsRow(workspace_id=workspace_id, id=workspace_id, version=0)
        work.session.add(row)
    about = of_workspace(work.session)
    set_columns(work, AuditEvent.COLLECTION_TERMS_WRITTEN, row, values, about=about)


def choice_of(session: Session, reservation_id: str) -> ResidentChoice | None:
    """Return the choice in force of a tenancy; None means that it pays by transfer."""
    row = session.scalars(_in_force(reservation_id)).one_or_none()
    return None if row is None else _build_choice(row)


def choice_record(session: Session, choice_id: str) -> ResidentChoice:
    """Return one choice; raise `NotFound` for an unknown id."""
    row = find_row(session, PaymentChoice, choice_id)
    return _build_choice(row)


def list_choices(session: Session, paging: Paging) -> tuple[Sequence[ChoiceLine], int]:
    """Return one page of the choices in force, by name, and the number of all."""
    is_active = PaymentChoice.state == ChoiceState.ACTIVE
    rows = session.execute(
        select(PaymentChoice, Reservation.name, Unit.name, Building.name, Building.name_en)
        .join(Reservation, refers_to(PaymentChoice.reservation_id, Reservation))
        .join(Reservation.unit)
        .join(Unit.building)
        .where(is_active)
        .order_by(Reservation.name, PaymentChoice.id)
        .offset(paging.offset)
        .limit(paging.limit)
    )
    total = session.scalar(select(func.count()).select_from(PaymentChoice).where(is_active)) or 0
    return [
        ChoiceLine(_build_choice(row), name, Bilingual(building, building_en), unit)
        for row, name, unit, building, building_en in rows
    ], total


def choose_card(work: Work, *, reservation_id: str, return_path: str) -> str:
    """Queue the page for storing a card, with the payer's consent; return the choice's id.

    The choice is in force once the card was entered. A second click reuses the open page of the
    first.
    """
    locked(work.session, Reservation, reservation_id)
    _check_offered(work.session, PaymentWay.CARD)
    recent = select(PaymentChoice.id).where(
        PaymentChoice.reservation_id == reservation_id,
        PaymentChoice.state == ChoiceState.ASKED,
        PaymentChoice.failure.is_(None),
        PaymentChoice.consented_at > work.clock.now() - _PAGE_LIVES,
    )
    if (known := work.session.scalar(recent.limit(1))) is not None:
        return known
    row = _new_choice(work, reservation_id, PaymentWay.CARD, ChoiceState.ASKED)
    row.return_path = f"{return_path}?choice={row.id}"
    put_call(work.session, work.clock, kind=CARD_PAGE, subject_id=row.id)
    _note_choice(work, AuditEvent.PAYMENT_CHOICE_ASKED, row)
    work.session.flush()
    return row.id


def choose_stores(work: Work, *, reservation_id: str) -> str:
    """Choose payment at stores by a number for each bill; the provider needs an email address."""
    reservation = locked(work.session, Reservation, reservation_id)
    _check_offered(work.session, PaymentWay.STORE)
    if not reservation.email:
        raise Refused("email: an email address is needed to send the numbers to.")
    known = _lock_choice_in_force(work.session, reservation_id)
    if known is not None and known.way is PaymentWay.STORE:
        return known.id
    if known is not None:
        _end_with_collections(work, known)
    row = _new_choice(work, reservation_id, PaymentWay.STORE, ChoiceState.ACTIVE)
    row.active_at = work.clock.now()
    _note_choice(work, AuditEvent.PAYMENT_CHOICE_MADE, row)
    work.session.flush()
    return row.id


def end_choice(work: Work, *, reservation_id: str) -> None:
    """End the choice of a tenancy: it pays by transfer again, and a kept card is removed."""
    locked(work.session, Reservation, reservation_id)
    row = _lock_choice_in_force(work.session, reservation_id)
    if row is None:
        raise Refused(
            "payment: this tenancy pays by bank transfer, so there is nothing to collect."
        )
    _end_with_collections(work, row)
    work.session.flush()


def note_card_page(session: Session, clock: Clock, choice_id: str, page: PaymentPage) -> None:
    """Store the page on which the card is entered."""
    row = _lock_choice(session, choice_id)
    row.reference, row.url = page.reference, page.url


def note_card(work: Work, choice_id: str, card: KeptCard) -> None:
    """Put the choice in force with the entered card; an earlier choice ends."""
    reservation_id = choice_record(work.session, choice_id).reservation_id
    locked(work.session, Reservation, reservation_id)
    row = _lock_choice(work.session, choice_id)
    if row.state is not ChoiceState.ASKED:
        return
    before = _lock_choice_in_force(work.session, reservation_id)
    if before is not None:
        _end_with_collections(work, before)
        work.session.flush()
    for name, value in card._asdict().items():
        setattr(row, name, value)
    row.state, row.active_at, row.failure, row.url = (
        ChoiceState.ACTIVE,
        work.clock.now(),
        None,
        None,
    )
    _note_choice(work, AuditEvent.PAYMENT_CHOICE_MADE, row)
    work.session.flush()


def note_no_card(session: Session, clock: Clock, choice_id: str, failure: str) -> None:
    """End a choice for which no card was entered."""
    row = _lock_choice(session, choice_id)
    if row.state is ChoiceState.ASKED:
        row.state, row.failure, row.ended_at, row.url = (
            ChoiceState.ENDED,
            failure,
            clock.now(),
            None,
        )


def _new_choice(
    work: Work, reservation_id: str, way: PaymentWay, state: ChoiceState
) -> PaymentChoice:
    row = PaymentChoice(
        id=new_id(),
        reservation_id=reservation_id,
        way=way,
        state=state,
        consent=CONSENT,
        consented_at=work.clock.now(),
        consented_by=work.actor,
    )
    work.session.add(row)
    return row


def _end_with_collections(work: Work, row: PaymentChoice) -> None:
    """End a choice in force and its open collections, except a charge that was requested."""
    row.state, row.ended_at, row.ended_by = ChoiceState.ENDED, work.clock.now(), work.actor
    _note_choice(work, AuditEvent.PAYMENT_CHOICE_ENDED, row)
    if row.method is not None:
        put_call(work.session, work.clock, kind=CARD_REMOVAL, subject_id=row.id)
    under_way = select(Collection).where(
        Collection.choice_id == row.id, Collection.state.in_(OPEN_STATES)
    )
    for collection in work.session.scalars(under_way.with_for_update()):
        if collection.state is CollectionState.PLANNED:
            collection.state, collection.ended_at = CollectionState.CANCELLED, work.clock.now()
        elif collection.state is CollectionState.WAITING:
            put_call(work.session, work.clock, kind=CANCELLING, subject_id=collection.id)


def _check_offered(session: Session, way: PaymentWay) -> None:
    if not (pays_online(session) and collection_terms(session).terms.offers(way)):
        raise Refused("way: this payment method is not available. Please pay by bank transfer.")


def _in_force(reservation_id: str) -> Any:
    return select(PaymentChoice).where(
        PaymentChoice.reservation_id == reservation_id,
        PaymentChoice.state == ChoiceState.ACTIVE,
    )


def _lock_choice_in_force(session: Session, reservation_id: str) -> PaymentChoice | None:
    query = _in_force(reservation_id).with_for_update()
    found: PaymentChoice | None = session.scalars(
        query.execution_options(populate_existing=True)
    ).one_or_none()
    return found


def _lock_choice(session: Session, choice_id: str) -> PaymentChoice:
    query = select(PaymentChoice).where(PaymentChoice.id == choice_id).with_for_update()
    return session.scalars(query.execution_options(populate_existing=True)).one()


def _note_choice(work: Work, audit_event: AuditEvent, row: PaymentChoice) -> None:
    facts = {"way": row.way.value, "last_digits": row.last_digits, "consent": row.consent}
    note_audit_event(work, audit_event, of_reservation(row.reservation_id), after=facts)


def _build_choice(row: PaymentChoice) -> ResidentChoice:
    card = None
    if row.method is not None:
        card = KeptCard(*(getattr(row, name) or "" for name in KeptCard._fields))
    return ResidentChoice(
        row.id,
        row.reservation_id,
        row.way,
        row.state,
        row.consented_at,
        row.reference,
        row.url,
        row.return_path,
        card,
        row.failure,
        row.active_at,
    )
