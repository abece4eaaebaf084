"""The debts by age and who owes them, and the reminders."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.collections.collections_read import store_number
from pms.ledger import debts
from pms.ledger.debts import Debt, DebtAge
from pms.statements import debtors
from pms.statements.debtors import Debtor
from pms.statements.reminders import plan_reminders, remind_of_arrears
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    Spot,
    ValueKind,
    ask,
    debtor_columns,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.forms import QueryForm, mark_unaccepted, part_of, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import this_page_with
from pms.surfaces.request_scope import clock, today


class ArrearsForm(QueryForm):
    """The filters of the debts: building and age."""

    building = ChoiceField(lazy_gettext("Building"), [Optional()])
    age = ChoiceField(lazy_gettext("Overdue since"), [Optional()])

    def offer(self, buildings: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with their choices."""
        self.building.choices = [("", lazy_gettext("All buildings")), *buildings]
        self.age.choices = [("", lazy_gettext("Any time")), *choices(DebtAge)]

    @property
    def wanted_age(self) -> DebtAge | None:
        """The age that is asked for, or None."""
        return DebtAge(self.age.data) if self.age.data and not self.age.errors else None


_OVERDUE = tuple(age for age in DebtAge if age is not DebtAge.NOT_DUE)
Parts = list[tuple[str, int, int, str]]


class DebtRow(NamedTuple):
    """A debt and the person who owes it; the person is None until the names are read."""

    debt: Debt
    who: Debtor | None = None


def _days_late(row: DebtRow) -> str | None:
    days = (today() - row.debt.oldest_due_on).days
    return ngettext("%(num)d day", "%(num)d days", days) if days > 0 else None


def _last_mail(row: DebtRow) -> datetime | None:
    return row.who and (row.who.reminded_at or row.who.invoiced_at)


def _mail_kind(row: DebtRow) -> str | None:
    if row.who is None or not row.who.email:
        return _("no address")
    if row.who.reminded_at:
        return _("Reminder")
    return _("Invoice") if row.who.invoiced_at else None


def _overpaid_yen(row: DebtRow) -> int | None:
    return row.debt.overpaid_yen or None


_OF_PEOPLE: Final = ("resident", "unit", "state", "mailed")
ARREARS: Final[Listing[DebtRow]] = listing(
    "arrears",
    lazy_gettext("Arrears"),
    *debtor_columns(
        lambda row: url_for("dashboard.reservation_ledger", reservation_id=row.debt.reservation_id)
    ),
    ListColumn(
        "state",
        lazy_gettext("Status"),
        lambda row: tags_of(row.who.lifecycle) if row.who else (),
        ValueKind.TAGS,
        is_first_shown=False,
    ),
    ListColumn(
        "due",
        lazy_gettext("Oldest due"),
        lambda row: row.debt.oldest_due_on,
        ValueKind.DAY,
        Spot.STATE,
        note=_days_late,
    ),
    ListColumn("bills", lazy_gettext("Bills"), lambda row: row.debt.entries, ValueKind.COUNT),
    ListColumn(
        "overdue",
        lazy_gettext("Overdue"),
        lambda row: row.debt.overdue_yen,
        ValueKind.YEN,
        Spot.AMOUNT,
    ),
    ListColumn(
        "not_due",
        lazy_gettext("Not due yet"),
        lambda row: row.debt.by_age[DebtAge.NOT_DUE],
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "overpaid",
        lazy_gettext("Overpaid elsewhere"),
        _overpaid_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "mailed", lazy_gettext("Last email"), _last_mail, ValueKind.INSTANT, note=_mail_kind
    ),
)


