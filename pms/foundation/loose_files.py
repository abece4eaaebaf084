"""Stores a file before the transaction that names it, and deletes it when nothing came to name it."""

from collections.abc import Iterator
from contextlib import contextmanager

from pms.foundation.files import Files


class LooseFile:
    """A stored file that nothing names yet."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.is_named = False

    def name(self) -> str:
        """Return the key to a row that is written now, whose commit keeps the file."""
        self.is_named = True
        return self.key


@contextmanager
def loose_file(files: Files, content: bytes, suffix: str) -> Iterator[LooseFile]:
    """Keep the file when the block ends well and a row named it, else delete it again.

    The block holds the transaction: storing takes its time and is done before one is open.
    """
    loose = LooseFile(files.put_alone(content, suffix))
    try:
        yield loose
    except BaseException:
        files.delete(loose.key)
        raise
    if not loose.is_named:
        files.delete(loose.key)
