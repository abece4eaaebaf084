"""The deposit of one reservation: its balance, the settlement, and the refund after it."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, pgettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Field, FieldList, Form, FormField
from wtforms.widgets import HiddenInput

from pms.arrivals import (
    key_handovers,
    move_outs,
    reservation_headers,
    settlement_sheets,
)
from pms.arrivals.inspections import FoundDamage
from pms.arrivals.reservation_headers import ReservationHeader
from pms.bank import payouts
from pms.deposits import (
    deposit_report,
    refunds,
    restorations,
    settlement_papers,
    settlement_records,
    settlements,
)
from pms.deposits.restorations import LONGEST_LIFE_MONTHS, RESTORATION_WORDS, PriceList
from pms.deposits.settlement_records import SettledDeposit
from pms.deposits.settlements import AskedDeduction, SettlementPlan, WornTerms
from pms.foundation.clock import next_bank_day
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import format_yen
from pms.foundation.work import Work
from pms.ledger import statement
from pms.ledger.statement import Statement
from pms.rules.enumerations import CheckedRoom, DepositMoveKind, FeeCategory
from pms.rules.wear import DeductionBearer, WornItem
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, dashboard, reading
from pms.surfaces.dashboard.ledger import OnForm
from pms.surfaces.dashboard.move_out_inspections import inspection_of
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Printable,
    QuantityField,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, is_part, page_or_block, pdf_answer
from pms.surfaces.labels.enumerations import LABELS, choices
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, files, today
from pms.surfaces.signed_in import auth_context

MOST: Final = 30
_KINDS: Final = (
    FeeCategory.CLEANING,
    FeeCategory.REPAIR,
    FeeCategory.SERVICE,
    FeeCategory.OTHER,
)
_of_row = re.compile(r"deductions-(\d{1,4})-(\w+)").fullmatch


class DepositDeductionForm(Form):
    """One line of the settlement; an empty row is ignored.

    What is not filled in comes from the price list: the unit price, the useful life, the category.
    """

    item = ChoiceField(lazy_gettext("Item"), default=WornItem.OTHER.value)
    label = TextField(lazy_gettext("Description"), [Printable()])
    quantity = QuantityField(lazy_gettext("Quantity"), [Optional()])
    amountYen = YenField(lazy_gettext("Unit price (yen)"), minimum_yen=1)
    bearer = ChoiceField(lazy_gettext("Paid by"), default=DeductionBearer.RESIDENT.value)
    fittedOn = DayField(lazy_gettext("Fitted on"), [Optional()])
    life = WholeNumberField(
        lazy_gettext("Useful life (months)"), [Optional()], least=1, most=LONGEST_LIFE_MONTHS
    )
    category = ChoiceField(lazy_gettext("Category"))
    room = ChoiceField(lazy_gettext("Place"))

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        language = chosen_language()
        self.item.choices = [
            (item.value, RESTORATION_WORDS[item].name.in_language(language) or "")
            for item in (WornItem.OTHER, *(each for each in WornItem if each != WornItem.OTHER))
        ]
        self.bearer.choices = choices(DeductionBearer)
        by_item = ("", pgettext("category", "As the item"))
        self.category.choices = [
            by_item,
            *((kind.value, LABELS[FeeCategory][kind]) for kind in _KINDS),
        ]
        self.room.choices = [("", _("None in particular")), *choices(CheckedRoom)]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed into the row, and no item was chosen."""
        typed = [
            str(field.raw_data[0] if field.raw_data else field.data or "").strip()
            for field in (self.label, self.amountYen)
        ]
        return not any(typed) and self.worn_item is WornItem.OTHER

    @property
    def worn_item(self) -> WornItem:
        """The item; `OTHER` for a value that is not a choice."""
        return next((item for item in WornItem if item == self.item.data), WornItem.OTHER)

    @property
    def kind(self) -> FeeCategory:
        """The category; that of the item for a value that is not a choice."""
        found = next((kind for kind in _KINDS if kind == self.category.data), None)
        return found or RESTORATION_WORDS[self.worn_item].category

    def asked_deduction(self, prices: PriceList) -> AskedDeduction:
        """Return the line as it was typed, completed from the price list."""
        item = self.worn_item
        yen = self.amountYen.data or prices.prices.get(item, 0)
        bearer = next((each for each in DeductionBearer if each == self.bearer.data), None)
        terms = WornTerms(
            item,
            self.quantity.data or Decimal(1),
            yen,
            bearer or DeductionBearer.RESIDENT,
            self.life.data or prices.lives.get(item),
            self.fittedOn.data,
            next((room for room in CheckedRoom if room == self.room.data), None),
        )
        return AskedDeduction(self.label.data or "", yen, self.kind, terms)

    def validate(self, extra_validators: Any = None) -> bool:
        """Accept a row with a price and a label or an item, or an empty one."""
        is_sound = super().validate(extra_validators)
        if self.is_empty:
            return is_sound
        item = self.worn_item
        needed: list[Field] = [self.label] if item is WornItem.OTHER else []
        if not restorations.price_list(reading()).prices.get(item):
            needed.append(self.amountYen)
        for field in needed:
            if not field.data and not field.errors:
                field.errors = [_("Please fill this in.")]
                is_sound = False
        return is_sound


