"""Changes what a person is called and which language they are written to in."""

from sqlalchemy.orm import Session

from pms.access.add_member import checked_name
from pms.access.models import Person
from pms.foundation.errors import Refused

LOCALES = ("ja", "en")


def change_profile(session: Session, person_id: str, *, name: str, locale: str) -> Person:
    """Return the person as they now are; raise `Refused` for no name or an unknown language."""
    if locale not in LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=locale[:20])
    person = session.get_one(Person, person_id, with_for_update=True)
    person.name, person.locale = checked_name(name), locale
    session.flush()
    return person
