"""Writes a template of contracts: its name and its text in both languages."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import ContractTemplate
from pms.contracts.places import PLACES
from pms.contracts.templates import template_row
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import any_of, listed
from pms.rules.deeds import Deed
from pms.rules.enumerations import LeaseKind
from pms.rules.template_places import unknown_places

_LONGEST_NAME: Final = 120
LONGEST_TEXT: Final = 30_000


def write_template(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    template_id: str | None,
    name: str,
    body_ja: str,
    body_en: str,
    lease_kind: str = LeaseKind.FIXED_TERM,
    version: int = 0,
) -> str:
    """Write a template, a new one without an id, and return its id; the first is the default.

    Documents that were issued keep their text. Raises `Refused` for a text with places nobody
    fills, and `Collision` when somebody wrote it since that version was seen.
    """
    name, texts = checked_name(name), checked_texts(body_ja, body_en)
    kind = checked_lease_kind(lease_kind)
    if template_id is None:
        is_first = session.scalar(select(ContractTemplate.id).limit(1)) is None
        row = ContractTemplate(id=new_id(), is_default=is_first, version=0)
        session.add(row)
    else:
        row = template_row(session, template_id)
        if row.version != version:
            raise Collision(
                "version: somebody else wrote this template meanwhile: look at it again."
            )
    row.name, row.body_ja, row.body_en = name, *texts
    row.lease_kind = kind
    row.updated_at, row.updated_by = clock.now(), actor
    row.version += 1
    about, told = (
        ("contract_template", row.id),
        {"name": name, "lease_kind": kind, "version": row.version},
    )
    note_deed(session, clock, actor, Deed.CONTRACT_TEMPLATE_WRITTEN, about, after=told)
    session.flush()
    return row.id


def checked_name(name: str) -> str:
    """Return a template's name, or raise `Refused`."""
    name = " ".join(name.split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise Refused(
            "name: 1 to {most_characters} characters are allowed.", most_characters=_LONGEST_NAME
        )
    return name


def checked_lease_kind(lease_kind: str) -> LeaseKind:
    """Return the kind of a lease, or raise `Refused`."""
    if lease_kind not in list(LeaseKind):
        raise Refused(
            "leaseKind: '{kind}' is no kind of lease; {allowed} are.",
            kind=lease_kind[:20],
            allowed=any_of(list(LeaseKind)),
        )
    return LeaseKind(lease_kind)


def checked_texts(body_ja: str, body_en: str) -> tuple[str, str]:
    """Return the texts in both languages, or raise `Refused`; one may be missing, not both."""
    if not body_ja.strip() and not body_en.strip():
        raise Refused("bodyJa: write the text in one language at least.")
    return _text("bodyJa", body_ja), _text("bodyEn", body_en)


def _text(field: str, text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_TEXT:
        raise Refused(
            "{field}: {found_characters} characters are more than {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=LONGEST_TEXT,
        )
    unknown = unknown_places(text, PLACES)
    if unknown:
        raise Refused(
            "{field}: there is no place {places}; the list below names those there are.",
            field=field,
            places=listed(f"'{name[:60]}'" for name in unknown[:5]),
        )
    return text
