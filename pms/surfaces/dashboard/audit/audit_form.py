"""The filters of the audit, as they stand in its address."""

from collections.abc import Iterable
from typing import Any, Final

from flask_babel import lazy_gettext
from wtforms import Form

from pms.foundation.audit import Subject
from pms.rules.deeds import Deed
from pms.surfaces.dashboard.audit.deed_words import DEED_WORDS
from pms.surfaces.dashboard.who import who
from pms.surfaces.fields import ChoiceField, DayField, HiddenField, Optional

PEOPLE: Final = "people"
_PROGRAMS: Final = {
    "worker": lazy_gettext("The program: daily jobs"),
    "command line": lazy_gettext("The program: commands"),
}


class AuditForm(Form):
    """Who, what, when and, by a link, about what."""

    actor = ChoiceField(lazy_gettext("Person"), [Optional()])
    deed = ChoiceField(lazy_gettext("Deed"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    throughOn = DayField(lazy_gettext("Through"), [Optional()])
    subject = HiddenField()

    def offer(self, actors: Iterable[str]) -> None:
        """Fill the lists with whom the audit knows and with every deed."""
        self.actor.choices = [
            ("", lazy_gettext("Everyone")),
            (PEOPLE, lazy_gettext("People only")),
            *((actor, _PROGRAMS.get(actor) or who(actor)) for actor in actors),
        ]
        words = sorted((str(word), deed.value) for deed, word in DEED_WORDS.items())
        self.deed.choices = [
            ("", lazy_gettext("Every deed")),
            *((value, text) for text, value in words),
        ]

    def asked(self) -> dict[str, Any]:
        """Return what a valid form asks the audit."""
        is_by_people = self.actor.data == PEOPLE
        return {
            "actor": None if is_by_people else self.actor.data,
            "is_by_people": is_by_people,
            "deed": Deed(self.deed.data) if self.deed.data else None,
            "from_on": self.fromOn.data,
            "through_on": self.throughOn.data,
            "subject": self.about,
        }

    @property
    def about(self) -> Subject | None:
        """The subject that a link named, `unit/…`."""
        kind, _, id_ = (self.subject.data or "").partition("/")
        return (kind, id_) if kind and id_ else None
