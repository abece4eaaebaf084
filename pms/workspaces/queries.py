"""Queries of workspaces and their figures."""

from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from pms.foundation.errors import no_such
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, asked_once
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.workspaces.models import PolicyRow, Workspace
from pms.workspaces.slugs import is_of_slug

_POLICY = PreparedInWorkspace(select(*(getattr(PolicyRow, field.name) for field in fields(Policy))))


def all_workspaces(session: Session) -> Sequence[Workspace]:
    """Return every workspace by slug; the session reads across workspaces."""
    return session.scalars(select(Workspace).order_by(Workspace.slug)).all()


def workspace_id_of(session: Session, slug: str) -> str:
    """Return the id of the workspace that has, or had, a slug; raise `NotFound` for an unknown one."""
    workspace_id = session.scalar(select(Workspace.id).where(is_of_slug(slug)))
    if workspace_id is None:
        raise no_such("workspace", slug)
    return workspace_id


def policy(session: Session) -> Policy:
    """Return the policy of the session's workspace, with defaults where it set none."""
    return asked_once(session, _read_policy)


def _read_policy(session: Session) -> Policy:
    figures = _POLICY.all(session)
    return Policy(*figures[0]) if figures else DEFAULT_POLICY


def counters(session: Session, *names: str) -> tuple[tuple[int, ...], ...]:
    """Return the workspace's counters, or those of all where the session reads all.

    While they are unchanged, so is everything derived from the rows that increment them.
    """
    rows = asked_once(session, _read_counters)
    return tuple(tuple(getattr(row, name) for name in names) for row in rows)


def _read_counters(session: Session) -> Sequence[Row[int, int, int]]:
    columns = (getattr(Workspace, name) for name in (CATALOGUE, OCCUPANCY, LEDGER))
    return session.execute(select(*columns).order_by(Workspace.id)).all()


class Branding(NamedTuple):
    """A workspace's appearance; the hue in degrees."""

    slug: str
    name: Bilingual
    default_locale: str
    hue: int
    is_sample: bool


def branding(session: Session) -> Branding:
    """Return the appearance of the session's workspace."""
    row = session.scalars(select(Workspace)).one()
    name = Bilingual(row.name, row.name_en)
    return Branding(row.slug, name, row.default_locale, row.brand_hue, row.sample_of is not None)


class SettingsRecord(NamedTuple):
    """A workspace's facts and policy figures, with the version of each."""

    name: str
    name_en: str | None
    slug: str
    default_locale: str
    brand_hue: int
    qualified_invoice_number: str | None
    bank_details: str | None
    postcode: str | None
    address: str | None
    logo_file_key: str | None
    version: int
    policy: Policy
    policy_version: int


def settings_record(session: Session) -> SettingsRecord:
    """Return the settings of the session's workspace; policy figures not set are the defaults."""
    row = session.scalars(select(Workspace)).one()
    policy_version = session.scalar(select(PolicyRow.version))
    return SettingsRecord(
        row.name,
        row.name_en,
        row.slug,
        row.default_locale,
        row.brand_hue,
        row.qualified_invoice_number,
        row.bank_details,
        row.postcode,
        row.address,
        row.logo_file_key,
        row.version,
        policy(session),
        policy_version or 1,
    )
