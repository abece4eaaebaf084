"""Bills collected by card and at convenience stores: the choices, the results and the terms."""

from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm
from wtforms import Form

from pms.checkouts.open_bills import pays_online
from pms.collections import choices, failed_collections
from pms.collections.collections_read import list_collections
from pms.rules.bill_collection import CollectionTerms
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, dashboard, reading
from pms.surfaces.fields import FlagField, Required, SeenField, WholeNumberField
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import today

_MOST_FAILED: Final = 25


class CollectionTermsForm(FlaskForm):
    """The ways to pay that residents may choose, and when bills are collected."""

    version = SeenField(default="0", unread=-1)
    offersCards = FlagField(lazy_gettext("Credit card"))
    offersStores = FlagField(lazy_gettext("Convenience store"))
    attempts = WholeNumberField(
        worded("card", "Attempts to collect a bill"), [Required()], least=1, most=4
    )
    retryDays = WholeNumberField(
        lazy_gettext("Days between attempts"), [Required()], least=1, most=10
    )
    noticeDays = WholeNumberField(
        lazy_gettext("Days of notice before a card is charged"), [Required()], least=1, most=14
    )
    storeDays = WholeNumberField(
        lazy_gettext("Days before the due date that store numbers are sent"),
        [Required()],
        least=3,
        most=30,
    )


@dashboard.get("/bank/collections", roles=OFFICE, is_of_all_buildings=True)
def collection_list() -> Response:
    """Show the bills that were or are being collected, the newest first."""
    return _render_list(FlaskForm())


def _render_list(form: Form) -> Response:
    paging = asked_paging()
    lines, total = list_collections(reading(), paging)
    failed = failed_collections.failed_collections(reading(), today(), _MOST_FAILED)
    return page(
        "dashboard/bank/collections.html",
        lines=lines,
        failed=failed,
        total=total,
        paging=paging,
        form=form,
        is_connected=pays_online(reading()),
        terms=choices.collection_terms(reading()).terms,
    )


@dashboard.post("/bank/collections/<collection_id>/again", roles=OFFICE, is_of_all_buildings=True)
def collect_again(collection_id: str) -> Response:
    """Collect a bill again, or ask how its collection ended; `back=today` returns to Today."""
    form = FlaskForm()
    is_from_today = request.args.get("back") == "today"
    return submitted(
        form,
        act=lambda work: failed_collections.collect_again(work, collection_id),
        then=lambda _none: go(
            url_for("dashboard.today" if is_from_today else "dashboard.collection_list"),
            message=_("Asking the payment provider again."),
        ),
        again=lambda: _render_list(form),
    )


@dashboard.post("/bank/collections/<collection_id>/give-up", roles=OFFICE, is_of_all_buildings=True)
def give_up_collection(collection_id: str) -> Response:
    """End a collection whose result the provider never reports, after staff checked there."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: failed_collections.give_up_unknown(work, collection_id),
        then=lambda _none: go(
            url_for("dashboard.collection_list"),
            message=_("Collection stopped. The bill can be collected again or paid another way."),
        ),
        again=lambda: _render_list(form),
    )


@dashboard.get("/bank/collections/choices", roles=OFFICE, is_of_all_buildings=True)
def payment_choice_list() -> Response:
    """Show who pays by card or at stores."""
    return _render_choices(FlaskForm())


def _render_choices(form: Form) -> Response:
    paging = asked_paging()
    lines, total = choices.list_choices(reading(), paging)
    return page("dashboard/bank/choices.html", lines=lines, total=total, paging=paging, form=form)


@dashboard.post(
    "/bank/collections/choices/<reservation_id>/end", roles=OFFICE, is_of_all_buildings=True
)
def end_payment_choice(reservation_id: str) -> Response:
    """End the choice of a resident who asked for it."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: choices.end_choice(work, reservation_id=reservation_id),
        then=lambda _none: go(
            url_for("dashboard.payment_choice_list"),
            message=_("Ended. The resident pays by bank transfer from now on."),
        ),
        again=lambda: _render_choices(form),
    )


@dashboard.get("/bank/collections/terms", roles=OPERATOR)
def show_collection_terms() -> Response:
    """Show the terms of collection."""
    terms, version = choices.collection_terms(reading())
    values = {
        "version": str(version),
        "offersCards": terms.offers_cards,
        "offersStores": terms.offers_stores,
        "attempts": terms.attempts,
        "retryDays": terms.retry_days,
        "noticeDays": terms.notice_days,
        "storeDays": terms.store_days,
    }
    return _render_terms(CollectionTermsForm(formdata=None, data=values))


@dashboard.post("/bank/collections/terms", roles=OPERATOR)
def set_collection_terms() -> Response:
    """Write the terms of collection."""
    form = CollectionTermsForm()
    return submitted(
        form,
        act=lambda work: choices.write_terms(
            work,
            CollectionTerms(
                offers_cards=bool(form.offersCards.data),
                offers_stores=bool(form.offersStores.data),
                attempts=form.attempts.data,
                retry_days=form.retryDays.data,
                notice_days=form.noticeDays.data,
                store_days=form.storeDays.data,
            ),
            expected_version=form.version.seen_value,
        ),
        then=lambda _none: go(url_for("dashboard.show_collection_terms"), message=_("Saved.")),
        again=lambda: _render_terms(form),
    )


def _render_terms(form: CollectionTermsForm) -> Response:
    return page(
        "dashboard/bank/collection_terms.html", form=form, is_connected=pays_online(reading())
    )
