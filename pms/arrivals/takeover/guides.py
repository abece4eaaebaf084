"""The guide that takes tenancies over: its files, and the answers and edits of each step."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.arrivals.models import Takeover, TakeoverFile, TakeoverRow
from pms.arrivals.takeover.already_here import compare_with_workspace
from pms.arrivals.takeover.answered import (
    TAKEN,
    FileAnswers,
    PreparedRows,
    RowAnswers,
    prepare,
)
from pms.arrivals.takeover.instructions import (
    NO_READING,
    NO_TYPED,
    CellRange,
    ColumnReading,
    Direction,
    FileDays,
    Instructions,
    SheetReading,
)
from pms.arrivals.takeover.previews import SheetPreview
from pms.arrivals.takeover.reading import OpenedFile, open_file
from pms.arrivals.takeover.reading_process import read_within_bounds
from pms.arrivals.takeover.row_debts import UnreadableCell
from pms.arrivals.takeover.row_fields import FIELDS, normal_cell
from pms.arrivals.takeover.taken import TakeOver
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused, no_such
from pms.foundation.files import Files
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TakeoverState
from pms.rules.plausible_amounts import OddAmount
from pms.rules.roll_heads import FEES, Meaning, fold_title
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import XLSX

MOST_FILES: Final = 10
MOST_BLANK_ROWS: Final = 50
SUMS: Final = ("depositHeld", "unpaid", "overpaid")
"""The sums that the office enters and the rows must match."""
_MOST_OF_A_NAME: Final = 120
_LONGEST_WORD: Final = 200


class LeftOut(NamedTuple):
    """A stored answer that cannot be used any more: its place, its field and what was stored."""

    at: str
    """The place of the row; empty for an answer about the files."""
    field: str
    stored: str


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide with its files read and all answers so far applied."""

    row: Takeover
    files: Sequence[str]
    prepared: PreparedRows
    billed_through: date | None
    """The last day billed of all rows; None where it is not known, or differs by file."""
    left_out: Sequence[LeftOut] = ()
    readings: Mapping[str, SheetReading] = field(default_factory=dict)
    """How the sheets were chosen to be read, by the keys of their previews."""
    version: str = ""
    """Another one once a file, an answer or an edit of the guide is another."""

    @property
    def previews(self) -> Sequence[SheetPreview]:
        """Every sheet of every file, as it is read now."""
        return self.prepared.read.previews

    def preview_of(self, key: str) -> SheetPreview:
        """Return a sheet by its key; raises `NotFound` for a key that no sheet has."""
        found = next((preview for preview in self.previews if preview.key == key), None)
        if found is None:
            raise no_such("sheet")
        return found

    def reading_of(self, key: str) -> SheetReading:
        """Return how a sheet was chosen to be read."""
        return self.readings.get(key, NO_READING)

    @property
    def sources(self) -> Sequence[str]:
        """What has days of its own: the files with tenancies, and "" for rows typed whole."""
        is_typed = self.row.blank_rows or not self.files
        return [*self.prepared.read.days, *([""] if is_typed else [])]

    @property
    def id(self) -> str:
        """The id of the guide."""
        return self.row.id

    @property
    def is_open(self) -> bool:
        """Whether it can still be edited."""
        return self.row.state is TakeoverState.OPEN


def list_guides(session: Session) -> Sequence[Takeover]:
    """Return every guide that is open or went live, the newest first."""
    shown = (TakeoverState.OPEN, TakeoverState.LIVE)
    asked = select(Takeover).where(Takeover.state.in_(shown))
    return session.scalars(asked.order_by(Takeover.started_at.desc()).limit(50)).all()


class NewFile(NamedTuple):
    """A file that could be opened, under its name in the guide; it is not stored yet."""

    opened: OpenedFile
    content: bytes


class NewFiles(NamedTuple):
    """Files for a guide that were read before anything is written.

    `beside` names the files that the guide had then. `sheets` and `forms` are the readings of known
    heads, by sheet and by head.
    """

    files: Sequence[NewFile] = ()
    beside: Sequence[str] = ()
    sheets: Mapping[str, Any] = {}
    forms: Mapping[str, Any] = {}


