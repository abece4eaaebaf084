"""Settlement papers: what is on them, what the resident answers, and which refunds wait for it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import check_text
from pms.catalogue.models import Building, Unit
from pms.catalogue.place_names import home_name
from pms.deposits.models import PaperObjection, Settlement, SettlementLine, SettlementPaper
from pms.deposits.restorations import RESTORATION_WORDS, name_restoration
from pms.deposits.settlement_records import SettledDeposit, settlement_of
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import Attachment, put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import LinkKind, NamedLink, Signer, new_token
from pms.foundation.work import Work
from pms.notices.notices import NoticeEvent, notify_staff
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import ONE_DAY, day_of
from pms.rules.enumerations import CheckedRoom
from pms.rules.invoices import ContainedTax, TaxedAmount
from pms.rules.notices_to_people import ANSWERING, NoticeKind
from pms.rules.policy import Policy
from pms.rules.settlement_papers import (
    HeldRefund,
    PaperAnswers,
    PaperState,
    counts_as_objection,
    held_refund,
    is_refund_ready,
    refund_free_on,
    tax_of_deductions,
)
from pms.rules.wear import DeductionBearer
from pms.workspaces.page_links import tenancy_link
from pms.workspaces.queries import branding, policy

SETTLEMENT_LINK: Final = LinkKind("settlement", SettlementPaper.nonce)
"""What the token of a settlement's link is signed for."""
_LONGEST_WORDS: Final = 2_000


class ObjectedLine(NamedTuple):
    """An objection; without a position it is about the settlement as a whole."""

    position: int | None
    words: str
    on: date
    counts: bool
    """Whether it came in time."""


class WornLine(NamedTuple):
    """One line of a paper, in whole yen; a settlement of before has no terms."""

    position: int
    words: Bilingual
    resident_yen: int
    cost_yen: int
    quantity: Decimal = Decimal(1)
    unit_yen: int = 0
    counted_in: Bilingual | None = None
    bearer: DeductionBearer = DeductionBearer.RESIDENT
    life_months: int | None = None
    used_months: int | None = None
    fitted_on: date | None = None
    room: CheckedRoom | None = None

    @property
    def quantity_text(self) -> str:
        """The exact quantity without needless zeros."""
        return f"{self.quantity.normalize():f}"


@dataclass(frozen=True)
class PaperRecord:
    """A settlement with the lines of its paper and the answers to it, on a day."""

    settled: SettledDeposit
    lines: Sequence[WornLine]
    paper: SettlementPaper | None
    objections: Sequence[ObjectedLine]
    policy: Policy
    on: date

    @property
    def answers(self) -> PaperAnswers:
        """The days on which the paper was sent and answered."""
        return _answers_to(self.paper, self.objections) if self.paper else PaperAnswers()

    @property
    def free_on(self) -> date | None:
        """The day from which the refund may leave without an answer."""
        sent_on = self.answers.sent_on
        return refund_free_on(sent_on, self.policy) if sent_on else None

    @property
    def answer_by_on(self) -> date | None:
        """The last day on which an objection counts."""
        return self.free_on and self.free_on - ONE_DAY

    @property
    def is_refund_ready(self) -> bool:
        """Whether a payout file may take the refund; one without a paper waits for no answer."""
        return self.paper is None or is_refund_ready(self.answers, self.on, self.policy)

    @property
    def state(self) -> PaperState:
        """Where the paper is."""
        answers = self.answers
        if answers.released_on:
            return PaperState.RELEASED
        if answers.agreed_on:
            return PaperState.AGREED
        held = held_refund(answers, self.on, self.policy)
        return held.state if held else PaperState.UNANSWERED

    @property
    def is_answerable(self) -> bool:
        """Whether the resident may still agree or object."""
        return self.state in (PaperState.SENT, PaperState.OBJECTED, PaperState.UNANSWERED)

    @property
    def tax(self) -> ContainedTax:
        """The tax inside what the resident bears."""
        parts = self.settled.deductions
        return tax_of_deductions(TaxedAmount(part.tax_treatment, part.asked_yen) for part in parts)

    def objections_to(self, position: int | None) -> Sequence[ObjectedLine]:
        """Return the objections to one line, or those to the whole settlement."""
        return [each for each in self.objections if each.position == position]


