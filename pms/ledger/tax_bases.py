"""What decides the classes of consumption tax of lines that are issued on a day."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from sqlalchemy.orm import Session

from pms.reservations.tenancies import read_tenancies
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import ReservationKind
from pms.rules.tax_classes import TaxBasis
from pms.rules.unit_stays import TenancyFacts
from pms.workspaces.tax_classes import workspace_taxes


def taxes_of(workspace: TaxBasis, tenancy: TenancyFacts, on: date) -> TaxBasis:
    """Return what decides the classes of lines issued to a tenancy on a day."""
    # The signed terms in order: each lasts until the day before the next one.
    firsts = [tenancy.term.start_on, *sorted(tenancy.later_firsts)]
    lasts = [*(first_on - ONE_DAY for first_on in firsts[1:]), tenancy.term.end_on]
    return replace(
        workspace,
        terms=tuple(map(ContractTerm, firsts, lasts)),
        issued_on=on,
        is_lodging=tenancy.kind is ReservationKind.GUEST,
    )


def tenancy_taxes(
    session: Session, reservation_ids: Iterable[str], on: date
) -> Mapping[str, TaxBasis]:
    """Return what decides the classes of lines issued on a day, by reservation.

    One whose dates are damaged is taken as let for a month or longer.
    """
    ids, workspace = list(reservation_ids), workspace_taxes(session)
    tenancies = read_tenancies(session, ids).tenancies
    return {
        id_: taxes_of(workspace, tenancies[id_], on)
        if id_ in tenancies
        else replace(workspace, issued_on=on)
        for id_ in ids
    }
