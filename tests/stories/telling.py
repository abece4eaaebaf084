"""One story being told: its house, and what the story calls the reservations and entries in it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.lifecycles import move_in
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, PaymentStatus, ReservationKind
from tests import cast
from tests.rules.worked_cases import Answer, Given, certain_day, day
from tests.rules.worked_money import name_of
from tests.stories.books import Books, Entry, StandingRow, named
from tests.stories.house import House, morning


@dataclass(frozen=True)
class Ledger:
    """One reservation's entries and rows at a moment of the story."""

    entries: tuple[Entry, ...] = ()
    rows: tuple[StandingRow, ...] = ()


@dataclass
class Telling:
    """A story, the house it happens in, and the ids behind the names it uses."""

    story: Given
    house: House
    reservations: dict[str, str] = field(default_factory=dict)
    charges: dict[str, str] = field(default_factory=dict)
    successors: dict[str, str] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        return self.house.books

    def reservation_of(self, step: Given) -> Given:
        """Return what the story says of the reservation a step concerns."""
        found: Given = self.story["reservations"][step.get("of", "A")]
        return found

    def id_of(self, step: Given) -> str:
        """Return the reservation of a step; who was not booked in the story is there already."""
        return self.reservation(step.get("of", "A"))

    def reservation(self, name: str) -> str:
        if name not in self.reservations:
            self.reservations[name] = self._already_there(name)
        return self.reservations[name]

    def room_of(self, name: str) -> str:
        """Return the room of a reservation: those a step names together share one."""
        together = [step["unit"] for step in self.story["steps"] if "unit" in step]
        names = next((names for names in together if name in names), [name])
        return self.house.room(f"{names[0]}")

    def begin(self, step: Given) -> None:
        """Let it become the day of a step; a step without one happens on the day before it."""
        if "filedAt" in step:
            self.house.go_to(datetime.fromisoformat(step["filedAt"]))
        for name in ("on", "filedOn", "today"):
            if name in step:
                self.house.go_to(morning(certain_day(step, name)))
        self._move_in_who_comes()

    def _move_in_who_comes(self) -> None:
        """Move in whose start has come: a story that names no lifecycle is about who lives there."""
        coming = select(Reservation.id).where(
            Reservation.id.in_(self.reservations.values()),
            Reservation.lifecycle.in_((Lifecycle.BOOKED, Lifecycle.CONFIRMED)),
            Reservation.starts_on <= self.house.today,
        )
        for id_ in self.house.ask(lambda session: session.scalars(coming).all()):
            self.house.do(move_in, reservation_id=id_)

    def entry(self, step: Given, name: str) -> Entry:
        entries = self.books.entries(self.id_of(step))
        if name in self.charges:
            return next(entry for entry in entries if entry.id == self.charges[name])
        return named(entries, name)

    def name(self, entry: Entry) -> str:
        """Return what the story calls an entry."""
        names = {id_: name for name, id_ in self.charges.items()}
        return names.get(entry.id, entry.name)

    def ledger(self, step: Given) -> Ledger:
        id_ = self.id_of(step)
        return Ledger(tuple(self.books.entries(id_)), tuple(self.books.rows(id_)))

    @contextmanager
    def tried_out(self) -> Iterator[Session]:
        """Give a session of which nothing is kept."""
        with self.house.database.writing(self.house.workspace_id) as session:
            nested = session.begin_nested()
            yield session
            nested.rollback()

    def _already_there(self, name: str) -> str:
        found = self.story["reservations"][name]
        row = cast.reservation(
            unit_id=self.room_of(name),
            kind=ReservationKind(found["record"]),
            move_in_date=certain_day(found, "moveIn"),
            contract_end_date=day(found, "contractEnd"),
            payment_status=PaymentStatus.PENDING,
        )
        with self.house.database.writing(self.house.workspace_id) as session:
            session.add(row)
            session.flush()
            return str(row.id)


def written_row(row: StandingRow) -> Answer:
    """Return a row as the stories write it."""
    lines = [
        {
            "item": name_of(line.item),
            "first": line.first_on,
            "last": line.last_on,
            "amount": line.yen,
        }
        for line in row.lines
    ]
    return {
        "kind": row.kind,
        "first": row.first_on,
        "last": row.last_on,
        "total": row.total_yen,
        "lines": lines,
    }


def new_rows(telling: Telling, before: Ledger, after: Ledger) -> list[Answer]:
    """Return the rows of entries that were issued in between, as the stories write them."""
    known = {entry.id for entry in before.entries}
    new = {entry.id: entry for entry in after.entries if entry.id not in known}
    return [
        {
            **written_row(row),
            "entry": telling.name(new[row.entry_id]),
            "dueOn": new[row.entry_id].due_on,
        }
        for row in after.rows
        if row.entry_id in new
    ]


def repriced_rows(telling: Telling, before: Ledger, after: Ledger) -> list[Answer]:
    """Return the rows whose days changed, with what was appended to their entries."""
    entries = {entry.id: entry for entry in after.entries}
    rows = {row.id: row for row in after.rows}
    return [
        {
            **written_row(rows[old.id]),
            "entry": telling.name(entries[old.entry_id]),
            "change": rows[old.id].total_yen - old.total_yen,
        }
        for old in before.rows
        if rows[old.id].last_on != old.last_on
    ]


def standing(rows: Iterable[StandingRow], entry_id: str) -> list[StandingRow]:
    """Return the rows of an entry that still bill days."""
    return [row for row in rows if row.entry_id == entry_id and row.last_on is not None]
