"""Paying open bills: by bank transfer with a reference, or on a provider's page."""

from collections.abc import Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.checkouts import checkout_records, lookups, open_bills, payment_pages
from pms.checkouts.open_bills import OpenEntry
from pms.collections import choices
from pms.collections.collections_read import numbers_for_stores
from pms.foundation.errors import Refused, no_such
from pms.foundation.work import Work
from pms.ledger import queries
from pms.rules.enumerations import PaymentWay
from pms.surfaces.fields import FlagField, ManyField, Optional, PickField, Required
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.portals.portal import portal, reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import clock, database, today

_TRANSFER: Final = "transfer"


@blueprint.get("/<reservation_id>/payment", endpoint="payment")
def show(reservation_id: str) -> Response:
    """Show a checkout of this reservation; the provider redirects people back here."""
    checkout_id = request.args.get("checkout", "")
    visit = checkout_records.checkout_record(reading(), checkout_id)
    if visit.reservation_id != reservation_id:
        raise no_such("checkout", checkout_id)
    is_back = request.args.get("back") == "1"
    if is_back and open_bills.awaits_look(reading(), visit.id):
        database().write(
            portal().workspace_id, lambda session: lookups.look_up_soon(session, clock(), visit.id)
        )
    return page(
        "portals/resident/payments/visit.html",
        tenancy=own.tenancy(reservation_id),
        visit=visit,
        labels=[
            queries.entry_record(reading(), entry_id).label
            for entry_id in (visit.entry_id, *visit.other_entry_ids)
        ],
        is_back=is_back,
    )


ALL: Final = "all"
OVERDUE: Final = "overdue"


class PayingForm(QueryForm):
    """What is paid: all open bills, the overdue ones, or those that are chosen."""

    what = PickField(
        lazy_gettext("What you pay"),
        [Optional()],
        choices=[(ALL, lazy_gettext("Everything")), (OVERDUE, lazy_gettext("What is overdue"))],
    )
    entries = ManyField(lazy_gettext("Bills"), [Optional()])

    def choose(self, bills: Sequence[OpenEntry]) -> Sequence[OpenEntry]:
        """Return the bills that are paid, the oldest due first; all where none is named."""
        overdue = [bill for bill in bills if bill.due_on < today()]
        if self.what.data == OVERDUE and overdue:
            return overdue
        named = set(self.entries.data or ())
        return [bill for bill in bills if bill.entry_id in named] or bills


@blueprint.get("/<reservation_id>/pay", endpoint="pay")
def show_paying_form(reservation_id: str) -> Response:
    """Show the bills, and the account and reference for the chosen one."""
    return _render_paying(reservation_id, PayingForm(request.args))


@blueprint.post("/<reservation_id>/pay", endpoint="pay_online")
def set_out(reservation_id: str) -> Response:
    """Open a checkout; the worker requests the provider's page while the next page waits."""
    form = PayingForm()
    chosen = form.entries.raw_data or [""]
    form.entries.choices = [(entry_id, entry_id) for entry_id in chosen]
    back = url_for(".payment", reservation_id=reservation_id, back="1")
    return submitted(
        form,
        act=lambda work: payment_pages.open_checkout(
            work,
            reservation_id=reservation_id,
            entry_id=chosen[0],
            other_entry_ids=chosen[1:],
            return_path=back,
        ),
        then=lambda id_: go(url_for(".payment", reservation_id=reservation_id, checkout=id_)),
        again=lambda: _render_paying(reservation_id, form),
    )


def _render_paying(reservation_id: str, form: PayingForm) -> Response:
    bills = open_bills.open_bills(reading(), reservation_id, today())
    form.entries.choices = [(bill.entry_id, bill.entry_id) for bill in bills]
    chosen = form.choose(bills)
    return page(
        "portals/resident/payments/pay.html",
        tenancy=own.tenancy(reservation_id),
        bills=bills,
        chosen=chosen,
        chosen_yen=sum(bill.open_yen for bill in chosen),
        overdue_yen=sum(bill.open_yen for bill in bills if bill.due_on < today()),
        pays_online=open_bills.pays_online(reading()),
        offered=_offered_ways(),
        numbers=numbers_for_stores(reading(), reservation_id),
        form=form,
    )


class PaymentWayForm(FlaskForm):
    """How bills are paid from now on, with the consent to collect them."""

    way = PickField(lazy_gettext("How you pay"), [Required()])
    agreed = FlagField(
        lazy_gettext("I agree that bills are collected this way until I change it here.")
    )


def _offered_ways() -> list[PaymentWay]:
    """Return the ways of collecting bills that the office offers."""
    terms = choices.collection_terms(reading()).terms
    return [way for way in PaymentWay if open_bills.pays_online(reading()) and terms.offers(way)]


def offers_collections() -> bool:
    """Whether there is a way of paying to choose, for templates."""
    return bool(_offered_ways())


@blueprint.get("/<reservation_id>/payment-way", endpoint="payment_way")
def show_ways(reservation_id: str) -> Response:
    """Show how bills are paid, and the other ways; the provider redirects people back here."""
    choice = choices.choice_of(reading(), reservation_id)
    current = choice.way.value if choice else _TRANSFER
    return _render_ways(reservation_id, PaymentWayForm(formdata=None, data={"way": current}))


@blueprint.post("/<reservation_id>/payment-way", endpoint="choose_payment_way")
def choose_way(reservation_id: str) -> Response:
    """Change how bills are paid; a card is entered on the provider's page afterwards."""
    form = PaymentWayForm()
    form.way.choices = _way_choices(reservation_id)
    back = url_for(".payment_way", reservation_id=reservation_id)

    def act(work: Work) -> str | None:
        if form.way.data == _TRANSFER:
            choices.end_choice(work, reservation_id=reservation_id)
            return None
        if not form.agreed.data:
            raise Refused("agreed: tick the box to agree to this payment method.")
        if form.way.data == PaymentWay.STORE:
            choices.choose_stores(work, reservation_id=reservation_id)
            return None
        return choices.choose_card(work, reservation_id=reservation_id, return_path=back)

    return submitted(
        form,
        act=act,
        then=lambda choice_id: (
            go(url_for(".payment_way", reservation_id=reservation_id, choice=choice_id))
            if choice_id
            else go(back, message=_("Saved."))
        ),
        again=lambda: _render_ways(reservation_id, form),
    )


def _render_ways(reservation_id: str, form: PaymentWayForm) -> Response:
    form.way.choices = _way_choices(reservation_id)
    asked = None
    if choice_id := request.args.get("choice"):
        asked = choices.choice_record(reading(), choice_id)
        if asked.reservation_id != reservation_id:
            raise no_such("payment choice", choice_id)
    return page(
        "portals/resident/payments/way.html",
        tenancy=own.tenancy(reservation_id),
        choice=choices.choice_of(reading(), reservation_id),
        asked=asked,
        terms=choices.collection_terms(reading()).terms,
        form=form,
    )


def _way_choices(reservation_id: str) -> list[tuple[str, str]]:
    """Return transfer, the offered ways, and the current one even if it is no longer offered."""
    choice = choices.choice_of(reading(), reservation_id)
    ways = [way for way in PaymentWay if way in _offered_ways() or (choice and choice.way is way)]
    return [(_TRANSFER, _("Bank transfer")), *((way.value, str(label_of(way))) for way in ways)]
