"""Blueprints whose routes declare what is checked before a view: roles, body size."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Generic, TypeVar

from flask import Blueprint

Check = TypeVar("Check")


class CheckedBlueprint(Blueprint, Generic[Check]):
    """A blueprint that takes the parameters of `check` as options of its routes.

    A parameter without a default is required: a route that omits it raises `TypeError` at start-up.
    `rule_options` are options of Werkzeug's rules that all routes share.
    """

    def __init__(
        self,
        name: str,
        import_name: str,
        check: Callable[..., Check],
        rule_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(name, import_name, **options)
        self._check, self._rule_options = check, rule_options or {}
        self.checks: dict[str, Check] = {}
        """The checks by endpoint, without the blueprint's name."""

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: Any,
    ) -> None:
        """Add the route and store its check."""
        if view_func is None:
            raise TypeError(f"{rule}: a route of {self.name} needs a view")
        names = signature(self._check).parameters
        given = {name: options.pop(name) for name in names if name in options}
        self.checks[endpoint or view_func.__name__] = self._check(**given)
        options = {**self._rule_options, **options}
        super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)
