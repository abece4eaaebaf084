"""Moving out: on which day, what it costs, and the notice itself."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals import key_handovers
from pms.bank import mandates
from pms.departures import departures, notices, own_notices
from pms.departures.departures import DepartureFacts
from pms.departures.notice_plans import NoticePreview
from pms.departures.own_notices import OwnNotice
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.enumerations import AccountKind
from pms.surfaces.account_forms import AccountForm
from pms.surfaces.fields import DayField, HiddenField, Required, SeenField
from pms.surfaces.forms import QueryForm, key_of_form, mark_unaccepted, place_problem, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import clock, today
from pms.workspaces.queries import policy


class ResidentMoveOutForm(QueryForm):
    """The day; `figures` are those that were shown, `once` is the key of this filled-in form."""

    moveOutDate = DayField(lazy_gettext("Move-out date"), [Required()])
    figures = HiddenField()
    once = HiddenField()


class WithdrawalForm(FlaskForm):
    """The version of the notice that was shown."""

    version = SeenField(unread=0)


@blueprint.get("/<reservation_id>/move-out/withdrawal", endpoint="move_out_withdrawal")
def confirm(reservation_id: str) -> Response:
    """Show what withdrawing does."""
    return _render_withdrawal(reservation_id, WithdrawalForm(formdata=None))


@blueprint.post("/<reservation_id>/move-out/withdrawal", endpoint="withdraw_move_out")
def withdraw(reservation_id: str) -> Response:
    """Withdraw the notice."""
    form = WithdrawalForm()
    return submitted(
        form,
        act=lambda work: own_notices.withdraw_own_notice(
            work, reservation_id=reservation_id, version=form.version.seen_value
        ),
        then=lambda _notice: go(
            url_for(".move_out", reservation_id=reservation_id),
            message=_("Your notice has been withdrawn. Your tenancy continues."),
        ),
        again=lambda: _render_withdrawal(reservation_id, form),
    )


def _render_withdrawal(reservation_id: str, form: WithdrawalForm) -> Response:
    facts = departures.departure_facts(reading(), reservation_id, today())
    if facts.notice is None:
        return go(url_for(".move_out", reservation_id=reservation_id))
    form.version.data = str(facts.notice.version)
    return page(
        "portals/resident/move_out/withdrawal.html",
        tenancy=own.tenancy(reservation_id),
        notice=facts.notice,
        charged_yen=facts.charged_yen,
        form=form,
    )


@blueprint.get("/<reservation_id>/move-out", endpoint="move_out")
def show(reservation_id: str) -> Response:
    """Show the state of the departure: a day to choose, the filed notice, or why neither."""
    facts = departures.departure_facts(reading(), reservation_id, today())
    return _first_page(
        reservation_id,
        facts,
        ResidentMoveOutForm(
            formdata=None,
            data={"moveOutDate": (facts.notice.move_out_on if facts.notice else facts.free_on)},
        ),
    )


@blueprint.get("/<reservation_id>/move-out/preview", endpoint="move_out_preview")
def preview(reservation_id: str) -> Response:
    """Show what moving out on the requested day costs, and why."""
    form = ResidentMoveOutForm(request.args)
    found = _preview_notice_form(reservation_id, form)
    if found is None:
        facts = departures.departure_facts(reading(), reservation_id, today())
        return mark_unaccepted(_first_page(reservation_id, facts, form))
    form.once.data = new_id()
    return _second_page(reservation_id, form, found)


@blueprint.post("/<reservation_id>/move-out/preview", endpoint="file_move_out")
def file(reservation_id: str) -> Response:
    """File the notice for the figures that were shown, or show the changed figures."""
    form = ResidentMoveOutForm()
    return submitted(
        form,
        act=lambda work: own_notices.file_own_notice(
            work,
            reservation_id=reservation_id,
            move_out_on=form.moveOutDate.data,
            seen=form.figures.data,
            key=key_of_form(),
        ),
        then=lambda _done: go(
            url_for(".move_out", reservation_id=reservation_id),
            message=_("We have received your notice."),
        ),
        again=lambda: _show_again(reservation_id, form),
    )


def _show_again(reservation_id: str, form: ResidentMoveOutForm) -> Response:
    found = _preview_notice_form(reservation_id, form) if not form.moveOutDate.errors else None
    if found is not None:
        return _second_page(reservation_id, form, found)
    return _first_page(
        reservation_id, departures.departure_facts(reading(), reservation_id, today()), form
    )


def _preview_notice_form(reservation_id: str, form: ResidentMoveOutForm) -> NoticePreview | None:
    if not form.validate():
        return None
    try:
        return own_notices.own_preview(
            reading(), clock(), reservation_id=reservation_id, move_out_on=form.moveOutDate.data
        )
    except Refused as problem:
        place_problem(form, problem)
        form.form_errors = list(dict.fromkeys(form.form_errors))
        return None


def _first_page(reservation_id: str, facts: DepartureFacts, form: ResidentMoveOutForm) -> Response:
    state = own_notices.own_notice_of(reading(), reservation_id, today())
    template = "filed" if state is OwnNotice.FILED and facts.notice else "day"
    return page(
        f"portals/resident/move_out/{template}.html",
        tenancy=own.tenancy(reservation_id),
        state=state,
        facts=facts,
        form=form,
        payee=mandates.account_of_resident(reading(), reservation_id),
        keys=key_handovers.keys_of_tenancy(reading(), reservation_id)
        if template == "filed"
        else None,
        notice_days=policy(reading()).long_notice_days,
    )


def _second_page(reservation_id: str, form: ResidentMoveOutForm, found: NoticePreview) -> Response:
    form.figures.data = notices.shown_figures(found)
    return page(
        "portals/resident/move_out/preview.html",
        tenancy=own.tenancy(reservation_id),
        form=form,
        preview=found,
    )


@blueprint.get("/<reservation_id>/refund-account", endpoint="refund_account")
def show_refund_account(reservation_id: str) -> Response:
    """Show the account that the refund is sent to, with the form to enter or change it."""
    payee = mandates.account_of_resident(reading(), reservation_id)
    values = {
        "version": str(payee.version if payee else 0),
        "accountKind": AccountKind.ORDINARY.value,
    }
    return _render_refund_account(reservation_id, AccountForm(formdata=None, data=values))


@blueprint.post("/<reservation_id>/refund-account", endpoint="set_refund_account")
def set_refund_account(reservation_id: str) -> Response:
    """Write the account that the resident names for the refund."""
    form = AccountForm()
    return submitted(
        form,
        act=lambda work: mandates.set_own_refund_account(
            work,
            reservation_id=reservation_id,
            account=form.account,
            expected_version=form.version.seen_value,
        ),
        then=lambda _none: go(
            url_for(".refund_account", reservation_id=reservation_id),
            message=_("Your bank account has been saved."),
        ),
        again=lambda: _render_refund_account(reservation_id, form),
    )


def _render_refund_account(reservation_id: str, form: AccountForm) -> Response:
    tenancy = own.tenancy(reservation_id)
    if not mandates.awaits_refund_account(tenancy.lifecycle):
        return go(url_for(".tenancy", reservation_id=reservation_id))
    return page(
        "portals/resident/move_out/account.html",
        tenancy=tenancy,
        payee=mandates.account_of_resident(reading(), reservation_id),
        form=form,
    )
