"""Pictures are hung, described, put in order, taken down and hung again."""

import pytest
from sqlalchemy import select

from pms.catalogue.models import Photo
from pms.catalogue.photo_sizes import SizedPhoto
from pms.catalogue.photos import (
    MOST_PHOTOS,
    add_photo,
    describe_photo,
    move_photo,
    photos_in_order,
    put_back_photo,
    remove_photo,
)
from pms.foundation.audit import audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from tests.cast import Cast
from tests.catalogue.conftest import ACTOR

SIZED = SizedPhoto(1600, 1200, {"400": f"{'a' * 64}.webp", "1600": f"{'b' * 64}.webp"})


class Wall:
    """The pictures of the free room."""

    def __init__(self, session: WorkspaceSession, clock: FixedClock, unit_id: str) -> None:
        self.session, self.clock = session, clock
        self.subject = ("unit", unit_id)

    def hang(self, name: str = "") -> str:
        return add_photo(
            Work(self.session, self.clock, ACTOR), subject=self.subject, sized=SIZED, alt_en=name
        )

    def names(self) -> list[str]:
        return [photo.alt_en for photo in photos_in_order(self.session, self.subject)]

    def move(self, photo_id: str, places: int) -> None:
        move_photo(Work(self.session, self.clock, ACTOR), photo_id=photo_id, places=places)


@pytest.fixture
def wall(session: WorkspaceSession, clock: FixedClock, cast: Cast) -> Wall:
    return Wall(session, clock, cast.sumida.free_room_id)


def test_each_picture_hangs_behind_the_last(wall: Wall) -> None:
    for name in ("a", "b", "c"):
        wall.hang(name)
    assert wall.names() == ["a", "b", "c"]


def test_a_picture_moves_as_far_as_there_are_places(wall: Wall) -> None:
    first, _, last = (wall.hang(name) for name in ("a", "b", "c"))
    wall.move(last, -1)
    assert wall.names() == ["a", "c", "b"]
    wall.move(first, 9)
    assert wall.names() == ["c", "b", "a"]
    wall.move(last, -9)
    assert wall.names() == ["c", "b", "a"]
    assert audit_events(wall.session, audit_event=AuditEvent.PHOTOS_ORDERED).total == 2


def test_a_picture_taken_down_by_mistake_hangs_where_it_was(wall: Wall) -> None:
    _, middle, _ = (wall.hang(name) for name in ("a", "b", "c"))
    remove_photo(Work(wall.session, wall.clock, ACTOR), photo_id=middle)
    assert wall.names() == ["a", "c"]
    put_back_photo(Work(wall.session, wall.clock, ACTOR), photo_id=middle)
    assert wall.names() == ["a", "b", "c"]
    back = wall.session.scalars(select(Photo).where(Photo.id == middle)).one()
    assert (back.files, back.width) == (SIZED.files, 1600)
    with pytest.raises(NotFound):
        put_back_photo(Work(wall.session, wall.clock, ACTOR), photo_id=middle)


def test_a_picture_is_described_and_a_stale_description_collides(wall: Wall) -> None:
    photo_id = wall.hang()
    for version in (1, 1):
        words = {"alt_ja": "窓", "alt_en": f"Window {version}"}
        if wall.names() == [""]:
            describe_photo(
                Work(wall.session, wall.clock, ACTOR), photo_id=photo_id, version=version, **words
            )
        else:
            with pytest.raises(Collision):
                describe_photo(
                    Work(wall.session, wall.clock, ACTOR),
                    photo_id=photo_id,
                    version=version,
                    **words,
                )


def test_there_is_an_end_to_pictures(wall: Wall) -> None:
    for _ in range(MOST_PHOTOS):
        wall.hang()
    with pytest.raises(Refused, match=r"^photo: "):
        wall.hang()


def test_another_workspace_has_no_wall_here(wall: Wall, cast: Cast) -> None:
    foreign = Wall(wall.session, wall.clock, cast.minato.free_room_id)
    with pytest.raises(NotFound):
        foreign.hang()
    with pytest.raises(NotFound):
        remove_photo(Work(wall.session, wall.clock, ACTOR), photo_id=cast.minato.photo_id)
    with pytest.raises(NotFound):
        put_back_photo(Work(wall.session, wall.clock, ACTOR), photo_id=cast.minato.photo_id)
