"""The workspace's providers: what is asked of them, and what they push in."""

from pms.surfaces.dashboard.integrations import calls, events, providers, webhooks
from pms.surfaces.dashboard.reach import OPERATOR, Address

_ONE = "/integrations/<integration_kind>"
_WEBHOOK = "/integrations/webhooks/<webhook_source>"
_RETIREMENT = "/webhook-secrets/<secret_id>/retirement"
_EVENT = "/inbound-events/<event_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/integrations", "integrations", providers.index, OPERATOR),
    Address(_ONE, "integration", providers.show, OPERATOR),
    Address(_ONE, "set_integration", providers.save, OPERATOR, "POST"),
    Address(f"{_ONE}/removal", "confirm_integration_removal", providers.confirm, OPERATOR),
    Address(f"{_ONE}/removal", "remove_integration", providers.remove, OPERATOR, "POST"),
    Address(_WEBHOOK, "webhook", webhooks.show, OPERATOR),
    Address(f"{_WEBHOOK}/secrets", "add_webhook_secret", webhooks.add_secret, OPERATOR, "POST"),
    Address(
        _RETIREMENT, "confirm_webhook_secret_retirement", webhooks.confirm_retirement, OPERATOR
    ),
    Address(_RETIREMENT, "retire_webhook_secret", webhooks.retire_secret, OPERATOR, "POST"),
    Address(_EVENT, "inbound_event", events.show, OPERATOR),
    Address(f"{_EVENT}/placement", "place_payment_event", events.place, OPERATOR, "POST"),
    Address(f"{_EVENT}/setting-aside", "set_event_aside", events.set_aside, OPERATOR, "POST"),
    Address(f"{_EVENT}/another-try", "try_event_again", events.again, OPERATOR, "POST"),
    Address("/provider-calls/<call_id>", "make_call_again", calls.again, OPERATOR, "POST"),
)
