"""Where WhatsApp is asked: the address that is set, with the version this program speaks."""

import re
from typing import Final

from pms.workspaces.integrations import Access

VERSION: Final = "v23.0"
_HAS_VERSION: Final = re.compile(r"/v\d{1,3}\.\d$")


def whatsapp_address(access: Access) -> str:
    """Return the address of WhatsApp; one that names a version keeps it."""
    address = access.address
    return address if _HAS_VERSION.search(address) else f"{address}/{VERSION}"
