"""The names of everyone who ever worked in a workspace, for telling who did what."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import select

from pms.access.models import Member, Person
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.prepared_writing import Writing

_NAMES: Final = PreparedInWorkspace(
    select(Person.id, Person.name).join(Member, Member.person_id == Person.id)
)


def staff_names(session: Writing) -> Mapping[str, str]:
    """Return names by person, of those who left too."""
    return {row[0]: row[1] for row in _NAMES.all(session)}
