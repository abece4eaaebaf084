"""When a supplier's order becomes cost of a project by itself, and why one waits for a person."""

from hashlib import blake2b
from typing import Final, NamedTuple

from pms.rules.channel_words import OrderDoubt
from pms.rules.enumerations import ProjectState
from pms.rules.search_text import fold

_KNOWN_BYTES: Final = 16


class NamedProject(NamedTuple):
    """The project an order names: its state and the id of its building."""

    state: ProjectState
    building_id: str


def doubt_of_order(
    number: int | None, project: NamedProject | None, building_id: str | None, *, is_repeated: bool
) -> OrderDoubt | None:
    """Return why an order waits, nothing when its cost is certain to be the named project's.

    Whoever repeats an order may only have missed the answer to the first one: cost is never
    counted twice by itself. A building that is not the project's contradicts the number.
    """
    if number is None:
        return OrderDoubt.NO_NUMBER
    if project is None:
        return OrderDoubt.UNKNOWN_NUMBER
    if project.state is ProjectState.DONE:
        return OrderDoubt.DONE
    if project.state is ProjectState.CANCELLED:
        return OrderDoubt.CANCELLED
    if building_id is not None and building_id != project.building_id:
        return OrderDoubt.ELSEWHERE
    return OrderDoubt.REPEATED if is_repeated else None


def known_order(supplier: str, order_number: str) -> str:
    """What tells the orders of suppliers apart, however supplier and number were typed.

    Neither width, case, blanks nor the kind of a dash make another order of it.
    """
    # Folded texts have no end that is known, so their digest is what is looked up.
    typed = "\n".join("".join(fold(text).split()) for text in (supplier, order_number))
    return blake2b(typed.encode(), digest_size=_KNOWN_BYTES).hexdigest()
