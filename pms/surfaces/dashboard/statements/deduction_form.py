"""The form of what an owner bears of a building's costs, or is given back of it."""

from flask_babel import lazy_gettext
from wtforms import Form
from wtforms.widgets import HiddenInput

from pms.foundation.bilingual import Bilingual
from pms.rules.enumerations import FeeCategory
from pms.surfaces.enumeration_words import WORDS
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)

BORNE, GIVEN_BACK = "borne", "given_back"
_KINDS = (
    FeeCategory.REPAIR,
    FeeCategory.CLEANING,
    FeeCategory.UTILITIES,
    FeeCategory.SERVICE,
    FeeCategory.OTHER,
)


class DeductionForm(Form):
    """One deduction; a correction is one that is given back."""

    kind = ChoiceField(
        lazy_gettext("The owner"),
        [Required()],
        choices=[
            (BORNE, lazy_gettext("bears this amount")),
            (GIVEN_BACK, lazy_gettext("is given this amount back")),
        ],
    )
    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    deductedOn = DayField(lazy_gettext("Day"), [Required()])
    labelJa = TextField(lazy_gettext("What for, in Japanese"), [Required()])
    labelEn = TextField(lazy_gettext("What for, in English"), [Optional()])
    category = ChoiceField(
        lazy_gettext("Category"),
        [Required()],
        choices=[(kind.value, WORDS[FeeCategory][kind]) for kind in _KINDS],
    )
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @property
    def signed_yen(self) -> int:
        """The amount as it is posted: what is given back is negative."""
        yen: int = self.amountYen.data
        return -yen if self.kind.data == GIVEN_BACK else yen

    @property
    def label(self) -> Bilingual:
        """What it is for, in both languages where both were given."""
        return Bilingual(self.labelJa.data, self.labelEn.data)
