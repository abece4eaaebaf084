"""Rents proposed to residents: written, mailed, answered, begun as a price period, and withdrawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.contracts.contract_facts import facts_of_reservation, place_text
from pms.contracts.ending_terms import ANSWER_DAYS
from pms.contracts.merged_documents import document, lease_kind_of, paper_text
from pms.contracts.models import RentProposal
from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import note_audit_event, note_difference, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import format_day, format_yen, mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual, Phrase
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers, asked_once
from pms.foundation.work import Work, find_row, locked
from pms.ledger.repricing import reprice_rows
from pms.pricing.agreed_price import check_yen
from pms.pricing.prices import (
    AgreedPrice,
    agreed_prices,
    begin_changed_amounts,
    drop_price_period,
    price_of,
)
from pms.reservations.changes import lifecycle_now
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import LaterTerm, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import effective_day
from pms.rules.days import day_of
from pms.rules.enumerations import LeaseKind, Lifecycle, RecurringItem, ReservationKind
from pms.rules.price_changes import period_on
from pms.rules.rent_proposals import AmountChange, RentAnswer, changed_yen
from pms.rules.template_places import fill_places
from pms.statements.invoices import home_of, operator_of
from pms.workspaces.queries import branding, counters, policy

_MOST_WORDS: Final = 1_000


WrittenProposal: TypeAlias = RentProposal
"""A proposal as the surfaces read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RentWishes:
    """What is proposed to one resident or to many, from a day on, and why.

    What follows by percent is rounded to `unit_yen`. The reason is in the language of the letter, or
    in the other one where only that is written.
    """

    from_on: date
    rent: AmountChange
    maintenance: AmountChange
    unit_yen: int
    reason: Bilingual


@dataclass(slots=True, kw_only=True)
class PlannedRent:
    """The amounts that would be proposed to one resident, or why not; whole yen a month."""

    reservation_id: str
    name: str
    email: str | None
    locale: str
    refusal: Refused | None
    rent_before_yen: int = 0
    rent_yen: int = 0
    maintenance_before_yen: int = 0
    maintenance_yen: int = 0


def plan_rents(
    session: Session, today: date, reservation_ids: Collection[str], wishes: RentWishes
) -> Sequence[PlannedRent]:
    """Return what `propose_rents` would propose to each resident, in the order of the ids."""
    ids = list(dict.fromkeys(reservation_ids))
    asked = select(Reservation).where(one_of(Reservation.id, ids))
    rows, prices = {row.id: row for row in session.scalars(asked)}, agreed_prices(session, ids)
    offered, usual = _list_offered(session, ids), lease_kind_of(session, None)
    planned = []
    for row in (rows[id_] for id_ in ids if id_ in rows):
        found = PlannedRent(
            reservation_id=row.id, name=row.name, email=row.email, locale=row.locale, refusal=None
        )
        planned.append(found)
        try:
            price = prices.get(row.id)
            before = _read_amounts(price, wishes.from_on)
            found.rent_before_yen, found.maintenance_before_yen = before
            _refuse_new_rent(
                row,
                price,
                wishes.from_on,
                today=today,
                kind=row.lease_kind or usual,
                offered=offered,
            )
            rent_yen, maintenance_yen = (
                changed_yen(before[0], wishes.rent, wishes.unit_yen),
                changed_yen(before[1], wishes.maintenance, wishes.unit_yen),
            )
            found.rent_yen = check_yen(Phrase("rent"), rent_yen)
            found.maintenance_yen = check_yen(RecurringItem.BUILDING_MAINTENANCE, maintenance_yen)
            if (rent_yen, maintenance_yen) == before:
                raise Refused("rent: the amounts would stay as they are.")
        except Refused as refusal:
            found.refusal = refusal
    return planned


def _list_offered(session: Session, ids: Collection[str]) -> frozenset[str]:
    """Return those of the reservations to whom a new term is offered."""
    asked = select(LaterTerm.reservation_id).where(
        one_of(LaterTerm.reservation_id, ids),
        LaterTerm.signed_at.is_(None),
        LaterTerm.withdrawn_at.is_(None),
    )
    return frozenset(session.scalars(asked))


