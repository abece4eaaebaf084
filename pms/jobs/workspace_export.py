"""Export everything of a workspace as sheets and files, so that it can leave freely."""

import csv
import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from pms.arrivals import models as arrivals
from pms.arrivals.takeover.exported_contracts import HEADS, contract_rows
from pms.catalogue import models as catalogue
from pms.contracts import models as contracts
from pms.departures import models as departures
from pms.deposits import models as deposits
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.runs import Run, finish, heed_stop, hold_run, step
from pms.foundation.spreadsheet import Cell, harmless
from pms.foundation.work import Work
from pms.ledger import models as ledger
from pms.pricing import models as pricing
from pms.reservations import models as reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import RunKind
from pms.statements import models as statements
from pms.workspaces import models as workspaces

EXPORT: Final = RunKind.EXPORT.value
KEPT_FOR: Final = timedelta(days=7)
_MOST_OF_A_SHEET: Final = 1_000_000
_MOST_OF_A_CELL: Final = 32_000
_MOST_OF_A_PART: Final = 40 * 1024 * 1024
# Derived values, and what is used only to access this installation's file store.
_LEFT_OUT: Final = frozenset(
    {"workspace_id", "name_key", "name_text", "search_text", "email_key", "files", "file_key"}
    | {"sent_file_key", "signing_url", "envelope", "stated", "nonce", "sealed_account"}
)


class Noun(NamedTuple):
    """One sheet: its name and its table."""

    name: str
    model: Any


NOUNS: Final = (
    Noun("buildings", catalogue.Building),
    Noun("units", catalogue.Unit),
    Noun("unit_fees", catalogue.UnitFee),
    Noun("owners", catalogue.Owner),
    Noun("fees", workspaces.Fee),
    Noun("people", reservations.Reservation),
    Noun("co_occupants", reservations.CoOccupant),
    Noun("prices", pricing.PricePeriod),
    Noun("price_fees", pricing.PeriodFee),
    Noun("discounts", pricing.FrozenDiscount),
    Noun("entries", ledger.LedgerEntry),
    Noun("billed_rows", ledger.BilledRow),
    Noun("lines", ledger.LedgerLine),
    Noun("payments", ledger.Payment),
    Noun("payment_returns", ledger.PaymentReturn),
    Noun("allocations", ledger.Allocation),
    Noun("deposit_moves", ledger.DepositMoveRow),
    Noun("settlements", deposits.Settlement),
    Noun("deductions", deposits.DeductionRow),
    Noun("refunds", deposits.Refund),
    Noun("settlement_lines", deposits.SettlementLine),
    Noun("settlement_papers", deposits.SettlementPaper),
    Noun("settlement_objections", deposits.PaperObjection),
    Noun("notices", departures.MoveOutNotice),
    Noun("key_handovers", arrivals.KeyHandover),
    Noun("move_outs", departures.MoveOutRecord),
    Noun("move_out_inspections", arrivals.MoveOutInspection),
    Noun("inspected_rooms", arrivals.InspectedRoom),
    Noun("inspected_damages", arrivals.InspectedDamage),
    Noun("contract_templates", contracts.ContractTemplate),
    Noun("contract_documents", contracts.Contract),
    Noun("invoices", statements.Invoice),
    Noun("receipts", statements.Receipt),
    Noun("owner_statements", statements.OwnerStatement),
    Noun("building_shares", catalogue.BuildingShare),
    Noun("fee_invoices", statements.FeeInvoice),
    Noun("management_forms", catalogue.ManagementFormRow),
    Noun("master_leases", statements.MasterLease),
)
SHEETS: Final = len(NOUNS) + 1


class Made(NamedTuple):
    """One file of an export, and its number of rows or documents."""

    name: str
    content: bytes
    records: int


Step = Callable[[], None]


def sheet_files(session: Session, on: date, name: str, done: Step) -> tuple[Made, Made]:
    """Yield the workbook and the CSV files in a zip; `done` is called after each sheet."""
    import xlsxwriter  # type: ignore[import-untyped]  # only an export writes workbooks

    with tempfile.TemporaryDirectory() as folder:
        book_path, zip_path = Path(folder, "book.xlsx"), Path(folder, "csv.zip")
        book = xlsxwriter.Workbook(book_path, {"constant_memory": True, "tmpdir": folder})
        rows = 0
        with zipfile.ZipFile(zip_path, "w", zipfile.ZIP_DEFLATED) as packed:
            for sheet, heads, found in _list_sheets(session, on):
                rows += _write_sheet(book, packed, sheet, heads, found)
                done()
        book.close()
        return (
            Made(f"{name}.xlsx", book_path.read_bytes(), rows),
            Made(f"{name}-csv.zip", zip_path.read_bytes(), rows),
        )


