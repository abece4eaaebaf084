"""Reseal everything that is stored sealed with the first of the secret keys."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import func, select

from pms import tables
from pms.access.second_factors import count_unsealed_factors, seal_factors_anew
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.sealing import SealedAnew, not_under, seal_texts_anew, sealed_columns
from pms.workspaces.queries import all_workspaces

TABLES: Final = tables.metadata
"""Imported so that all tables are loaded: sealed values may be in any of them."""


def seal_anew(database: Database) -> Mapping[str, SealedAnew]:
    """Seal what is sealed with another key or unsealed; return the counts by kind.

    It may run while the service works, and again after it was stopped.
    """
    texts = SealedAnew()
    with database.across_workspaces_reading() as session:
        workspace_ids = [workspace.id for workspace in all_workspaces(session)]
    for workspace_id in workspace_ids:
        texts = texts.with_more(database.write(workspace_id, seal_texts_anew))
    factors = database.write_across_workspaces(
        lambda session: seal_factors_anew(session, database.signer)
    )
    return {
        "passport numbers, entrance codes, secrets of providers": texts,
        "second factors": factors,
        "passport pictures, résumés, files of messages": Files(database.settings).seal_anew(),
    }


def count_unsealed(database: Database) -> int:
    """Return the number of texts and second factors that are not sealed with the first key."""
    first = database.signer.key_ids[0]
    with database.across_workspaces_reading() as session:
        counts = [
            session.scalar(select(func.count()).select_from(table).where(not_under(first, column)))
            for table, column in sealed_columns()
        ]
        factors = count_unsealed_factors(session, database.signer)
    return sum(filter(None, counts)) + factors
