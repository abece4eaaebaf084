"""The rows of a guide with the answers and edits applied to what was read of the files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from pms.arrivals.takeover.fields_of_meaning import fields_of
from pms.arrivals.takeover.instructions import NO_DAYS, FileDays
from pms.arrivals.takeover.laid_rows import LaidRow
from pms.arrivals.takeover.row_cells import house_beside_room, meaning_of_odd, room_of
from pms.arrivals.takeover.row_fields import (
    FIELDS,
    GuideStep,
    State,
    let_from,
    unit_from,
    values_of,
)
from pms.arrivals.takeover.taken import Question, ReadTenancy, ReadUnit, TakeOver, overlap
from pms.arrivals.takeover.whole_file import tells_start
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import ReservationKind
from pms.rules.plausible_amounts import OddAmount, find_odd_amounts
from pms.rules.roll_heads import Meaning
from pms.rules.room_names import building_key, room_key
from pms.rules.taking_over import OpeningDebt, TakenOver, TakeOverProblem, refusal_of_take_over

TAKEN: Final = "taken"
"""The answer that accepts the proposal."""
LEFT: Final = "left"
"""The answer that keeps the row as it is shown."""

_PROPOSING: Final = frozenset(
    {"notice_in_remark", "two_people_surcharge", "free_rent", "starts_later_paid"}
)
"""Questions whose proposal changes the row only when it is accepted."""
BY_CHOICE: Final = frozenset(
    {"as_of_and_billed", "billed_through", "balance_direction", "rent_from_total"}
)
"""Questions about the files that need a day or a choice: nobody can say that they are right as is."""
_NOT_BILLED: Final = frozenset({"starts_later", "starts_later_paid"})
_CONFIRMABLE: Final = (
    frozenset(
        {"free_rent", "made_again", "minus_debt", "carried_over", "hidden_row", "vacant_with_name"}
        | {"two_columns", "left_owes", "rent_zero", "tenancy_twice", "term_differs", "cell_error"}
        | {"code_unknown", "room_changed", "months_not_told", "billed_and_owed"}
        | {"room_not_in_the_roll", "left_without_day"}
    )
    | frozenset(OddAmount)
    | _NOT_BILLED
)
"""Blocking questions that can be answered without an edit."""


class RowRelation(StrEnum):
    """What a row is to a reservation that the workspace has already."""

    TAKEN_OVER = "taken_over"
    """It was taken over before and stays as it is."""
    JOINED = "joined"
    """It is here without its money, which going live adds."""


@dataclass(frozen=True, slots=True)
class RowAnswers:
    """What was entered for one row: edited fields, and answers by question."""

    edits: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileAnswers:
    """The answers about the files as a whole."""

    building: str = ""
    start: date | None = None
    """The start of the tenancies whose rows do not state one."""
    days: Mapping[str, FileDays] = field(default_factory=dict)
    """By the name of a file; "" for rows that are in no file."""
    has_no_deposits: bool = False
    confirmed: frozenset[str] = frozenset()
    """The codes of the answered questions about the files."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """The readings of new buildings, by their names."""


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """A question about a row, whether it is open, and how it can be answered."""

    question: Question
    is_open: bool
    fields: tuple[str, ...]
    answer: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether the row cannot be taken over before an answer."""
        return self.is_open and self.question.blocks

    @property
    def step(self) -> GuideStep:
        """The step of the guide that asks it."""
        return FIELDS[self.fields[0]].step

    @property
    def can_be_taken(self) -> bool:
        """Whether there is a proposal that can be accepted and is not applied yet."""
        return self.question.code in _PROPOSING and isinstance(self.question.proposal, dict)

    @property
    def can_be_left(self) -> bool:
        """Whether the row may be kept as it is shown."""
        return not self.question.blocks or self.question.code in _CONFIRMABLE

    @property
    def offered(self) -> frozenset[str]:
        """The answers that may be given, besides none and the one that was given before."""
        found = {"", self.answer}
        found |= {TAKEN} if self.can_be_taken else set()
        found |= {LEFT} if self.can_be_left else set()
        return frozenset(found)


