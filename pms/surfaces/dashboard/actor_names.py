"""The names of the actors of rows and audit events, and what a run is about."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Final

from flask import Flask, g
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _

from pms.access.keys import key_names
from pms.access.members import staff_names
from pms.foundation.phrases import Bilingual
from pms.foundation.runs import Run
from pms.foundation.tenancy import WorkspaceSession
from pms.reservations.residents import subject_names
from pms.rules.days import month_last
from pms.rules.enumerations import RunKind
from pms.surfaces.dashboard.gate import current_member, reading
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import month, plain_day
from pms.surfaces.labels.refusals import NAMES
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.share_links import contractor_names


def install(app: Flask) -> None:
    """Register the filters `actor_name`, `run_label` and `run_subject` for templates."""
    app.jinja_env.filters.update(
        actor_name=actor_name, run_label=run_label, run_subject=run_subject
    )
    app.extensions[NAMES] = actor_name


def actor_name(actor: str | None) -> str:
    """Return the name of an actor that is stored as `kind/id`."""
    kind, slash, id_ = (actor or "").partition("/")
    if not slash or kind not in _KINDS:
        return str(_("System")) if actor else "–"
    named, unnamed = _KINDS[kind]
    return (named(id_) if named else None) or str(unnamed)


def learn_names(session: WorkspaceSession) -> None:
    """Read the names of the staff in a session that is already open."""
    if "staff_names" not in g:
        g.staff_names = staff_names(session)


def run_label(kind: str) -> str:
    """Return the label of a kind of run."""
    return label_of(RunKind(kind)) if kind in list(RunKind) else kind


_OF_A_FILE: Final = (RunKind.IMPORT, RunKind.TAKEOVER, RunKind.STATEMENT, RunKind.UNDOING)


def run_subject(run: Run) -> str:
    """Return what a run is about.

    That is the label of a charge for many, the file of an import, of its undoing or of a take-over,
    the month or the day of a billing, else the subject.
    """
    if run.kind in _OF_A_FILE:
        return str(run.asked.get("file") or run.subject)
    if run.kind in (RunKind.EXPORT, RunKind.PLACING):
        return ""
    if re.fullmatch(r"\d{4}-\d{2}", run.subject):
        return month(date.fromisoformat(f"{run.subject}-01"))
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", run.subject):
        on = date.fromisoformat(run.subject)
        is_whole = run.kind == RunKind.BILLING and on == month_last(on)
        return month(on) if is_whole else plain_day(on)
    label = run.asked.get("label") if run.kind == RunKind.CHARGES else None
    return Bilingual(*label).in_language(chosen_language()) or "" if label else run.subject


def _read_staff_names() -> Mapping[str, str]:
    # Read once per request: a list names the same few people on every line.
    if "staff_names" not in g:
        learn_names(reading())
    names: Mapping[str, str] = g.staff_names
    return names


def _read_contractor_names() -> Mapping[str, str]:
    if "contractor_names" not in g:
        g.contractor_names = contractor_names(reading())
    names: Mapping[str, str] = g.contractor_names
    return names


def _read_key_names() -> Mapping[str, str]:
    if "key_names" not in g:
        g.key_names = key_names(reading())
    names: Mapping[str, str] = g.key_names
    return names


def learn_resident_names(actors: Iterable[str]) -> None:
    """Read the names of the residents among actors, in one query for those not read before."""
    known: dict[str, str | None] = g.setdefault("resident_names", {})
    subjects = [
        ("reservation", id_)
        for kind, _, id_ in (actor.partition("/") for actor in actors)
        if kind == "reservation" and id_ not in known
    ]
    if not subjects:
        return
    names = subject_names(reading(), subjects)
    for subject in subjects:
        name = names.get(subject)
        known[subject[1]] = name.in_language(chosen_language()) if name else None


def _find_resident_name(reservation_id: str) -> str | None:
    # Only office staff read a resident's name; everybody else reads "A resident".
    if not current_member().is_office:
        return None
    learn_resident_names([f"reservation/{reservation_id}"])
    known: dict[str, str | None] = g.resident_names
    return known[reservation_id]


_Named = Callable[[str], str | None]
_KINDS: Final[Mapping[str, tuple[_Named | None, LazyString]]] = {
    "person": (lambda id_: _read_staff_names().get(id_), lazy_gettext("Former member")),
    "contractor": (lambda id_: _read_contractor_names().get(id_), lazy_gettext("A contractor")),
    "reservation": (_find_resident_name, lazy_gettext("A resident")),
    "applicant": (None, lazy_gettext("An applicant")),
    "owner": (None, lazy_gettext("An owner")),
    "key": (lambda id_: _read_key_names().get(id_), lazy_gettext("An API key")),
}
