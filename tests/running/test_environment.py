"""What is missing on a fresh machine is told before anything is downloaded."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running.watching import ROOT
from tests.servers.process import fresh_folder, hand_over, unprivileged

OLD = '#!/bin/sh\n[ "$1" != --version ] || echo "Python 3.9.2"\n[ "$1" = --version ]\n'
WITHOUT_VENV = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; *) exit 0;; esac\n'


@pytest.fixture
def checkout() -> Iterator[Path]:
    """The files that making an environment looks at, in a folder of an ordinary user."""
    folder = fresh_folder("pms-checkout-")
    for name in (".ci/environment", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    hand_over(folder)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def make_environment(checkout: Path, python: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "environment", str(python), ".venv", "requirements.txt"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"]},
        **unprivileged(),
    )


def stand_in(checkout: Path, script: str) -> Path:
    python = checkout / "python"
    python.write_text(script)
    python.chmod(0o755)
    return python


def test_an_old_python_is_told_with_the_way_out(checkout: Path) -> None:
    result = make_environment(checkout, stand_in(checkout, OLD))
    assert result.returncode == 1
    assert "Python 3.11 or newer is needed, and Python 3.9.2." in result.stderr
    assert "make run PYTHON=" in result.stderr


def test_a_python_that_does_not_exist_is_told(checkout: Path) -> None:
    result = make_environment(checkout, "no-such-python")
    assert result.returncode == 1
    assert "'no-such-python' does not start" in result.stderr


def test_a_python_without_venv_is_told_with_the_package_to_install(checkout: Path) -> None:
    result = make_environment(checkout, stand_in(checkout, WITHOUT_VENV))
    assert result.returncode == 1
    assert "lacks the module that makes virtual environments" in result.stderr
    assert "sudo apt install python3-venv" in result.stderr


def test_a_folder_that_cannot_be_written_is_told(checkout: Path) -> None:
    python = stand_in(checkout, WITHOUT_VENV)
    checkout.chmod(0o555)
    result = make_environment(checkout, python)
    assert result.returncode == 1
    assert f"This folder ({checkout}) cannot be written" in result.stderr


def test_a_finished_environment_is_left_alone_until_the_requirements_change(checkout: Path) -> None:
    program = checkout / ".venv" / "bin" / "pms"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    sum_of_both = "{ pwd; cat requirements.txt pyproject.toml; } | cksum"
    stamp = subprocess.check_output(["sh", "-c", sum_of_both], cwd=checkout, text=True)
    (checkout / ".venv" / "installed-requirements.txt").write_text(stamp)
    again = make_environment(checkout, "no-such-python")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    with (checkout / "requirements.txt").open("a") as requirements:
        requirements.write("# changed\n")
    assert make_environment(checkout, "no-such-python").returncode == 1