def _list_sheets(
    session: Session, on: date
) -> Iterator[tuple[str, Sequence[str], Iterable[Sequence[Cell]]]]:
    yield "contracts", HEADS, contract_rows(session, on)
    for noun in NOUNS:
        # Mapped attributes, not columns of the table: only those are bound to the workspace.
        names = [
            attribute.key
            for attribute in inspect(noun.model).column_attrs
            if attribute.key not in _LEFT_OUT
        ]
        asked = select(*(getattr(noun.model, name) for name in names)).order_by(noun.model.id)
        found = session.execute(asked, execution_options={"yield_per": 1_000})
        yield noun.name, names, ([_format_cell(value) for value in row] for row in found)


def _format_cell(value: Any) -> Cell:
    if value is None or (isinstance(value, int | str) and not isinstance(value, bool)):
        return str(value)[:_MOST_OF_A_CELL] if isinstance(value, str) else value
    if isinstance(value, datetime):
        return value.astimezone(JAPAN).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "、".join(map(str, value))[:_MOST_OF_A_CELL]
    return str(getattr(value, "text", value))[:_MOST_OF_A_CELL]


def _write_sheet(
    book: Any, packed: zipfile.ZipFile, name: str, heads: Sequence[str], rows: Iterable[Any]
) -> int:
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    bold = book.add_format({"bold": True})
    sheet, place, count = book.add_worksheet(name), 0, 0
    sheet.freeze_panes(1, 0)
    _write_row(sheet, 0, heads, day, bold)
    with packed.open(f"{name}.csv", "w") as raw:
        text = io.TextIOWrapper(raw, "utf-8-sig", newline="")
        table = csv.writer(text)
        table.writerow(heads)
        for row in rows:
            cells = list(row)
            count, place = count + 1, place + 1
            if place > _MOST_OF_A_SHEET:
                sheet, place = book.add_worksheet(f"{name} {count // _MOST_OF_A_SHEET + 1}"), 1
                _write_row(sheet, 0, heads, day, bold)
            _write_row(sheet, place, cells, day)
            table.writerow([harmless(cell) for cell in cells])
        text.flush()
        text.detach()
    return count


def _write_row(sheet: Any, at: int, cells: Sequence[Cell], day: Any, of_text: Any = None) -> None:
    for place, cell in enumerate(cells):
        if isinstance(cell, str):
            sheet.write_string(at, place, cell, of_text)  # never a formula
        elif isinstance(cell, date):
            sheet.write_datetime(at, place, datetime(cell.year, cell.month, cell.day), day)  # noqa: DTZ001  # a sheet knows no zone
        elif cell is not None:
            sheet.write_number(at, place, cell)


class ExportedFile(NamedTuple):
    """A stored file of a workspace, and its name in the export."""

    name: str
    key: str


def documents_of(session: Session) -> Sequence[ExportedFile]:
    """Return contracts, invoices as they were sent, and photos in their largest size."""
    invoices: list[ExportedFile] = []
    asked = select(statements.Invoice.number, statements.Invoice.sent_file_key).where(
        statements.Invoice.sent_file_key.is_not(None)
    )
    for number, key in session.execute(asked.order_by(statements.Invoice.id)):
        safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in number)
        if key:
            invoices.append(ExportedFile(f"invoices/{safe}.{_suffix_of_key(key)}", key))
    photos: list[ExportedFile] = []
    photo = catalogue.Photo
    shown = select(photo.building_id, photo.unit_id, photo.id, photo.files).order_by(photo.id)
    for building_id, unit_id, id_, files in session.execute(shown):
        if files:
            key = files[max(files, key=int)]
            about = f"unit-{unit_id}" if unit_id else f"building-{building_id}"
            photos.append(ExportedFile(f"photos/{about}-{id_}.{_suffix_of_key(key)}", key))
    return [*_list_contracts(session), *invoices, *photos]


def _list_contracts(session: Session) -> Iterator[ExportedFile]:
    asked = select(
        contracts.Contract.reservation_id, contracts.Contract.number, contracts.Contract.file_key
    ).where(contracts.Contract.file_key.is_not(None))
    for reservation_id, number, key in session.execute(asked.order_by(contracts.Contract.id)):
        if key:
            yield ExportedFile(f"contracts/{reservation_id}-{number}.{_suffix_of_key(key)}", key)


def _suffix_of_key(key: str) -> str:
    return key.rpartition(".")[2]


def document_parts(
    store: Files, documents: Sequence[ExportedFile], name: str, done: Step
) -> Iterator[Made]:
    """Yield the documents in zips of some 40 MiB, so that none of them fills the memory."""
    part = io.BytesIO()
    packed = zipfile.ZipFile(part, "w", zipfile.ZIP_STORED)
    number, count = 1, 0
    for document in documents:
        content = store.get(document.key)
        done()
        if content is None:
            continue
        if count and part.tell() + len(content) > _MOST_OF_A_PART:
            packed.close()
            yield Made(f"{name}-documents-{number}.zip", part.getvalue(), count)
            part, number, count = io.BytesIO(), number + 1, 0
            packed = zipfile.ZipFile(part, "w", zipfile.ZIP_STORED)
        packed.writestr(document.name, content)
        count += 1
    packed.close()
    if count:
        yield Made(f"{name}-documents-{number}.zip", part.getvalue(), count)


