"""Templates are well-formed: the linter finds nothing, and would find something planted."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source_tree import ROOT


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "djlint", "--lint", "--quiet", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.thorough("`make lint` runs the same linter over the same templates")
def test_the_linter_finds_nothing_in_the_templates() -> None:
    found = lint(ROOT / "templates")
    assert found.returncode == 0, found.stdout


def test_the_linter_would_find_an_unclosed_tag_and_an_inline_style(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text('<div><p style="color: red">{{ name }}</p>')
    found = lint(tmp_path)
    assert found.returncode == 1
    assert "H021" in found.stdout
    assert "H025" in found.stdout
