"""The workspace's providers: what is asked of them, and what they push in."""

from pms.surfaces.dashboard.integrations import calls, events, providers, webhooks
from pms.surfaces.dashboard.routes import OPERATOR
_ONE = "/integrations/<integration_kind>"
_WEBHOOK = "/integrations/webhooks/<webhook_source>"
_RETIREMENT = "/webhook-secrets/<secret_id>/retirement"
_EVENT = "/inbound-events/<event_id>"