def export_run(database: Database, clock: Clock, workspace_id: str, *, run_id: str) -> None:
    """Make the files of a requested export and keep them, sealed, for seven days.

    Started again after it was killed, it begins with its first sheet.
    """
    _Exporting(database, clock, workspace_id, run_id).do()


class _Stopped(Exception):  # not an error: a person requested it
    """A person has stopped the run."""


class _Exporting:
    """One export; its progress is written in other transactions than the one that reads."""

    def __init__(self, database: Database, clock: Clock, workspace_id: str, run_id: str) -> None:
        self._database, self._clock = database, clock
        self._workspace_id, self._run_id = workspace_id, run_id
        self._store = Files(database.settings)
        self._kept: list[dict[str, Any]] = []

    def do(self) -> None:
        """Make and store the files and finish the run; a stop or failure deletes them."""
        try:
            with self._database.reading(self._workspace_id) as session:
                documents = documents_of(session)
                self._database.write(
                    self._workspace_id, lambda writing: self._begin_run(writing, documents)
                )
                name = _build_export_name(session, self._clock)
                for made in sheet_files(session, self._clock.today(), name, self._step_run):
                    self._store_file(made)
            for made in document_parts(self._store, documents, name, self._step_run):
                self._store_file(made)
        except BaseException as failure:
            for part in self._kept:
                self._store.delete(part["key"])
            if not isinstance(failure, _Stopped):
                raise
            return
        self._database.write(self._workspace_id, self._end_run)

    def _begin_run(self, session: Session, documents: Sequence[ExportedFile]) -> None:
        run = hold_run(session, self._run_id)
        run.done, run.total = 0, SHEETS + len(documents)

    def _step_run(self) -> None:
        def act(session: Session) -> bool:
            run = hold_run(session, self._run_id)
            if heed_stop(run, self._clock):
                return False
            step(run, self._clock, done=1)
            return True

        if not self._database.write(self._workspace_id, act):
            raise _Stopped

    def _store_file(self, made: Made) -> None:
        key = self._store.put_alone(made.content, made.name.rpartition(".")[2])
        facts = {"key": key, "name": made.name, "bytes": len(made.content), "records": made.records}
        self._kept.append(facts)

    def _end_run(self, session: Session) -> None:
        run = hold_run(session, self._run_id)
        finish(run, self._clock, files=self._kept)
        _note_export(Work(session, self._clock, run.started_by), self._kept)


def export_to_folder(
    database: Database,
    clock: Clock,
    actor: str,
    workspace_id: str,
    *,
    folder: Path,
    tell: Callable[[int, int], None],
) -> list[dict[str, Any]]:
    """Write an export's files into a folder, readable by the owner only, and return them."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    done = 0
    written: list[dict[str, Any]] = []

    def count() -> None:
        nonlocal done
        done += 1
        tell(done, SHEETS + len(documents))

    def keep(made: Made) -> None:
        path = folder / made.name
        path.touch(mode=0o600)
        path.write_bytes(made.content)
        written.append({"file": made.name, "bytes": len(made.content), "records": made.records})

    with database.reading(workspace_id) as session:
        documents = documents_of(session)
        name = _build_export_name(session, clock)
        for made in sheet_files(session, clock.today(), name, count):
            keep(made)
    for made in document_parts(Files(database.settings), documents, name, count):
        keep(made)
    database.write(workspace_id, lambda writing: _note_export(Work(writing, clock, actor), written))
    return written


def _build_export_name(session: Session, clock: Clock) -> str:
    slug = session.scalars(select(workspaces.Workspace.slug)).one()
    return f"{slug}-{clock.today():%Y%m%d}"


def _note_export(work: Work, made: Sequence[dict[str, Any]]) -> None:
    about = {"files": len(made), "bytes": sum(file["bytes"] for file in made)}
    note_audit_event(work, AuditEvent.WORKSPACE_EXPORTED, of_workspace(work.session), after=about)


def forget_exports(database: Database, clock: Clock) -> None:
    """Delete the files of exports that ended seven days ago or longer."""

    def forget(session: Session) -> None:
        ended = select(Run).where(Run.kind == EXPORT, Run.finished_at < clock.now() - KEPT_FOR)
        for run in session.scalars(ended):
            for part in run.result.get("files", ()):
                keys.append(part["key"])
            run.result = {**run.result, "files": []}

    keys: list[str] = []
    database.write_across_workspaces(forget)
    store = Files(database.settings)
    for key in keys:
        store.delete(key)
