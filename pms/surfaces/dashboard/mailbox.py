"""The workspace's mailbox: its settings, and whether it is read."""

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import PasswordInput

from pms.channels import mailboxes
from pms.foundation.errors import NotFound
from pms.surfaces.dashboard.gate import OPERATOR, dashboard, reading
from pms.surfaces.fields import (
    FlagField,
    Optional,
    Required,
    SeenField,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page


class MailboxForm(FlaskForm):
    """The address, the server with its account, and the version that was seen."""

    address = TextField(lazy_gettext("Email address of the mailbox"), [Required()])
    host = TextField(lazy_gettext("IMAP server"), [Required()])
    port = WholeNumberField(lazy_gettext("Port"), [Required()], least=1, most=65_535)
    username = TextField(lazy_gettext("User name"), [Required()])
    password = TextField(
        lazy_gettext("Password"), [Optional()], widget=PasswordInput(hide_value=True)
    )
    folder = TextField(lazy_gettext("Folder"), [Optional()])
    hasPlus = FlagField(lazy_gettext("Addresses with + arrive in this mailbox"))
    version = SeenField()


@dashboard.get("/mailbox", roles=OPERATOR, is_secret=True)
def mailbox() -> Response:
    """Show the settings of the mailbox and when it was last read."""
    return _render_mailbox()


@dashboard.post("/mailbox", roles=OPERATOR)
def set_mailbox() -> Response:
    """Set the mailbox; its password is stored encrypted."""
    form = MailboxForm()
    return submitted(
        form,
        act=lambda work: mailboxes.set_mailbox(
            work,
            address=form.address.data,
            host=form.host.data,
            port=form.port.data,
            username=form.username.data,
            password=form.password.data,
            folder=form.folder.data,
            has_plus=bool(form.hasPlus.data),
            expected_version=form.version.seen_value,
        ),
        then=lambda _row: go(url_for("dashboard.mailbox"), message=_("Mailbox saved.")),
        again=lambda: _render_mailbox(form),
    )


@dashboard.post("/mailbox/reading", roles=OPERATOR)
def read_mailbox() -> Response:
    """Have the mailbox read at once; the worker does it within seconds."""
    return submitted(
        FlaskForm(),
        act=lambda work: mailboxes.ask_for_mailbox_reading(work.session, work.clock),
        then=lambda _none: go(
            url_for("dashboard.mailbox"), message=_("The mailbox is read within seconds.")
        ),
        again=mailbox,
    )


@dashboard.get("/mailbox/removal", roles=OPERATOR)
def confirm_mailbox_removal() -> Response:
    """Ask for confirmation before the mailbox is removed."""
    box = mailboxes.mailbox(reading())
    if box is None:
        raise NotFound("There is no mailbox.")
    return page("dashboard/integrations/mailbox_removal.html", box=box)


@dashboard.post("/mailbox/removal", roles=OPERATOR)
def remove_mailbox() -> Response:
    """Remove the mailbox with its password."""
    return submitted(
        FlaskForm(),
        act=mailboxes.remove_mailbox,
        then=lambda _none: go(url_for("dashboard.integrations"), message=_("Mailbox removed.")),
        again=mailbox,
    )


def _render_mailbox(form: MailboxForm | None = None) -> Response:
    """Show the form as typed, else filled with the settings or with the usual port and folder."""
    box = mailboxes.mailbox(reading())
    if form is None:
        usual = {"port": mailboxes.IMAPS_PORT, "folder": "INBOX"}
        known = usual if box is None else {"hasPlus": box.has_plus}
        form = MailboxForm(formdata=None, obj=box, data=known)
    form.password.flags.optional = box is not None
    return page("dashboard/integrations/mailbox.html", box=box, form=form)
