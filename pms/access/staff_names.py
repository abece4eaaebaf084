"""The names of everyone who ever worked in a workspace, for telling who did what."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person


def staff_names(session: Session) -> Mapping[str, str]:
    """Return names by person, of those who left too."""
    rows = session.execute(
        select(Person.id, Person.name).join(Member, Member.person_id == Person.id)
    )
    return {row[0]: row[1] for row in rows}
