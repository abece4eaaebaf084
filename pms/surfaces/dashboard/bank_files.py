"""A bank's file: looked at before its import, asked about where it is not certain, imported."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import FileField

from pms.bank import statement_previews, whole_imports
from pms.bank.accounts import AccountShown, choose_account, list_accounts
from pms.bank.imports import AskedImport, Imported, import_read_file, read_for_account
from pms.bank.statement_files import BankFile, TableSketch, sketch_table
from pms.bank.statement_previews import StatementPreview, preview_file
from pms.foundation.errors import Problem, Refused
from pms.rules.bank_columns import NO_COLUMN, TableRole
from pms.sheets.refusals import SheetRefused
from pms.surfaces.dashboard.gate import OFFICE, SHEET_BYTES, dashboard, reading
from pms.surfaces.fields import (
    ChoiceField,
    FlagField,
    HiddenField,
    Optional,
    TextField,
)
from pms.surfaces.forms import mark_unaccepted, place_problem, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import files, today

_NEW = "new"
_COLUMN = "column-"


class FileForm(FlaskForm):
    """A bank's file, and what a person says about it where the file leaves that open."""

    file = FileField(lazy_gettext("Bank statement"))
    account = ChoiceField(lazy_gettext("Bank account"), [Optional()])
    accountName = TextField(lazy_gettext("Name of the new account"), [Optional()])
    kept = HiddenField()
    keptName = HiddenField()
    gap = FlagField(lazy_gettext("Import although earlier rows are missing"))
    copy = FlagField(lazy_gettext("It is another account. Import it anyway"))
    days = FlagField(lazy_gettext("The dates are right"))
    headLine = ChoiceField(lazy_gettext("Row of the headings"), [Optional()])

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        # What a page offers is worked out from the file; the verbs check what is sent.
        sent = request.form.getlist
        self.account.choices = [(choice, choice) for choice in ("", *sent("account"))]
        self.headLine.choices = [(line, line) for line in ("", *sent("headLine"))]

    @property
    def chosen_account(self) -> str | None:
        """The account that was chosen or named; "" for a new one that the file itself names."""
        if same := request.form.get("is"):
            return same
        if self.account.data == _NEW:
            return (self.accountName.data or "").strip()
        return self.account.data or None

    @property
    def chosen(self) -> dict[TableRole, str]:
        """The columns as a person chose them; empty where they are as the page proposed them."""
        shown = request.form.get("columnsAs", "").split(",")
        titles = request.form.getlist("columnTitle")
        roles = [request.form.get(f"{_COLUMN}{place}", "") for place in range(len(titles))]
        if roles == shown or not titles or set(roles) - {"", *(role.value for role in TableRole)}:
            return {}
        found = dict.fromkeys(TableRole, NO_COLUMN)
        for place, role in enumerate(roles):
            if role and found[TableRole(role)] == NO_COLUMN:
                title = titles[place].strip()
                is_alone = bool(title) and titles.count(titles[place]) == 1
                found[TableRole(role)] = title if is_alone else f"#{place + 1}"
        return found

    @property
    def head_line(self) -> int | None:
        """The row of the headings, where a person chose it."""
        line = self.headLine.data or ""
        return int(line) if line.isascii() and line.isdigit() else None

    def asked(self, file_name: str) -> AskedImport:
        """Return what is known about the file."""
        # What was ticked is about the account that the page compared the file with.
        is_seen = request.form.get("doubtsSeen") == (self.chosen_account or "")
        distinct = request.form.getlist("distinct") if is_seen else None
        return AskedImport(
            file_name,
            self.chosen_account,
            self.chosen,
            bool(self.gap.data),
            distinct,
            bool(self.copy.data),
            bool(self.days.data),
            self.head_line,
        )


@dashboard.post("/bank", roles=OFFICE, most_bytes=SHEET_BYTES, is_of_all_buildings=True)
def read_bank_file() -> Response:
    """Import a file; its certain transfers can then be recorded together.

    The file is read before the transaction, once for this answer.
    """
    form = FileForm()
    sent = _sent_file(form)
    if "check" in request.form or "is" in request.form or not sent.content:
        # Show a file before its import; only the file itself is stored, encrypted.
        if form.validate_on_submit():
            try:
                sent.read(form)
            except Refused as refusal:
                place_problem(form, refusal)
            else:
                return _render_check(form, sent)
        return mark_unaccepted(_render_check(form, sent))
    asked = form.asked(sent.name)
    if len(sent.content) > whole_imports.LONG_FILE_BYTES:
        return _import_by_run(form, sent, asked)
    return submitted(
        form,
        prepare=lambda: sent.read(form),
        act=lambda work: import_read_file(work, sent.found, asked),
        then=lambda done: _answer_imported(form, done),
        again=lambda: _render_check(form, sent),
    )


class SentFile:
    """A file as it was sent, and as it was read."""

    def __init__(self, content: bytes, name: str) -> None:
        self.content, self.name = content, name
        self._found: BankFile | None = None
        self.refusal: Refused | None = None

    @property
    def found(self) -> BankFile:
        """The file as it was read."""
        assert self._found is not None
        return self._found

    def read(self, form: FileForm) -> None:
        """Read the file once; raise the refusal of one that cannot be read, also the next time."""
        if self.refusal is not None:
            raise self.refusal
        if self._found is not None:
            return
        try:
            if not self.content:
                raise Refused("file: choose the file from the bank.")
            self._found = read_for_account(
                reading(), today(), self.content, form.chosen or None, form.head_line
            )
        except Refused as refusal:
            self.refusal = refusal
            raise


