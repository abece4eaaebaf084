"""The price list of restorations: useful lives and unit prices of what a settlement deducts."""

from typing import Any, NamedTuple

from flask import Response, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.deposits import restorations
from pms.deposits.restorations import LONGEST_LIFE_MONTHS, RESTORATION_WORDS, PriceList
from pms.foundation.work import Work
from pms.rules.wear import USEFUL_LIFE_MONTHS, WornItem
from pms.surfaces.dashboard.gate import OPERATOR, dashboard, reading
from pms.surfaces.fields import Optional, Required, SeenField, WholeNumberField, YenField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language
from pms.workspaces.queries import policy
from pms.workspaces.settings import DAYS, set_policy


class PriceRow(NamedTuple):
    """An item with its two fields, and what it is counted in."""

    name: str
    counted_in: str
    life: Any
    price: Any
    guideline_months: int | None


@dashboard.get("/settings/restorations", roles=OPERATOR)
def restoration_prices() -> Response:
    """Show the form of the price list."""
    return _render_price_list(_own_form())


@dashboard.post("/settings/restorations", roles=OPERATOR)
def set_restoration_prices() -> Response:
    """Save the price list; settlements that were written keep theirs."""
    form = _own_form(is_sent=True)

    def act(work: Work) -> int:
        set_policy(work, objection_days=form["objectionDays"].data)
        prices = {item: form[restorations.price_field(item)].data for item in WornItem}
        version: SeenField = form["version"]
        stated = PriceList(
            {item: form[restorations.life_field(item)].data for item in WornItem},
            {item: yen for item, yen in prices.items() if yen is not None},
            version.seen_value,
        )
        return restorations.set_price_list(work, stated=stated)

    return submitted(
        form,
        act,
        then=lambda _version: go(url_for("dashboard.restoration_prices"), message=_("Saved.")),
        again=lambda: _render_price_list(form),
    )


def _own_form(*, is_sent: bool = False) -> FlaskForm:
    found, objection_days = restorations.price_list(reading()), policy(reading()).objection_days
    # The form of the list: a life and a price for each item, and the days to object.
    _field, least, most = DAYS["objection_days"]
    days = WholeNumberField(
        _("Time to object to a deposit settlement (days)"), [Required()], least=least, most=most
    )
    fields: dict[str, Any] = {"version": SeenField(unread=0), "objectionDays": days}
    values: dict[str, Any] = {"version": str(found.version), "objectionDays": objection_days}
    for item in WornItem:
        name = RESTORATION_WORDS[item].name.in_language(chosen_language())
        life, price = restorations.life_field(item), restorations.price_field(item)
        fields[life] = WholeNumberField(
            _("%(item)s: useful life (months)", item=name),
            [Optional()],
            least=1,
            most=LONGEST_LIFE_MONTHS,
        )
        fields[price] = YenField(_("%(item)s: unit price (yen)", item=name), [Optional()])
        values[life], values[price] = found.lives.get(item), found.prices.get(item)
    form_class = type("PriceListForm", (FlaskForm,), fields)
    form: FlaskForm = form_class() if is_sent else form_class(formdata=None, data=values)
    return form


def _render_price_list(form: FlaskForm) -> Response:
    language = chosen_language()
    rows = [
        PriceRow(
            RESTORATION_WORDS[item].name.in_language(language) or "",
            RESTORATION_WORDS[item].counted_in.in_language(language) or "",
            form[restorations.life_field(item)],
            form[restorations.price_field(item)],
            USEFUL_LIFE_MONTHS[item],
        )
        for item in WornItem
    ]
    return page("dashboard/settings/restorations.html", form=form, rows=rows)