@dataclass(slots=True)
class PreparedRow:
    """A row as it will be taken over, with its questions."""

    at: str
    state: State
    values: dict[str, str]
    unit: ReadUnit | None = None
    let: ReadTenancy | None = None
    questions: list[RowQuestion] = field(default_factory=list)
    edited: frozenset[str] = frozenset()
    read_monthly: int | None = None
    """The monthly sum by the sheet, before any edit."""
    standing: RowRelation | None = None
    reservation_id: str = ""
    """The reservation that the workspace has of it already."""
    is_new_room: bool = True

    @property
    def is_here(self) -> bool:
        """Whether it was taken over before, so that nothing is written of it."""
        return self.standing is RowRelation.TAKEN_OVER

    @property
    def is_waiting(self) -> bool:
        """Whether it needs an answer before it can be taken over."""
        return any(question.is_waiting for question in self.questions)

    @property
    def waiting(self) -> list[Question]:
        """The questions that must be answered first."""
        return [asked.question for asked in self.questions if asked.is_waiting]

    def marks(self) -> dict[str, str]:
        """Return the fields with open questions: `must` for one that blocks, else `ask`."""
        found: dict[str, str] = {}
        for question in self.questions:
            if question.is_open:
                kind = "must" if question.is_waiting else found.get(question.fields[0], "ask")
                found[question.fields[0]] = kind
        return found


@dataclass(slots=True)
class PreparedRows:
    """All rows of a guide as they will be taken over."""

    read: TakeOver
    rows: list[PreparedRow]
    file_questions: list[tuple[Question, bool]]
    """The questions about the files, each with whether it is still open."""
    of_files: FileAnswers = field(default_factory=FileAnswers)
    unread_names: Sequence[str] = ()
    """The names in kanji of buildings that are new here; their readings are asked."""

    @property
    def waiting(self) -> list[PreparedRow]:
        """The rows that need an answer first."""
        return [row for row in self.rows if row.is_waiting]

    @property
    def waiting_for_files(self) -> list[Question]:
        """The open questions about the files without whose answer nothing can go live."""
        return [
            question for question, is_open in self.file_questions if is_open and question.blocks
        ]

    def build_take_over(self) -> TakeOver:
        """Return what is to be written; waiting rows are blocked in it by their questions."""
        rows = [row for row in self.rows if row.state is not State.OUT]
        asked = [question for row in rows for question in row.waiting]
        return replace(
            self.read,
            units=[row.unit for row in rows if row.unit is not None],
            tenancies=[row.let for row in rows if row.let is not None],
            about_rows=asked,
            readings={building_key(name): kana for name, kana in self.of_files.readings.items()},
        )


def prepare(
    read: TakeOver,
    rows: Mapping[str, RowAnswers],
    of_files: FileAnswers,
    blank: Iterable[str] = (),
    monthly: Mapping[str, int] | None = None,
) -> PreparedRows:
    """Apply the answers and edits to what was read.

    `blank` are places of rows that are in no file and are typed in whole; `monthly` are the monthly
    sums by the files alone of rows whose rent or fees were typed.
    """
    made = _Preparing(read, rows, of_files, monthly or {})
    prepared = [made.row(at) for at in (*made.places(), *blank)]
    # Ask about a room that two rows let at once; rows left out or moved are ignored.
    held: dict[tuple[str, str], PreparedRow] = {}
    for row in prepared:
        row.questions = [
            earlier for earlier in row.questions if earlier.question.code != "room_twice"
        ]
        if row.let is None:
            continue
        key = building_key(row.let.building or ""), room_key(row.let.room)
        other = held.setdefault(key, row)
        if other is not row and other.let is not None and overlap(other.let, row.let):
            asked = _build_blocking_question(row, "room_twice", Meaning.ROOM, other=other.at)
            row.questions.append(RowQuestion(asked, True, fields_of("room_twice", None)))
    # The questions about the files, each with whether it is open. Those about a column are
    # answered by choosing how the column is read.
    answered = set(of_files.confirmed)
    if of_files.building:
        answered.add("house_without_name")
    if of_files.start is not None:
        answered.add("no_starts")
    if of_files.has_no_deposits:
        answered.add("no_deposits")
    about_files = [
        (
            question,
            not answered & {question.code, key_of_question(question)}
            and not _has_days(of_files, question),
        )
        for question in read.about_the_file
    ]
    return PreparedRows(read, prepared, about_files, of_files)


