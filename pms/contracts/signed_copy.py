"""Names the work that follows a signature: the signed paper is set and mailed by the worker."""

from typing import Final

SIGNED_COPY: Final = "contract.signed_copy"