class SettlementForm(FlaskForm):
    """The deductions in their order, and the version of the reservation that was seen."""

    deductions = FieldList(FormField(DepositDeductionForm), max_entries=MOST)
    version = WholeNumberField(widget=HiddenInput())

    @classmethod
    def of(
        cls,
        version: int,
        typed: MultiDict[str, str] | None = None,
        damages: Sequence[FoundDamage] = (),
    ) -> Self:
        """Return the form with at least one row; a new one begins with the inspection's damages."""
        form = cls(typed) if typed is not None else cls(formdata=None, version=version)
        for damage in damages[:MOST]:
            form.deductions.append_entry(
                {
                    "item": damage.item.value,
                    "label": damage.note,
                    "quantity": damage.quantity,
                    "bearer": damage.bearer.value,
                    "fittedOn": damage.fitted_on,
                    "room": damage.room.value,
                }
            )
        if not form.deductions.entries:
            form.deductions.append_entry()
        return form

    @property
    def rows(self) -> list[DepositDeductionForm]:
        """The forms of the rows."""
        return [entry.form for entry in self.deductions.entries]

    @property
    def asked_deductions(self) -> tuple[AskedDeduction, ...]:
        """The deductions that were typed."""
        prices = restorations.price_list(reading())
        return tuple(row.asked_deduction(prices) for row in self.rows if not row.is_empty)

    @property
    def summary(self) -> "Summary":
        """The errors of the form, with the fields of all rows."""
        return Summary(self)

    def add(self) -> None:
        """Add an empty row at the end."""
        if len(self.deductions.entries) < MOST:
            self.deductions.append_entry()


class Summary:
    """The errors of a settlement for the list of errors, one entry per field."""

    def __init__(self, form: SettlementForm) -> None:
        self.form_errors = form.form_errors
        self.fields = [field for row in form.rows for field in row if field.errors]
        self.errors = [*self.form_errors, *self.fields]

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)


def without_row(typed: MultiDict[str, str], place: int) -> MultiDict[str, str]:
    """Return the typed values without one row; the other rows keep their order."""
    found = [(match, text) for name, text in typed.items() if (match := _of_row(name))]
    kept = sorted({int(match[1]) for match, _ in found} - {place})
    rest = [(name, text) for name, text in typed.items() if not _of_row(name)]
    rows = [
        (f"deductions-{kept.index(int(match[1]))}-{match[2]}", text)
        for match, text in found
        if int(match[1]) in kept
    ]
    return MultiDict([*rest, *rows])


class RefundForm(FlaskForm):
    """A refund that was sent, of the whole balance or a part of it."""

    amountYen = YenField(lazy_gettext("Amount sent (yen)"), [Required()], minimum_yen=1)
    sentOn = DayField(lazy_gettext("Sent on"), [Required()])
    reference = TextField(
        lazy_gettext("Reference"),
        [Optional()],
        description=lazy_gettext("Reference of the bank transfer, to find it later."),
    )
    version = WholeNumberField(widget=HiddenInput())


class BalanceParts(NamedTuple):
    """The parts of the balance, in whole yen; what was taken out is negative."""

    collected_yen: int
    moved_in_yen: int
    moved_out_yen: int
    settled_yen: int


