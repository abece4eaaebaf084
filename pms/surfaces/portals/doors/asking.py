"""Has a code mailed to a screen of a portal, and remembers when it was asked for."""

from datetime import timedelta

from pms.access.code_digits import Screen
from pms.access.request_code import request_code
from pms.surfaces.code_screens import note_asked
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import write_of_people
from pms.surfaces.visitor import visitor


def request_code_for(number: str, bound_to: Screen) -> timedelta:
    """Ask for a code; return how long to wait where too many were asked for."""
    asked = write_of_people(
        lambda session: request_code(
            session, clock(), bound_to, visitor=visitor(bound_to.address), locale=chosen_language()
        )
    )
    again_at = asked.asked_at + asked.wait if asked.wait else None
    note_asked(number, asked.asked_at, again_at)
    return asked.wait
