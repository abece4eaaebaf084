"""The folders of servers do not pile up where tests were killed."""

import os
import subprocess
import sys
from pathlib import Path

from tests.servers.process import fresh_folder


def ended_process() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_what_killed_tests_left_goes_when_the_next_folder_is_made() -> None:
    prefix = f"pms-folders-{os.getpid()}-"
    mine = fresh_folder(prefix)
    left = mine.with_name(f"{prefix}{ended_process()}-left")
    left.mkdir()
    (left / "gigabytes").write_text("of rows")
    another = fresh_folder(prefix)
    try:
        assert not left.exists()
        assert mine.is_dir()
    finally:
        mine.rmdir()
        another.rmdir()


def test_a_folder_keeps_an_address_of_a_socket_short() -> None:
    folder = fresh_folder("pms-pg-")
    folder.rmdir()
    assert len(str(folder / ".s.PGSQL.65535")) < 100
    assert Path(folder).name.startswith(f"pms-pg-{os.getpid()}-")
