"""One field of each kind, to be shown empty, filled and refused."""

from flask_babel import lazy_gettext as _
from wtforms import FileField, Form

from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    KanaField,
    LongTextField,
    ManyField,
    Optional,
    PercentField,
    PickField,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)

_REASONS = [
    ("work", _("New work in another city")),
    ("home", _("Bought a home")),
    ("other", _("Another reason")),
]


class SpecimenForm(Form):
    """Not sent anywhere."""

    name = TextField(_("Name"), [Required()], render_kw={"autocomplete": "name"})
    kana = KanaField(_("Reading of the name"), [Optional()])
    email = EmailField(_("E-mail"), [Required()], render_kw={"autocomplete": "email"})
    amountYen = YenField(_("Amount in yen"), [Required()])
    moveOutDate = DayField(_("Last day"), [Required()])
    code = TextField(_("Code from the mail"), [Required()])
    guests = WholeNumberField(_("Guests"), [Optional()], least=1, most=9)
    percent = PercentField(_("Share in percent"), [Optional()])
    building = ChoiceField(
        _("Building"), [Required()], choices=[("", _("Choose")), ("a", "藤ハウス"), ("b", "Sumida")]
    )
    reason = PickField(_("Reason"), [Required()], choices=_REASONS)
    days = ManyField(
        _("Days"), [Optional()], choices=[("sat", _("Saturday")), ("sun", _("Sunday"))]
    )
    note = LongTextField(_("Note"), [Optional()])
    photo = FileField(_("Photo"), [Optional()])
    mayEnter = FlagField(_("We may enter while nobody is at home"))
