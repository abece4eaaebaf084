"""The components of the templates: `ui.button(…)`, and by room `ui.reservations.state_tags(…)`.

A component is a macro of a file in `templates/components`, or of any template of a room. Templates
find it by Jinja's globals, so none begins with a list of imports.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Final

from jinja2 import Environment

_SHARED: Final = "components"
_SURFACES_OF_ROOMS: Final = ("dashboard", "portals")
_MACRO: Final = re.compile(r"\{%-?\s*macro\s+(\w+)")


def room_of(template: str) -> str:
    """Return the room of a template: `bank` for `dashboard/bank/tabs.html`."""
    folders = PurePosixPath(template).parent.parts
    rooms = [folder for folder in folders if folder not in _SURFACES_OF_ROOMS]
    return (rooms or folders or ("",))[0]


class RoomComponents:
    """The macros of one room's templates; a file is loaded when a macro of it is first called."""

    def __init__(self, environment: Environment, templates: Sequence[str]) -> None:
        self._environment = environment
        self._templates = templates

    def __getattr__(self, name: str) -> Any:
        if name not in self._files_of_macros:
            raise AttributeError(f"no template of this room has the macro {name!r}")
        component = getattr(
            self._environment.get_template(self._files_of_macros[name]).module, name
        )
        # While templates are written, a changed file is loaded again.
        if not self._environment.auto_reload:
            setattr(self, name, component)
        return component

    @cached_property
    def _files_of_macros(self) -> Mapping[str, str]:
        """The file of each macro, read from the text: to load a whole room would take longer."""
        loader = self._environment.loader
        assert loader
        return {
            macro: template
            for template in self._templates
            for macro in _MACRO.findall(loader.get_source(self._environment, template)[0])
        }


class TemplateComponents(RoomComponents):
    """What templates know as `ui`: the shared components, and those of each room by its name."""

    def __init__(self, environment: Environment) -> None:
        rooms: defaultdict[str, list[str]] = defaultdict(list)
        for template in environment.list_templates(extensions=["html"]):
            rooms[room_of(template)].append(template)
        super().__init__(environment, rooms.pop(_SHARED))
        for room, templates in rooms.items():
            setattr(self, room, RoomComponents(environment, templates))
