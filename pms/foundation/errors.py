"""The refusals a use case may answer with; each surface maps them to its own words once."""

import re
from collections.abc import Mapping
from typing import Final, Self

from pms.foundation.phrases import Bilingual, Phrase, Value, as_phrase, filled

_PREFIX: Final = re.compile(r"([a-z{][\w.\[\]{}]*): ")
_FIELD: Final = re.compile(r"[a-z]\w*(\[\d+\])?(\.[a-z]\w*(\[\d+\])?)*")


class Problem(Exception):
    """A refusal with a sentence a person can act on, kept as its template and what fills it.

    The template is a literal of English: "moveOutDate: {day} is past." Programs and operators
    read `message`, the finished English; pages translate `sentence`, the template without the
    name of the field, and fill it in the language of the reader. A sentence that comes in both
    languages already is `wording`.
    """

    wording: Bilingual | None = None

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values: Mapping[str, Value] = values
        self.message = filled(template, values)
        super().__init__(self.message)

    @property
    def field(self) -> str | None:
        """The name of the field at fault, `moveOutDate` or `deductions[0].label`, if one is named."""
        prefix = prefix_of(self.template)
        if not prefix:
            return None
        field = filled(prefix.removesuffix(": "), self.values)
        return field if _FIELD.fullmatch(field) else None

    @property
    def sentence(self) -> str:
        """The template without the name of the field."""
        return self.template.removeprefix(prefix_of(self.template))

    @property
    def as_part(self) -> Phrase:
        """The sentence as a part of that of another refusal."""
        return as_phrase(self.sentence, self.values)

    def beside(self, field: str) -> Self:
        """Return the same refusal about a field of the form that asked."""
        return type(self)(f"{field}: {self.sentence}", **self.values)


def prefix_of(template: str) -> str:
    """Return what names the field at the beginning of a template, with its colon; else nothing."""
    found = _PREFIX.match(template)
    return found.group() if found else ""


class Refused(Problem):
    """Validation or a business rule says no (400)."""


class Unauthenticated(Problem):
    """No credential, or one that resolves to nobody (401)."""


class ScopeLacking(Problem):
    """The credential is known but may not do this (403)."""


class NotFound(Problem):
    """No such record here; another workspace's record counts as none (404)."""


def no_such(thing: str, asked: str | None = None) -> NotFound:
    """Return the refusal of a thing that is not there; `asked` is the id or name it was asked by.

    The thing is a noun in English as a literal; the catalogues hold its word in Japanese.
    """
    if asked is None:
        return NotFound("There is no such {thing}.", thing=as_phrase(thing, {}))
    return NotFound("There is no {thing} '{id}'.", thing=as_phrase(thing, {}), id=asked[:60])


class Collision(Problem):
    """A unique field meets an existing record (409)."""


class TooMany(Problem):
    """The budget is spent (429)."""

    def __init__(self, template: str, /, retry_after_seconds: int, **values: Value) -> None:
        super().__init__(template, retry_after_seconds=retry_after_seconds, **values)
        self.retry_after_seconds = retry_after_seconds