class _Preparing:
    def __init__(
        self,
        read: TakeOver,
        values: Mapping[str, RowAnswers],
        of_files: FileAnswers,
        monthly: Mapping[str, int],
    ) -> None:
        self._read, self._typed, self._of_files = read, values, of_files
        self._monthly = monthly
        self._units = {unit.at: unit for unit in read.units}
        self._lets = {let.at: let for let in read.tenancies}
        self._asked: dict[str, list[Question]] = {}
        for question in read.about_rows:
            self._asked.setdefault(question.at or "", []).append(question)

    def places(self) -> Iterator[str]:
        """Yield the place of every room, tenancy or question, in the order of the files."""
        wanted = self._units.keys() | self._lets.keys() | self._asked.keys()
        known = [at for at in self._read.rows if at in wanted]
        yield from known
        yield from sorted(wanted - set(known))

    def row(self, at: str) -> PreparedRow:
        """Return one row with its edits and answers."""
        unit, let = self._units.get(at), self._lets.get(at)
        asked, typed = self._asked.get(at, []), self._typed.get(at, _NOTHING)
        state = self._decide_state(at, unit, let, asked)
        values = values_of(unit, let, state)
        if unit is None and let is None:
            values |= _values_without_tenancy(self._read.rows.get(at))
        # The fields set by answers: an accepted proposal, or a first bill still to come.
        found: dict[str, str] = {}
        for question in asked:
            answer = typed.answers.get(question.code)
            if (
                answer == TAKEN
                and question.code in _PROPOSING
                and isinstance(question.proposal, dict)
            ):
                found |= {name: str(value) for name, value in question.proposal.items()}
            elif answer == LEFT and question.code in _NOT_BILLED and values["start"]:
                before = date.fromisoformat(values["start"]) - ONE_DAY
                found["billedThrough"] = before.isoformat()
        if self._of_files.has_no_deposits and not values["deposit"]:
            found["deposit"] = "0"
        values |= found
        known = self._read.rows.get(at)
        if let is not None and not values["start"] and known and not tells_start(known):
            values["start"] = "" if self._of_files.start is None else str(self._of_files.start)
        values |= {name: text for name, text in typed.edits.items() if name in FIELDS}
        values["building"] = values["building"] or self._of_files.building
        row = PreparedRow(at, State(values["state"]), values, edited=frozenset(typed.edits))
        row.read_monthly = self._monthly.get(at)
        if row.read_monthly is None and let is not None:
            row.read_monthly = let.shown_monthly or let.monthly
        if row.state is not State.OUT:
            row.unit = unit_from(row.at, row.values, unit)
            if row.state is State.LET:
                row.let = let_from(row.at, row.values, let)
                if let is not None and let.own is not None and not row.edited:
                    # The exact terms of an export of this program apply until the row is edited.
                    row.let.own = let.own
        row.questions = self._list_questions(row, asked, typed)
        return row

    def _decide_state(
        self, at: str, unit: ReadUnit | None, let: ReadTenancy | None, asked: Sequence[Question]
    ) -> State:
        if let is not None:
            return State.LET
        if unit is not None:
            if unit.is_owner_use:
                return State.OWNER if unit.owner_name else State.BLOCK
            return State.VACANT
        is_new = at not in self._read.rows
        return State.LET if is_new or any(question.blocks for question in asked) else State.OUT

    def _list_questions(
        self, row: PreparedRow, asked: Sequence[Question], typed: RowAnswers
    ) -> list[RowQuestion]:
        found = []
        for question in asked:
            if question.code in _ODD:
                continue  # asked below about the amounts as they stand now
            fields = fields_of(question.code, question.meaning)
            answer = typed.answers.get(question.code, "")
            is_answered = bool(answer) and (not question.blocks or question.code in _CONFIRMABLE)
            is_edited = bool(typed.edits.keys() & set(fields)) or "state" in typed.edits
            is_open = not is_answered and not is_edited and row.state is not State.OUT
            if row.state is State.OUT and row.at in self._read.rows and not typed.edits:
                is_open = not is_answered
            found.append(RowQuestion(question, is_open, fields, answer))
        asked_already = {name for earlier in found if earlier.is_waiting for name in earlier.fields}
        for question in missing(row):
            fields = fields_of(question.code, question.meaning)
            if fields[0] not in asked_already:
                found.append(RowQuestion(question, True, fields))
        for question in ask_about_odd_amounts(row):
            answer = typed.answers.get(question.code, "")
            fields = fields_of(question.code, question.meaning)
            found.append(RowQuestion(question, not answer, fields, answer))
        return found


