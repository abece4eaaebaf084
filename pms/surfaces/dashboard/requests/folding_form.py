"""What is chosen to fold reports: which of them, and the project they go into."""

from collections.abc import Sequence
from typing import Final

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_babel import lazy_pgettext as worded
from wtforms import Form

from pms.surfaces.fields import ManyField, Optional, PickField, Required, TextField
from pms.upkeep.project_record import ProjectRecord
from pms.upkeep.request_record import RequestRecord

NEW: Final = "new"


class FoldingForm(Form):
    """Reports of one building and an open project of it, or a new one with a title."""

    requestIds = ManyField(worded("maintenance request", "Reports"), [Required()])
    projectId = PickField(_("Project"), [Required()], default=NEW)
    title = TextField(_("Title of the new project"), [Optional()])

    def offer(self, requests: Sequence[RequestRecord], projects: Sequence[ProjectRecord]) -> None:
        """Fill the lists with what there is to choose."""
        self.requestIds.choices = [(one.id, one.title) for one in requests]
        self.projectId.choices = [
            (NEW, gettext("A new project")),
            *((one.id, f"{one.name} {one.title}") for one in projects),
        ]

    @property
    def project_id(self) -> str | None:
        """The open project that was chosen, if it is not a new one."""
        chosen: str = self.projectId.data
        return None if chosen == NEW else chosen
