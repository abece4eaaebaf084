"""The names of the kinds and states of a document."""

from enum import StrEnum


class ContractKind(StrEnum):
    """The kind of a document: the lease, or an amendment of a signed lease."""

    LEASE = "lease"
    AMENDMENT = "amendment"


class ContractState(StrEnum):
    """The state of a document."""

    ISSUED = "issued"
    SENT = "sent"
    SIGNED = "signed"
    DECLINED = "declined"
    EXPIRED = "expired"
    OUTDATED = "outdated"
    REPLACED = "replaced"
