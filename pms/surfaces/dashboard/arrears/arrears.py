"""The list of arrears: sums by age as a picture, then who owes them, the longest overdue first."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from typing import Any

from flask import Response, request, url_for

from pms.catalogue.building_names import building_names
from pms.ledger.debts import Debt, DebtAge, debt_totals, debts
from pms.statements.debtors import debtors
from pms.surfaces.dashboard.arrears.arrears_form import ArrearsForm
from pms.surfaces.dashboard.desk import clock, reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language

_OVERDUE = tuple(age for age in DebtAge if age is not DebtAge.NOT_DUE)
Parts = list[tuple[str, int, int, str]]


@dashboard.get("/arrears", roles=OFFICE)
def arrears() -> Response:
    """Show one page of the debts that the filters ask for."""
    form = asked_form()
    is_sound = form.validate()
    everybody = debts(reading(), today(), form.building.data) if is_sound else []
    wanted = of_age(everybody, form.wanted_age)
    paging = asked_paging()
    shown = wanted[paging.offset : paging.offset + paging.limit]
    response = page_or_block(
        "dashboard/arrears/arrears.html",
        "results",
        form=form,
        parts=_parts(everybody, form.building.data),
        not_due_yen=debt_totals(everybody)[DebtAge.NOT_DUE],
        overdue_yen=sum(debt.overdue_yen for debt in everybody),
        overdue=len(of_age(everybody, None)),
        total=len(wanted),
        paging=paging,
        rows=shown,
        people=debtors(reading(), [debt.reservation_id for debt in shown]),
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
    form.offer((one.id, one.name.said(language) or "") for one in building_names(reading()))
    return form


def of_age(found: Sequence[Debt], age: DebtAge | None) -> Sequence[Debt]:
    """Return the debts of an age; without one, all that are overdue."""
    if age is None:
        return [debt for debt in found if debt.overdue_yen]
    return [debt for debt in found if debt.by_age[age]]


def _parts(found: Sequence[Debt], building: Any) -> Parts:
    """Each age with its sum, how many owe it, and the way to them."""
    totals = debt_totals(found)
    return [
        (
            word(age),
            totals[age],
            sum(1 for debt in found if debt.by_age[age]),
            url_for("dashboard.arrears", age=age.value, building=building or None),
        )
        for age in _OVERDUE
    ]