_NOTHING: Final = RowAnswers()


def _values_without_tenancy(row: LaidRow | None) -> dict[str, str]:
    """Return the room, name and building of a row that is no tenancy."""
    if row is None:
        return {}
    return {
        "room": room_of(row),
        "name": row.cell(Meaning.NAME).strip(),
        "building": row.cell(Meaning.BUILDING).strip()
        or house_beside_room(row)
        or row.heading
        or "",
    }


def missing(row: PreparedRow) -> Iterator[Question]:
    """Yield a question for each required value that a row does not state."""
    if row.state is State.OUT:
        return
    values = row.values
    if not values["building"]:
        yield _build_blocking_question(row, "house_without_name", Meaning.BUILDING)
    if not values["room"]:
        yield _build_blocking_question(row, "room_missing", Meaning.ROOM)
    if row.let is None or row.let.own is not None:
        return
    for name, code, meaning in _NEEDED:
        if not values[name]:
            yield _build_blocking_question(row, code, meaning)
    start, end = values["start"], values["end"]
    if start and end and end < start:
        yield _build_blocking_question(row, "end_before_start", Meaning.END, start=start, end=end)
    if has_unbilled_debt(row.let, row.let.billed_through):
        yield _build_blocking_question(
            row, "unpaid_not_billed", Meaning.UNPAID, through=values["billedThrough"]
        )


def ask_about_odd_amounts(row: PreparedRow) -> Iterator[Question]:
    """Yield a question for each kind of amount that is most likely wrong."""
    let = row.let
    if let is None or let.own is not None:
        return
    for odd in find_odd_amounts(let.rent, let.fees.values(), let.deposit_held):
        facts: dict[str, Any] = {
            "yen": odd.yens[0],
            "amounts": ", ".join(f"{yen:,}" for yen in odd.yens),
            "rent": let.rent or 0,
        }
        yield _build_blocking_question(
            row, odd.what, meaning_of_odd(odd.what, let.fees, odd.yens[0]), **facts
        )


_ODD: Final = frozenset(OddAmount)
_NEEDED: Final = (
    ("name", "name_missing", Meaning.NAME),
    ("rent", "rent_missing", Meaning.RENT),
    ("start", "start_missing", Meaning.START),
    ("deposit", "deposit_missing", Meaning.DEPOSIT),
    ("billedThrough", "billed_missing", Meaning.BILLED_THROUGH),
)


def _build_blocking_question(
    row: PreparedRow, code: str, meaning: Meaning, **facts: Any
) -> Question:
    return Question(code, row.at, "", "", blocks=True, facts=facts, meaning=meaning)


def has_unbilled_debt(let: ReadTenancy, through: date | None) -> bool:
    """Whether the debts include rent of a month after the last day billed."""
    if through is None:
        return False
    debts = tuple(OpeningDebt(debt.what, debt.yen, debt.due_on or through) for debt in let.unpaid)
    taken = TakenOver(through, through, unpaid=debts)
    refusal = refusal_of_take_over(taken, ReservationKind.RESIDENT, is_begun=False)
    return refusal is TakeOverProblem.UNPAID


def _has_days(of_files: FileAnswers, question: Question) -> bool:
    """Whether the days that a question asks for were given for its file."""
    days = of_files.days.get(question.file, NO_DAYS)
    wanted = {
        "as_of": (days.as_of,),
        "billed_through": (days.billed_through,),
        "as_of_and_billed": (days.as_of, days.billed_through),
    }
    return question.code in wanted and None not in wanted[question.code]


def key_of_question(question: Question) -> str:
    """Return what the answer to a question about the files is stored under."""
    facts: tuple[Any, ...] = (question.code, question.sheet, question.column_place)
    facts += (question.facts.get("title"), *([question.file] if question.is_file_named else []))
    return f"{question.code}-{sha256(repr(facts).encode()).hexdigest()[:12]}"
