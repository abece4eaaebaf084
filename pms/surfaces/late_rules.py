"""Writes the code that builds an address when the address is first built.

Werkzeug writes and compiles two functions for each rule as it is added. With hundreds of rules that
is most of a start, and one process builds few of them.
"""

from collections.abc import Callable

from werkzeug.routing import Rule


class LateRule(Rule):
    """A rule whose builders are compiled when first asked for."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = super()._compile_builder
        built: list[Callable[..., tuple[str, str]]] = []

        def build(rule: Rule, /, **values: object) -> tuple[str, str]:
            if not built:
                built.append(compiled(append_unknown))
            return built[0](rule, **values)

        return build
