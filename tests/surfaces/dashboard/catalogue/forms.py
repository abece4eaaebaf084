"""Reads what a form on a page holds, as a browser would send it."""

from html.parser import HTMLParser

_OFF_UNLESS_CHECKED = ("checkbox", "radio")


class _Reader(HTMLParser):
    """Gathers the controls of the form that is sent to an address ending so."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action, self.held, self._is_inside = action, dict[str, str](), False
        self._select = self._textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_inside = facts.get("action", "").partition("?")[0].endswith(self.action)
        elif self._is_inside and tag == "input":
            self._take(facts)
        elif self._is_inside and tag == "select":
            self._select = facts["name"]
        elif self._is_inside and tag == "textarea":
            self._textarea = facts["name"]
            self.held[self._textarea] = ""
        elif self._select and tag == "option" and self._is_chosen(facts):
            self.held[self._select] = facts.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_inside = False
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._textarea = ""

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.held[self._textarea] += data.removeprefix("\r\n").removeprefix("\n")

    def _is_chosen(self, values: dict[str, str]) -> bool:
        return "selected" in values or self._select not in self.held

    def _take(self, values: dict[str, str]) -> None:
        is_off = values.get("type") in _OFF_UNLESS_CHECKED and "checked" not in values
        name = values.get("name", "")
        if name and name != "csrf_token" and not is_off:
            self.held[name] = values.get("value", "y")


def fields_of(page: str, action: str) -> dict[str, str]:
    """What the form that is sent to an address ending so holds, its token left out."""
    reader = _Reader(action)
    reader.feed(page)
    return reader.held
