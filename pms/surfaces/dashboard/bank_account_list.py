"""The list of bank accounts whose statements are imported: added, edited, merged."""

from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.bank import account_merges
from pms.bank.account_merges import MergedAccounts, plan_merge
from pms.bank.accounts import AccountFacts, AccountShown, add_account, edit_account, list_accounts
from pms.foundation.errors import no_such
from pms.rules.enumerations import AccountKind
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.fields import ChoiceField, Optional, Required, TextField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices


class ListedAccountForm(FlaskForm):
    """An account of the list: its name, and its numbers where they are known."""

    name = TextField(lazy_gettext("Name"), [Required()])
    bankCode = TextField(lazy_gettext("Bank code"), [Optional()])
    branchCode = TextField(lazy_gettext("Branch code"), [Optional()])
    accountKind = ChoiceField(lazy_gettext("Account type"), [Optional()])
    accountNumber = TextField(lazy_gettext("Account number"), [Optional()])

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self.accountKind.choices = choices(AccountKind)

    @property
    def facts(self) -> AccountFacts:
        """What was typed."""
        return AccountFacts(
            self.name.data or "",
            self.bankCode.data or "",
            self.branchCode.data or "",
            self.accountKind.data or AccountKind.ORDINARY.value,
            self.accountNumber.data or "",
        )


class MergeForm(FlaskForm):
    """The account that another one is merged into."""

    into = ChoiceField(lazy_gettext("Is the same account as"), [Required()])


@dashboard.get("/bank/accounts", roles=OFFICE, is_of_all_buildings=True)
def bank_account_list() -> Response:
    """Show the accounts, that of Settings first."""
    return _render_list(ListedAccountForm(formdata=None))


@dashboard.post("/bank/accounts", roles=OFFICE, is_of_all_buildings=True)
def add_bank_account() -> Response:
    """Add an account."""
    form = ListedAccountForm()
    return submitted(
        form,
        act=lambda work: add_account(work, form.facts),
        then=lambda _id: go(url_for("dashboard.bank_account_list"), message=_("Saved.")),
        again=lambda: _render_list(form),
    )


def _render_list(form: ListedAccountForm) -> Response:
    return page("dashboard/bank/accounts.html", form=form, accounts=list_accounts(reading()))


@dashboard.get("/bank/accounts/<account_id>", roles=OFFICE, is_of_all_buildings=True)
def bank_account(account_id: str) -> Response:
    """Show an account; with `into`, what merging it into that account would do."""
    account = _known_account(account_id)
    values = {
        "name": account.name,
        "bankCode": account.bank_code,
        "branchCode": account.branch_code,
        "accountKind": account.kind,
        "accountNumber": account.number,
    }
    form = ListedAccountForm(formdata=None, data=values)
    return _render_account(account, form, MergeForm(request.args, meta={"csrf": False}))


@dashboard.post("/bank/accounts/<account_id>", roles=OFFICE, is_of_all_buildings=True)
def edit_bank_account(account_id: str) -> Response:
    """Write the name and the numbers of an account."""
    form = ListedAccountForm()
    return submitted(
        form,
        act=lambda work: edit_account(work, account_id, form.facts),
        then=lambda _none: go(url_for("dashboard.bank_account_list"), message=_("Saved.")),
        again=lambda: _render_account(_known_account(account_id), form, MergeForm(formdata=None)),
    )


@dashboard.post("/bank/accounts/<account_id>/merge", roles=OFFICE, is_of_all_buildings=True)
def merge_bank_account(account_id: str) -> Response:
    """Merge an account into another one."""
    form = MergeForm()
    form.into.choices = [(into, into) for into in request.form.getlist("into")]
    also_same = request.form.getlist("same")

    def then(done: MergedAccounts) -> Response:
        moved = ngettext(
            "The accounts are one now. %(num)d transfer was moved.",
            "The accounts are one now. %(num)d transfers were moved.",
            done.moved,
        )
        reversed_ = ngettext(
            "%(num)d payment that was recorded twice was reversed.",
            "%(num)d payments that were recorded twice were reversed.",
            done.payments,
        )
        message = f"{moved} {reversed_}" if done.payments else moved
        return go(url_for("dashboard.bank_account_list"), message=message)

    return submitted(
        form,
        act=lambda work: account_merges.merge_accounts(
            work,
            account_id,
            form.into.data or "",
            also_same=also_same,
            reason=_("recorded twice because two bank accounts were one"),
        ),
        then=then,
        again=lambda: _render_account(
            _known_account(account_id), ListedAccountForm(formdata=None), form
        ),
    )


def _known_account(account_id: str) -> AccountShown:
    for account in list_accounts(reading()):
        if account.id == account_id:
            return account
    raise no_such("account", account_id)


def _render_account(account: AccountShown, form: ListedAccountForm, merging: MergeForm) -> Response:
    others = [
        other
        for other in list_accounts(reading())
        if other.id not in {None, account.id} and not (other.number and account.number)
    ]
    merging.into.choices = [
        ("", _("Choose")),
        *(
            (other.id or "", " · ".join(filter(None, (other.name, other.numbers))))
            for other in others
        ),
    ]
    into = merging.into.data
    plan = None
    if account.id and into in {other.id for other in others} and not merging.errors:
        plan = plan_merge(reading(), account.id, into)
    return page(
        "dashboard/bank/account.html",
        account=account,
        form=form,
        merging=merging,
        has_others=bool(others),
        plan=plan,
    )
