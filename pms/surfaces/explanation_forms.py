"""The form on which a reader asks to be explained a fixed term: how, and when."""

from datetime import datetime
from typing import Self

from flask_babel import lazy_gettext

from pms.contracts.explanation_records import Explanation
from pms.foundation.clock import bank_closure
from pms.rules.days import JAPAN
from pms.rules.explanations import ExplanationWay, explanation_times
from pms.surfaces.fields import ChoiceField, Optional, PickField, Required
from pms.surfaces.forms import LinkForm
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.labels.formats import instant
from pms.surfaces.request_scope import clock


class ExplanationWishForm(LinkForm):
    """How and when the reader wants to be explained the document."""

    way = PickField(lazy_gettext("How should we explain it to you?"), [Required()])
    wishedAt = ChoiceField(lazy_gettext("When?"), [Optional()])

    @classmethod
    def of(cls, given: Explanation | None, *, is_sent: bool = False) -> Self:
        """Return the form with the times that are open now, and what was chosen before."""
        form = cls() if is_sent else cls(formdata=None, data=_chosen_before(given))
        form.way.choices = choices(ExplanationWay)
        form.wishedAt.choices = [("", lazy_gettext("As soon as possible"))] + [
            (at.isoformat(), instant(at).striptags())
            for at in explanation_times(clock().now(), bank_closure)
        ]
        return form

    @property
    def chosen_at(self) -> datetime | None:
        """The chosen time; None for as soon as possible."""
        return datetime.fromisoformat(self.wishedAt.data) if self.wishedAt.data else None


def _chosen_before(given: Explanation | None) -> dict[str, str]:
    way = given.wished_way if given is not None else None
    at = given.wished_at if given is not None else None
    return {
        "way": way or ExplanationWay.PHONE,
        "wishedAt": "" if at is None else at.astimezone(JAPAN).isoformat(),
    }
