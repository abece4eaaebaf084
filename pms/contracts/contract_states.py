"""The words for what a document is and how it stands."""

from enum import StrEnum


class ContractKind(StrEnum):
    """What a document is: the lease itself, or what changes a lease that was signed."""

    LEASE = "lease"
    AMENDMENT = "amendment"


class ContractState(StrEnum):
    """How a document stands."""

    ISSUED = "issued"
    SENT = "sent"
    SIGNED = "signed"
    DECLINED = "declined"
    EXPIRED = "expired"
    OUTDATED = "outdated"
    REPLACED = "replaced"
