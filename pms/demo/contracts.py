"""The offers and contracts of the demo: accepted, signed, waiting, or out of date."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.members import members
from pms.arrivals.co_occupants import name_co_occupants
from pms.arrivals.dates import correct_dates
from pms.contracts.explanations import (
    confirm_explanation,
    consent_to_explanation,
    explanation_to_read,
    record_talk,
    wish_explanation,
)
from pms.contracts.issuing import issue_contract
from pms.contracts.merged_documents import builtin_text
from pms.contracts.models import Contract, ContractSignature, ContractTemplate
from pms.contracts.outdated_papers import mark_outdated
from pms.contracts.queries import RESIDENT, contract_record
from pms.contracts.screening_decisions import move_screening
from pms.contracts.screenings import open_screening
from pms.contracts.templates import write_template
from pms.demo.contract_people import ask_applicant
from pms.demo.people import APPLICANT, People
from pms.demo.people import RESIDENT as KNOWN_RESIDENT
from pms.demo.rows import Chance, read_toml
from pms.enquiries.viewing_lists import Opening, openings
from pms.foundation.clock import FixedClock, bank_closure
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import Signer, new_token
from pms.foundation.work import Work
from pms.ledger.move_in import change_esign_status
from pms.ledger.queries import entries_of
from pms.offers.frozen_terms import (
    FrozenTerms,
    StatedDetails,
    freeze_terms,
    kept_details,
    state_details,
)
from pms.offers.models import ReservationLink
from pms.offers.offer_documents import (
    explanation_of_offer,
    save_consent,
    save_explanation_read,
    wish_offer_explanation,
)
from pms.offers.offer_links import create_reservation_link
from pms.pricing.agreed_price import MonthlyAmounts, amounts_by_item
from pms.pricing.models import PricingSnapshot
from pms.reservations.models import Reservation
from pms.reservations.residents import NamedPerson
from pms.rules.contract_dates import effective_day
from pms.rules.days import ONE_DAY, add_months, readable
from pms.rules.enumerations import (
    EntryKind,
    EsignStatus,
    LeaseKind,
    Lifecycle,
    Locale,
    ReservationKind,
)
from pms.rules.explanations import ExplanationWay, explanation_times
from pms.rules.screening import ScreeningState
from pms.statements.invoices import issue_invoice

_TEXTS: Final = read_toml("texts")["contracts"]

_BY: Final = "demo"
_MONTHS: Final = 12
_DAYS: Final = timedelta(days=7)


def keep_offers(session: Session, slug: str, now: datetime, signer: Signer) -> None:
    """Offer two free units, one of them too long ago, and tell of a booking that an offer became."""
    people = People(Chance("offers", slug, now.date()))
    clock = FixedClock(now)
    free = [opening for opening in openings(session, clock.today()) if opening.is_confirmed]
    for days_ago, opening in zip((2, 9), free, strict=False):
        person = people.next()
        facts = {"name": person.name, "email": person.email, "locale": person.locale}
        link_id = _make_offer(session, clock, opening, signer, facts)
        row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
        _date_back(row, now - timedelta(days=days_ago))
        if row.expires_at > now:
            _read_offered_explanation(session, clock, link_id)
            ask_applicant(session, clock, row)
    _accept_offer(session, now)


def _make_offer(
    session: Session, clock: FixedClock, opening: Opening, signer: Signer, facts: dict[str, Any]
) -> str:
    move_in_on = max(opening.on, clock.today() + timedelta(days=20))
    made = create_reservation_link(
        Work(session, clock, _BY),
        unit_id=opening.unit_id,
        move_in_on=move_in_on,
        contract_end_on=add_months(move_in_on, _MONTHS) - ONE_DAY,
        signer=signer,
        **facts,
    )
    return made.id


def _date_back(row: ReservationLink, made_at: datetime) -> None:
    """Let an offer have been made, sent and opened at an instant that is past."""
    row.created_at, row.expires_at = made_at, made_at + _DAYS
    row.sent_at = made_at + timedelta(minutes=5)
    row.last_opened_at = made_at + timedelta(hours=3)


def _accept_offer(session: Session, now: datetime) -> None:
    asked = (
        select(Reservation, PricingSnapshot)
        .join(PricingSnapshot, refers_to(PricingSnapshot.reservation_id, Reservation))
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == Lifecycle.BOOKED,
            Reservation.starts_on > now.date(),
        )
        .order_by(Reservation.starts_on, Reservation.id)
    )
    found = session.execute(asked).first()
    if found is None:
        return
    row = _accepted_link(*found, now=now)
    _date_back(row, now - timedelta(days=1))
    session.add(row)
    session.flush()
    _approve_applicant(session, row, now - timedelta(hours=22))


def _approve_applicant(session: Session, link: ReservationLink, at: datetime) -> None:
    """Let an applicant have been looked at and approved before their contract."""
    clock = FixedClock(at)
    screening_id = open_screening(
        session, clock, by=f"applicant/{link.id}", reservation_id=link.reservation_id
    )
    link.screening_id = screening_id
    for minutes, state, reason in (
        (20, ScreeningState.IN_REVIEW, None),
        (80, ScreeningState.APPROVED, _TEXTS["approved"]),
    ):
        move_screening(
            Work(session, FixedClock(at + timedelta(minutes=minutes)), _BY),
            screening_id=screening_id,
            to=state,
            reason=reason,
        )
    session.flush()


def _accepted_link(
    booked: Reservation, price: PricingSnapshot, *, now: datetime
) -> ReservationLink:
    """Return the link by which a booked tenancy was offered and accepted."""
    details = StatedDetails(
        name=booked.name,
        name_kana=booked.name_kana,
        email=booked.email,
        phone=booked.phone,
        locale=Locale(booked.locale),
    )
    return ReservationLink(
        id=new_id(),
        nonce=new_token(),
        unit_id=booked.unit_id,
        move_in_on=booked.starts_on,
        contract_end_on=booked.contract_end_date,
        name=booked.name,
        email=booked.email,
        locale=booked.locale,
        terms=freeze_terms(_frozen_terms(booked, price)),
        details=kept_details(details),
        created_by=_BY,
        accepted_at=now - timedelta(hours=20),
        reservation_id=booked.id,
    )


def _frozen_terms(booked: Reservation, price: PricingSnapshot) -> FrozenTerms:
    yen = dict(amounts_by_item(vars(price)))
    return FrozenTerms(
        amounts=MonthlyAmounts(**{f"{item}_yen": amount for item, amount in yen.items()}),
        fees=(),
        discount=None,
        reservation_fee_yen=booked.reservation_fee_yen,
        deposit_yen=booked.deposit_yen,
    )


DEVICE: Final = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)"
_NAME: Final = _TEXTS["fixed_term"]
_ORDINARY: Final = _TEXTS["ordinary"]
_PARTNER: Final = _TEXTS["partner"]
_PHONE: Final = "090-5555-0142"
_QUESTIONS: Final = _TEXTS["questions"]
_REASON: Final = _TEXTS["later_start"]


def keep_contracts(session: Session, now: datetime) -> None:
    """Write the template, and documents of residents whose signature stands as the record says."""
    clock = FixedClock(now)
    write_template(
        Work(session, clock, _BY),
        template_id=None,
        name=_NAME,
        body_ja=builtin_text("ja"),
        body_en=builtin_text("en"),
    )
    write_template(
        Work(session, clock, _BY),
        template_id=None,
        name=_ORDINARY,
        body_ja=builtin_text("ja", LeaseKind.ORDINARY),
        body_en=builtin_text("en", LeaseKind.ORDINARY),
        lease_kind=LeaseKind.ORDINARY,
    )
    for row in _reservations_of(
        session, Lifecycle.LIVING, EsignStatus.SIGNED, KNOWN_RESIDENT.email, 3
    ):
        _sign_contract(session, row, now)
    for row in _reservations_of(session, Lifecycle.BOOKED, EsignStatus.SENT, APPLICANT.email, 2):
        if row.esign_status is EsignStatus.SIGNED:
            _sign_contract(session, row, now)
            continue
        contract = _send_contract(session, clock, row, now - timedelta(days=1, hours=3))
        if row.email != APPLICANT.email and contract.needs_explanation:
            _wait_for_explanation(session, clock, contract)
    _change_stays(session, clock, now)
    for row in _reservations_of(session, Lifecycle.BOOKED, EsignStatus.DECLINED, "", 1):
        declined = _add_contract(session, row, now - timedelta(days=3))
        declined.sent_at = now - timedelta(days=3)
        declined.declined_at, declined.decline_reason = now - timedelta(days=2), _REASON
    session.flush()


def _change_stays(session: Session, clock: FixedClock, now: datetime) -> None:
    """Change a stay after its contract was sent, and another after it was signed."""
    living = _reservations_of(session, Lifecycle.LIVING, EsignStatus.SIGNED, "", 4)
    for row in living[-1:]:
        _sign_contract(session, row, now)
        together = [NamedPerson(_PARTNER)]
        name_co_occupants(Work(session, clock, _BY), reservation_id=row.id, people=together)
    for row in _reservations_of(session, Lifecycle.BOOKED, EsignStatus.PENDING, "", 5):
        end_on = readable(effective_day(row.contract_end_date, row.override_contract_end_date))
        if end_on is not None and row.email:
            _send_contract(session, clock, row, now - timedelta(hours=5))
            for entry in entries_of(session, row.id):
                if entry.kind is EntryKind.MOVE_IN and entry.voided_on is None:
                    issue_invoice(Work(session, clock, _BY), entry.id)
            earlier_on = end_on - timedelta(days=7)
            correct_dates(
                Work(session, clock, _BY),
                reservation_id=row.id,
                override_move_in_date=_find_later_start(row),
                override_contract_end_date=earlier_on,
            )
            session.flush()
            mark_outdated(Work(session, clock, _BY), [row.id])
            session.flush()
            # Nobody is to find it in the post today.
            mails = select(OutboxMail).where(
                OutboxMail.recipient == row.email, OutboxMail.due_at.is_not(None)
            )
            for mail in session.scalars(mails):
                mail.sent_at, mail.due_at = mail.written_at, None
            break


def _find_later_start(row: Reservation) -> date | None:
    """Three days after the day that was agreed."""
    start_on = readable(effective_day(row.move_in_date, row.override_move_in_date))
    return start_on and start_on + timedelta(days=3)


def _reservations_of(
    session: Session, lifecycle: Lifecycle, status: EsignStatus, known: str, most: int
) -> list[Reservation]:
    """The reservation of the known address, whatever its signature, and others that stand so."""
    asked = (
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == lifecycle,
            Reservation.starts_on.is_not(None),
            (Reservation.esign_status == status) | (Reservation.email == known),
        )
        .order_by((Reservation.email == known).desc(), Reservation.id)
        .limit(most)
    )
    return list(session.scalars(asked))


def _sign_contract(session: Session, row: Reservation, now: datetime) -> None:
    at = min(row.created_at + timedelta(hours=2), now - timedelta(days=2))
    contract = _add_contract(session, row, at)
    contract.sent_at = at + timedelta(minutes=10)
    explain_contract(session, contract, row, at + timedelta(hours=20))
    session.add(
        ContractSignature(
            contract_id=contract.id,
            signer=RESIDENT,
            name=row.name,
            email=row.email,
            signed_at=at + timedelta(days=1),
            document_hash=contract.body_hash,
            device=DEVICE,
        )
    )


def explain_contract(session: Session, contract: Contract, row: Reservation, at: datetime) -> None:
    """Let the resident have agreed to the electronic explanation, and read it some minutes later."""
    if not contract.needs_explanation:
        return
    text, _ = explanation_to_read(session, contract_record(session, contract.id))
    facts = {"contract_id": contract.id, "document_hash": text.body_hash}
    actor = f"reservation/{row.id}"
    consent_to_explanation(Work(session, FixedClock(at), actor), device=DEVICE, **facts)
    _explain_by_phone(session, contract.id, FixedClock(at + timedelta(minutes=4)))
    read_at = FixedClock(at + timedelta(minutes=6))
    confirm_explanation(Work(session, read_at, actor), **facts)


def _explain_by_phone(session: Session, contract_id: str, clock: FixedClock) -> None:
    staff = members(session)
    if not staff:
        # A demo in production has no members of its own.
        return
    record_talk(
        Work(session, clock, _BY),
        contract_id=contract_id,
        person_id=staff[0].person_id,
        way=ExplanationWay.PHONE,
        questions=_QUESTIONS,
    )


def _wait_for_explanation(session: Session, clock: FixedClock, contract: Contract) -> None:
    """Let the signer have read the explanation, and have chosen a time for a call."""
    actor = f"reservation/{contract.reservation_id}"
    text, _ = explanation_to_read(session, contract_record(session, contract.id))
    facts = {"contract_id": contract.id, "document_hash": text.body_hash}
    consent_to_explanation(Work(session, clock, actor), device=DEVICE, **facts)
    confirm_explanation(Work(session, clock, actor), **facts)
    wish_explanation(
        Work(session, clock, actor),
        contract_id=contract.id,
        way=ExplanationWay.VIDEO,
        wished_at=explanation_times(clock.now(), bank_closure)[0],
    )


def _read_offered_explanation(session: Session, clock: FixedClock, link_id: str) -> None:
    """Let the applicant of an offer have stated who they are and asked for a call."""
    row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
    details = StatedDetails(
        name=row.name or "", email=row.email, phone=_PHONE, locale=Locale(row.locale)
    )
    state_details(session, clock, link_id=link_id, details=details)
    found = explanation_of_offer(session, clock, link_id)
    if found is None:
        return
    work = Work(session, clock, f"applicant/{link_id}")
    document_hash = found.document.body_hash
    save_consent(work, link_id=link_id, document_hash=document_hash, device=DEVICE)
    save_explanation_read(work, link_id=link_id, document_hash=document_hash)
    wish_offer_explanation(work, link_id=link_id, way=ExplanationWay.PHONE, wished_at=None)


def _send_contract(session: Session, clock: FixedClock, row: Reservation, at: datetime) -> Contract:
    contract = _add_contract(session, row, at)
    contract.sent_at = at + timedelta(minutes=10)
    # Who applied with a known address may not have been asked to sign yet, or had let it expire.
    change_esign_status(Work(session, clock, _BY), reservation_id=row.id, status=EsignStatus.SENT)
    return contract


def _add_contract(session: Session, row: Reservation, at: datetime) -> Contract:
    end_on = effective_day(row.contract_end_date, row.override_contract_end_date)
    asked = select(ContractTemplate.id).where(ContractTemplate.lease_kind == LeaseKind.ORDINARY)
    contract_id = issue_contract(
        Work(session, FixedClock(at), _BY),
        reservation_id=row.id,
        template_id=None if end_on else session.scalars(asked).one(),
    )
    return session.scalars(select(Contract).where(Contract.id == contract_id)).one()
