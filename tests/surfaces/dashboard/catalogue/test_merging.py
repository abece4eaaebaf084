"""Three-way merging: every way in which what was shown, typed and saved meanwhile can differ."""

from collections.abc import Iterator
from itertools import product

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision
from pms.foundation.work import Work
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import ChoiceField, FlagField, LongTextField, TextField, YenField
from tests.cast import Cast

WORDS = ("a", "b", "c")
SUBJECT = ("unit", "0" * 32)


class ThingForm(Form):
    """A field of every kind that may differ."""

    name = TextField("Name")
    note = LongTextField("Note")
    kind = ChoiceField("Kind", choices=[("", "None"), ("a", "A"), ("b", "B"), ("c", "C")])
    price = YenField("Price")
    vacant = FlagField("Open")


@pytest.fixture
def work(app: Flask, database: Database, clock: FixedClock, cast: Cast) -> Iterator[Work]:
    with (
        app.test_request_context("/?lang=en"),
        database.reading(cast.sumida.workspace_id) as session,
    ):
        yield Work(session, clock, "staff")


def sent(was: dict[str, str], typed: dict[str, str], version: int = 1, **more: str) -> Edit:
    """The edit as it comes back from a page that showed `was`."""
    seen = {f"was.{name}": text for name, text in was.items()}
    given = MultiDict({**seen, "version": str(version), **more})
    return Edit.from_typed(ThingForm(MultiDict(typed)), given)


def saved(version: int, **data: object) -> Edit:
    return Edit.of(ThingForm(data=data), version)


@pytest.mark.parametrize(("was", "mine", "theirs"), list(product(WORDS, WORDS, WORDS)))
def test_a_field_merges_unless_both_changed_it_differently(
    work: Work, was: str, mine: str, theirs: str
) -> None:
    edit = sent({"name": was}, {"name": mine})
    now = saved(2, name=theirs)
    if was in (mine, theirs) or mine == theirs:
        edit.merge(work, now, subject=SUBJECT)
        assert edit.form["name"].data == (theirs if mine == was else mine)
    else:
        with pytest.raises(Collision):
            edit.merge(work, now, subject=SUBJECT)
        (clash,) = edit.clashes
        assert (clash.mine, clash.theirs, edit.form["name"].data) == (mine, theirs, mine)


def test_an_edit_of_the_newest_version_is_left_as_it_is(work: Work) -> None:
    edit = sent({"name": "a"}, {"name": "b"})
    edit.merge(work, saved(1, name="c"), subject=SUBJECT)
    assert edit.form["name"].data == "b"


def test_every_kind_of_field_is_compared_by_what_it_means(work: Work) -> None:
    was = {"name": "a", "note": "one\ntwo", "kind": "a", "price": "93000", "vacant": "1"}
    typed = {**was, "note": "one\r\ntwo", "price": "９３，０００", "vacant": "y"}
    edit = sent(was, typed)
    now = saved(2, name="a", note="three", kind="b", price=88_000, vacant=False)
    edit.merge(work, now, subject=SUBJECT)
    held = edit.form.data
    assert held == {"name": "a", "note": "three", "kind": "b", "price": 88_000, "vacant": False}
    assert edit.message("Saved.").endswith("Note, Kind, Price, Open.")


def test_what_both_changed_is_shown_as_a_person_reads_it(work: Work) -> None:
    was = {"kind": "a", "price": "1"}
    edit = sent(was, {"kind": "b", "price": "86000"})
    with pytest.raises(Collision):
        edit.merge(work, saved(2, kind="c", price=88_000), subject=SUBJECT)
    lines = [(clash.label, clash.mine, clash.theirs) for clash in edit.clashes]
    assert lines == [("Kind", "B", "C"), ("Price", "¥86,000", "¥88,000")]


@pytest.mark.parametrize(("answer", "kept"), [("mine", "b"), ("theirs", "c")])
def test_a_choice_settles_it(work: Work, answer: str, kept: str) -> None:
    chosen = {"choose": "name", "keep.name": answer}
    edit = sent({"name": "c"}, {"name": "b"}, version=2, **chosen)
    edit.merge(work, saved(2, name="c"), subject=SUBJECT)
    assert edit.form["name"].data == kept


@pytest.mark.parametrize("answer", ["", "both"])
def test_without_a_choice_it_stays_open(work: Work, answer: str) -> None:
    chosen = {"choose": "name", "keep.name": answer}
    edit = sent({"name": "c"}, {"name": "b"}, version=2, **chosen)
    with pytest.raises(Collision):
        edit.merge(work, saved(2, name="c"), subject=SUBJECT)


def test_a_form_carries_its_choices_on_while_something_else_is_wrong(
    work: Work,
) -> None:
    edit = sent({"name": "c"}, {"name": "b"}, version=2, **{"choose": "name", "keep.name": "mine"})
    carried = dict(edit.hidden_fields())
    assert carried == {"version": "2", "was.name": "c", "choose": "name", "keep.name": "mine"}


@pytest.mark.parametrize("version", ["", "x", "-1", "1e3", "9" * 30, "２"])
def test_a_version_nobody_saw_is_an_old_one(work: Work, version: str) -> None:
    edit = Edit.from_typed(ThingForm(MultiDict({"name": "b"})), MultiDict({"version": version}))
    with pytest.raises(Collision):
        edit.merge(work, saved(2, name="c"), subject=SUBJECT)
