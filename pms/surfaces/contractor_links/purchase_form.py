"""What is typed of something bought."""

from collections.abc import Sequence
from typing import Any

from flask_babel import lazy_gettext as _
from wtforms import MultipleFileField

from pms.foundation.files import Files
from pms.surfaces.contractor_links.hours_form import task_choices
from pms.surfaces.contractor_links.pictures import PictureForm
from pms.surfaces.fields import ChoiceField, DayField, Optional, Required, TextField, YenField
from pms.upkeep.task_cards import TaskCard


class PurchaseForm(PictureForm):
    """What, for how much, when and where; the receipt as a picture."""

    what = TextField(_("What"), [Required()])
    amountYen = YenField(_("Amount with tax (yen)"), [Required()], minimum_yen=1)
    photo = MultipleFileField(_("Photo of the receipt"), [Optional()])
    boughtOn = DayField(_("Day"), [Required()])
    shop = TextField(_("Shop"), [Optional()])
    taskId = ChoiceField(_("Task"), [Optional()])

    def __init__(
        self, *given: Any, files: Files, tasks: Sequence[TaskCard] = (), **values: Any
    ) -> None:
        super().__init__(*given, files=files, **values)
        self.taskId.choices = task_choices(tasks)