def balance_parts(found: Statement) -> BalanceParts:
    """Return the parts of a day's balance; their sum is the deposit held."""
    moved = dict.fromkeys(DepositMoveKind, 0)
    for move in found.moves:
        moved[move.kind] += move.line_yen
    return BalanceParts(
        sum(standing.collected_yen for standing in found.standings),
        moved[DepositMoveKind.IN],
        moved[DepositMoveKind.OUT],
        moved[DepositMoveKind.SETTLED],
    )


TAB = "reservation_deposit"


@dashboard.get("/reservations/<reservation_id>/deposit", roles=OFFICE)
def reservation_deposit(reservation_id: str) -> Response:
    """Show the deposit with the form of the next step."""
    return render_deposit(
        reservation_headers.reservation_header(reading(), reservation_id, today())
    )


def render_deposit(
    header: ReservationHeader,
    form: SettlementForm | None = None,
    refund_form: RefundForm | None = None,
    release_form: "ReleaseForm | None" = None,
) -> Response:
    """Show the deposit with the given forms."""
    settled = settlement_records.settlement_of(reading(), header.id)
    inspection = inspection_of(header.id)
    damages = inspection.damages if inspection else ()
    move_out = move_outs.move_out_record(reading(), header.id) if header.is_ended else None
    form = form or SettlementForm.of(header.version, damages=damages)
    return render_reservation_tab(
        header.id,
        "dashboard/deposits/deposit.html",
        tab=TAB,
        header=header,
        settled=settled,
        inspection=inspection,
        form=form,
        refund_form=refund_form or _refund_form(header, settled),
        release_form=release_form or ReleaseForm(formdata=None),
        paper=settlement_papers.paper_of(reading(), header.id, today()),
        payout=payouts.waiting_refund(reading(), header.id, today())
        if settled and settled.unsent_yen
        else None,
        pay_on=next_bank_day(today()),
        today=today(),
        refund_file=payouts.file_of_refund(reading(), settled.settlement.id)
        if settled and settled.unsent_yen
        else None,
        move_out=move_out,
        keys=key_handovers.keys_of_tenancy(reading(), header.id) if move_out else None,
        left_out=deposit_report.exclusion_on(reading(), header.id, today()),
        **_read_balance_facts(header.id),
        **(figures(header.id, form.asked_deductions) if settled is None else {}),
    )


def figures(reservation_id: str, asked: tuple[AskedDeduction, ...]) -> dict[str, Any]:
    """Return what a settlement today would write, or why none can be written.

    What an inspection found may have no price in the price list: it is asked for first.
    """
    plan: SettlementPlan | None = None
    refusal = ""
    unpriced = [line.words for line in asked if not line.amount_yen]
    try:
        if not unpriced:
            plan = settlements.preview_settlement(
                reading(), clock(), reservation_id=reservation_id, deductions=asked
            )
    except Refused as problem:
        refusal = refusal_text(problem)
    entries = statement.statement(reading(), reservation_id, today()).entries
    return {
        "plan": plan,
        "refusal": refusal,
        "unpriced": unpriced,
        "labels": {entry.id: entry.label for entry in entries},
    }


def _read_balance_facts(reservation_id: str) -> dict[str, Any]:
    form = OnForm.from_query(request.args, today())
    on = form.day(today())
    found = statement.statement(reading(), reservation_id, on)
    return {"on_form": form, "on": on, "balance": found.deposit, "parts": balance_parts(found)}


def _refund_form(header: ReservationHeader, settled: SettledDeposit | None) -> RefundForm:
    unsent_yen = settled.unsent_yen if settled else None
    return RefundForm(formdata=None, amountYen=unsent_yen, sentOn=today(), version=header.version)