def _refuse_new_rent(
    row: Reservation,
    price: AgreedPrice | None,
    from_on: date,
    *,
    today: date,
    kind: LeaseKind,
    offered: Collection[str],
) -> None:
    """Raise `Refused` where no new rent can begin on a day."""
    if row.kind is not ReservationKind.RESIDENT:
        raise Refused("rent: a new rent can be proposed only to a resident with a contract.")
    state = lifecycle_now(row, today)
    if state is Lifecycle.NOTICE_FILED:
        raise Refused("rent: a move-out notice has been given. Withdraw it first.")
    if state is not Lifecycle.LIVING:
        raise Refused(
            "rent: The reservation is {state}. Only a current resident can get a new rent.",
            state=state,
        )
    if row.id in offered:
        raise Refused("rent: a new term is on offer. Take it back or wait for its signature.")
    end_on = effective_day(row.contract_end_date, row.override_contract_end_date)
    if end_on is not None and not isinstance(end_on, date):
        raise Refused("rent: the contract has no last day that can be read. Correct it first.")
    if kind is LeaseKind.FIXED_TERM and end_on is not None and end_on < from_on:
        raise Refused(
            "rent: the fixed term ends on {end_on}, before {from_on}. Offer a new term with the "
            "new rent instead.",
            end_on=end_on,
            from_on=from_on,
        )
    if row.billed_through_on is not None and from_on <= row.billed_through_on:
        raise Refused(
            "rent: days up to {through_on} were billed before the take-over. Choose a later day.",
            through_on=row.billed_through_on,
        )
    if price is None:
        raise Refused("Reservation {reservation_id} has no price.", reservation_id=row.id)
    last_on = price.price.periods[-1].first_on
    if last_on >= from_on:
        raise Refused(
            "rent: another price is agreed from {last_on}. Choose a day after it.", last_on=last_on
        )


def _read_amounts(price: AgreedPrice | None, on: date) -> tuple[int, int]:
    """Return base rent and building maintenance in force on a day, whole yen a month."""
    amounts = {} if price is None else period_on(price.price.periods, on).amounts
    return (
        amounts.get(RecurringItem.BASE_RENT, 0),
        amounts.get(RecurringItem.BUILDING_MAINTENANCE, 0),
    )


def propose_rents(
    work: Work, *, reservation_ids: Collection[str], wishes: RentWishes, base_url: str
) -> int:
    """Write a letter to each resident to whom the new rent can be proposed; return how many.

    Residents with an address get one link by mail; the others' letters are printed. A proposal that
    has not begun yields to the new one. Raises `Refused` without a reason or for a day that is not
    ahead.
    """
    if wishes.from_on <= work.clock.today():
        raise Refused("fromOn: choose a day after today.")
    if not (wishes.reason.ja or wishes.reason.en):
        raise Refused("reason: enter why a new rent is proposed.")
    written = 0
    for reservation_id in sorted(set(reservation_ids)):
        reservation_to_change(work.session, reservation_id)
    for planned in plan_rents(
        work.session, work.clock.today(), sorted(set(reservation_ids)), wishes
    ):
        if planned.refusal is not None:
            continue
        for earlier in work.session.scalars(
            select(RentProposal).where(
                RentProposal.reservation_id == planned.reservation_id,
                RentProposal.begun_at.is_(None),
                RentProposal.withdrawn_at.is_(None),
            )
        ):
            _close_proposal(work, earlier, None)
        work.session.flush()
        row = _write_proposal(work, planned, wishes)
        if planned.email:
            _mail_proposal(work.session, work.clock, row, base_url, is_reminder=False)
            row.sent_at = work.clock.now()
        about = of_reservation(row.reservation_id)
        facts = {**_noted_amounts(row), "title": row.title, "document": row.body_hash}
        note_audit_event(work, AuditEvent.RENT_PROPOSED, about, after=facts)
        written += 1
    work.session.flush()
    return written


