"""What tests of papers ask for: our workspace as it signs, and the store of files."""

import pytest
from sqlalchemy import select

from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.workspaces.models import Workspace
from tests.cast import Cast, House


@pytest.fixture
def files(settings: Settings) -> Files:
    return Files(settings)


@pytest.fixture
def house(database: Database, cast: Cast) -> House:
    """Sumida, which is a qualified issuer and has a bank account."""
    with database.writing(cast.sumida.workspace_id) as session:
        workspace = session.scalars(select(Workspace)).one()
        workspace.name_en = "Sumida Share House"
        workspace.qualified_invoice_number = "T1234567890123"
        workspace.postcode, workspace.address = "131-0032", "東京都墨田区東向島1-1"
        workspace.bank_details = "すみれ銀行 墨田支店\n普通 1234567"
    return cast.sumida
