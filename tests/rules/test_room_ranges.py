"""Rooms written as a list with ranges, and rooms that file names speak of."""

import pytest

from pms.rules.room_names import MOST_ROOMS, next_room, read_room_names, room_in_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("101–103, 201", "101 102 103 201"),
        ("１０１〜１０３、２０１", "101 102 103 201"),
        ("A101-A103", "A101 A102 A103"),
        ("A101 - 103", "A101 A102 A103"),
        ("08-11", "08 09 10 11"),
        ("101号室~102号室", "101号室 102号室"),
        ("101-102号室", "101号室 102号室"),
        ("A-1, A-2", "A-1 A-2"),
        ("101-102, 102", "101 102"),
        ("離れ", "離れ"),
        ("99-101", "99 100 101"),
        ("101-101", "101"),
        (f"1-{MOST_ROOMS}", " ".join(map(str, range(1, MOST_ROOMS + 1)))),
        ("", ""),
    ],
)
def test_a_list_with_ranges_names_each_room_once(text: str, names: str) -> None:
    assert read_room_names(text) == (tuple(names.split()), None)


@pytest.mark.parametrize(
    "part", ["110-101", "102-101", "A1-B9", f"1-{MOST_ROOMS + 1}", f"1-{MOST_ROOMS}"]
)
def test_what_is_no_range_is_named(part: str) -> None:
    assert read_room_names(f"301, {part}").unread == part


@pytest.mark.parametrize(
    ("name", "taken", "following"),
    [
        ("101", "", "102"),
        ("101", "102 103", "104"),
        ("A-09", "", "A-10"),
        ("099", "", "100"),
        ("009", "010", "011"),
        ("9号室", "", "10号室"),
        ("B2-1F", "", "B2-2F"),
        ("1", " ".join(map(str, range(2, MOST_ROOMS + 1))), str(MOST_ROOMS + 1)),
        ("1", " ".join(map(str, range(2, MOST_ROOMS + 2))), ""),
        ("離れ", "", ""),
    ],
)
def test_the_next_room_counts_on_from_the_last_number(
    name: str, taken: str, following: str
) -> None:
    assert next_room(name, taken.split()) == following


@pytest.mark.parametrize(
    ("name", "room"),
    [
        ("203_kitchen.jpg", "203"),
        ("カワセミ荘203号室(2).JPG", "203"),
        ("room-203-1.webp", "203"),
        ("B203.png", "203"),
        ("a-1.png", "A-1"),
        ("IMG_2034.jpg", None),
        ("101と203.jpg", None),
    ],
)
def test_a_file_name_speaks_of_one_room_or_of_none(name: str, room: str | None) -> None:
    rooms = {one: one for one in ("101", "203", "A-1")}
    assert room_in_name(name, rooms) == room
