"""What a tap on a card is answered with: the card as it stands now, the counts, the way back."""

from flask import Response, request
from flask_babel import gettext as _

from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.work.place import Place, asked_filters, asked_place, reach
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import UNACCEPTED, Undo, go, is_part, page_or_block
from pms.upkeep.move_task import MovedTask
from pms.upkeep.task_cards import TaskCard, task_card
from pms.upkeep.task_counts import task_counts
from pms.upkeep.task_filter import TaskFilter

_TEMPLATE = "dashboard/work/moved.html"


def is_from_the_board() -> bool:
    """Whether a card of the board or of a list was tapped, to which the answer returns."""
    return "view" in request.args


def moved(task: MovedTask) -> Response:
    """Answer with the card and the counts of the columns, or go back to where the card stood."""
    place = asked_place()
    card = task_card(reading(), task.id, reach())
    said = _("%(task)s: %(state)s", task=_named(card), state=word(card.state))
    undo = _way_back(place, task) if task.is_changed else None
    if not is_part():
        return go(_back_to(place, task.id), said=said, undo=undo)
    return _shown(place, card, said=said, undo=undo)


def not_moved(task_id: str, problem: str) -> Response:
    """Answer with the card as somebody else left it, and why the tap did nothing (422)."""
    place = asked_place()
    card = task_card(reading(), task_id, reach())
    if not is_part():
        return go(_back_to(place, task_id), said=problem)
    response = _shown(place, card, problem=problem)
    response.status_code = UNACCEPTED
    return response


def _shown(
    place: Place,
    card: TaskCard,
    *,
    said: str | None = None,
    undo: Undo | None = None,
    problem: str | None = None,
) -> Response:
    return page_or_block(
        _TEMPLATE,
        "moved",
        card=card,
        place=place,
        counts=task_counts(reading(), reach(), _asked(place), today()),
        today=today(),
        said=said,
        undo=undo,
        problem=problem,
    )


def _asked(place: Place) -> TaskFilter:
    if not place.filters:
        return TaskFilter(on=place.day)
    form = asked_filters()
    form.offer((), ())
    return form.asked(place.day)


def _back_to(place: Place, task_id: str) -> str:
    return f"{place.at()}#task-{task_id}"


def _named(card: TaskCard) -> str:
    return card.title or word(card.kind)


def _way_back(place: Place, task: MovedTask) -> Undo:
    fields = {"state": task.was.value, "moves": str(task.moves)}
    if task.was_reason:
        fields["holdReason"] = task.was_reason.value
    return Undo(place.move(task.id), fields)