def paper_of(session: Session, reservation_id: str, on: date) -> PaperRecord | None:
    """Return the paper of a reservation's settlement; None before it is settled."""
    settled = settlement_of(session, reservation_id)
    if settled is None:
        return None
    id_ = settled.settlement.id
    rows = session.scalars(
        select(SettlementLine)
        .where(SettlementLine.settlement_id == id_)
        .order_by(SettlementLine.position)
    ).all()
    lines = [_read_line(row) for row in rows] or [
        WornLine(part.position, part.words, part.asked_yen, part.asked_yen, unit_yen=part.asked_yen)
        for part in settled.deductions
    ]
    paper = session.scalar(select(SettlementPaper).where(SettlementPaper.settlement_id == id_))
    figures = policy(session)
    objections = _read_objections(session, [paper] if paper else [], figures)
    found = objections[paper.id] if paper else ()
    return PaperRecord(settled, lines, paper, found, figures, on)


def _read_line(row: SettlementLine) -> WornLine:
    return WornLine(
        row.position,
        name_restoration(row.item, row.note),
        row.resident_yen,
        row.cost_yen,
        row.quantity,
        row.unit_yen,
        RESTORATION_WORDS[row.item].counted_in,
        row.bearer,
        row.life_months,
        row.used_months,
        row.fitted_on,
        row.room,
    )


def _read_objections(
    session: Session, papers: Iterable[SettlementPaper], figures: Policy
) -> Mapping[str, list[ObjectedLine]]:
    by_id = {paper.id: paper for paper in papers}
    found: defaultdict[str, list[ObjectedLine]] = defaultdict(list)
    rows = session.scalars(
        select(PaperObjection)
        .where(one_of(PaperObjection.paper_id, by_id))
        .order_by(PaperObjection.written_at, PaperObjection.id)
    )
    for row in rows:
        answers = PaperAnswers(by_id[row.paper_id].sent_on, objected_on=row.objected_on)
        counts = counts_as_objection(answers, figures)
        found[row.paper_id].append(ObjectedLine(row.position, row.words, row.objected_on, counts))
    return found


def _answers_to(paper: SettlementPaper, objections: Iterable[ObjectedLine]) -> PaperAnswers:
    return PaperAnswers(
        paper.sent_on,
        paper.agreed_at and day_of(paper.agreed_at),
        min((each.on for each in objections), default=None),
        paper.released_at and day_of(paper.released_at),
    )


def held_refunds(
    session: Session, settlement_ids: Collection[str], on: date
) -> Mapping[str, HeldRefund]:
    """Return which settlements' refunds wait for an answer on a day; the others may leave."""
    papers = session.scalars(
        select(SettlementPaper).where(one_of(SettlementPaper.settlement_id, settlement_ids))
    ).all()
    figures = policy(session)
    objections = _read_objections(session, papers, figures)
    held = {
        paper.settlement_id: held_refund(_answers_to(paper, objections[paper.id]), on, figures)
        for paper in papers
    }
    return {id_: waits for id_, waits in held.items() if waits is not None}


def refuse_held_refund(payee: str, held: HeldRefund | None) -> None:
    """Raise `Refused` for a refund that waits for the resident's answer, at whatever door."""
    if held is None:
        return
    if held.state is PaperState.UNSENT:
        raise Refused(
            "refund: the settlement was not sent to {payee} yet. Send it first.", payee=payee
        )
    if held.free_on is None:
        raise Refused(
            "refund: {payee} objected to the settlement. Settle the matter, or release the refund "
            "with a reason.",
            payee=payee,
        )
    raise Refused(
        "refund: {payee} has not agreed to the settlement yet. Without an answer the refund can "
        "be paid out from {day}.",
        payee=payee,
        day=held.free_on,
    )


