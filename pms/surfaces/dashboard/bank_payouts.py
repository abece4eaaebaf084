"""Payout files: the waiting payouts, and making, confirming and handing over a file."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.bank import payouts
from pms.bank.second_person import SecondPersonRule
from pms.foundation.clock import next_bank_day
from pms.foundation.work import Work
from pms.surfaces.dashboard.actor_names import actor_name
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, actor, dashboard, reading
from pms.surfaces.fields import DayField, ManyField, Required
from pms.surfaces.forms import asked_paging, part_of, submitted
from pms.surfaces.hypermedia import bank_file_answer, go, page
from pms.surfaces.request_scope import today
from pms.workspaces.office_bank import office_bank

_ROWS_A_PART: Final = 100
"""A page of payouts, which one file can pay; their file's page has as many."""


class PayoutForm(FlaskForm):
    """The day of payout, and the chosen payouts."""

    payOn = DayField(lazy_gettext("Payout date"), [Required()])
    payouts = ManyField(lazy_gettext("Payouts"))


@dashboard.get("/bank/payouts", roles=OFFICE, is_of_all_buildings=True)
def payout_list() -> Response:
    """Show the waiting payouts, and the files made so far."""
    return _render_list(PayoutForm(formdata=None, data={"payOn": next_bank_day(today())}))


def _render_list(form: PayoutForm) -> Response:
    paging = asked_paging()
    files, total = payouts.list_payout_files(reading(), paging)
    waiting = payouts.unpaid_payouts(reading(), today())
    shown = part_of(waiting, "waiting", _ROWS_A_PART)
    return page(
        "dashboard/bank/payouts.html",
        form=form,
        waiting=shown._replace(rows=payouts.add_accounts(reading(), shown.rows)),
        waiting_yen=sum(payout.yen for payout in waiting),
        files=files,
        total=total,
        paging=paging,
        is_set=office_bank(reading()) is not None,
    )


@dashboard.post("/bank/payouts", roles=OFFICE, is_of_all_buildings=True)
def make_payouts() -> Response:
    """Make a file of the chosen payouts."""
    form = PayoutForm()
    form.payouts.choices = [(mark, mark) for mark in request.form.getlist("payouts")]
    return submitted(
        form,
        act=lambda work: payouts.make_payout_file(
            work,
            pay_on=form.payOn.data,
            marks=request.form.getlist("payouts"),
        ),
        then=lambda payout_file_id: go(
            url_for("dashboard.payout_file", payout_file_id=payout_file_id),
            message=_("File created."),
        ),
        again=lambda: _render_list(form),
    )


@dashboard.get("/bank/payouts/<payout_file_id>", roles=OFFICE, is_of_all_buildings=True)
def payout_file(payout_file_id: str) -> Response:
    """Show a file with its records and its total."""
    return _render_file(payout_file_id, FlaskForm())


def _render_file(payout_file_id: str, form: Form) -> Response:
    record = payouts.payout_file_record(reading(), payout_file_id)
    changed = [line for line in record.payouts if line.account_changed_by and not line.is_first]
    first = [line for line in record.payouts if line.is_first]
    same = [line for line in record.payouts if not line.account_changed_by and not line.is_first]
    own = [line for line in (*changed, *first) if line.account_changed_by == actor()]
    rule = record.rule
    return page(
        "dashboard/bank/payout_file.html",
        form=form,
        line=record.line,
        # What has to be checked with the payee is on the first page.
        records=part_of([*changed, *first, *same], "page", _ROWS_A_PART),
        me=actor(),
        changed=changed,
        first=first,
        own=own[0] if own else None,
        may_confirm=rule is not None and rule.admits(actor()),
        way_out=_write_way_out(rule) if rule and rule.is_without_confirmer else None,
    )


def _write_way_out(rule: SecondPersonRule) -> str:
    """Return what to do with a file that no one of the office may confirm."""
    if not rule.next_makers:
        return str(_("Add another operator or office member, who can then confirm the file."))
    return str(
        _(
            "Cancel the file, and have the payouts to a changed account put into a new file by the"
            " person who changed that account (%(names)s). A colleague who changed none of the"
            " accounts in the new file can then confirm it.",
            names=_(", ").join(actor_name(each) for each in rule.next_makers),
        )
    )


@dashboard.get("/bank/payouts/<payout_file_id>.txt", roles=OPERATOR)
def payout_file_bytes(payout_file_id: str) -> Response:
    """Give the file for the bank; where confirmation is required, only once it is confirmed."""
    record = payouts.payout_file_record(reading(), payout_file_id)
    content = payouts.payout_file_bytes(reading(), payout_file_id)
    return bank_file_answer(f"payout-{record.line.due_on:%Y%m%d}.txt", content)


@dashboard.post("/bank/payouts/<payout_file_id>/confirm", roles=OFFICE, is_of_all_buildings=True)
def confirm_payouts(payout_file_id: str) -> Response:
    """Confirm the file as the second person."""
    return _submit_step(payout_file_id, payouts.confirm_payouts, _("Confirmed."))


@dashboard.post("/bank/payouts/<payout_file_id>/hand-over", roles=OPERATOR)
def hand_over_payouts(payout_file_id: str) -> Response:
    """Mark the file as handed to the bank."""
    return _submit_step(
        payout_file_id, payouts.hand_over_payouts, _("Marked as submitted to the bank.")
    )


@dashboard.post("/bank/payouts/<payout_file_id>/drop", roles=OFFICE, is_of_all_buildings=True)
def drop_payouts(payout_file_id: str) -> Response:
    """Drop a file that has not been handed over."""
    return _submit_step(
        payout_file_id,
        payouts.drop_payouts,
        _("File cancelled. Its payouts can go into another file."),
    )


def _submit_step(payout_file_id: str, verb: Callable[..., Any], message: str) -> Response:
    form = FlaskForm()

    def act(work: Work) -> None:
        verb(work, payout_file_id)

    return submitted(
        form,
        act=act,
        then=lambda _none: go(
            url_for("dashboard.payout_file", payout_file_id=payout_file_id), message=message
        ),
        again=lambda: _render_file(payout_file_id, form),
    )
