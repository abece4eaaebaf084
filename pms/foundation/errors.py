"""The refusals a use case may answer with; each surface maps them to its own words once."""


class Problem(Exception):
    """A refusal with a message a person can act on."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Refused(Problem):
    """Validation or a business rule says no (400)."""


class Unauthenticated(Problem):
    """No credential, or one that resolves to nobody (401)."""


class ScopeLacking(Problem):
    """The credential is known but may not do this (403)."""


class NotFound(Problem):
    """No such record here; another workspace's record counts as none (404)."""


class Collision(Problem):
    """A unique field meets an existing record (409)."""


class TooMany(Problem):
    """The budget is spent (429)."""

    def __init__(self, message: str, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
