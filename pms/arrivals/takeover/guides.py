"""The guide that takes tenancies over: its files, and the answers and edits of each step."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.arrivals.models import Takeover, TakeoverFile, TakeoverRow
from pms.arrivals.takeover.already_here import compare_with_workspace
from pms.arrivals.takeover.answered import (
    TAKEN,
    FileAnswers,
    Prepared,
    PreparedRow,
    RowAnswers,
    prepare,
)
from pms.arrivals.takeover.reading import read_files
from pms.arrivals.takeover.row_cells import UnreadableCell
from pms.arrivals.takeover.row_fields import FIELDS, normal_cell
from pms.arrivals.takeover.taken import TakeOver
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused, no_such
from pms.foundation.files import Files
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TakeoverState
from pms.rules.plausible_amounts import OddAmount
from pms.rules.roll_heads import Meaning, fold_title
from pms.sheets.tables import XLSX, open_tables

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
    prepared: Prepared
    billed_through: date | None
    left_out: Sequence[LeftOut] = ()

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


def start_guide(
    work: Work, files: Files, *, sheets: Sequence[tuple[str, bytes]] = (), blank_rows: int = 0
) -> str:
    """Create a guide with files, or with rows to be typed, and return its id.

    The meanings chosen for columns in earlier guides are reused. Raises `Refused` for no file at
    all, and `SheetRefused` for a file that is no sheet.
    """
    if not sheets and not blank_rows:
        raise Refused("file: choose a file, paste rows, or start with empty rows.")
    if not 0 <= blank_rows <= MOST_BLANK_ROWS:
        raise Refused("rows: enter 1 to {most} rows.", most=MOST_BLANK_ROWS)
    names = ", ".join(name for name, _ in sheets)
    row = Takeover(
        id=new_id(),
        state=TakeoverState.OPEN,
        name=names[:_MOST_OF_A_NAME],
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
    _add(work.session, files, row, sheets)
    about, facts = ("takeover", row.id), {"name": row.name, "files": len(sheets)}
    note_audit_event(work, AuditEvent.TAKEOVER_STARTED, about, after=facts)
    work.session.flush()
    return row.id


def add_files(
    session: Session, files: Files, takeover_id: str, sheets: Sequence[tuple[str, bytes]]
) -> None:
    """Add files to an open guide; all its files are read together."""
    row = open_guide(session, takeover_id)
    if not sheets:
        raise Refused("file: choose a file.")
    _add(session, files, row, sheets)
    names = [file.name for file in _files_of(session, row.id)]
    row.name = ", ".join(names)[:_MOST_OF_A_NAME]
    session.flush()


def _add(
    session: Session, files: Files, row: Takeover, sheets: Sequence[tuple[str, bytes]]
) -> None:
    known = _files_of(session, row.id)
    if len(known) + len(sheets) > MOST_FILES:
        raise Refused("file: at most {most} files can be read at once.", most=MOST_FILES)
    names = {file.name for file in known}
    for position, (name, content) in enumerate(sheets, start=len(known) + 1):
        is_workbook = open_tables(content)[0].encoding == XLSX
        key = files.put(content, XLSX if is_workbook else "csv")
        own = _new_name(name[-_MOST_OF_A_NAME:], names)
        session.add(
            TakeoverFile(id=new_id(), takeover_id=row.id, position=position, name=own, file_key=key)
        )
    session.flush()


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
        raise Refused("This take-over is live and can no longer be changed.")
    return row


def read_guide(session: Session, clock: Clock, files: Files, takeover_id: str) -> Guide:
    """Read the files of a guide and apply its answers."""
    row = stored_guide(session, takeover_id)
    stored = _files_of(session, row.id)
    contents = [(file.name, _content(files, file)) for file in stored]
    left_out: list[LeftOut] = []
    read, through = _read(row, contents, clock.today(), left_out)
    facts = {
        answered.at: RowAnswers(_readable_edits(answered, left_out), answered.answers)
        for answered in session.scalars(
            select(TakeoverRow).where(TakeoverRow.takeover_id == row.id)
        )
    }
    blank = [f"row {number}" for number in range(1, row.blank_rows + 1)]
    prepared = prepare(read, facts, _answers_of_files(row, left_out), blank)
    if through is not None:
        _fill_billed(prepared, through)
    if row.state is TakeoverState.OPEN:
        compare_with_workspace(session, clock, prepared)
    return Guide(row, [file.name for file in stored], prepared, through, left_out)


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


def _stored_day(answers: Mapping[str, Any], name: str, left_out: list[LeftOut]) -> date | None:
    stored = answers.get(name)
    if not stored:
        return None
    try:
        return date.fromisoformat(stored)
    except (TypeError, ValueError):
        left_out.append(LeftOut("", name, str(stored)[:_LONGEST_WORD]))
        return None


def _fill_billed(prepared: Prepared, through: date) -> None:
    """Set the last day billed of rows that were typed in whole to that of all others."""
    for row in prepared.rows:
        if row.let is not None and row.let.billed_through is None and "row " in row.at[:4]:
            row.let.billed_through = through
            row.values["billedThrough"] = through.isoformat()
            kept = [asked for asked in row.questions if asked.question.code != "billed_missing"]
            row.questions = kept


def _read(
    row: Takeover,
    contents: Sequence[tuple[str, bytes]],
    today: date,
    left_out: list[LeftOut],
) -> tuple[TakeOver, date | None]:
    """Read the files with the answered days, else with the proposed ones."""
    chosen: dict[str, Meaning] = {}
    for title, meaning in row.columns.items():
        if meaning in set(Meaning):
            chosen[title] = Meaning(meaning)
        else:
            left_out.append(LeftOut("", title, str(meaning)[:_LONGEST_WORD]))
    facts = {
        name: day
        for name, key in (("as_of", "asOf"), ("billed_through", "billedThrough"))
        if (day := _stored_day(row.answers, key, left_out)) is not None
    }
    if not contents:
        through = facts.get("billed_through")
        return TakeOver("", today, ""), through
    read = read_files(contents, today, chosen, **facts)
    proposed: dict[str, Any] = {}
    for question in read.about_the_file:
        if isinstance(question.proposal, dict):
            proposed |= question.proposal
    if proposed:
        asked = read.about_the_file
        days = {"as_of": proposed.get("asOf"), "billed_through": proposed.get("billedThrough")}
        days = {name: day for name, day in days.items() if isinstance(day, date)}
        read = read_files(contents, today, chosen, **(days | facts))
        read.about_the_file = asked
    return read, read.billed_through


def _content(files: Files, file: TakeoverFile) -> bytes:
    content = files.get(file.file_key)
    if content is None:
        raise NotFound("The file {name} is no longer stored. Start again with it.", name=file.name)
    return content


def _files_of(session: Session, takeover_id: str) -> Sequence[TakeoverFile]:
    asked = select(TakeoverFile).where(TakeoverFile.takeover_id == takeover_id)
    return session.scalars(asked.order_by(TakeoverFile.position)).all()


def _answers_of_files(row: Takeover, left_out: list[LeftOut]) -> FileAnswers:
    answers = row.answers
    return FileAnswers(
        building=answers.get("building", ""),
        start=_stored_day(answers, "start", left_out),
        has_no_deposits=bool(answers.get("hasNoDeposits")),
        confirmed=frozenset(answers.get("confirmed", ())),
    )


def answer_files(
    session: Session,
    takeover_id: str,
    *,
    as_of: date | None,
    billed_through: date | None,
    building: str,
    has_no_deposits: bool,
    start: date | None = None,
    confirmed: Collection[str] = (),
) -> None:
    """Store the answers for all files: days, the building of rows without one, and no deposits."""
    row = open_guide(session, takeover_id)
    facts: dict[str, Any] = {
        "asOf": as_of and as_of.isoformat(),
        "billedThrough": billed_through and billed_through.isoformat(),
        "building": building.strip()[:_MOST_OF_A_NAME],
        "start": start and start.isoformat(),
        "hasNoDeposits": has_no_deposits,
        "confirmed": sorted({*confirmed, *row.answers.get("confirmed", ())}),
    }
    row.answers = {name: value for name, value in facts.items() if value}
    session.flush()


def choose_columns(session: Session, takeover_id: str, columns: Mapping[str, str]) -> None:
    """Store the meanings of columns, by title; an empty word leaves the choice to the program."""
    row = open_guide(session, takeover_id)
    known = dict(row.columns)
    for title, meaning in columns.items():
        if meaning and meaning not in set(Meaning):
            raise Refused("columns: '{meaning}' is not a kind of column.", meaning=meaning[:40])
        known.pop(fold_title(title), None)
        if meaning:
            known[fold_title(title)] = meaning
    row.columns = known
    session.flush()


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
    shown = {prepared.at: prepared for prepared in guide.prepared.rows}
    wrong: dict[tuple[str, str], str] = {}
    changes: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for field in typed:
        if field.at not in shown:
            raise Refused("The row {place} is no longer in the files.", place=field.at[:60])
        edits = _edits(field, shown[field.at].values, wrong)
        changes[field.at] = (edits, _offered_answers(field, shown[field.at], edits))
    if wrong:
        raise WrongCells(wrong)
    return _keep(session, row.id, changes)


def _offered_answers(
    typed: TypedRow, shown: PreparedRow, edits: Mapping[str, str]
) -> dict[str, str]:
    """Return the answers of a row; refuse one that the row does not offer.

    An amount that was confirmed and is then edited is asked about again.
    """
    offered = {asked.question.code: asked for asked in shown.questions}
    found: dict[str, str] = {}
    for code, answer in typed.answers.items():
        asked = offered.get(code)
        if asked is None and not answer:
            continue
        if asked is None or answer not in asked.offered:
            raise Refused(
                "'{answer}' is not an answer that {place} offers. Choose one of those shown.",
                answer=answer[:20],
                place=shown.values["room"] or shown.at,
            )
        is_confirmed_before = answer == asked.answer and code in set(OddAmount)
        found[code] = "" if is_confirmed_before and edits.keys() & set(asked.fields) else answer
    return found


def _edits(
    typed: TypedRow, values: Mapping[str, str], wrong: dict[tuple[str, str], str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, text in typed.cells.items():
        if name not in FIELDS:
            continue
        try:
            normal = normal_cell(name, text)
        except UnreadableCell as unreadable:
            wrong[typed.at, name] = unreadable.code
            continue
        if normal != values[name]:
            found[name] = normal
    return found


def _keep(
    session: Session,
    takeover_id: str,
    changes: Mapping[str, tuple[dict[str, str], dict[str, str]]],
) -> int:
    asked = select(TakeoverRow).where(TakeoverRow.takeover_id == takeover_id)
    known = {row.at: row for row in session.scalars(asked)}
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
    return _keep(session, row.id, changes)


def keep_totals(session: Session, takeover_id: str, totals: Mapping[str, int | None]) -> None:
    """Store the sums the office expects, to compare them with the sums of the rows."""
    row = open_guide(session, takeover_id)
    row.totals = {name: yen for name, yen in totals.items() if yen is not None}
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