@dashboard.post("/reservations/<reservation_id>/refund", roles=OFFICE)
def send_refund(reservation_id: str) -> Response:
    """Record a refund that was sent."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = RefundForm()
    return submitted(
        form,
        act=lambda work: refunds.send_refund(
            work,
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            sent_on=form.sentOn.data,
            reference=form.reference.data,
            expected_version=form.version.data,
        ),
        then=lambda _settled: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            message=_("Refund of %(yen)s recorded.", yen=format_yen(form.amountYen.data)),
        ),
        again=lambda: render_deposit(header, refund_form=form),
    )


_PAGE = "dashboard/deposits/deposit.html"


@dashboard.post("/reservations/<reservation_id>/settlement/draft", roles=OFFICE)
def draft_settlement(reservation_id: str) -> Response:
    """Add or remove a row, update the figures, or show the page to check; nothing is written."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = SettlementForm.of(header.version, request.form)
    if "add" in request.form:
        form.add()
    if "add" in request.form or "edit" in request.form:
        return render_deposit(header, form)
    if "remove" in request.form:
        typed = without_row(request.form, request.form.get("remove", -1, int))
        return render_deposit(header, SettlementForm.of(header.version, typed))
    is_sound = form.validate()
    asked = form.asked_deductions if is_sound else ()
    if is_part():
        nothing: dict[str, Any] = {"plan": None, "refusal": "", "unpriced": ()}
        found = figures(header.id, asked) if is_sound else nothing
        return page_or_block(_PAGE, "figures", form=form, header=header, **found)
    found = figures(header.id, asked)
    if not is_sound or found["plan"] is None:
        return mark_unaccepted(render_deposit(header, form))
    return render_reservation_tab(
        header.id, "dashboard/deposits/check.html", tab=TAB, header=header, form=form, **found
    )


@dashboard.post("/reservations/<reservation_id>/settlement", roles=OFFICE)
def settle(reservation_id: str) -> Response:
    """Write the settlement."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = SettlementForm.of(header.version, request.form)

    def settle_and_send(work: Work) -> bool:
        settlements.settle(
            work,
            reservation_id=reservation_id,
            deductions=form.asked_deductions,
            expected_version=form.version.data,
        )
        return settlement_sheets.send_settlement(
            work, files(), reservation_id=reservation_id, link=_link_of_paper
        )

    return submitted(
        form,
        act=settle_and_send,
        then=lambda is_mailed: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            message=_("Deposit settled. The settlement was sent to the resident.")
            if is_mailed
            else _(
                "Deposit settled. No email address is known: hand over the settlement on paper."
            ),
        ),
        again=lambda: render_deposit(header, form),
    )


def _link_of_paper(nonce: str) -> str:
    token = settlement_papers.paper_token(auth_context().signer, nonce)
    return url_for("settlement_links.settlement", token=token, _external=True)


@dashboard.get("/reservations/<reservation_id>/settlement.pdf", roles=OFFICE)
def settlement_pdf(reservation_id: str) -> Response:
    """Show the paper of a settlement, in the language that is asked for."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    found = settlement_papers.paper_of(reading(), header.id, today())
    if found is None:
        return go(url_for("dashboard.reservation_deposit", reservation_id=reservation_id))
    language = "en" if request.args.get("language") == "en" else "ja"
    content = settlement_sheets.settlement_pdf(reading(), files(), found, language)
    return pdf_answer(content, settlement_sheets.file_name_of(language))


@dashboard.post("/reservations/<reservation_id>/settlement/sending", roles=OFFICE)
def send_settlement(reservation_id: str) -> Response:
    """Send the settlement to the resident, for the first time or again."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    return submitted(
        FlaskForm(),
        act=lambda work: settlement_sheets.send_settlement(
            work, files(), reservation_id=reservation_id, link=_link_of_paper
        ),
        then=lambda is_mailed: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            message=_("The settlement was sent to the resident.")
            if is_mailed
            else _("No email address is known: hand over the settlement on paper."),
        ),
        again=lambda: render_deposit(header),
    )


class ReleaseForm(FlaskForm):
    """Why a refund may leave although the resident did not agree."""

    reason = TextField(lazy_gettext("Reason"), [Required()])


@dashboard.post("/reservations/<reservation_id>/settlement/release", roles=OPERATOR)
def release_refund(reservation_id: str) -> Response:
    """Let a refund leave without an agreement, for a reason."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = ReleaseForm()
    return submitted(
        form,
        act=lambda work: settlement_papers.release_refund(
            work, reservation_id=reservation_id, reason=form.reason.data
        ),
        then=lambda _none: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            message=_("The refund can be paid out now."),
        ),
        again=lambda: render_deposit(header, release_form=form),
    )
