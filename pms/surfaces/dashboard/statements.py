"""Owner statements: the months of each building, deductions, and publishing."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.bank.mandates import account_text_of_owner
from pms.foundation.errors import NotFound, Refused, no_such
from pms.foundation.kept_figures import outdated_figures_of
from pms.foundation.mail_texts import format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.runs import ask_run, newest_run
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.days import add_months, month_first, month_last, strict_day
from pms.rules.enumerations import FeeCategory, RunKind
from pms.statements import (
    building_income,
    fee_invoices,
    owner_money,
    owner_months,
    owner_publishing,
    queries,
)
from pms.statements import owner_statements as statements_owner_statements
from pms.statements.owner_figures import read, room_rows
from pms.statements.owner_money import UnchargedCost
from pms.statements.owner_months import ASKED_AT_ONCE, OwnerBuildingMonth, PublishingBar
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading, reading_figures
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Printable,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import csv_file_answer, go, page, page_or_block, pdf_answer
from pms.surfaces.labels.enumerations import LABELS
from pms.surfaces.labels.formats import month as format_month
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


@dashboard.get("/published-statements/<statement_id>/paper", roles=OFFICE)
def statement_paper(statement_id: str) -> Response:
    """Show a published version as a PDF, optionally for one of several owners."""
    name, owner_ids = _build_file_name(statement_id), _read_owner(statement_id)
    return pdf_answer(
        statements_owner_statements.statement_pdf(
            reading(), statement_id, chosen_language(), owner_ids, account_text_of_owner
        ),
        f"{name}.pdf",
    )


@dashboard.get("/published-statements/<statement_id>.csv", roles=OFFICE)
def statement_csv(statement_id: str) -> Response:
    """Give a published version as CSV, optionally for one of several owners."""
    name, owner_ids = _build_file_name(statement_id), _read_owner(statement_id)
    return csv_file_answer(
        statements_owner_statements.statement_csv(
            reading(), statement_id, chosen_language(), owner_ids
        ),
        f"{name}.csv",
    )


def _read_owner(statement_id: str) -> list[str] | None:
    """Return the owner of the query, if any; raise `NotFound` for one without a share."""
    owner_id = request.args.get("owner")
    if owner_id is None:
        return None
    holders = read(queries.statement_of(reading(), statement_id).figures).shares
    if owner_id not in {holder.owner_id for holder in holders}:
        raise no_such("owner", owner_id)
    return [owner_id]


def _build_file_name(statement_id: str) -> str:
    found = queries.statement_of(reading(), statement_id)
    return f"statement-{found.month_on:%Y-%m}-{found.version}"


_is_month = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])").fullmatch


def read_month(text: str) -> date:
    """Return the first day of a month; raise `NotFound` for an unreadable one."""
    day = strict_day(f"{text}-01") if _is_month(text) else None
    if day is None:
        raise NotFound("'{month}' is not a month.", month=text[:20])
    return day


def read_month_filter(text: str | None, today: date) -> date:
    """Return the month of a filter; the last month if it is missing or unreadable."""
    day = strict_day(f"{text}-01") if text and _is_month(text) else None
    return day or add_months(month_first(today), -1)


def name_of(month_on: date) -> str:
    """Return a month as it is written in addresses."""
    return f"{month_on:%Y-%m}"


BORNE, GIVEN_BACK = "borne", "given_back"
_KINDS = (
    FeeCategory.REPAIR,
    FeeCategory.CLEANING,
    FeeCategory.UTILITIES,
    FeeCategory.SERVICE,
    FeeCategory.OTHER,
)


class StatementDeductionForm(FlaskForm):
    """One deduction, or a correction that gives an amount back."""

    kind = ChoiceField(
        lazy_gettext("The owner"),
        [Required()],
        choices=[
            (BORNE, lazy_gettext("pays this amount")),
            (GIVEN_BACK, lazy_gettext("gets this amount back")),
        ],
    )
    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    deductedOn = DayField(lazy_gettext("Day"), [Required()])
    labelJa = TextField(lazy_gettext("Description in Japanese"), [Required(), Printable()])
    labelEn = TextField(lazy_gettext("Description in English"), [Optional(), Printable()])
    category = ChoiceField(
        lazy_gettext("Category"),
        [Required()],
        choices=[(kind.value, LABELS[FeeCategory][kind]) for kind in _KINDS],
    )
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @property
    def signed_yen(self) -> int:
        """The amount as it is posted; one that is given back is negative."""
        yen: int = self.amountYen.data
        return -yen if self.kind.data == GIVEN_BACK else yen

    @property
    def label(self) -> Bilingual:
        """What it is for, in the languages that were given."""
        return Bilingual(self.labelJa.data, self.labelEn.data)


def uncharged_of(
    found: Iterable[OwnerBuildingMonth], month_on: date
) -> Mapping[str, Sequence[UnchargedCost]]:
    """Return the uncharged cost of projects through the month by building, in one query."""
    open_ids = [
        building.building_id
        for building in found
        if building.is_to_publish or takes_charges(building)
    ]
    return owner_money.uncharged_costs(reading(), open_ids, min(month_last(month_on), today()))


def takes_charges(month: OwnerBuildingMonth) -> bool:
    """Whether `charge_into_month` would accept the month."""
    is_closed = month.bar in {PublishingBar.NO_OWNER, PublishingBar.PASSED_OVER}
    return month.published is None and not is_closed and month.figures.month_on <= today()


@dashboard.get("/owner-statements/<month>/buildings/<building_id>", roles=OFFICE)
def owner_statement(month: str, building_id: str) -> Response:
    """Show the month with the form for a deduction."""
    month_on = read_month(month)
    on = min(month_last(month_on), today())
    return render_statement(
        month_on,
        building_id,
        StatementDeductionForm(
            kind=BORNE,
            deductedOn=on,
            seen=building_income.deduction_mark(reading(), building_id),
        ),
    )


def render_statement(month_on: date, building_id: str, form: StatementDeductionForm) -> Response:
    """Show the month with the given form."""
    found = owner_months.owner_month(reading(), building_id, month_on, today())
    language = chosen_language()
    return page(
        "dashboard/statements/statement.html",
        found=found,
        month_on=month_on,
        month=f"{month_on:%Y-%m}",
        rows=statements_owner_statements.month_rows(found.figures, language),
        taxes=statements_owner_statements.tax_rows(found.figures, language),
        rooms=room_rows(found.figures.income),
        versions=queries.versions_of_month(reading(), building_id, month_on),
        parts=fee_invoices.owner_parts(reading(), building_id, found.figures),
        fee_invoices=fee_invoices.fee_invoices_of_month(reading(), building_id, month_on),
        uninvoiced_yen=_uninvoiced_count(found),
        form=form,
        uncharged=uncharged_of([found], month_on).get(building_id, ()),
        is_open=takes_charges(found),
    )


def _uninvoiced_count(found: OwnerBuildingMonth) -> int:
    if found.published is None:
        return 0
    statement = queries.statement_of(reading(), found.published.id)
    return fee_invoices.uninvoiced_yen(reading(), statement)


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/deductions", roles=OFFICE)
def post_owner_deduction(month: str, building_id: str) -> Response:
    """Post the typed deduction; it belongs to the month of its day."""
    month_on = read_month(month)
    form = StatementDeductionForm()

    def act(work: Work) -> date:
        building_income.hold_deductions(work.session, building_id, form.seen.data)
        return owner_money.post_owner_deduction(
            work,
            building_id=building_id,
            category=FeeCategory(form.category.data),
            label=form.label,
            amount_yen=form.signed_yen,
            deducted_on=form.deductedOn.data,
        ).deducted_on

    return submitted(
        form,
        act=act,
        then=lambda deducted_on: go(
            url_for(
                "dashboard.owner_statement", month=name_of(deducted_on), building_id=building_id
            ),
            message=_("Deduction posted."),
        ),
        again=lambda: render_statement(month_on, building_id, form),
    )


@dashboard.get("/owner-statements/<month>/buildings/<building_id>/publication", roles=OFFICE)
def check_publishing(month: str, building_id: str) -> Response:
    """Show what publishing one building's month would do."""
    return render_publishing(month, building_id, FlaskForm())


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/publication", roles=OFFICE)
def publish_statement(month: str, building_id: str) -> Response:
    """Publish one building's month as its next version."""
    form, month_on = FlaskForm(), read_month(month)
    return submitted(
        form,
        act=lambda work: (
            owner_publishing.publish_statement(
                work,
                building_id=building_id,
                month_on=month_on,
                base_url=current_app.config["BASE_URL"],
            ).version
        ),
        then=lambda version: go(
            url_for("dashboard.owner_statement", month=month, building_id=building_id),
            message=_("Published as version %(version)s.", version=version),
        ),
        again=lambda: render_publishing(month, building_id, form),
    )


