"""The refusals a use case may raise; each surface maps them to its responses in one place."""

import re
from collections.abc import Mapping
from typing import Final, Self

from pms.foundation.phrases import Bilingual, Phrase, Value, as_phrase, fill_template

_PREFIX: Final = re.compile(r"([a-z{][\w.\[\]{}]*): ")
_FIELD: Final = re.compile(r"[a-z]\w*(\[\d+\])?(\.[a-z]\w*(\[\d+\])?)*")


class Problem(Exception):
    """A refusal with a sentence a person can act on, stored as its template and values.

    The template is an English literal: "moveOutDate: {day} is past." API clients and operators read
    `message`, the formatted English; pages translate `sentence`, the template without the field's
    name, and format it in the reader's language. A sentence that is given in both languages is
    `wording`.
    """

    wording: Bilingual | None = None

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values: Mapping[str, Value] = values
        self.message = fill_template(template, values)
        super().__init__(self.message)

    @property
    def field(self) -> str | None:
        """The name of the field at fault, such as `moveOutDate` or `deductions[0].label`."""
        prefix = prefix_of(self.template)
        if not prefix:
            return None
        field = fill_template(prefix.removesuffix(": "), self.values)
        return field if _FIELD.fullmatch(field) else None

    @property
    def sentence(self) -> str:
        """The template without the field's name."""
        return self.template.removeprefix(prefix_of(self.template))

    @property
    def as_part(self) -> Phrase:
        """The sentence as a phrase for use in another refusal."""
        return as_phrase(self.sentence, self.values)

    def beside(self, field: str) -> Self:
        """Return the same refusal with the name of the submitted form's field."""
        return type(self)(f"{field}: {self.sentence}", **self.values)


def prefix_of(template: str) -> str:
    """Return the field's name and colon at the beginning of a template; empty without one."""
    found = _PREFIX.match(template)
    return found.group() if found else ""


class Refused(Problem):
    """Validation or a business rule refuses the request (400)."""


class Unauthenticated(Problem):
    """No credential, or an unknown one (401)."""


class ScopeLacking(Problem):
    """The credential is known but lacks the scope or role (403)."""


class NotFound(Problem):
    """No such record in this workspace; records of other workspaces are not found either (404)."""


def whole_number(field: str, value: object, least: int, most: int) -> int:
    """Return the value; raise `Refused` unless it is a whole number within its bounds."""
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=str(value)[:20],
            least=least,
            most=most,
        )
    return value


def no_such(thing: str, asked: str | None = None) -> NotFound:
    """Return the `NotFound` of a missing thing; `asked` is the id or name that was requested.

    `thing` is an English noun as a literal; the catalogues hold its Japanese word.
    """
    if asked is None:
        return NotFound("There is no such {thing}.", thing=as_phrase(thing, {}))
    return NotFound("There is no {thing} '{id}'.", thing=as_phrase(thing, {}), id=asked[:60])


class Collision(Problem):
    """A unique value is already taken, or another change came first (409)."""


class StoredUnreadable(Collision):
    """What is stored is in a form that this release does not know (409).

    A newer release wrote it, or a hand in the database. Nothing is guessed from it.
    """


def unreadable_stored() -> StoredUnreadable:
    """Return the refusal of what is stored and cannot be read, with who can act."""
    return StoredUnreadable(
        "This is stored in a form that this version of the program cannot read. The administrator "
        "of the server must install the version that wrote it, or restore it from a backup."
    )


class TooMany(Problem):
    """The request budget is spent (429)."""

    def __init__(self, template: str, /, retry_after_seconds: int, **values: Value) -> None:
        super().__init__(template, retry_after_seconds=retry_after_seconds, **values)
        self.retry_after_seconds = retry_after_seconds
