"""Journals of all money movements in a period, made from the ledger."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, Select, func, select, union
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.catalogue.owners import Handover, handovers, owner_on
from pms.deposits.models import DeductionRow, Refund, Settlement
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import deferred_texts, translate
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine, Payment
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from pms.rules.journals import (
    OVERPAYMENTS,
    SETTLING,
    EntryEvent,
    EntryMoney,
    EventOrder,
    Journal,
    PostedLines,
    SettledMoney,
    divide_entry,
    entry_moves,
    money_role,
    refund_postings,
    settlement_postings,
)
from pms.rules.master_leases import is_leased
from pms.statements.divided_bills import BillPlace, DividedBills
from pms.statements.master_leases import leased_days

_Opposite = aliased(LedgerEntry)
_Collected = aliased(LedgerEntry)


class Period(NamedTuple):
    """A period of days, both ends included."""

    first_on: date
    last_on: date

    def has(self, day: date) -> bool:
        """Return whether a day is in the period."""
        return self.first_on <= day <= self.last_on


class JournalPlace(NamedTuple):
    """The person and place of a reservation, for the text of a journal."""

    building_id: str
    words: str


class Owned:
    """Which buildings belong to owners, on which days, and when the operator rents them."""

    def __init__(self, session: Session) -> None:
        rows = session.execute(select(Building.id, Building.name, Building.owner_id)).all()
        self.names = {id_: name for id_, name, _ in rows}
        self._now = {id_: owner_id for id_, _, owner_id in rows}
        self._handed: Mapping[str, Sequence[Handover]] = handovers(session, list(self._now))
        self.leases = leased_days(session, self._now)

    def is_owners(self, building_id: str, on: date) -> bool:
        """Return whether a building has an owner on a day."""
        handed = self._handed.get(building_id, ())
        return owner_on(on, handed, self._now.get(building_id)) is not None

    def keeps_income(self, building_id: str, on: date) -> bool:
        """Return whether a building's income of a day is an owner's money."""
        is_own = is_leased(self.leases.get(building_id, ()), on)
        return not is_own and self.is_owners(building_id, on)


def money_journals(
    session: Session, period: Period, owned: Owned, reservation_ids: Collection[str] | None = None
) -> dict[str, Journal]:
    """Return the journals of a period, of all reservations or of some, by key.

    The number of queries does not depend on the number of reservations.
    """
    entry_ids = _entries_of(session, period, reservation_ids)
    entries = _read_entries(session, entry_ids)
    settled = _read_settlements(session, period, reservation_ids)
    query = (
        select(Refund.id, Settlement.reservation_id, Refund.sent_on, Refund.amount_yen)
        .join(Settlement, refers_to(Refund.settlement_id, Settlement))
        .where(Refund.sent_on.between(*period))
    )
    refunds = session.execute(
        _narrow_to_reservations(query, Settlement.reservation_id, reservation_ids)
    ).all()
    whose = {row.reservation_id for row in entries.values()}
    whose |= {row.reservation_id for row in settled} | {row.reservation_id for row in refunds}
    rows = session.execute(
        select(Reservation.id, Unit.building_id, Building.name, Unit.name, Reservation.name)
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .join(Building, refers_to(Unit.building_id, Building))
        .where(one_of(Reservation.id, whose))
    )
    places = {id_: JournalPlace(building_id, " ".join(words)) for id_, building_id, *words in rows}
    found = _Journals(places)
    for entry in _with_events(session, entries, places, owned):
        row = entries[entry.id]
        for move in (move for part in divide_entry(entry) for move in entry_moves(part)):
            if period.has(move.on):
                found.add(move.key, move.on, row.reservation_id, move.postings)
    deducted = _read_deducted(session, [settlement.id for settlement in settled])
    for settlement in settled:
        found.add_settlement(settlement, deducted[settlement.id], owned)
    for sent in refunds:
        postings = refund_postings(sent.amount_yen)
        found.add(f"refund/{sent.id}", sent.sent_on, sent.reservation_id, postings)
    _set_memos(session, found, entries)
    return found.list_journals()


class _Journals:
    """Journals while they are built."""

    def __init__(self, places: Mapping[str, JournalPlace]) -> None:
        self.places = places
        self.by_key: dict[str, Journal] = {}

    def add(self, key: str, on: date, reservation_id: str, postings: Iterable[Any]) -> None:
        journal = self.by_key.get(key)
        if journal is None:
            place = self.places[reservation_id]
            journal = Journal(key, on, reservation_id, place.building_id, place.words)
            self.by_key[key] = journal
        journal.postings.extend(postings)

    def add_settlement(
        self, settlement: Row[Any], deducted: Mapping[TaxTreatment, int], owned: Owned
    ) -> None:
        building_id = self.places[settlement.reservation_id].building_id
        figures = SettledMoney(
            settlement.held_yen,
            deducted,
            settlement.remainder_yen,
            owned.keeps_income(building_id, settlement.settled_on),
        )
        key = f"settlement/{settlement.id}/{settlement.settled_on}"
        postings = settlement_postings(figures)
        self.add(key, settlement.settled_on, settlement.reservation_id, postings)

    def list_journals(self) -> dict[str, Journal]:
        every = {key: journal.combine_postings() for key, journal in self.by_key.items()}
        return {key: journal for key, journal in every.items() if journal.postings}


class _Entry(NamedTuple):
    id: str
    reservation_id: str
    issued_on: date
    label: str
    is_income: bool
    opposite_id: str | None
    opposite_label: str | None


def _entries_of(
    session: Session, period: Period, reservation_ids: Collection[str] | None
) -> Sequence[str]:
    """Return the entries that changed in the period; an opposite counts as the voided entry."""
    days = period.first_on, period.last_on
    posted = (
        select(func.coalesce(LedgerEntry.opposes_id, LedgerEntry.id).label("id"))
        .join(LedgerLine, _is_same_in_workspace(LedgerLine, LedgerLine.entry_id, LedgerEntry.id))
        .where(LedgerLine.posted_on.between(*days))
    )
    reached = (
        select(Allocation.entry_id.label("id"))
        .join(LedgerEntry, _is_same_in_workspace(Allocation, Allocation.entry_id, LedgerEntry.id))
        .where(Allocation.allocated_on.between(*days))
    )
    raised = select(LedgerEntry.arrears_of_id.label("id")).where(
        LedgerEntry.arrears_of_id.is_not(None), LedgerEntry.issued_on.between(*days)
    )
    given_back = (
        select(_Collected.arrears_of_id.label("id"))
        .join(LedgerEntry, _is_same_in_workspace(_Collected, LedgerEntry.opposes_id, _Collected.id))
        .where(_Collected.arrears_of_id.is_not(None), LedgerEntry.issued_on.between(*days))
    )
    parts = [posted, reached, raised, given_back]
    if reservation_ids is not None:
        whose = one_of(LedgerEntry.reservation_id, reservation_ids)
        parts = [part.where(whose) for part in parts]
    return [str(id_) for id_ in session.scalars(union(*parts))]


def _is_same_in_workspace(of: Any, left: Any, right: Any) -> Any:
    return (of.workspace_id == LedgerEntry.workspace_id) & (left == right)


def _read_entries(session: Session, entry_ids: Sequence[str]) -> Mapping[str, _Entry]:
    rows = session.execute(
        select(
            LedgerEntry.id,
            LedgerEntry.reservation_id,
            LedgerEntry.issued_on,
            LedgerEntry.label_ja,
            LedgerEntry.kind,
            _Collected.kind,
            _Opposite.id,
            _Opposite.label_ja,
        )
        .outerjoin(_Opposite, refers_to(_Opposite.opposes_id, LedgerEntry))
        .outerjoin(_Collected, refers_to(LedgerEntry.arrears_of_id, _Collected))
        .where(one_of(LedgerEntry.id, entry_ids))
    )
    return {
        id_: _Entry(
            id_,
            whose,
            on,
            label,
            EntryKind.OPENING not in (kind, collected),
            opposite_id,
            opposite,
        )
        for id_, whose, on, label, kind, collected, opposite_id, opposite in rows
    }


def _with_events(
    session: Session,
    entries: Mapping[str, _Entry],
    places: Mapping[str, JournalPlace],
    owned: Owned,
) -> Iterable[EntryMoney]:
    events: defaultdict[str, list[EntryEvent]] = defaultdict(list)
    bill_places = {
        id_: BillPlace(places[entry.reservation_id].building_id, entry.issued_on)
        for id_, entry in entries.items()
    }
    _add_lines(session, entries, events, DividedBills(session, bill_places, owned.leases))
    _add_taken_over(session, entries, events)
    _add_paid(session, entries, events)
    for id_, entry in entries.items():
        building_id = places[entry.reservation_id].building_id
        is_owners = owned.is_owners(building_id, entry.issued_on)
        yield EntryMoney(id_, events[id_], is_owners, entry.is_income)


def _add_lines(
    session: Session,
    entries: Mapping[str, _Entry],
    events: Mapping[str, list[EntryEvent]],
    bills: DividedBills,
) -> None:
    opposed = {entry.opposite_id: id_ for id_, entry in entries.items() if entry.opposite_id}
    lines: defaultdict[tuple[str, date], list[PostedLines]] = defaultdict(list)
    place = (
        LedgerLine.entry_id,
        LedgerLine.posted_on,
        LedgerLine.category,
        LedgerLine.tax_treatment,
        LedgerLine.is_deposit,
    )
    days = (LedgerLine.first_on, LedgerLine.last_on) if bills.is_needed else ()
    for entry_id, on, category, tax, is_deposit, yen, *days_of_line in session.execute(
        select(*place, func.sum(LedgerLine.amount_yen), *days)
        .where(one_of(LedgerLine.entry_id, [*entries, *opposed]))
        .group_by(*place, *days)
    ):
        operators_yen = 0
        if days_of_line and not is_deposit:
            first_on, last_on = days_of_line
            of_id = opposed.get(entry_id, entry_id)
            operators_yen = bills.operators_yen(of_id, first_on, last_on, int(yen))
        for part_yen, is_operators in (
            (int(yen) - operators_yen, False),
            (operators_yen, True),
        ):
            if part_yen:
                line = PostedLines(
                    FeeCategory(category),
                    TaxTreatment(tax),
                    part_yen,
                    bool(is_deposit),
                    is_operators,
                )
                lines[entry_id, on].append(line)
    for (entry_id, on), posted in lines.items():
        event = EntryEvent(on, EventOrder.POSTED, f"bill/{entry_id}/{on}", posted)
        events[opposed.get(entry_id, entry_id)].append(event)


def _add_taken_over(
    session: Session, entries: Mapping[str, _Entry], events: Mapping[str, list[EntryEvent]]
) -> None:
    # An arrears charge has one line.
    first_class = (
        select(func.min(LedgerLine.tax_treatment))
        .where(refers_to(LedgerLine.entry_id, LedgerEntry))
        .scalar_subquery()
    )
    rows = session.execute(
        select(
            LedgerEntry.id,
            LedgerEntry.arrears_of_id,
            LedgerEntry.cancelled_yen,
            LedgerEntry.issued_on,
            _Opposite.id,
            _Opposite.issued_on,
            first_class,
        )
        .outerjoin(_Opposite, refers_to(_Opposite.opposes_id, LedgerEntry))
        .where(LedgerEntry.cancelled_yen != 0, one_of(LedgerEntry.arrears_of_id, list(entries)))
    )
    for charge_id, entry_id, yen, on, opposite_id, voided_on, tax in rows:
        both = [(charge_id, on, yen), (opposite_id, voided_on, -yen)]
        for id_, day, change_yen in both[: 2 if opposite_id else 1]:
            key = f"bill/{id_}/{day}"
            events[str(entry_id)].append(
                EntryEvent(day, EventOrder.TAKEN_OVER, key, yen=change_yen, tax=TaxTreatment(tax))
            )


def _add_paid(
    session: Session, entries: Mapping[str, _Entry], events: Mapping[str, list[EntryEvent]]
) -> None:
    names = (
        Allocation.entry_id,
        Allocation.allocated_on,
        Allocation.payment_id,
        Allocation.settlement_id,
        Allocation.transfer_id,
        Payment.method,
    )
    rows = session.execute(
        select(*names, func.sum(Allocation.amount_yen))
        .outerjoin(Payment, refers_to(Allocation.payment_id, Payment))
        .where(one_of(Allocation.entry_id, list(entries)))
        .group_by(*names)
    )
    for entry_id, on, payment_id, settlement_id, transfer_id, method, yen in rows:
        whose = entries[entry_id].reservation_id
        if payment_id:
            key, source = f"payment/{payment_id}/{on}", money_role(method)
        elif settlement_id:
            key, source = f"settlement/{settlement_id}/{on}", SETTLING
        elif transfer_id:
            # It is an overpayment on both sides, so that the two journals balance on that account.
            key, source = f"transfer/{transfer_id}/{whose}/{on}", OVERPAYMENTS
        else:
            key, source = f"set-off/{whose}/{on}", None
        event = EntryEvent(on, EventOrder.PAID, key, yen=int(yen), source=source)
        events[entry_id].append(event)


def _read_settlements(
    session: Session, period: Period, reservation_ids: Collection[str] | None
) -> Sequence[Row[Any]]:
    query = select(
        Settlement.id,
        Settlement.reservation_id,
        Settlement.settled_on,
        Settlement.held_yen,
        Settlement.remainder_yen,
    ).where(Settlement.settled_on.between(*period))
    return session.execute(
        _narrow_to_reservations(query, Settlement.reservation_id, reservation_ids)
    ).all()


def _read_deducted(
    session: Session, settlement_ids: Sequence[str]
) -> Mapping[str, Mapping[TaxTreatment, int]]:
    """Return what each settlement kept of the money held, by class of consumption tax."""
    found: defaultdict[str, dict[TaxTreatment, int]] = defaultdict(dict)
    if not settlement_ids:
        return found
    rows = session.execute(
        select(
            DeductionRow.settlement_id,
            DeductionRow.tax_treatment,
            func.sum(DeductionRow.reached_yen),
        )
        .where(one_of(DeductionRow.settlement_id, settlement_ids))
        .group_by(DeductionRow.settlement_id, DeductionRow.tax_treatment)
        .order_by(DeductionRow.tax_treatment)
    )
    for settlement_id, treatment, yen in rows:
        found[settlement_id][TaxTreatment(treatment)] = int(yen)
    return found


def _narrow_to_reservations(
    query: Select[*tuple[Any, ...]], column: Any, reservation_ids: Collection[str] | None
) -> Select[*tuple[Any, ...]]:
    return query if reservation_ids is None else query.where(one_of(column, reservation_ids))


_CAUSES: Final = deferred_texts(
    {
        "payment": "Payment received",
        "set-off": "Discount set off",
        "settlement": "Deposit settlement",
        "transfer": "Overpayment carried over",
        "refund": "Deposit refund",
    },
    "journal",
)


def _set_memos(session: Session, found: _Journals, entries: Mapping[str, _Entry]) -> None:
    """Set the text of each journal: the bill's own label, or the kind of movement."""
    labels = {id_: entry.label for id_, entry in entries.items()}
    labels |= {
        entry.opposite_id: entry.opposite_label or ""
        for entry in entries.values()
        if entry.opposite_id
    }
    missing = {key.split("/")[1] for key in found.by_key if key.startswith("bill/")} - set(labels)
    if missing:
        query = select(LedgerEntry.id, LedgerEntry.label_ja).where(one_of(LedgerEntry.id, missing))
        labels |= dict(session.execute(query).all())
    for key, journal in found.by_key.items():
        cause, id_, *_ = key.split("/")
        words = labels[id_] if cause == "bill" else translate(_CAUSES[cause], "ja", "journal")
        journal.memo = f"{words} {journal.memo}"
