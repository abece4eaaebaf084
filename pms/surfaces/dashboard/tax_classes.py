"""Classes of consumption tax: the defaults with their sources, the workspace's own, and old invoices."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.rules.enumerations import TaxTreatment
from pms.rules.tax_classes import (
    BY_TERM,
    UNALTERABLE,
    TaxBasis,
    TaxedItem,
    class_on,
    own_class,
)
from pms.statements import tax_differences
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, dashboard, reading
from pms.surfaces.fields import ChoiceField, DayField, Optional, Required
from pms.surfaces.forms import QueryForm, part_of, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.request_scope import today
from pms.workspaces import tax_classes
from pms.workspaces.tax_classes import IN_CATALOGUE, DecidedClass

_HOME: Final = lazy_gettext(
    "Consumption Tax Act, Annex 2 no. 13; Order for Enforcement, Article 16-2: a home let for a month or longer"
)
_NAMED: Final = lazy_gettext(
    "National Tax Agency, answers on rents, common charges and fees of apartment buildings: what is billed under a name of its own"
)
_DAMAGES: Final = lazy_gettext("Basic Circular on Consumption Tax 5-2-5: damages for lost profit")
_KEPT: Final = lazy_gettext(
    "National Tax Agency, answer on restoration costs taken from a deposit: a service to the resident"
)
_SERVICE: Final = lazy_gettext("Consumption Tax Act, Article 4: a service for payment")
_HELD: Final = lazy_gettext("Basic Circular on Consumption Tax 5-4-3: money that is returned")
_LODGING: Final = lazy_gettext(
    "Order for Enforcement, Article 16-2: lodging is no letting of a home, however long"
)
_GUARANTEE: Final = lazy_gettext("Consumption Tax Act, Annex 2 no. 3: a guarantee of credit")
_PASSED_ON: Final = lazy_gettext(
    "Collected for the guarantee company, which is paid by the resident"
)
_PARKING: Final = lazy_gettext(
    "Basic Circular on Consumption Tax 6-13-3: parking with a fee of its own"
)
_ONCE: Final = lazy_gettext("What it collects had its class when it was first issued")

SOURCES: Final[Mapping[TaxedItem, LazyString]] = {
    **dict.fromkeys(BY_TERM, _HOME),
    TaxedItem.NIGHTS: _LODGING,
    TaxedItem.UTILITIES: _NAMED,
    TaxedItem.METER: _NAMED,
    TaxedItem.PARKING: _PARKING,
    TaxedItem.KEY_EXCHANGE: _SERVICE,
    TaxedItem.OFFICE_FEE: _SERVICE,
    TaxedItem.RENEWAL_HANDLING: _SERVICE,
    TaxedItem.CLEANING: _KEPT,
    TaxedItem.REPAIR: _KEPT,
    TaxedItem.DEDUCTION: _KEPT,
    TaxedItem.GUARANTEE_FEE: _GUARANTEE,
    TaxedItem.GUARANTEE_COMPANY_FEE: _PASSED_ON,
    TaxedItem.DEPOSIT: _HELD,
    TaxedItem.EARLY_EXIT: _DAMAGES,
    TaxedItem.SHORT_NOTICE: _DAMAGES,
    TaxedItem.LATE_INTEREST: _DAMAGES,
    TaxedItem.ARREARS: _ONCE,
    TaxedItem.OPENING: _ONCE,
}
DECIDED_HERE: Final = [
    item for item in TaxedItem if item not in UNALTERABLE and item not in IN_CATALOGUE
]


class TaxClassForm(FlaskForm):
    """The class of an item from a day on; none means the default."""

    item = ChoiceField(lazy_gettext("Item"), [Required()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Required()])

    @classmethod
    def of(cls, today: date | None = None) -> "TaxClassForm":
        """Return the form with its choices, from today unless it was typed."""
        form = cls() if today is None else cls(formdata=None, fromOn=today)
        form.item.choices = [(item.value, label_of(item)) for item in DECIDED_HERE]
        form.taxTreatment.choices = [("", _("The default")), *choices(TaxTreatment)]
        return form


class ClassedItem(NamedTuple):
    """An item with its default, its source, and what the workspace decided."""

    item: TaxedItem
    default: TaxTreatment
    follows_term: bool
    source: LazyString
    own: TaxTreatment | None
    is_of_catalogue: bool
    coming: Sequence[DecidedClass]


@dashboard.get("/tax-classes", roles=OFFICE, endpoint="tax_classes")
def show_tax_classes() -> Response:
    """Show each item with its default, its source, and what applies here."""
    return _render_classes(TaxClassForm.of(today()))


@dashboard.post("/tax-classes", roles=OPERATOR)
def decide_tax_class() -> Response:
    """Decide the class of an item from a day on."""
    form = TaxClassForm.of()
    chosen = form.taxTreatment
    return submitted(
        form,
        act=lambda work: tax_classes.decide_class(
            work,
            item=TaxedItem(form.item.data),
            from_on=form.fromOn.data,
            treatment=TaxTreatment(chosen.data) if chosen.data else None,
        ),
        then=lambda _id: go(url_for("dashboard.tax_classes"), message=_("Saved.")),
        again=lambda: _render_classes(form),
    )


@dashboard.post("/tax-classes/<class_id>/removal", roles=OPERATOR)
def drop_tax_class(class_id: str) -> Response:
    """Remove a class that has not begun."""
    return submitted(
        FlaskForm(),
        act=lambda work: tax_classes.drop_class(work, class_id),
        then=lambda _none: go(url_for("dashboard.tax_classes"), message=_("Removed.")),
        again=lambda: _render_classes(TaxClassForm.of(today())),
    )


def _render_classes(form: TaxClassForm) -> Response:
    on = today()
    basis = TaxBasis(policy=tax_classes.workspace_taxes(reading()).policy, issued_on=on)
    decided = tax_classes.decided_classes(reading())
    items = [
        ClassedItem(
            item,
            class_on(TaxBasis(), item),
            item in BY_TERM,
            SOURCES[item],
            own_class(basis, item),
            item in IN_CATALOGUE,
            [entry for entry in decided if entry.item is item and entry.from_on > on],
        )
        for item in TaxedItem
    ]
    return page("dashboard/tax_classes/index.html", items=items, form=form)


class TaxYearForm(QueryForm):
    """The first day of the running tax year."""

    since = DayField(lazy_gettext("Tax year since"), [Optional()])


@dashboard.get("/tax-classes/invoices", roles=OFFICE)
def differing_invoices() -> Response:
    """Show the invoices of the running tax year whose class would differ now."""
    first_on = today().replace(month=1, day=1)
    form = TaxYearForm(request.args if request.args.get("since") else None, since=first_on)
    since = form.since.data if form.validate() and form.since.data else first_on
    found = tax_differences.differing_invoices(reading(), since, today())
    return page("dashboard/tax_classes/invoices.html", form=form, part=part_of(found, "page"))
