"""Templates are well-formed, find their components by `ui`, and have lines that can be read."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from jinja2 import Environment, FileSystemLoader, nodes

from pms.surfaces.components import RoomComponents, TemplateComponents, room_of
from tests.architecture.source_tree import ROOT

TEMPLATES: Final = ROOT / "templates"
WIDEST_LINE: Final = 160
# A paragraph of a contract is one line: a line break within it would be printed as a space.
PARAGRAPHS: Final = {
    *(
        f"papers/{paper}.{language}.md"
        for paper in ("contract", "contract-ordinary")
        for language in ("ja", "en")
    ),
    *(f"papers/explanation.{language}.md" for language in ("ja", "en")),
}


def texts_of_templates() -> dict[str, str]:
    """Return the text of each template of pages, mails and papers by its name."""
    return {
        str(path.relative_to(TEMPLATES)): path.read_text("utf-8")
        for ending in ("html", "md", "txt", "typ")
        for path in sorted(TEMPLATES.rglob(f"*.{ending}"))
    }


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


def test_no_template_imports_a_component() -> None:
    importing = re.compile(r"\{%-?\s*(?:from\b.*\bimport|import)\b")
    found = [name for name, text in texts_of_templates().items() if importing.search(text)]
    assert not found, "components are called by `ui`"


def test_no_line_of_a_template_is_wider_than_a_reader_sees() -> None:
    wide = {
        f"{name}:{number}"
        for name, text in texts_of_templates().items()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDEST_LINE and name not in PARAGRAPHS
    }
    assert not wide


def test_every_component_has_one_name_in_its_room() -> None:
    macro = re.compile(r"\{%-?\s*macro\s+(\w+)")
    named = Counter(
        (room_of(name), component)
        for name, text in texts_of_templates().items()
        for component in macro.findall(text)
    )
    assert not [each for each, count in named.items() if count > 1]
    rooms = {room for room, _ in named}
    assert not rooms & {component for room, component in named if room == "components"}


def test_every_component_that_a_template_calls_exists(app: Flask) -> None:
    ui = app.jinja_env.globals["ui"]
    macro = re.compile(r"\{%-?\s*macro\s+(\w+)")
    pages = {
        name: text
        for name, text in texts_of_templates().items()
        if name.endswith(".html") and not name.startswith("mail/")
    }
    shared = {
        component
        for name, text in pages.items()
        if name.startswith("components/")
        for component in macro.findall(text)
    }
    missing = []
    for name, text in pages.items():
        for call in app.jinja_env.parse(text).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name in shared:
                # Without `ui` it would be undefined, whatever a layout above knows.
                if call.node.name not in macro.findall(text):
                    missing.append(f"{name}:{call.lineno} {call.node.name}")
                continue
            component = ui
            path = attributes_of_ui(call.node)
            for part in path:
                component = getattr(component, part, None)
            if path and (component is None or isinstance(component, RoomComponents)):
                missing.append(f"{name}:{call.lineno} ui.{'.'.join(path)}")
    assert not missing


def attributes_of_ui(node: nodes.Node) -> list[str]:
    """Return `["bank", "bank_tabs"]` for `ui.bank.bank_tabs`, nothing for other expressions."""
    path: list[str] = []
    while isinstance(node, nodes.Getattr):
        path.insert(0, node.attr)
        node = node.node
    return path if isinstance(node, nodes.Name) and node.name == "ui" else []


def test_a_component_of_a_changed_file_is_loaded_again_while_templates_are_written(
    tmp_path: Path,
) -> None:
    component = tmp_path / "components" / "mark.html"
    component.parent.mkdir()
    component.write_text("{% macro mark() %}first{% endmacro %}")
    for reloads, second in ((True, "second"), (False, "first")):
        environment = Environment(loader=FileSystemLoader(tmp_path), auto_reload=reloads)
        ui = TemplateComponents(environment)
        component.write_text("{% macro mark() %}first{% endmacro %}")
        assert ui.mark() == "first"
        component.write_text("{% macro mark() %}second{% endmacro %}")
        os.utime(component, (0, 0))
        assert ui.mark() == second