def open_new_files(
    session: Session,
    clock: Clock,
    files: Files,
    sheets: Sequence[tuple[str, bytes]],
    takeover_id: str | None = None,
) -> NewFiles:
    """Read files that are to start a guide or to be added to one; nothing is stored.

    Each sheet with a head known from an earlier guide is to be read as that one was. This takes
    time: not while a transaction is open to write. Raises `Refused` for too many files, and
    `SheetRefused` for one that is no sheet.
    """
    row = Takeover(answers={}, columns=learnt_columns(session))
    stored: Sequence[TakeoverFile] = ()
    if takeover_id is not None:
        row = stored_guide(session, takeover_id)
        stored = _files_of(session, row.id)
    if len(stored) + len(sheets) > MOST_FILES:
        raise Refused("file: at most {most} files can be read at once.", most=MOST_FILES)
    beside = [file.name for file in stored]
    names = set(beside)
    new = [
        NewFile(open_file(_new_name(name[-_MOST_OF_A_NAME:], names), content), content)
        for name, content in sheets
    ]
    known: dict[str, Any] = dict(row.answers.get("forms", {}))
    asked = select(Takeover.answers).where(Takeover.id != row.id)
    for answers in session.scalars(asked.order_by(Takeover.started_at.desc()).limit(20)):
        for head, shape in answers.get("forms", {}).items():
            known.setdefault(head, shape)
    read: dict[str, Any] = {}
    used: dict[str, Any] = {}
    if new:
        # All is read, also where no head can be known: what is refused later would be stored by then.
        opened = [open_file(file.name, _read_content(files, file)) for file in stored]
        opened += [file.opened for file in new]
        instructions = _stored_instructions(row, [file.name for file in opened], [])
        for preview in read_within_bounds(opened, clock.today(), instructions).previews:
            head, number = _known_head(preview, known)
            if head:
                own = {} if number is None else {"headerRow": number}
                read[preview.key], used[head] = {**known[head], **own}, known[head]
    return NewFiles(new, beside, read, used)


def start_guide(
    work: Work, files: Files, new: NewFiles | None = None, *, blank_rows: int = 0
) -> str:
    """Create a guide with files, or with rows to be typed, and return its id.

    The meanings chosen for columns in earlier guides are reused. Raises `Refused` for no file at
    all.
    """
    new = new or NewFiles()
    if not new.files and not blank_rows:
        raise Refused("file: choose a file, paste rows, or start with empty rows.")
    if not 0 <= blank_rows <= MOST_BLANK_ROWS:
        raise Refused("rows: enter 1 to {most} rows.", most=MOST_BLANK_ROWS)
    row = Takeover(
        id=new_id(),
        state=TakeoverState.OPEN,
        name="",
        blank_rows=blank_rows,
        answers={},
        columns=learnt_columns(work.session),
        totals={},
        accepted={},
        made={},
        started_at=work.clock.now(),
        started_by=work.actor,
    )
    work.session.add(row)
    work.session.flush()
    _store_files(work.session, files, row, new)
    about, facts = ("takeover", row.id), {"name": row.name, "files": len(new.files)}
    note_audit_event(work, AuditEvent.TAKEOVER_STARTED, about, after=facts)
    work.session.flush()
    return row.id


def add_files(work: Work, files: Files, takeover_id: str, new: NewFiles) -> None:
    """Add files to an open guide; all its files are read together.

    Raises `Collision` when the guide got other files since these were read.
    """
    row = open_guide(work.session, takeover_id)
    if not new.files:
        raise Refused("file: choose a file.")
    _store_files(work.session, files, row, new)
    about, facts = ("takeover", row.id), {"name": row.name, "files": len(new.files)}
    note_audit_event(work, AuditEvent.TAKEOVER_FILES_ADDED, about, after=facts)


def _store_files(session: Session, files: Files, row: Takeover, new: NewFiles) -> None:
    known = [file.name for file in _files_of(session, row.id)]
    if known != list(new.beside):
        raise _changed_meanwhile()
    answers = {**row.answers, "days": _days_by_source(row.answers, known)}
    for position, (opened, content) in enumerate(new.files, start=len(known) + 1):
        is_workbook = opened.tables[0].encoding == XLSX
        key = files.put(content, XLSX if is_workbook else "csv")
        session.add(
            TakeoverFile(
                id=new_id(), takeover_id=row.id, position=position, name=opened.name, file_key=key
            )
        )
        known.append(opened.name)
    row.name = ", ".join(known)[:_MOST_OF_A_NAME]
    if new.sheets:
        answers["sheets"] = {**new.sheets, **row.answers.get("sheets", {})}
        answers["forms"] = {**row.answers.get("forms", {}), **new.forms}
    row.answers = answers
    session.flush()


