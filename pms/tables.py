"""Imports every room's tables, so that the metadata is whole."""

from pms.access import models as access
from pms.accounting import models as accounting
from pms.arrivals import models as arrivals
from pms.bank import models as bank
from pms.catalogue import models as catalogue
from pms.channels import models as channels
from pms.checkouts import models as checkouts
from pms.collections import models as collections
from pms.contracts import models as contracts
from pms.departures import models as departures
from pms.deposits import models as deposits
from pms.enquiries import models as enquiries
from pms.foundation import audit, idempotency, kept_figures, numbering, outbox, runs
from pms.foundation import readiness as heartbeat
from pms.foundation.db import Base
from pms.inbox import models as inbox
from pms.ledger import models as ledger
from pms.notices import models as notices
from pms.offers import models as offers
from pms.pricing import models as pricing
from pms.reservations import models as reservations
from pms.site import models as site
from pms.statements import models as statements
from pms.stays import models as stays
from pms.upkeep import models as upkeep
from pms.workspaces import models as workspaces

ROOMS = (
    workspaces,
    access,
    notices,
    catalogue,
    reservations,
    pricing,
    ledger,
    deposits,
    departures,
    arrivals,
    inbox,
    enquiries,
    site,
    audit,
    heartbeat,
    outbox,
    runs,
    kept_figures,
    numbering,
    idempotency,
    statements,
    upkeep,
    stays,
    contracts,
    checkouts,
    accounting,
    bank,
    collections,
    offers,
    channels,
    idempotency,
)
metadata = Base.metadata
