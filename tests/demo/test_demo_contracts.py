"""The demo has a template, and contracts that are signed, wait, and no longer say what is agreed."""

from sqlalchemy import select

from pms.contracts.models import Contract, ContractTemplate, PriorExplanation
from pms.contracts.outdated_papers import outdated_papers
from pms.contracts.queries import ContractState, contract_record
from pms.demo.seed_demo import SeededWorkspace
from pms.foundation.database import Database
from pms.rules.enumerations import LeaseKind
from pms.statements.queries import billed_entries
from pms.workspaces.integration_records import integrations


def test_each_workspace_has_documents_in_the_states_people_meet(
    database: Database, seeded: tuple[SeededWorkspace, ...]
) -> None:
    states, is_signed, changed = set(), set(), 0
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            templates = session.scalars(select(ContractTemplate)).all()
            assert {one.lease_kind: one.is_default for one in templates} == {
                LeaseKind.FIXED_TERM: True,
                LeaseKind.ORDINARY: False,
            }
            assert session.scalars(select(PriorExplanation.confirmed_at)).first() is not None
            ids = session.scalars(select(Contract.id)).all()
            states |= {contract_record(session, id_).state for id_ in ids}
            for paper in outdated_papers(session, 9).papers:
                billed = billed_entries(session, paper.reservation_id).values()
                changed += sum(one.changed is not None for one in billed)
            is_signed |= {one.is_signed for one in outdated_papers(session, 9).papers}
            assert not integrations(session)
    assert states >= {ContractState.SIGNED, ContractState.SENT, ContractState.OUTDATED}
    assert is_signed == {True, False}
    assert changed
