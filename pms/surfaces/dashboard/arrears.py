"""Who owes what and since when, and reminding them."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import buildings
from pms.ledger import debts
from pms.ledger.debts import Debt, DebtAge
from pms.statements import arrival_reminders
from pms.statements.reminders import plan_reminders, remind_of_arrears
from pms.surfaces.dashboard.desk import clock, reading, submitted, today
from pms.surfaces.dashboard.routes import OFFICE, dashboard
from pms.surfaces.enumeration_words import choices, word
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.forms import QueryForm
from pms.surfaces.hypermedia import UNACCEPTED, go, page, page_or_block
from pms.surfaces.paging import asked_paging
from pms.surfaces.reader_choice import chosen_language


class ArrearsForm(QueryForm):
    """Whose debts: of a building, of an age."""

    building = ChoiceField(lazy_gettext("Building"), [Optional()])
    age = ChoiceField(lazy_gettext("Overdue since"), [Optional()])

    def offer(self, buildings: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with what there is to choose."""
        self.building.choices = [("", lazy_gettext("All buildings")), *buildings]
        self.age.choices = [("", lazy_gettext("Any time")), *choices(DebtAge)]

    @property
    def wanted_age(self) -> DebtAge | None:
        """The age asked for, if any."""
        return DebtAge(self.age.data) if self.age.data and not self.age.errors else None


_OVERDUE = tuple(age for age in DebtAge if age is not DebtAge.NOT_DUE)
Parts = list[tuple[str, int, int, str]]


@dashboard.get("/arrears", roles=OFFICE)
def arrears() -> Response:
    """Show one page of the debts that the filters ask for."""
    form = asked_form()
    is_sound = form.validate()
    everybody = debts.debts(reading(), today(), form.building.data) if is_sound else []
    wanted = of_age(everybody, form.wanted_age)
    paging = asked_paging()
    shown = wanted[paging.offset : paging.offset + paging.limit]
    response = page_or_block(
        "dashboard/arrears/arrears.html",
        "results",
        form=form,
        parts=_parts(everybody, form.building.data),
        not_due_yen=debts.debt_totals(everybody)[DebtAge.NOT_DUE],
        overdue_yen=sum(debt.overdue_yen for debt in everybody),
        overdue=len(of_age(everybody, None)),
        total=len(wanted),
        paging=paging,
        rows=shown,
        people=arrival_reminders.debtors(reading(), [debt.reservation_id for debt in shown]),
        is_filtered=any((form.building.data, form.age.data)),
        checked_at=clock().now(),
        today=today(),
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def asked_form() -> ArrearsForm:
    """Return the filters as they stand in the address."""
    form = ArrearsForm(request.args)
    language = chosen_language()
    form.offer(
        (one.id, one.name.said(language) or "") for one in buildings.building_names(reading())
    )
    return form


def of_age(found: Sequence[Debt], age: DebtAge | None) -> Sequence[Debt]:
    """Return the debts of an age; without one, all that are overdue."""
    if age is None:
        return [debt for debt in found if debt.overdue_yen]
    return [debt for debt in found if debt.by_age[age]]


def _parts(found: Sequence[Debt], building: Any) -> Parts:
    """Each age with its sum, how many owe it, and the way to them."""
    totals = debts.debt_totals(found)
    return [
        (
            word(age),
            totals[age],
            sum(1 for debt in found if debt.by_age[age]),
            url_for("dashboard.arrears", age=age.value, building=building or None),
        )
        for age in _OVERDUE
    ]


MOST_AT_ONCE: Final = 200


@dashboard.get("/arrears/reminders", roles=OFFICE)
def check_reminders() -> Response:
    """Show who would be reminded: those ticked, or everybody in the list as it was filtered."""
    ids = _everybody() if "all" in request.args else request.args.getlist("reservation")
    return _shown(FlaskForm(), ids)


@dashboard.post("/arrears/reminders", roles=OFFICE)
def send_reminders() -> Response:
    """Have the reminders leave."""
    form, ids = FlaskForm(), request.form.getlist("reservation")[:MOST_AT_ONCE]
    return submitted(
        form,
        act=lambda work: len(remind_of_arrears(work, reservation_ids=ids)),
        then=lambda sent: go(
            url_for("dashboard.arrears"),
            said=ngettext(
                "%(num)d reminder is leaving by mail.",
                "%(num)d reminders are leaving by mail.",
                sent,
            ),
        ),
        again=lambda: _shown(form, ids),
    )


def _everybody() -> Sequence[str]:
    form = asked_form()
    form.validate()
    found = debts.debts(reading(), today(), form.building.data)
    return [debt.reservation_id for debt in of_age(found, form.wanted_age)]


def _shown(form: Form, ids: Sequence[str]) -> Response:
    planned = plan_reminders(reading(), ids[:MOST_AT_ONCE], today())
    return page(
        "dashboard/arrears/reminders.html",
        form=form,
        leaving=[one for one in planned if one.bar is None],
        kept=[one for one in planned if one.bar is not None],
        left=max(len(ids) - MOST_AT_ONCE, 0),
        most=MOST_AT_ONCE,
    )