class OpenedPaper(NamedTuple):
    """The paper that a link opens."""

    id: str
    reservation_id: str
    locale: str
    last_opened_at: datetime | None


def opened_paper(session: Session, named: NamedLink) -> OpenedPaper | None:
    """Return the paper of a link; None when its nonce differs or it was not sent."""
    row = session.execute(
        select(
            SettlementPaper.id,
            Settlement.reservation_id,
            Reservation.locale,
            SettlementPaper.last_opened_at,
        )
        .join(Settlement, refers_to(SettlementPaper.settlement_id, Settlement))
        .join(Reservation, refers_to(Settlement.reservation_id, Reservation))
        .where(
            SettlementPaper.id == named.link_id,
            SettlementPaper.nonce == named.nonce,
            SettlementPaper.sent_on.is_not(None),
        )
    ).first()
    return OpenedPaper(*row) if row else None


def paper_token(signer: Signer, nonce: str) -> str:
    """Return the token in the address of a paper's link."""
    return signer.short(SETTLEMENT_LINK.purpose, nonce)


def mark_paper_sent(work: Work, *, reservation_id: str) -> PaperRecord:
    """Note that a settlement's paper is sent, and return it; one that is older has none until then.

    The days of objection are counted from the first sending. Raises `Refused` before the settlement.
    """
    row = reservation_to_change(work.session, reservation_id)
    found = paper_of(work.session, row.id, work.clock.today())
    if found is None:
        raise Refused("settlement: the deposit is not settled yet.")
    paper = found.paper
    if paper is None:
        settlement_id = found.settled.settlement.id
        paper = SettlementPaper(id=new_id(), settlement_id=settlement_id, nonce=new_token())
        work.session.add(paper)
    if paper.sent_on is None:
        paper.sent_on, paper.sent_at = work.clock.today(), work.clock.now()
        paper.sent_by = work.actor
    settled = found.settled.settlement
    facts = {"remainder_yen": settled.remainder_yen, "owed_yen": settled.owed_yen}
    note_audit_event(work, AuditEvent.SETTLEMENT_SENT, of_reservation(row.id), after=facts)
    work.session.flush()
    return replace(found, paper=paper)


def mail_paper(
    session: Session,
    clock: Clock,
    found: PaperRecord,
    attachments: Sequence[Attachment],
    link: str | None,
) -> bool:
    """Mail a settlement's paper; return whether an address is known."""
    settled = found.settled.settlement
    return mail_resident(
        session,
        clock,
        settled.reservation_id,
        "settlement",
        attachments=attachments,
        link=link,
        settled_on=settled.settled_on,
        held_yen=settled.held_yen + settled.overpaid_yen,
        deducted_yen=settled.deducted_yen,
        netted_yen=settled.netted_yen,
        remainder_yen=settled.remainder_yen,
        owed_yen=settled.owed_yen,
        answer_by_on=found.answer_by_on,
    )


def agree_to_paper(work: Work, *, reservation_id: str) -> None:
    """Note that the resident agrees to the settlement; a second time changes nothing.

    Raises `Refused` for a paper that was not sent.
    """
    found = _paper_to_answer(work, reservation_id)
    paper = found.paper
    assert paper is not None
    if paper.agreed_at is not None:
        return
    paper.agreed_at, paper.agreed_by = work.clock.now(), work.actor
    facts = {"remainder_yen": found.settled.settlement.remainder_yen}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.SETTLEMENT_AGREED, about, after=facts)
    work.session.flush()


