"""Bank accounts: the office's, those of payers' mandates, and those for payouts and refunds."""

from datetime import datetime
from typing import Any

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals import reservation_headers
from pms.bank import mandates
from pms.bank.mandates import Mandate, PayeeRecord
from pms.bank.second_person import set_office_bank
from pms.catalogue import records
from pms.rules.enumerations import AccountKind, MandateState
from pms.surfaces.account_forms import AccountForm
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, dashboard, reading
from pms.surfaces.fields import (
    DayField,
    FlagField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import instant
from pms.surfaces.request_scope import clock, today
from pms.workspaces.office_bank import (
    MOST_ATTEMPTS,
    CheckedAccount,
    office_bank,
)


def _account_values(account: CheckedAccount | None, version: int) -> dict[str, Any]:
    if account is None:
        return {"version": str(version), "accountKind": AccountKind.ORDINARY.value}
    return {
        "version": str(version),
        "bankCode": account.bank_code,
        "bankName": account.bank_name,
        "branchCode": account.branch_code,
        "branchName": account.branch_name,
        "accountKind": account.kind.value,
        "accountNumber": account.number,
        "accountHolder": account.holder,
    }


class OfficeBankForm(AccountForm):
    """The office's account, its codes at the bank, and the rules for bank files."""

    debitClient = TextField(lazy_gettext("Client code for direct debit"), [Optional()])
    payoutClient = TextField(lazy_gettext("Client code for payouts"), [Optional()])
    debitAttempts = WholeNumberField(
        lazy_gettext("Attempts to collect a bill"), [Required()], least=1, most=MOST_ATTEMPTS
    )
    secondPerson = FlagField(lazy_gettext("Payout files need a second person's confirmation"))


@dashboard.get("/settings/bank", roles=OPERATOR)
def office_bank_settings() -> Response:
    """Show the office's account."""
    found = office_bank(reading())
    facts = found.facts if found else None
    values = _account_values(facts.account if facts else None, found.version if found else 0)
    values |= {
        "debitClient": facts.debit_client if facts else None,
        "payoutClient": facts.payout_client if facts else None,
        "debitAttempts": facts.debit_attempts if facts else 2,
        "secondPerson": bool(
            facts and facts.needs_second_person and not facts.second_person_ends_at
        ),
    }
    return _render_office(OfficeBankForm(formdata=None, data=values))


@dashboard.post("/settings/bank", roles=OPERATOR)
def set_office_bank_settings() -> Response:
    """Write the office's account."""
    form = OfficeBankForm()
    return submitted(
        form,
        act=lambda work: set_office_bank(
            work,
            expected_version=form.version.seen_value,
            account=form.account,
            debit_client=form.debitClient.data,
            payout_client=form.payoutClient.data,
            needs_second_person=bool(form.secondPerson.data),
            debit_attempts=form.debitAttempts.data,
        ),
        then=_tell_saved,
        again=lambda: _render_office(form),
    )


def _tell_saved(second_person_ends_at: datetime | None) -> Response:
    message = _("Saved.")
    if second_person_ends_at is not None:
        message = _(
            "Saved. Payout files need a second person until %(instant)s. All operators were told by"
            " email.",
            instant=instant(second_person_ends_at).striptags(),
        )
    return go(url_for("dashboard.office_bank_settings"), message=message)


def _render_office(form: OfficeBankForm) -> Response:
    found = office_bank(reading())
    ends_at = found.facts.second_person_ends_at if found else None
    is_ending = ends_at is not None and clock().now() < ends_at
    ends_at = ends_at if is_ending else None
    return page("dashboard/settings/bank.html", form=form, second_person_ends_at=ends_at)


class MandateForm(AccountForm):
    """A payer's mandate: the account, the customer number, the state and the first day."""

    customer = TextField(lazy_gettext("Customer number"), [Optional()])
    state = PickField(lazy_gettext("Status"), [Required()])
    fromOn = DayField(lazy_gettext("Collect from"), [Required()])

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        states = (MandateState.ASKED, MandateState.ACTIVE)
        self.state.choices = [(each.value, label_of(each)) for each in states]


@dashboard.get("/reservations/<reservation_id>/account", roles=OFFICE)
def reservation_account(reservation_id: str) -> Response:
    """Show a tenancy's mandate and the account for its refund."""
    return _render_reservation(reservation_id)


@dashboard.post("/reservations/<reservation_id>/mandate", roles=OFFICE)
def write_mandate(reservation_id: str) -> Response:
    """Write the mandate."""
    form = MandateForm()
    return submitted(
        form,
        act=lambda work: mandates.write_mandate(
            work,
            reservation_id=reservation_id,
            account=form.account,
            state=MandateState(form.state.data),
            from_on=form.fromOn.data,
            customer=form.customer.data,
            expected_version=form.version.seen_value,
        ),
        then=lambda _id: _answer_saved(reservation_id),
        again=lambda: _render_reservation(reservation_id, mandate_form=form),
    )


@dashboard.post("/reservations/<reservation_id>/mandate/end", roles=OFFICE)
def end_mandate(reservation_id: str) -> Response:
    """End the mandate."""
    form = MandateForm(formdata=None, data={})
    empty = FlaskForm()
    return submitted(
        empty,
        act=lambda work: mandates.end_mandate(work, reservation_id),
        then=lambda _none: _answer_saved(reservation_id),
        again=lambda: _render_reservation(reservation_id, mandate_form=form),
    )


@dashboard.post("/reservations/<reservation_id>/account", roles=OFFICE)
def set_resident_account(reservation_id: str) -> Response:
    """Write the account for the refund."""
    form = AccountForm()
    return submitted(
        form,
        act=lambda work: mandates.set_resident_account(
            work,
            reservation_id=reservation_id,
            account=form.account,
            expected_version=form.version.seen_value,
        ),
        then=lambda _none: _answer_saved(reservation_id),
        again=lambda: _render_reservation(reservation_id, account_form=form),
    )


def _answer_saved(reservation_id: str) -> Response:
    return go(
        url_for("dashboard.reservation_account", reservation_id=reservation_id), message=_("Saved.")
    )


def _render_reservation(
    reservation_id: str,
    mandate_form: MandateForm | None = None,
    account_form: AccountForm | None = None,
) -> Response:
    mandate = mandates.mandate_of(reading(), reservation_id)
    payee = mandates.account_of_resident(reading(), reservation_id)
    return page(
        "dashboard/bank/reservation_account.html",
        header=reservation_headers.reservation_header(reading(), reservation_id, today()),
        mandate=mandate,
        payee=payee,
        mandate_form=mandate_form or _mandate_form(mandate),
        account_form=account_form or _account_form(payee, mandate),
    )


def _mandate_form(mandate: Mandate | None) -> MandateForm:
    if mandate is None:
        start_values = {
            **_account_values(None, 0),
            "state": MandateState.ACTIVE.value,
            "fromOn": today(),
        }
        return MandateForm(formdata=None, data={**start_values, "customer": None})
    facts = {"customer": mandate.customer, "state": mandate.state.value, "fromOn": mandate.from_on}
    values = _account_values(mandate.account, mandate.version)
    return MandateForm(formdata=None, data={**values, **facts})


def _account_form(payee: PayeeRecord | None, mandate: Mandate | None) -> AccountForm:
    # Most residents want the refund to the account their rent is collected from.
    known = payee or mandate
    values = _account_values(known.account if known else None, payee.version if payee else 0)
    return AccountForm(formdata=None, data=values)


@dashboard.get("/owners/<owner_id>/account", roles=OFFICE, is_of_all_buildings=True)
def owner_account(owner_id: str) -> Response:
    """Show the account for an owner's payouts."""
    found = mandates.account_of_owner(reading(), owner_id)
    values = _account_values(found.account if found else None, found.version if found else 0)
    return _render_owner(owner_id, AccountForm(formdata=None, data=values))


@dashboard.post("/owners/<owner_id>/account", roles=OFFICE, is_of_all_buildings=True)
def set_owner_account(owner_id: str) -> Response:
    """Write the account for an owner's payouts."""
    form = AccountForm()
    return submitted(
        form,
        act=lambda work: mandates.set_owner_account(
            work, owner_id=owner_id, account=form.account, expected_version=form.version.seen_value
        ),
        then=lambda _none: go(url_for("dashboard.owner", owner_id=owner_id), message=_("Saved.")),
        again=lambda: _render_owner(owner_id, form),
    )


def _render_owner(owner_id: str, form: AccountForm) -> Response:
    owner = records.owner_record(reading(), owner_id)
    return page("dashboard/bank/owner_account.html", owner=owner, form=form)
