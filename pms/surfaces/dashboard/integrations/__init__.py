"""The workspace's providers: addresses, accounts, credentials, and calls that failed."""

from pms.surfaces.dashboard.integrations import calls, providers
from pms.surfaces.dashboard.reach import OPERATOR, Address

_ONE = "/integrations/<integration_kind>"

ADDRESSES: tuple[Address, ...] = (
    Address("/integrations", "integrations", providers.index, OPERATOR),
    Address(_ONE, "integration", providers.show, OPERATOR),
    Address(_ONE, "set_integration", providers.save, OPERATOR, "POST"),
    Address(f"{_ONE}/removal", "confirm_integration_removal", providers.confirm, OPERATOR),
    Address(f"{_ONE}/removal", "remove_integration", providers.remove, OPERATOR, "POST"),
    Address("/provider-calls/<call_id>", "make_call_again", calls.again, OPERATOR, "POST"),
)
