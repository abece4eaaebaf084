"""Asks staff to agree before they book after somebody who has filed no notice."""

from collections.abc import Sequence
from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.arrivals.followed_residents import FollowedResident
from pms.surfaces.fields import ManyField


class FollowingForm(Form):
    """The residents, month to month and without a notice, whom staff agreed to follow.

    It is a part of a form; what was ticked counts for the people it names and for nobody else.
    """

    follows = ManyField(lazy_gettext("Agreement"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Somebody may have filed a notice since the page was read: then nothing is left to agree to.
        self.follows.choices = [(given, given) for given in self.follows.data or ()]

    def ask_agreement(self, followed: Sequence[FollowedResident]) -> None:
        """Name each resident whose month to month the booking would end."""
        self.follows.choices = [
            (one.reservation_id, _("Book although %(name)s has filed no notice", name=one.name))
            for one in followed
            if one.is_month_to_month
        ]
