"""Templates of contracts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import PLACES
from pms.contracts.models import ContractTemplate
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import any_of, join_with_commas
from pms.foundation.versions import asked_once
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import LeaseKind
from pms.rules.template_places import unknown_places


class ContractTemplateRecord(NamedTuple):
    """One template with its texts."""

    id: str
    name: str
    body_ja: str
    body_en: str
    lease_kind: LeaseKind
    is_default: bool
    updated_at: datetime
    updated_by: str
    archived_at: datetime | None
    version: int


def contract_templates(session: Session) -> Sequence[ContractTemplateRecord]:
    """Return the templates, the default one first, archived ones last."""
    return asked_once(session, _contract_templates)


def _contract_templates(session: Session) -> Sequence[ContractTemplateRecord]:
    rows = session.scalars(select(ContractTemplate).order_by(ContractTemplate.name)).all()
    order = sorted(rows, key=lambda row: (row.archived_at is not None, not row.is_default))
    return [_build_record(row) for row in order]


def contract_template(session: Session, template_id: str) -> ContractTemplateRecord:
    """Return one template; raise `NotFound` for an unknown id."""
    return _build_record(locked(session, ContractTemplate, template_id))


def _build_record(row: ContractTemplate) -> ContractTemplateRecord:
    return ContractTemplateRecord(
        row.id,
        row.name,
        row.body_ja,
        row.body_en,
        row.lease_kind,
        row.is_default,
        row.updated_at,
        row.updated_by,
        row.archived_at,
        row.version,
    )


def archive_template(work: Work, *, template_id: str, is_archived: bool = True) -> str:
    """Archive or restore a template and return its name; a repetition changes nothing.

    When the default one is archived, the built-in text is used until another one is made the
    default.
    """
    row = locked(work.session, ContractTemplate, template_id)
    if (row.archived_at is not None) == is_archived:
        return row.name
    row.archived_at = work.clock.now() if is_archived else None
    row.is_default = False
    about, facts = ("contract_template", row.id), {"name": row.name, "is_archived": is_archived}
    note_audit_event(work, AuditEvent.CONTRACT_TEMPLATE_ARCHIVED, about, after=facts)
    work.session.flush()
    return row.name


def choose_template(work: Work, *, template_id: str) -> str:
    """Make a template the default one and return its name; raise `Refused` for an archived one."""
    row = locked(work.session, ContractTemplate, template_id)
    if row.archived_at is not None:
        raise Refused("An archived template cannot be the default.")
    others = select(ContractTemplate).where(ContractTemplate.is_default).with_for_update()
    for other in work.session.scalars(others):
        other.is_default = other.id == row.id
    row.is_default = True
    about, facts = ("contract_template", row.id), {"name": row.name, "is_default": True}
    note_audit_event(work, AuditEvent.CONTRACT_TEMPLATE_WRITTEN, about, after=facts)
    work.session.flush()
    return row.name


_LONGEST_NAME: Final = 120
LONGEST_TEXT: Final = 30_000


def write_template(
    work: Work,
    *,
    template_id: str | None,
    name: str,
    body_ja: str,
    body_en: str,
    lease_kind: str = LeaseKind.FIXED_TERM,
    version: int = 0,
) -> str:
    """Create (without an id) or change a template; return its id. The first is the default.

    Issued documents keep their text. Raises `Refused` for a text with unknown places, and
    `Collision` when the template was changed since `version`.
    """
    name, texts = check_name(name), check_texts(body_ja, body_en)
    kind = check_lease_kind(lease_kind)
    if template_id is None:
        is_first = work.session.scalar(select(ContractTemplate.id).limit(1)) is None
        row = ContractTemplate(id=new_id(), is_default=is_first, version=0)
        work.session.add(row)
    else:
        row = locked(work.session, ContractTemplate, template_id)
        if row.version != version:
            raise Collision(
                "version: a colleague changed this template in the meantime. Check it again."
            )
    row.name, row.body_ja, row.body_en = name, *texts
    row.lease_kind = kind
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    row.version += 1
    about, facts = (
        ("contract_template", row.id),
        {"name": name, "lease_kind": kind, "version": row.version},
    )
    note_audit_event(work, AuditEvent.CONTRACT_TEMPLATE_WRITTEN, about, after=facts)
    work.session.flush()
    return row.id


def check_name(name: str) -> str:
    """Return the checked name of a template; raise `Refused`."""
    name = " ".join(name.split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise Refused(
            "name: enter 1 to {most_characters} characters.", most_characters=_LONGEST_NAME
        )
    return name


def check_lease_kind(lease_kind: str) -> LeaseKind:
    """Return the checked kind of a lease; raise `Refused`."""
    if lease_kind not in list(LeaseKind):
        raise Refused(
            "leaseKind: '{kind}' is not a kind of lease. Choose {allowed}.",
            kind=lease_kind[:20],
            allowed=any_of(list(LeaseKind)),
        )
    return LeaseKind(lease_kind)


def check_texts(body_ja: str, body_en: str) -> tuple[str, str]:
    """Return the checked texts; raise `Refused` when both are missing."""
    if not body_ja.strip() and not body_en.strip():
        raise Refused("bodyJa: write the text in at least one language.")
    return _check_text("bodyJa", body_ja), _check_text("bodyEn", body_en)


def _check_text(field: str, text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_TEXT:
        raise Refused(
            "{field}: this has {found_characters} characters. Enter at most {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=LONGEST_TEXT,
        )
    unknown = unknown_places(text, PLACES)
    if unknown:
        raise Refused(
            "{field}: the placeholder {places} does not exist. See the list below.",
            field=field,
            places=join_with_commas(f"'{name[:60]}'" for name in unknown[:5]),
        )
    return text
