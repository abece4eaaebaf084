"""A stored file is there whole or not at all."""

import hashlib

import pytest

from pms.foundation.files import Files
from pms.foundation.settings import Settings

CONTENT = b"a picture"
KEY = f"{hashlib.sha256(CONTENT).hexdigest()}.webp"


def test_a_file_is_stored_once_under_the_hash_of_its_content(settings: Settings) -> None:
    files = Files(settings)
    assert files.put(CONTENT, ".webp") == files.put(CONTENT, "webp") == KEY
    assert files.get(KEY) == CONTENT
    assert [path.name for path in settings.files_dir.glob("*/*")] == [KEY]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(settings: Settings) -> None:
    in_the_way = settings.files_dir / KEY[:2] / KEY
    in_the_way.mkdir(parents=True)
    with pytest.raises(OSError, match=KEY):
        Files(settings).put(CONTENT, "webp")
    assert list(settings.files_dir.glob("*/*")) == [in_the_way]