def object_to_paper(
    work: Work, *, reservation_id: str, objections: Mapping[int | None, str]
) -> None:
    """Keep what the resident objects to, by the line's position, and confirm it by mail.

    An objection after the days for it is kept and holds nothing. Raises `Refused` without any
    words, for a line that is not on the paper, and once the resident agreed.
    """
    found = _paper_to_answer(work, reservation_id)
    paper = found.paper
    assert paper is not None
    if paper.agreed_at is not None:
        raise Refused("objection: you agreed to this settlement already. Write to the office.")
    words = {
        position: checked
        for position, text in objections.items()
        if (checked := check_text("objection", text, _LONGEST_WORDS))
    }
    if not words:
        raise Refused("objection: write what you do not agree with.")
    known = {line.position for line in found.lines}
    for position, text in words.items():
        if position is not None and position not in known:
            raise no_such("line", str(position))
        work.session.add(
            PaperObjection(
                id=new_id(),
                paper_id=paper.id,
                position=position,
                words=text,
                objected_on=work.clock.today(),
                written_at=work.clock.now(),
                written_by=work.actor,
            )
        )
    note_audit_event(
        work,
        AuditEvent.SETTLEMENT_OBJECTED,
        of_reservation(reservation_id),
        after={"note": "\n".join(words.values())},
    )
    work.session.flush()
    again = paper_of(work.session, reservation_id, work.clock.today())
    mail_resident(
        work.session,
        work.clock,
        reservation_id,
        "settlement-objected",
        words=list(words.values()),
        is_held=again is not None and again.state is PaperState.OBJECTED,
    )
    home = select(Reservation.unit_id).where(Reservation.id == reservation_id)
    facts = {"place": home_name(work.session, work.session.scalars(home).one())._asdict()}
    path = f"/reservations/{reservation_id}/deposit"
    event = NoticeEvent(paper.id, path, facts, model=type(paper))
    notify_staff(work, NoticeKind.SETTLEMENT_OBJECTED, event, roles=ANSWERING)


def release_refund(work: Work, *, reservation_id: str, reason: str | None) -> None:
    """Let the refund leave although the resident did not agree, for a reason that is kept.

    Raises `Refused` without a reason, and where nothing holds the refund.
    """
    row = reservation_to_change(work.session, reservation_id)
    found = paper_of(work.session, row.id, work.clock.today())
    if found is None or found.paper is None or found.is_refund_ready:
        raise Refused("release: this refund waits for no answer.")
    because = check_text("reason", reason, _LONGEST_WORDS)
    if not because:
        raise Refused("reason: say why the refund is released.")
    paper = found.paper
    paper.released_at, paper.released_by = work.clock.now(), work.actor
    paper.released_because = because
    about = of_reservation(row.id)
    note_audit_event(work, AuditEvent.REFUND_RELEASED, about, after={"reason": because})
    work.session.flush()


def _paper_to_answer(work: Work, reservation_id: str) -> PaperRecord:
    row = reservation_to_change(work.session, reservation_id)
    found = paper_of(work.session, row.id, work.clock.today())
    if found is None or found.paper is None or found.paper.sent_on is None:
        raise Refused("settlement: there is no settlement to answer yet.")
    return found


def mail_resident(
    session: Session,
    clock: Clock,
    reservation_id: str,
    occasion: str,
    attachments: Sequence[Attachment] = (),
    **facts: Any,
) -> bool:
    """Mail a resident about their settlement; return whether an address is known."""
    name, email, locale, unit, ja, en = session.execute(
        select(
            *(Reservation.name, Reservation.email, Reservation.locale),
            *(Unit.name, Building.name, Building.name_en),
        )
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .join(Building, refers_to(Unit.building_id, Building))
        .where(Reservation.id == reservation_id)
    ).one()
    if not email:
        return False
    brand = branding(session)
    mail = mail_text(
        occasion,
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=name,
        home=f"{Bilingual(ja, en).in_language(locale)} {unit}",
        **{"link": tenancy_link(session, reservation_id, "/settlement", email), **facts},
    )
    put_mail(session, clock, recipient=email, attachments=attachments, **mail._asdict())
    return True