def _changed_meanwhile() -> Collision:
    return Collision("A colleague changed this import in the meantime. Look at it again.")


def _new_name(name: str, taken: set[str]) -> str:
    """Return a name that no other file of the guide has, since rows are identified by it."""
    own, number = name, 2
    while own in taken:
        own, number = f"{name} ({number})", number + 1
    taken.add(own)
    return own


def learnt_columns(session: Session) -> dict[str, str]:
    """Return the meanings chosen in earlier guides, by folded title; the newest choice counts."""
    asked = select(Takeover.columns).order_by(Takeover.started_at.desc()).limit(20)
    found: dict[str, str] = {}
    for columns in session.scalars(asked):
        for title, meaning in columns.items():
            found.setdefault(title, meaning)
    return found


def stored_guide(session: Session, takeover_id: str) -> Takeover:
    """Return a guide; raise `NotFound` for an unknown id."""
    found = None
    if is_id(takeover_id):
        found = session.scalar(select(Takeover).where(Takeover.id == takeover_id))
    if found is None or found.state is TakeoverState.DROPPED:
        raise no_such("take-over")
    return found


def open_guide(session: Session, takeover_id: str) -> Takeover:
    """Lock and return a guide for a change; refuse one that went live."""
    stored_guide(session, takeover_id)
    asked = select(Takeover).where(Takeover.id == takeover_id).with_for_update()
    row = session.scalars(asked.execution_options(populate_existing=True)).one()
    if row.state is not TakeoverState.OPEN:
        raise Refused("This import is live and can no longer be changed.")
    return row


def read_guide(
    session: Session,
    clock: Clock,
    files: Files,
    takeover_id: str,
    *,
    tried: Mapping[str, SheetReading] | None = None,
) -> Guide:
    """Read the files of a guide and apply its answers.

    `tried` are readings of sheets that are not stored, to see what they would give. Raises
    `SheetRefused` where they make of the files more than is read at once; stored ones that do are
    left out.
    """
    row = stored_guide(session, takeover_id)
    stored = _files_of(session, row.id)
    version = _version_of(session, row)
    opened = [open_file(file.name, _read_content(files, file)) for file in stored]
    left_out: list[LeftOut] = []
    facts = {
        answered.at: RowAnswers(_readable_edits(answered, left_out), answered.answers)
        for answered in _rows_of(session, row.id)
    }
    names = [file.name for file in stored]
    instructions = _stored_instructions(row, names, left_out)
    instructions = replace(instructions, sheets={**instructions.sheets, **(tried or {})})
    try:
        read = _read_opened_files(opened, clock.today(), instructions, facts)
    except SheetRefused:
        if tried or not instructions.sheets:
            raise
        left_out += [LeftOut("", key.strip(), "") for key in instructions.sheets]
        instructions = replace(instructions, sheets={})
        read = _read_opened_files(opened, clock.today(), instructions, facts)
    typed_through = instructions.days_of("").billed_through or read.billed_through
    blank = [f"row {number}" for number in range(1, row.blank_rows + 1)]
    monthly = _monthly_by_files(opened, clock.today(), instructions, facts)
    of_files = _answers_of_files(row, instructions, left_out)
    prepared = prepare(read, facts, of_files, blank, monthly)
    if typed_through is not None:
        _fill_billed(prepared, typed_through)
    if row.state is TakeoverState.OPEN:
        compare_with_workspace(session, clock, prepared)
    throughs = {days.billed_through for days in read.days.values()}
    throughs |= {typed_through} if row.blank_rows or not names else set()
    through = throughs.pop() if len(throughs) == 1 else None
    return Guide(row, names, prepared, through, left_out, instructions.sheets, version)


