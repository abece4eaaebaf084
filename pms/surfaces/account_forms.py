"""The form of an account at a Japanese bank, for staff and for residents."""

from typing import Any

from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.rules.enumerations import AccountKind
from pms.surfaces.fields import ChoiceField, Required, SeenField, TextField
from pms.surfaces.labels.enumerations import choices
from pms.workspaces.office_bank import CheckedAccount, check_account


class AccountForm(FlaskForm):
    """An account at a Japanese bank, with the facts of a passbook."""

    version = SeenField(default="0", unread=-1)
    bankCode = TextField(lazy_gettext("Bank code"), [Required()])
    bankName = TextField(lazy_gettext("Bank name in kana"), [Required()])
    branchCode = TextField(lazy_gettext("Branch code"), [Required()])
    branchName = TextField(lazy_gettext("Branch name in kana"), [Required()])
    accountKind = ChoiceField(lazy_gettext("Account type"), [Required()])
    accountNumber = TextField(lazy_gettext("Account number"), [Required()])
    accountHolder = TextField(lazy_gettext("Account holder in kana"), [Required()])

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self.accountKind.choices = choices(AccountKind)

    @property
    def account(self) -> CheckedAccount:
        """The checked account; raises `Refused` on the field that is wrong."""
        return check_account(
            bank_code=self.bankCode.data or "",
            bank_name=self.bankName.data or "",
            branch_code=self.branchCode.data or "",
            branch_name=self.branchName.data or "",
            kind=self.accountKind.data or "",
            number=self.accountNumber.data or "",
            holder=self.accountHolder.data or "",
        )
