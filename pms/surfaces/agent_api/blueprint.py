"""The blueprint of the JSON API: each route names the scope it requires.

@blueprint.get("/properties", scope=Scope.PROPERTIES_READ)
def list_properties() -> Response: ...
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response

from pms.rules.enumerations import Scope
from pms.surfaces import form_tokens
from pms.surfaces.limits import API_ROOT

ROOT: Final = API_ROOT


class Address(NamedTuple):
    """An address below the root, its view and the scope it requires.

    `most_bytes` is the largest body, where it differs from the default.
    """

    path: str
    view: Callable[..., Response]
    scope: Scope
    method: str
    most_bytes: int | None


class Api(Blueprint):
    """A blueprint whose routes name the scope they require; a route without one is an error."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.addresses: dict[str, Address] = {}
        """The addresses by endpoint, with the blueprint's name."""

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: Any,
    ) -> None:
        """Add the route and store its `scope` and `most_bytes`."""
        if view_func is None:
            raise TypeError(f"{rule}: a route of the API needs a view")
        scope, most_bytes = options.pop("scope"), options.pop("most_bytes", None)
        (method,) = options["methods"]
        name = f"{self.name}.{endpoint or view_func.__name__}"
        self.addresses[name] = Address(rule, view_func, scope, method, most_bytes)
        # A doubled slash is another address, which gets 404 instead of a redirect.
        options["merge_slashes"] = False
        super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)


blueprint = Api("agent_api", __name__, url_prefix=ROOT)
form_tokens.exempt(blueprint)