@dashboard.get("/owner-statements/<month>/publication", roles=OFFICE, is_of_all_buildings=True)
def check_publishing_all(month: str) -> Response:
    """Show which buildings' months would be published."""
    return _show_all(month, FlaskForm(), reading_figures())


@dashboard.post("/owner-statements/<month>/publication", roles=OFFICE, is_of_all_buildings=True)
def publish_all(month: str) -> Response:
    """Queue the run that publishes them; a worker starts it within seconds."""
    form, month_on = FlaskForm(), read_month(month)
    return submitted(
        form,
        act=lambda work: ask_run(work, kind=RunKind.PUBLISHING, subject=month).id,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id),
            message=_("Publishing %(month)s has started.", month=format_month(month_on)),
        ),
        again=lambda: _show_all(month, form, reading()),
    )


def render_publishing(month: str, building_id: str, form: Form) -> Response:
    """Show what publishing would do, with the refusal of the last action."""
    month_on = read_month(month)
    found = owner_months.owner_month(reading(), building_id, month_on, today())
    return page(
        "dashboard/statements/publish.html",
        form=form,
        month=month,
        month_on=month_on,
        found=found,
        uncharged=uncharged_of([found], month_on).get(building_id, ()),
        is_open=takes_charges(found),
    )


def _show_all(month: str, form: Form, session: WorkspaceSession) -> Response:
    month_on = read_month(month)
    found: Sequence[OwnerBuildingMonth] = owner_months.all_owner_months(session, month_on, today())
    return page(
        "dashboard/statements/publish_all.html",
        form=form,
        month=month,
        month_on=month_on,
        figures_of=outdated_figures_of(session),
        uncharged=uncharged_of(
            [building for building in found if building.is_to_publish], month_on
        ),
        leaving=[building for building in found if building.is_to_publish],
        barred=[building for building in found if building.bar is not None],
        unchanged=sum(
            1 for building in found if building.bar is None and not building.is_to_publish
        ),
    )


