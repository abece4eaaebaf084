"""What a tap on a card is answered with: the card as it stands now, the counts, the way back."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import Response

from pms.foundation.prepared_writing import Writing
from pms.rules.enumerations import TaskState
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.who import learn_names
from pms.surfaces.dashboard.work.place import LIST, Place, asked_filters, asked_place, reach
from pms.surfaces.enumeration_words import word
from pms.surfaces.here import asked_here
from pms.surfaces.hypermedia import UNACCEPTED, Undo, go, is_part, page_or_block
from pms.surfaces.page_phrases import gettext as _
from pms.upkeep.move_task import MovedTask
from pms.upkeep.task_cards import TaskCard, task_card
from pms.upkeep.task_counts import task_counts
from pms.upkeep.task_filter import TaskFilter

_TEMPLATE = "dashboard/work/moved.html"


class Standing(NamedTuple):
    """What the board shows after a tap: one card, and how many stand in each column."""

    place: Place
    card: TaskCard
    counts: Mapping[TaskState, int]


def is_from_the_board() -> bool:
    """Whether a card of the board or of a list was tapped, to which the answer returns."""
    return "view" in asked_here().args


def is_of_all(place: Place) -> bool:
    """Whether the counts are those of all tasks, which takes no question made up on the way."""
    return place.view != LIST and not place.filters and reach().is_everything


def as_it_stands(session: Writing, task_id: str, place: Place) -> Standing:
    """Read what is shown of a task; a tap reads it in the session that moved the card.

    Another session would cost as much as the questions, and might see a later tap already.
    """
    met = reach()
    card = task_card(session, task_id, met)
    if card.assignee_id:
        learn_names(session)
    counts = task_counts(session, met, _asked(place), today()) if is_part() else {}
    return Standing(place, card, counts)


def moved(task: MovedTask, standing: Standing) -> Response:
    """Answer with the card and the counts of the columns, or go back to where the card stood."""
    place, card = standing.place, standing.card
    said = _("%(task)s: %(state)s", task=_named(card), state=word(card.state))
    undo = _way_back(place, task) if task.is_changed else None
    if not is_part():
        return go(_back_to(place, task.id), said=said, undo=undo)
    return _shown(standing, said=said, undo=undo)


def not_moved(task_id: str, problem: str) -> Response:
    """Answer with the card as somebody else left it, and why the tap did nothing (422)."""
    standing = as_it_stands(reading(), task_id, asked_place())
    if not is_part():
        return go(_back_to(standing.place, task_id), said=problem)
    response = _shown(standing, problem=problem)
    response.status_code = UNACCEPTED
    return response


def _shown(
    standing: Standing,
    *,
    said: str | None = None,
    undo: Undo | None = None,
    problem: str | None = None,
) -> Response:
    return page_or_block(
        _TEMPLATE,
        "moved",
        card=standing.card,
        place=standing.place,
        counts=standing.counts,
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
