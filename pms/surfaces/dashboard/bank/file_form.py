"""The form that takes a bank's file."""

from flask_babel import lazy_gettext as _
from wtforms import FileField, Form

from pms.rules.bank_columns import TableRole
from pms.surfaces.fields import FlagField, Optional, TextField

_CHOSEN: tuple[tuple[str, TableRole], ...] = (
    ("dayTitle", TableRole.DAY),
    ("paidInTitle", TableRole.PAID_IN),
    ("paidOutTitle", TableRole.PAID_OUT),
    ("payerTitle", TableRole.PAYER),
    ("balanceTitle", TableRole.BALANCE),
)


class FileForm(Form):
    """A file of a bank, the account it is of where it names none, and its columns by hand."""

    file = FileField(_("Statement of the bank"))
    accountName = TextField(_("Bank account"), [Optional()])
    gap = FlagField(_("Take it although rows before it are missing"))
    dayTitle = TextField(_("Column of the day"), [Optional()])
    paidInTitle = TextField(_("Column of money in"), [Optional()])
    paidOutTitle = TextField(_("Column of money out"), [Optional()])
    payerTitle = TextField(_("Column of the payer"), [Optional()])
    balanceTitle = TextField(_("Column of the balance"), [Optional()])

    @property
    def chosen(self) -> dict[TableRole, str]:
        """The titles that were named by hand, by what they hold."""
        return {role: self[name].data for name, role in _CHOSEN if self[name].data}
