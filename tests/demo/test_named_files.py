"""Every column of the demo in which a stored file is named is known to the job that deletes files."""

from sqlalchemy import JSON, String, TypeDecorator, select

from pms.foundation.audit import AuditRecord
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.files import columns_with_files, keys_within
from tests.demo.test_demo_workspaces import Seeded


def test_every_column_that_names_a_file_is_marked(database: Database, seeded: Seeded) -> None:
    marked = {str(column) for column in columns_with_files()}
    naming = set()
    with database.across_workspaces_reading() as session:
        for mapper in Base.registry.mappers:
            for attribute in mapper.column_attrs:
                if isinstance(attribute.columns[0].type, String | JSON | TypeDecorator):
                    column = getattr(mapper.class_, attribute.key)
                    kept = session.scalars(select(column).where(column.is_not(None)))
                    if any(keys_within(of) for of in kept if isinstance(of, str | dict | list)):
                        naming.add(str(column))
    # Of what the audit tells, only removed photos are put back; the job asks for these by itself.
    of_audit = {str(AuditRecord.before), str(AuditRecord.after)}
    assert "Photo.files" in naming
    assert naming - of_audit <= marked