def _write_proposal(work: Work, planned: PlannedRent, wishes: RentWishes) -> RentProposal:
    locale = planned.locale
    facts = facts_of_reservation(work.session, planned.reservation_id, work.clock.today())
    values = {
        "proposal.from": format_day(wishes.from_on, locale),
        "proposal.reason": wishes.reason.in_language(locale) or "",
        "rent.before": format_yen(planned.rent_before_yen),
        "rent.after": format_yen(planned.rent_yen),
        "maintenance.before": format_yen(planned.maintenance_before_yen),
        "maintenance.after": format_yen(planned.maintenance_yen),
    }
    left_out = []
    if not planned.maintenance_before_yen and not planned.maintenance_yen:
        left_out.append("{{maintenance.")
    if not policy(work.session).declined_rent_stays:
        left_out.append("{{rent.stays}}")
    lines = paper_text("rent-proposal", locale).strip().split("\n")
    text = "\n".join(line for line in lines if not any(place in line for place in left_out))
    text = text.replace("{{rent.stays}}", "")
    merged = document(
        fill_places(text, lambda name: values.get(name) or place_text(name, facts, locale)) + "\n",
        locale,
    )
    row = RentProposal(
        id=new_id(),
        reservation_id=planned.reservation_id,
        from_on=wishes.from_on,
        rent_before_yen=planned.rent_before_yen,
        rent_yen=planned.rent_yen,
        maintenance_before_yen=planned.maintenance_before_yen,
        maintenance_yen=planned.maintenance_yen,
        locale=locale,
        title=merged.title,
        body=merged.body,
        body_hash=merged.body_hash,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(row)
    work.session.flush()
    return row


def _noted_amounts(row: RentProposal) -> Mapping[str, object]:
    return {
        "price_from_on": row.from_on,
        "base_rent_yen": row.rent_yen,
        "building_maintenance_yen": row.maintenance_yen,
    }


def _mail_proposal(
    session: Session, clock: Clock, row: RentProposal, base_url: str, *, is_reminder: bool
) -> None:
    operator, home = operator_of(session), home_of(session, row.reservation_id)
    mail = mail_text(
        "rent-proposal",
        row.locale,
        hue=operator.hue,
        operator=operator.name.in_language(row.locale),
        recipient=home.resident,
        home=home.in_language(row.locale),
        from_on=row.from_on,
        is_reminder=is_reminder,
        answer_by=day_of(clock.now()) + timedelta(days=ANSWER_DAYS),
        link=f"{base_url}/resident/{branding(session).slug}/{row.reservation_id}/rent",
    )
    put_mail(session, clock, recipient=home.email or "", **mail._asdict())


def remind_of_rents(work: Work, base_url: str, *, most: int) -> int:
    """Ask once more who did not answer a proposal for two weeks; return how many are reminded."""
    waiting = work.session.scalars(
        select(RentProposal)
        .where(
            RentProposal.answer.is_(None),
            RentProposal.begun_at.is_(None),
            RentProposal.withdrawn_at.is_(None),
            RentProposal.reminded_at.is_(None),
            RentProposal.sent_at <= work.clock.now() - timedelta(days=ANSWER_DAYS),
            RentProposal.from_on > work.clock.today(),
        )
        .order_by(RentProposal.sent_at, RentProposal.id)
        .limit(most)
    ).all()
    for row in waiting:
        row.reminded_at = work.clock.now()
        resident = find_row(work.session, Reservation, row.reservation_id)
        # Who gave notice meanwhile is asked no more.
        if resident.email and lifecycle_now(resident, work.clock.today()) is Lifecycle.LIVING:
            _mail_proposal(work.session, work.clock, row, base_url, is_reminder=True)
            about = of_reservation(row.reservation_id)
            note_audit_event(work, AuditEvent.RENT_PROPOSED, about, after=_noted_amounts(row))
    work.session.flush()
    return len(waiting)


def answer_rent(
    work: Work, *, proposal_id: str, answer: RentAnswer, words: str | None, is_own: bool
) -> RentProposal:
    """Store what a resident says to a proposed rent; agreed, its price begins on its day.

    A later answer replaces one that is no agreement. `is_own`: the resident answers, until the day
    itself. Raises `Refused` where the rent can no longer begin, and `Collision` for a proposal that
    was withdrawn, has been agreed, or whose present rent was changed since.
    """
    row, proposal = _lock_open_proposal(work, proposal_id)
    if is_own and proposal.from_on < work.clock.today():
        raise Refused(
            "answer: {from_on} has passed. The office will contact you.", from_on=proposal.from_on
        )
    before = {"answer": proposal.answer}
    proposal.answer = answer
    proposal.words = (words or "").strip()[:_MOST_WORDS] or None
    proposal.answered_at, proposal.answered_by = work.clock.now(), work.actor
    about, after = of_reservation(row.id), {"answer": answer, "price_from_on": proposal.from_on}
    note_audit_event(work, AuditEvent.RENT_ANSWERED, about, before=before, after=after)
    if answer is RentAnswer.AGREE:
        _begin_rent(work, row, proposal, None)
    work.session.flush()
    return proposal


def apply_declined_rent(work: Work, *, proposal_id: str, reason: str) -> RentProposal:
    """Begin a rent to which the resident did not agree, for a reason such as a ruling.

    Raises `Refused` without a reason, and where the workspace leaves a declined rent as it is.
    """
    row, proposal = _lock_open_proposal(work, proposal_id)
    if policy(work.session).declined_rent_stays:
        raise Refused("rent: without agreement the rent stays as it is in this workspace.")
    reason = " ".join(reason.split())[:_MOST_WORDS]
    if not reason:
        raise Refused("reason: enter why the rent applies without agreement.")
    _begin_rent(work, row, proposal, reason)
    work.session.flush()
    return proposal


def _lock_open_proposal(work: Work, proposal_id: str) -> tuple[Reservation, RentProposal]:
    found = find_row(work.session, RentProposal, proposal_id)
    row = reservation_to_change(work.session, found.reservation_id)
    proposal = locked(work.session, RentProposal, proposal_id)
    if proposal.withdrawn_at is not None:
        raise Collision("This proposal was withdrawn.")
    if proposal.begun_at is not None:
        raise Collision("This rent has been agreed.")
    return row, proposal


def _begin_rent(work: Work, row: Reservation, proposal: RentProposal, reason: str | None) -> None:
    """Begin the price period of a proposal; rows already issued for its days take the new price."""
    price, kind = price_of(work.session, row.id), lease_kind_of(work.session, None)
    today = work.clock.today()
    offered = _list_offered(work.session, [row.id])
    _refuse_new_rent(
        row, price, proposal.from_on, today=today, kind=row.lease_kind or kind, offered=offered
    )
    before = proposal.rent_before_yen, proposal.maintenance_before_yen
    if _read_amounts(price, proposal.from_on) != before:
        raise Collision("The rent was changed since this was proposed. Propose it again.")
    begin_changed_amounts(
        work.session,
        reservation_id=row.id,
        from_on=proposal.from_on,
        changes={
            RecurringItem.BASE_RENT: proposal.rent_yen,
            RecurringItem.BUILDING_MAINTENANCE: proposal.maintenance_yen,
        },
    )
    proposal.begun_at, proposal.begun_by = work.clock.now(), work.actor
    proposal.begun_reason = reason
    work.session.flush()
    reprice_rows(work, row.id, priced_from=proposal.from_on)
    mark_outdated(work, [row.id])
    note_difference(
        work,
        AuditEvent.RENT_BEGUN,
        of_reservation(row.id),
        before={"base_rent_yen": before[0], "building_maintenance_yen": before[1]},
        after={**_noted_amounts(proposal), "reason": reason},
    )


def withdraw_rent(work: Work, *, proposal_id: str, reason: str) -> RentProposal:
    """Withdraw a proposal with a reason; an agreed one before its first day only.

    Its price period goes, and rows are repriced. Raises `Refused` without a reason, from the first
    day of an agreed rent on and while a notice is filed, and `Collision` when it was withdrawn.
    """
    found = find_row(work.session, RentProposal, proposal_id)
    row = reservation_to_change(work.session, found.reservation_id)
    proposal = locked(work.session, RentProposal, proposal_id)
    if proposal.withdrawn_at is not None:
        raise Collision("This proposal was withdrawn.")
    reason = " ".join(reason.split())[:_MOST_WORDS]
    if not reason:
        raise Refused("reason: enter why the proposal is withdrawn.")
    if proposal.begun_at is None:
        _close_proposal(work, proposal, reason)
        return proposal
    if proposal.from_on <= work.clock.today():
        raise Refused(
            "rent: the new rent began on {from_on} and can no longer be withdrawn.",
            from_on=proposal.from_on,
        )
    if lifecycle_now(row, work.clock.today()) is Lifecycle.NOTICE_FILED:
        raise Refused("rent: a move-out notice has been given. Withdraw it first.")
    _close_proposal(work, proposal, reason)
    drop_price_period(work.session, reservation_id=row.id, from_on=proposal.from_on)
    reprice_rows(work, row.id, priced_from=proposal.from_on)
    mark_outdated(work, [row.id])
    return proposal


def _close_proposal(work: Work, proposal: RentProposal, reason: str | None) -> None:
    proposal.withdrawn_at, proposal.withdrawn_by = work.clock.now(), work.actor
    proposal.withdrawn_reason = reason
    facts = {**_noted_amounts(proposal), "reason": reason}
    about = of_reservation(proposal.reservation_id)
    note_audit_event(work, AuditEvent.RENT_WITHDRAWN, about, after=facts)
    work.session.flush()


def proposal_of(session: Session, proposal_id: str) -> RentProposal:
    """Return one proposal; raise `NotFound` for an unknown id."""
    return find_row(session, RentProposal, proposal_id)


def proposals_of(session: Session, reservation_id: str) -> Sequence[RentProposal]:
    """Return the proposals of a reservation, withdrawn ones included, the newest first."""
    return asked_once(session, _ask_proposals, reservation_id)


def _ask_proposals(session: Session, reservation_id: str) -> Sequence[RentProposal]:
    asked = select(RentProposal).where(RentProposal.reservation_id == reservation_id)
    return session.scalars(
        asked.order_by(RentProposal.written_at.desc(), RentProposal.id.desc())
    ).all()


def residents_of_building(session: Session, building_id: str) -> Sequence[str]:
    """Return the current residents of a building, by unit, to choose from."""
    return session.scalars(
        select(Reservation.id)
        .join(Reservation.unit)
        .where(
            Unit.building_id == building_id,
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == Lifecycle.LIVING,
        )
        .order_by(Unit.name, Reservation.name, Reservation.id)
    ).all()


class ListedProposal(NamedTuple):
    """A proposal with its resident and home; `lives_here` without a notice."""

    proposal: RentProposal
    name: str
    unit: str
    building: Bilingual
    lives_here: bool

    def is_silent_on(self, day: date) -> bool:
        """Whether no answer came in good time: to the reminder, to a printed letter, or by the day."""
        if self.proposal.answer is not None or self.proposal.begun_at is not None:
            return False
        if self.proposal.from_on <= day:
            return True
        asked_at = self.proposal.reminded_at
        if self.proposal.sent_at is None:
            asked_at = self.proposal.written_at
        return asked_at is not None and day_of(asked_at) + timedelta(days=ANSWER_DAYS) <= day


def listed_proposals(
    session: Session, today: date, building_id: str | None = None
) -> Sequence[ListedProposal]:
    """Return the proposals that wait or whose rent begins later, and those of the past year."""
    asked = (
        select(RentProposal, Reservation, Unit.name, Building.name, Building.name_en)
        .join(Reservation, refers_to(RentProposal.reservation_id, Reservation))
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            RentProposal.withdrawn_at.is_(None),
            RentProposal.from_on >= today - timedelta(days=_DAYS_LISTED),
        )
        .order_by(RentProposal.from_on, Building.name, Unit.name, RentProposal.id)
    )
    if building_id is not None:
        asked = asked.where(Building.id == building_id)
    return [
        ListedProposal(
            proposal,
            row.name,
            unit,
            Bilingual(ja, en),
            lives_here=lifecycle_now(row, today) is Lifecycle.LIVING,
        )
        for proposal, row, unit, ja, en in session.execute(asked)
    ]


_DAYS_LISTED: Final = 366


def pressing_proposals(session: Session, today: date) -> Sequence[ListedProposal]:
    """Return the proposals whose resident is silent or wants to talk, the earliest first.

    Those of residents who gave notice or left are left out. The result is kept until a proposal or a
    stay changes.
    """
    state = counters(session, CATALOGUE, OCCUPANCY)
    return _PRESSING_PROPOSALS.answer(
        session,
        today,
        state,
        lambda: [
            each
            for each in listed_proposals(session, today)
            if each.lives_here
            and each.proposal.begun_at is None
            and (each.proposal.answer is RentAnswer.TALK or each.is_silent_on(today))
        ],
    )


_PRESSING_PROPOSALS: Final = KeptAnswers()