@dashboard.get("/arrears", roles=OFFICE)
def arrears() -> Response:
    """Show one page of the filtered debts, or give all of them as a file."""
    form, asked = asked_form(), ask(ARREARS)
    is_sound = form.validate()
    everybody = debts.debts(reading(), today(), form.building.data) if is_sound else []
    rows = [DebtRow(debt) for debt in of_age(everybody, form.wanted_age)]
    if asked.file_type or asked.sorts_by(*_OF_PEOPLE):
        rows = _with_people(rows)
    in_order = asked.in_order(rows)
    if asked.file_type:
        return asked.file_of(in_order)
    totals = debts.debt_totals(everybody)
    parts = [
        (
            label_of(age),
            totals[age],
            sum(1 for debt in everybody if debt.by_age[age]),
            url_for("dashboard.arrears", age=age.value, building=form.building.data or None),
        )
        for age in _OVERDUE
    ]
    response = page_or_block(
        "dashboard/arrears/arrears.html",
        "results",
        form=form,
        parts=parts,
        not_due_yen=debts.debt_totals(everybody)[DebtAge.NOT_DUE],
        overdue_yen=sum(debt.overdue_yen for debt in everybody),
        overdue=len(of_age(everybody, None)),
        total=len(rows),
        asked=asked,
        rows=_with_people(asked.page_of(in_order)),
        is_filtered=any((form.building.data, form.age.data)),
        checked_at=clock().now(),
        today=today(),
    )
    return response if is_sound else mark_unaccepted(response)


def _with_people(rows: Sequence[DebtRow]) -> list[DebtRow]:
    people = debtors.debtors(reading(), [row.debt.reservation_id for row in rows])
    return [row._replace(who=people[row.debt.reservation_id]) for row in rows]


def asked_form() -> ArrearsForm:
    """Return the filters of the query string."""
    form = ArrearsForm(request.args)
    form.offer(building_choices())
    return form


def of_age(found: Sequence[Debt], age: DebtAge | None) -> Sequence[Debt]:
    """Return the debts of an age; without an age, all overdue debts."""
    if age is None:
        return [debt for debt in found if debt.overdue_yen]
    return [debt for debt in found if debt.by_age[age]]


REMINDERS_A_PAGE: Final = 100


@dashboard.get("/arrears/reminders", roles=OFFICE)
def check_reminders() -> Response:
    """Show who would be reminded: the ticked debtors, or all of the filtered list."""
    return _render_reminders(FlaskForm(), _asked_reservations())


@dashboard.post("/arrears/reminders", roles=OFFICE)
def send_reminders() -> Response:
    """Send the reminders of one page, and show the next one."""
    form, ids = FlaskForm(), request.form.getlist("reservation")[:REMINDERS_A_PAGE]
    asked = _asked_reservations() or ids
    part = part_of(asked, "page", REMINDERS_A_PAGE)
    has_next = part.paging.page < part.paging.pages(part.total)
    return submitted(
        form,
        act=lambda work: len(
            remind_of_arrears(
                work, reservation_ids=ids, number_of=partial(store_number, work.clock)
            )
        ),
        then=lambda sent: go(
            this_page_with(page=part.paging.page + 1) if has_next else url_for("dashboard.arrears"),
            message=ngettext(
                "%(num)d reminder is being sent by email.",
                "%(num)d reminders are being sent by email.",
                sent,
            ),
        ),
        again=lambda: _render_reminders(form, asked),
    )


def _asked_reservations() -> Sequence[str]:
    """Return the ticked debtors, or all of the filtered list."""
    if "all" not in request.args:
        return request.args.getlist("reservation")
    form = asked_form()
    form.validate()
    found = debts.debts(reading(), today(), form.building.data)
    return [debt.reservation_id for debt in of_age(found, form.wanted_age)]


def _render_reminders(form: Form, ids: Sequence[str]) -> Response:
    part = part_of(ids, "page", REMINDERS_A_PAGE)
    planned = plan_reminders(reading(), part.rows, today())
    return page(
        "dashboard/arrears/reminders.html",
        form=form,
        leaving=[reminder for reminder in planned if reminder.bar is None],
        kept=[reminder for reminder in planned if reminder.bar is not None],
        part=part,
    )
