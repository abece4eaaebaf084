"""Queries about contracts: the documents of a reservation, their signers and their states."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import PaperParties
from pms.contracts.explanation_records import (
    ExplanationLack,
    explanations_of,
    lack_of_explanation,
    newest_about,
)
from pms.contracts.models import Contract, ContractKind, ContractSignature
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.outbox import ProviderCall
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.enumerations import ContractState

__all__ = [
    "ENVELOPE",
    "ENVELOPE_LOOKUP",
    "ENVELOPE_VOID",
    "RESIDENT",
    "SIGNING_PAGE",
    "ContractKind",
    "ContractRecord",
    "ContractState",
    "FoundContract",
    "PaperStanding",
    "agreed_contract",
    "contract_record",
    "contracts_of",
    "contracts_of_people",
    "current_contract",
    "find_newest_signed",
    "paper_standing",
    "paper_standings",
]

RESIDENT = "resident"
"""The signer: the contract holder."""
ENVELOPE = "esign.envelope"
"""The kind of provider call that sends a document for signature."""
ENVELOPE_LOOKUP = "esign.lookup"
"""The kind of provider call that asks for the state of a document."""
ENVELOPE_VOID = "esign.void"
"""The kind of provider call that voids a document, so that it cannot be signed."""
SIGNING_PAGE = "esign.page"
"""The kind of provider call that asks for the signing page of a document."""


class Signed(NamedTuple):
    """A signature: who, when, and of which document."""

    name: str
    at: datetime
    document_hash: str
    device: str
    is_unexplained: bool = False


class Handing(NamedTuple):
    """The progress of sending a document to a provider; without one it is signed here."""

    is_waiting: bool
    failure: str | None
    is_given_up: bool


class ContractRecord(NamedTuple):
    """One document with all data for its page."""

    id: str
    reservation_id: str
    kind: ContractKind
    number: int
    locale: str
    title: str
    body: str
    body_hash: str
    issued_at: datetime
    issued_by: str
    sent_at: datetime | None
    signed: Signed | None
    declined_at: datetime | None
    decline_reason: str | None
    expired_at: datetime | None
    replaced_at: datetime | None
    envelope: str | None
    signing_url: str | None
    handing: Handing | None
    stated: Mapping[str, Any] | None
    outdated_at: datetime | None
    needs_explanation: bool
    parties: PaperParties | None
    term_id: str | None
    is_of_cancelled: bool

    @property
    def state(self) -> ContractState:
        """The state of the document."""
        # A signed document is replaced only when the term that it agreed is withdrawn.
        if self.signed is not None and self.replaced_at is None:
            return ContractState.SIGNED
        ends = (
            (self.replaced_at, ContractState.REPLACED),
            (self.declined_at, ContractState.DECLINED),
            (self.expired_at, ContractState.EXPIRED),
            (self.outdated_at, ContractState.OUTDATED),
            (self.sent_at, ContractState.SENT),
        )
        return next((state for at, state in ends if at is not None), ContractState.ISSUED)

    @property
    def may_be_signed(self) -> bool:
        """Whether it waits for a signature, here or at a provider."""
        return self.state in (ContractState.ISSUED, ContractState.SENT)

    @property
    def is_signed_here(self) -> bool:
        """Whether it can be signed by typing a name: it waits, and not at a provider."""
        return self.may_be_signed and (self.handing is None or self.handing.is_given_up)


def contracts_of(session: Session, reservation_id: str) -> Sequence[ContractRecord]:
    """Return the documents of a reservation, the newest first."""
    asked = _CONTRACTS.where(Contract.reservation_id == reservation_id)
    return _read_records(session, session.execute(asked.order_by(Contract.number.desc())).all())


def contract_record(session: Session, contract_id: str) -> ContractRecord:
    """Return one document; raise `NotFound` for an unknown id."""
    asked = _CONTRACTS.where(Contract.id == contract_id)
    rows = session.execute(asked).all() if is_id(contract_id) else ()
    if not rows:
        raise no_such("contract", contract_id)
    return _read_records(session, rows)[0]


def current_contract(session: Session, reservation_id: str) -> ContractRecord | None:
    """Return the newest document of a reservation that is not replaced, or None."""
    found = contracts_of(session, reservation_id)
    return next(
        (contract for contract in found if contract.state is not ContractState.REPLACED), None
    )


class PaperStanding(NamedTuple):
    """The state of the document that counts for a reservation.

    `lack` is what a fixed term that waits for its signature lacks of its prior explanation.
    """

    id: str
    title: str
    is_signed: bool
    is_outdated: bool
    is_over: bool
    sent_at: datetime | None
    lack: ExplanationLack | None = None


def paper_standing(session: Session, reservation_id: str) -> PaperStanding | None:
    """Return the newest document in force, else a declined or expired one."""
    return paper_standings(session, [reservation_id]).get(reservation_id)


def paper_standings(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, PaperStanding]:
    """Return the document that counts for each reservation, in at most two queries."""
    signed = ContractSignature.id.is_not(None)
    rows = session.execute(
        select(
            Contract.reservation_id,
            Contract.id,
            Contract.title,
            signed.label("is_signed"),
            Contract.outdated_at,
            Contract.declined_at,
            Contract.expired_at,
            Contract.sent_at,
            Contract.needs_explanation,
            Contract.stated,
        )
        .outerjoin(
            ContractSignature,
            refers_to(ContractSignature.contract_id, Contract)
            & (ContractSignature.signer == RESIDENT),
        )
        .where(one_of(Contract.reservation_id, reservation_ids), Contract.replaced_at.is_(None))
        .order_by(Contract.number.desc())
    ).all()
    lacks = _list_lacks(session, [row for row in rows if row.needs_explanation])
    found: dict[str, PaperStanding] = {}
    for row in rows:
        is_over = not row.is_signed and (row.declined_at or row.expired_at) is not None
        known = found.get(row.reservation_id)
        if known is not None and (is_over or not known.is_over):
            continue
        found[row.reservation_id] = PaperStanding(
            row.id,
            row.title,
            row.is_signed,
            row.outdated_at is not None,
            is_over,
            row.sent_at,
            lacks.get(row.id),
        )
    return found


def _list_lacks(session: Session, rows: Iterable[Any]) -> Mapping[str, ExplanationLack | None]:
    """Return what the unsigned ones of these fixed terms lack to be signed, by document."""
    waiting = [row for row in rows if not row.is_signed]
    if not waiting:
        return {}
    given = explanations_of(session, {row.reservation_id for row in waiting})
    return {
        row.id: lack_of_explanation(
            session, newest_about(given.get(row.reservation_id, ()), row.stated)
        )
        for row in waiting
    }


class FoundContract(NamedTuple):
    """A document in force, with the resident's name."""

    id: str
    title: str
    number: int
    name: str


