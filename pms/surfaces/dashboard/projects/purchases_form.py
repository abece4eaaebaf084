"""What is typed of something bought for a project, and the picture of its receipt."""

from collections.abc import Sequence

from flask_babel import lazy_gettext as _

from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES
from pms.surfaces.dashboard.projects.hours_form import task_choices
from pms.surfaces.dashboard.requests.taken_photos import TakenPhotosForm
from pms.surfaces.enumeration_words import WORDS
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    Optional,
    Required,
    TextField,
    YenField,
)
from pms.upkeep.project_tasks import ProjectTask


class PurchaseForm(TakenPhotosForm):
    """What was bought for how much; the amount is as paid, tax and all."""

    once = HiddenField()
    what = TextField(_("What was bought"), [Required()])
    amountYen = YenField(_("Amount paid (yen)"), [Required()], minimum_yen=1)
    boughtOn = DayField(_("Day"), [Required()])
    shop = TextField(_("Shop"), [Optional()])
    category = ChoiceField(
        _("Category"),
        [Required()],
        choices=[(kind.value, WORDS[FeeCategory][kind]) for kind in PURCHASE_CATEGORIES],
    )
    taskId = ChoiceField(_("Task"), [Optional()])

    def offer(self, tasks: Sequence[ProjectTask]) -> None:
        """Give the form the tasks of its project."""
        self.taskId.choices = task_choices(tasks)
