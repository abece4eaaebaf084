"""Imports every room's tables, so that the metadata is whole."""

import pms.access.models
import pms.arrivals.models
import pms.catalogue.models
import pms.enquiries.models
import pms.foundation.heartbeat
import pms.foundation.outbox
import pms.foundation.runs
import pms.pricing.models
import pms.reservations.models
import pms.site.models
import pms.workspaces.models
from pms.foundation.db import Base

metadata = Base.metadata