def contracts_of_people(
    session: Session, reservation_ids: Iterable[str], most: int
) -> Sequence[FoundContract]:
    """Return the documents of some reservations that are not replaced, the newest first."""
    asked = (
        select(Contract.id, Contract.title, Contract.number, Reservation.name)
        .join(Reservation, refers_to(Contract.reservation_id, Reservation))
        .where(one_of(Contract.reservation_id, reservation_ids), Contract.replaced_at.is_(None))
        .order_by(Contract.issued_at.desc(), Contract.id)
        .limit(most)
    )
    return [FoundContract._make(row) for row in session.execute(asked)]


def agreed_contract(session: Session, reservation_id: str) -> ContractRecord | None:
    """Return the newest signed document of a reservation, or None."""
    return find_newest_signed(contracts_of(session, reservation_id))


def find_newest_signed(records: Iterable[ContractRecord]) -> ContractRecord | None:
    """Return the first signed one in force of these records, which are ordered newest first."""
    return next((contract for contract in records if contract.state is ContractState.SIGNED), None)


_OF_RESIDENT: Final = refers_to(ContractSignature.contract_id, Contract) & (
    ContractSignature.signer == RESIDENT
)
_CONTRACTS: Final = (
    select(Contract, ContractSignature, Reservation.cancelled_at.is_not(None))
    .join(Reservation, refers_to(Contract.reservation_id, Reservation))
    .outerjoin(ContractSignature, _OF_RESIDENT)
)
"""Documents, each with its signature and whether its reservation is cancelled."""


def _read_records(
    session: Session, rows: Sequence[Row[Contract, ContractSignature | None, bool]]
) -> Sequence[ContractRecord]:
    asked = select(ProviderCall).where(
        one_of(ProviderCall.subject_id, [row.id for row, *_ in rows]), ProviderCall.kind == ENVELOPE
    )
    handed = {
        call.subject_id: Handing(
            call.due_at is not None, call.failure, call.given_up_at is not None
        )
        for call in session.scalars(asked.order_by(ProviderCall.written_at, ProviderCall.id))
    }
    return [
        _build_record(
            row, _build_signature(signature), handed.get(row.id), is_of_cancelled=is_cancelled
        )
        for row, signature, is_cancelled in rows
    ]


def _build_signature(row: ContractSignature | None) -> Signed | None:
    if row is None:
        return None
    return Signed(row.name, row.signed_at, row.document_hash, row.device, row.is_unexplained)


def _build_record(
    row: Contract, signed: Signed | None, handing: Handing | None, *, is_of_cancelled: bool
) -> ContractRecord:
    return ContractRecord(
        id=row.id,
        reservation_id=row.reservation_id,
        kind=row.kind,
        number=row.number,
        locale=row.locale,
        title=row.title,
        body=row.body,
        body_hash=row.body_hash,
        issued_at=row.issued_at,
        issued_by=row.issued_by,
        sent_at=row.sent_at,
        signed=signed,
        declined_at=row.declined_at,
        decline_reason=row.decline_reason,
        expired_at=row.expired_at,
        replaced_at=row.replaced_at,
        envelope=row.envelope,
        signing_url=row.signing_url,
        handing=handing,
        stated=row.stated,
        outdated_at=row.outdated_at,
        needs_explanation=row.needs_explanation,
        parties=PaperParties.of(row.parties),
        term_id=row.term_id,
        is_of_cancelled=is_of_cancelled,
    )


def lock_contract(session: Session, contract_id: str) -> tuple[Reservation, Contract]:
    """Return the reservation and its document, locked, so that concurrent signers wait.

    Raises `NotFound` for an unknown document.
    """
    asked = select(Contract.reservation_id).where(Contract.id == contract_id)
    reservation_id = session.scalar(asked) if is_id(contract_id) else None
    if reservation_id is None:
        raise no_such("contract", contract_id)
    row = reservation_to_change(session, reservation_id)
    wanted = select(Contract).where(Contract.id == contract_id).with_for_update()
    contract = session.scalars(wanted.execution_options(populate_existing=True)).one()
    return row, contract