def _answer_imported(form: FileForm, done: Sequence[Imported]) -> Response:
    if key := _kept_key(form):
        files().delete(key)
    new_rows = sum(part.new_rows for part in done)
    rows = sum(part.rows for part in done)
    return go(url_for("dashboard.bank_day"), message=_done_message(new_rows, rows))


def _import_by_run(form: FileForm, sent: SentFile, asked: AskedImport) -> Response:
    """Leave a long file to a run, which deletes the stored file when it has ended.

    A file that cannot be read, or whose account has to be chosen, is refused here.
    """

    def prepare() -> None:
        sent.read(form)
        for statement in sent.found.statements:
            choose_account(reading(), sent.found, statement, asked.account)
        _store_file(form, sent)

    return submitted(
        form,
        prepare=prepare,
        act=lambda work: (
            whole_imports.ask_to_import(work, files(), sent.content, _kept_key(form), asked).id
        ),
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id), message=_("The import begins.")
        ),
        again=lambda: _render_check(form, sent),
    )


def _store_file(form: FileForm, sent: SentFile) -> None:
    """Store a file that was read until it is imported."""
    if not _kept_key(form):
        form.kept.data = files().put_alone(sent.content, statement_previews.KEPT_SUFFIX)
        form.keptName.data = sent.name


def _sent_file(form: FileForm) -> SentFile:
    """Return the file sent with the form, or the one that was previewed before."""
    sent = request.files.get("file")
    content = sent.read() if sent else b""
    if content:
        form.kept.data = ""
        return SentFile(content, (sent.filename if sent else None) or "")
    return SentFile(files().get(_kept_key(form)) or b"", form.keptName.data or "")


def _kept_key(form: FileForm) -> str:
    """Return the key of the previewed file; empty for the key of any other kind of file."""
    key = form.kept.data or ""
    return key if key.endswith(statement_previews.KEPT_SUFFIX) else ""


class ColumnShown(NamedTuple):
    """A column of the list as the page offers it: its heading, two of its texts, what it holds."""

    title: str
    examples: Sequence[str]
    role: TableRole | None


def _render_check(form: FileForm, sent: SentFile) -> Response:
    """Show what a file holds and what of it a person has to say; refused, what can be put right."""
    previews: Sequence[StatementPreview] = ()
    sketch = None
    if sent.content:
        try:
            sent.read(form)
            previews = preview_file(reading(), today(), sent.found, account=form.chosen_account)
        except Refused as refusal:
            if not form.errors:
                place_problem(form, refusal)
            # What cannot be opened has no rows to show, and is not kept to be opened again.
            if not isinstance(refusal, SheetRefused):
                sketch = _try_to_sketch_table(sent.content, form.head_line)
    if previews or sketch is not None:
        _store_file(form, sent)
    table = previews[0].table if previews else None
    places = {place: role for role, place in table.columns.places.items()} if table else {}
    titles = table.titles if table else sketch.titles if sketch else ()
    examples = table.examples if table else sketch.examples if sketch else ()
    width = max(len(titles), *(len(cells) for cells in examples), 0) if examples else len(titles)
    columns = [
        ColumnShown(
            titles[place] if place < len(titles) else "",
            [cells[place] for cells in examples if place < len(cells) and cells[place].strip()],
            places.get(place) or _chosen_role(place),
        )
        for place in range(width)
    ]
    accounts = list_accounts(reading())
    if sketch is not None:
        form.headLine.choices = [(str(line), f"{line}: {text}") for line, text in sketch.lines]
        form.headLine.data = str(sketch.head_line)
    asks_account = _offer_accounts(form, previews, accounts)
    return page(
        "dashboard/bank/file_check.html",
        form=form,
        previews=previews,
        columns=columns,
        roles=choices(TableRole),
        asks_account=asks_account,
        has_sketch=sketch is not None,
        has_doubts=any(preview.doubtful for preview in previews),
        distinct=request.form.getlist("distinct"),
    )


def _try_to_sketch_table(content: bytes, head_line: int | None) -> TableSketch | None:
    try:
        return sketch_table(content, head_line)
    except Problem:
        return None


def _chosen_role(place: int) -> TableRole | None:
    """Return what was chosen for a column of a list that could not be read with it."""
    role = request.form.get(f"{_COLUMN}{place}", "")
    return TableRole(role) if role in set(TableRole) else None


def _offer_accounts(
    form: FileForm, previews: Sequence[StatementPreview], accounts: Sequence[AccountShown]
) -> bool:
    """Offer the accounts of the list where a file does not name its own; return whether it is so."""
    # The answer is needed wherever the question is shown.
    form.account.flags.optional = False
    form.account.choices = [
        ("", _("Choose")),
        *(
            (account.choice, " · ".join(filter(None, (account.name, account.numbers))))
            for account in accounts
        ),
        (_NEW, _("Another account")),
    ]
    if not previews:
        return False
    first = previews[0]
    if same := request.form.get("is"):
        form.account.data = same
    if form.account.data is None and first.choice and not first.number:
        known = {account.choice for account in accounts}
        form.account.data = first.choice if first.choice in known else _NEW
    return not first.number or first.account is None or form.account.data is not None


def _done_message(new_rows: int, rows: int) -> str:
    if not new_rows:
        return str(_("All rows of this file were already imported. Nothing has changed."))
    new = ngettext("%(num)d new row was imported.", "%(num)d new rows were imported.", new_rows)
    known = rows - new_rows
    if not known:
        return str(new)
    old = ngettext("%(num)d was already imported.", "%(num)d were already imported.", known)
    return f"{new} {old}"