_LINE: Final = re.compile(r"([0-9a-f]{32}):([a-z_]+):(-?[0-9]{1,12})")


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/charges", roles=OFFICE)
def charge_into_month(month: str, building_id: str) -> Response:
    """Charge all costs that were shown into the month and show its statement."""
    form, month_on = FlaskForm(), read_month(month)
    return submitted(
        form,
        act=lambda work: owner_money.charge_into_month(
            work,
            building_id=building_id,
            month_on=month_on,
            seen=_seen_amounts(request.form.getlist("charge")),
        ),
        then=lambda yen: go(
            url_for("dashboard.owner_statement", month=month, building_id=building_id),
            message=_(
                "Charged to %(month)s: %(yen)s", month=format_month(month_on), yen=format_yen(yen)
            ),
        ),
        again=lambda: render_publishing(month, building_id, form),
    )


def _seen_amounts(texts: Sequence[str]) -> Mapping[str, Mapping[FeeCategory, int]]:
    seen: dict[str, dict[FeeCategory, int]] = {}
    for text in texts:
        found = _LINE.fullmatch(text)
        if found is None or found[2] not in list(FeeCategory):
            raise Refused("charge: '{given}' is not an amount on this page.", given=text[:40])
        seen.setdefault(found[1], {})[FeeCategory(found[2])] = int(found[3])
    if not seen:
        raise Refused("charge: choose at least one amount.")
    return seen


_MONTHS_BACK = 36


class StatementMonthForm(FlaskForm):
    """One month: the current one or one before it."""

    month = ChoiceField(lazy_gettext("Month"), [Optional()])

    def offer(self, month_on: date, today: date) -> None:
        """Fill the list of months, including the one that is shown."""
        months = [add_months(month_first(today), -back) for back in range(_MONTHS_BACK)]
        wanted = months if month_on in months else [month_on, *months]
        self.month.choices = [(name_of(month), format_month(month)) for month in wanted]
        self.month.data = name_of(month_on)


@dashboard.get("/owner-statements", roles=OFFICE)
def owner_statements() -> Response:
    """Show one page of the buildings in a month."""
    month_on = read_month_filter(request.args.get("month"), today())
    form = StatementMonthForm()
    form.offer(month_on, today())
    paging = asked_paging(ASKED_AT_ONCE)
    found, total = owner_months.owner_months(reading(), month_on, today(), paging)
    return page_or_block(
        "dashboard/statements/months.html",
        "results",
        form=form,
        month_on=month_on,
        month=name_of(month_on),
        rows=found,
        uncharged=uncharged_of(found, month_on),
        total=total,
        paging=paging,
        run=newest_run(reading(), RunKind.PUBLISHING, name_of(month_on)),
    )