def _version_of(session: Session, row: Takeover) -> str:
    facts = [
        *(row.blank_rows, row.answers, row.columns, row.totals, row.accepted),
        [(file.name, file.file_key) for file in _files_of(session, row.id)],
        sorted(
            (entered.at, entered.edits, entered.answers) for entered in _rows_of(session, row.id)
        ),
    ]
    return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def open_as_read(session: Session, guide: Guide) -> Takeover:
    """Lock and return a guide that was read before; raise `Collision` when it is another by now."""
    row = open_guide(session, guide.id)
    if _version_of(session, row) != guide.version:
        raise _changed_meanwhile()
    return row


def _readable_edits(answered: TakeoverRow, left_out: list[LeftOut]) -> dict[str, str]:
    """Return the stored edits of a row; one that cannot be read any more is left out."""
    found: dict[str, str] = {}
    for name, text in answered.edits.items():
        try:
            if name not in FIELDS:
                raise UnreadableCell("unknown_field")
            found[name] = normal_cell(name, text)
        except UnreadableCell:
            left_out.append(LeftOut(answered.at, name, str(text)[:_LONGEST_WORD]))
    return found


def _stored_map(
    answers: Mapping[str, Any], name: str, left_out: list[LeftOut]
) -> Mapping[str, Any]:
    """Return stored answers by their names; what is stored in another form is left out."""
    stored = answers.get(name) or {}
    if isinstance(stored, dict):
        return stored
    left_out.append(LeftOut("", name, str(stored)[:_LONGEST_WORD]))
    return {}


def _stored_day(answers: Mapping[str, Any], name: str, left_out: list[LeftOut]) -> date | None:
    stored = answers.get(name)
    if not stored:
        return None
    try:
        return date.fromisoformat(stored)
    except (TypeError, ValueError):
        left = LeftOut("", name, str(stored)[:_LONGEST_WORD])
        left_out += [] if left in left_out else [left]
        return None


