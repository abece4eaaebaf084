"""Why a message did not arrive or its file is not here, in words that are kept and translated."""

from typing import Final

WINDOW_CLOSED: Final = (
    "WhatsApp passes on free words only within 24 hours of the person's last message, and more"
    " have passed. Wait until they write, or use another channel."
)
NO_REASON: Final = "WhatsApp gives no reason."
KEPT_ELSEWHERE: Final = "The file is kept outside LINE and was not fetched."
NO_PICTURE: Final = "This is no picture that can be read."
EMPTY_FILE: Final = "The file is empty."
TOO_LARGE: Final = "The file is larger than 10 MiB."
NO_PROVIDER: Final = "no provider is set any more"
UNREADABLE_SECRET: Final = "the secret cannot be read: set it again"
TOO_SLOW: Final = "too slow"