def _days_by_source(answers: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the stored days by file, "" for typed rows; an older guide has one pair for all."""
    if isinstance(answers.get("days"), dict):
        return dict(answers["days"])
    pair = {name: answers[name] for name in ("asOf", "billedThrough") if name in answers}
    return {name: pair for name in ("", *names) if pair}


def _stored_instructions(
    row: Takeover, names: Collection[str], left_out: list[LeftOut]
) -> Instructions:
    """Return how the files are read; what cannot be read any more is left out."""
    learnt: dict[str, ColumnReading] = {}
    for title, meaning in row.columns.items():
        if meaning in set(Meaning):
            learnt[title] = ColumnReading(Meaning(meaning))
        else:
            left_out.append(LeftOut("", title, str(meaning)[:_LONGEST_WORD]))
    sheets: dict[str, SheetReading] = {}
    for key, shape in _stored_map(row.answers, "sheets", left_out).items():
        try:
            sheets[key] = SheetReading.from_shape(shape)
        except (AttributeError, KeyError, TypeError, ValueError):
            left_out.append(LeftOut("", key.strip(), str(shape)[:_LONGEST_WORD]))
    by_source = _days_by_source(row.answers, names)
    days = {
        name: FileDays(
            _stored_day(given, "asOf", left_out), _stored_day(given, "billedThrough", left_out)
        )
        for name in by_source
        for given in [_stored_map(by_source, name, left_out)]
    }
    return Instructions(
        days=days,
        sheets=sheets,
        learnt=learnt,
    )


def _fill_billed(prepared: PreparedRows, through: date) -> None:
    """Set the last day billed of rows that were typed in whole to that of all others."""
    for row in prepared.rows:
        if row.let is not None and row.let.billed_through is None and "row " in row.at[:4]:
            row.let.billed_through = through
            row.values["billedThrough"] = through.isoformat()
            kept = [asked for asked in row.questions if asked.question.code != "billed_missing"]
            row.questions = kept


_UNITS: Final = (1, 1_000, 10_000)
_AMOUNTS: Final = frozenset({Meaning.RENT, *FEES})


def _typed_amounts(facts: Mapping[str, RowAnswers]) -> Mapping[str, Mapping[Meaning, int]]:
    """Return the rents and fees that were typed, by place: what depends on them follows them."""
    found = {
        at: {
            meaning: int(answered.edits[meaning.value])
            for meaning in _AMOUNTS
            if answered.edits.get(meaning.value)
        }
        for at, answered in facts.items()
    }
    return {at: amounts for at, amounts in found.items() if amounts} or NO_TYPED


def _monthly_by_files(
    opened: Sequence[OpenedFile],
    today: date,
    instructions: Instructions,
    facts: Mapping[str, RowAnswers],
) -> dict[str, int]:
    """Return the monthly sums of rows with a typed rent or fee, as the files alone state them."""
    typed = _typed_amounts(facts)
    if not typed or not opened:
        return {}
    read = read_within_bounds(opened, today, instructions)
    return {let.at: let.shown_monthly or let.monthly for let in read.tenancies if let.at in typed}


def _read_opened_files(
    opened: Sequence[OpenedFile],
    today: date,
    instructions: Instructions,
    facts: Mapping[str, RowAnswers],
) -> TakeOver:
    """Read the files with the answered days, else with the proposed ones."""
    if not opened:
        return TakeOver("", today, "")
    instructions = replace(instructions, typed=_typed_amounts(facts))
    return read_within_bounds(opened, today, instructions)


def _read_content(files: Files, file: TakeoverFile) -> bytes:
    content = files.get(file.file_key)
    if content is None:
        raise NotFound("The file {name} is no longer stored. Start again with it.", name=file.name)
    return content


def _files_of(session: Session, takeover_id: str) -> Sequence[TakeoverFile]:
    asked = select(TakeoverFile).where(TakeoverFile.takeover_id == takeover_id)
    return session.scalars(asked.order_by(TakeoverFile.position)).all()


def _rows_of(session: Session, takeover_id: str) -> Sequence[TakeoverRow]:
    return session.scalars(select(TakeoverRow).where(TakeoverRow.takeover_id == takeover_id)).all()


def _answers_of_files(
    row: Takeover, instructions: Instructions, left_out: list[LeftOut]
) -> FileAnswers:
    answers = row.answers
    return FileAnswers(
        building=answers.get("building", ""),
        start=_stored_day(answers, "start", left_out),
        days=instructions.days,
        has_no_deposits=bool(answers.get("hasNoDeposits")),
        confirmed=frozenset(map(str, answers.get("confirmed") or ())),
        readings=_stored_map(answers, "readings", left_out),
    )


def answer_files(
    session: Session,
    takeover_id: str,
    *,
    days: Mapping[str, FileDays],
    building: str,
    has_no_deposits: bool,
    start: date | None = None,
    confirmed: Collection[str] = (),
) -> None:
    """Store the days of each file, the building of rows without one, and whether none has deposits.

    `days` are by the name of a file; "" is for rows that are in no file.
    """
    row = open_guide(session, takeover_id)
    facts: dict[str, Any] = {
        "building": building.strip()[:_MOST_OF_A_NAME],
        "start": start and start.isoformat(),
        "hasNoDeposits": has_no_deposits,
        "confirmed": sorted({*confirmed, *row.answers.get("confirmed", ())}),
        "sheets": row.answers.get("sheets"),
        "forms": row.answers.get("forms"),
        "readings": row.answers.get("readings"),
    }
    shapes = {name: _days_shape(given) for name, given in days.items()}
    row.answers = {name: value for name, value in facts.items() if value} | {"days": shapes}
    session.flush()


def _days_shape(days: FileDays) -> dict[str, str]:
    facts = {"asOf": days.as_of, "billedThrough": days.billed_through}
    return {name: day.isoformat() for name, day in facts.items() if day is not None}


def try_reading(
    session: Session, clock: Clock, files: Files, guide: Guide, tried: Mapping[str, SheetReading]
) -> None:
    """Refuse how sheets are to be read, by their keys, where they cannot be read so.

    This takes time: not while a transaction is open to write.
    """
    for key, reading in tried.items():
        _refuse_what_is_not_there(guide.preview_of(key), reading)
    read_guide(session, clock, files, guide.id, tried=tried)


def read_sheet_as(session: Session, guide: Guide, key: str, reading: SheetReading) -> None:
    """Store how a sheet is to be read, for this guide and for later files with the same head.

    The meaning of a column counts for every later column with its title; its unit, its sign and the
    form of its days only where the whole head row is the same. Raises `Refused` for a sheet, a row
    or a column that is not there.
    """
    row = open_guide(session, guide.id)
    preview = guide.preview_of(key)
    _refuse_what_is_not_there(preview, reading)
    sheets = {**row.answers.get("sheets", {}), key: reading.shape()}
    row.answers = {**row.answers, "sheets": sheets}
    head = _head_of(preview, reading.header_row)
    if head and not reading.blocks and reading.direction is not Direction.ACROSS:
        learnt = replace(reading, header_row=None, building="", is_read=None).shape()
        row.answers = {**row.answers, "forms": {**row.answers.get("forms", {}), head: learnt}}
    known, before = dict(row.columns), guide.reading_of(key).columns
    for place, title in _titles_of(preview, reading).items():
        chosen = reading.columns.get(place, ColumnReading()).meaning
        if title and chosen is not None:
            known[title] = chosen.value
        elif title and before.get(place, ColumnReading()).meaning is not None:
            known.pop(title, None)
    row.columns = known
    session.flush()


def _refuse_what_is_not_there(preview: SheetPreview, reading: SheetReading) -> None:
    is_across = reading.direction is Direction.ACROSS
    rows = preview.width if is_across else preview.row_count
    if reading.header_row is not None and not 1 <= reading.header_row <= rows:
        raise Refused(
            "header: {number} is not a row of the sheet. Choose one from 1 to {rows}.",
            number=reading.header_row,
            rows=rows,
        )
    for block in reading.blocks:
        cells = CellRange.read(block)
        is_inside = cells.last_row <= preview.row_count and cells.last_column < preview.width
        if cells.first_row < 1 or not is_inside:
            raise Refused("blocks: {block} is not inside the sheet.", block=block)
    places = max(preview.width, preview.row_count) if is_across else preview.width
    beside = next((place for place in reading.columns if not 0 <= place < places), None)
    if beside is not None:
        raise Refused("The sheet has no column {number}.", number=beside + 1)
    units = {column.unit for column in reading.columns.values()} - {None, *_UNITS}
    if units:
        raise Refused("An amount is in yen, thousand yen or ten thousand yen.")


def _titles_of(preview: SheetPreview, reading: SheetReading) -> dict[int, str]:
    """Return the folded title of each column, under the head row that was chosen."""
    titles = {column.place: fold_title(column.title) for column in preview.columns}
    if reading.direction is Direction.ACROSS:
        return titles
    cells = next((cells for number, cells, _ in preview.rows if number == reading.header_row), ())
    return titles | {place: fold_title(cell) for place, cell in enumerate(cells) if cell.strip()}


def _head_of(preview: SheetPreview, header_row: int | None) -> str:
    """Return the head of a sheet as one text, to know the same head in another file."""
    wanted = preview.header_rows if header_row is None else (header_row,)
    lines = [_fold_cells(cells) for number, cells, _ in preview.rows if number in wanted]
    return "\n".join(lines) if len(lines) == len(wanted) else ""


def _fold_cells(cells: Sequence[str]) -> str:
    return "|".join(map(fold_title, cells)).rstrip("|")


def _known_head(preview: SheetPreview, forms: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return the known head of a sheet, and its row where the program does not find it by itself."""
    own = _head_of(preview, None)
    if own in forms:
        return own, None
    lines = {_fold_cells(cells): number for number, cells, _ in preview.rows}
    return next(((head, lines[head]) for head in forms if head in lines), ("", None))


@dataclass(frozen=True, slots=True)
class TypedRow:
    """What was typed into one row of the grid, and the answers to its questions."""

    at: str
    cells: Mapping[str, str]
    answers: Mapping[str, str]


class WrongCells(Exception):
    """Unreadable cells, by place and field, with the code of what is allowed."""

    def __init__(self, codes: Mapping[tuple[str, str], str]) -> None:
        super().__init__("cells")
        self.codes = codes


def edit_rows(session: Session, guide: Guide, typed: Sequence[TypedRow]) -> int:
    """Store the cells that differ from what is shown, and all answers; return how many changed.

    Raises `WrongCells` with all cells that cannot be read, and `Refused` for an answer that its row
    does not offer; then nothing is stored.
    """
    row = open_guide(session, guide.id)
    shown = {listed.at: listed for listed in guide.prepared.rows}
    wrong: dict[tuple[str, str], str] = {}
    changes: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for row_typed in typed:
        prepared = shown.get(row_typed.at)
        if prepared is None:
            raise Refused("The row {place} is no longer in the files.", place=row_typed.at[:60])
        edits: dict[str, str] = {}
        for name, text in row_typed.cells.items():
            if name not in FIELDS:
                continue
            try:
                normal = normal_cell(name, text)
            except UnreadableCell as unreadable:
                wrong[row_typed.at, name] = unreadable.code
                continue
            if normal != prepared.values[name]:
                edits[name] = normal
        # The answers of a row; refuse one that the row does not offer. An amount that was
        # confirmed and is then edited is asked about again.
        offered = {asked.question.code: asked for asked in prepared.questions}
        found: dict[str, str] = {}
        for code, answer in row_typed.answers.items():
            asked = offered.get(code)
            if asked is None and not answer:
                continue
            if asked is None or answer not in asked.offered:
                raise Refused(
                    "'{answer}' is not an answer that {place} offers. Choose one of those shown.",
                    answer=answer[:20],
                    place=prepared.values["room"] or prepared.at,
                )
            is_confirmed_before = answer == asked.answer and code in set(OddAmount)
            found[code] = "" if is_confirmed_before and edits.keys() & set(asked.fields) else answer
        changes[row_typed.at] = (edits, found)
    if wrong:
        raise WrongCells(wrong)
    return _write_changes(session, row.id, changes)


def _write_changes(
    session: Session,
    takeover_id: str,
    changes: Mapping[str, tuple[dict[str, str], dict[str, str]]],
) -> int:
    known = {row.at: row for row in _rows_of(session, takeover_id)}
    count = 0
    for at, (edits, answers) in changes.items():
        stored = known.get(at)
        before = ({}, {}) if stored is None else (stored.edits, stored.answers)
        facts = {code: answer for code, answer in (before[1] | answers).items() if answer}
        if not edits and facts == before[1]:
            continue
        count += 1
        if stored is None:
            stored = TakeoverRow(id=new_id(), takeover_id=takeover_id, at=at)
            session.add(stored)
        stored.edits, stored.answers = before[0] | edits, facts
    session.flush()
    return count


def answer_all(session: Session, guide: Guide, code: str) -> int:
    """Accept the proposal of a question for many rows; blocking rows are answered one by one.

    Raises `Refused` when no row has such a proposal.
    """
    row = open_guide(session, guide.id)
    changes: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for prepared in guide.prepared.rows:
        for asked in prepared.questions:
            if asked.question.code == code and asked.is_open and not asked.question.blocks:
                changes[prepared.at] = ({}, {code: TAKEN})
    if not changes:
        raise Refused("This proposal has been answered already, or it is none.")
    return _write_changes(session, row.id, changes)


def keep_totals(session: Session, takeover_id: str, totals: Mapping[str, int | None]) -> None:
    """Store the sums the office expects, to compare them with the sums of the rows."""
    row = open_guide(session, takeover_id)
    row.totals = {name: yen for name, yen in totals.items() if yen is not None}
    session.flush()


def keep_readings(session: Session, takeover_id: str, readings: Mapping[str, str]) -> None:
    """Store the readings of new buildings, by their names."""
    row = open_guide(session, takeover_id)
    row.answers = {**row.answers, "readings": dict(readings)}
    session.flush()


def accept_differences(session: Session, guide: Guide, words: Mapping[str, str]) -> None:
    """Accept differences by their places, each with a reason; an empty reason takes one back.

    A place is that of a row of the guide, or the name of a sum.
    """
    row = open_guide(session, guide.id)
    there = {prepared.at for prepared in guide.prepared.rows} | set(SUMS)
    known = dict(row.accepted)
    for at, word in words.items():
        if at not in there:
            raise Refused("The row {place} is no longer in the files.", place=at[:60])
        known.pop(at, None)
        if word.strip():
            known[at] = word.strip()[:_LONGEST_WORD]
    row.accepted = known
    session.flush()


def drop_guide(work: Work, takeover_id: str) -> None:
    """Drop an open guide and delete the answers of its rows; it has written nothing else."""
    row = open_guide(work.session, takeover_id)
    row.state = TakeoverState.DROPPED
    work.session.execute(delete(TakeoverRow).where(TakeoverRow.takeover_id == row.id))
    note_audit_event(work, AuditEvent.TAKEOVER_DROPPED, of_workspace(work.session))
    work.session.flush()
