"""The request being answered and what is kept for it, without the step through their proxies.

The step costs as much as what most callers do with them, and a page takes it a hundred times.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from flask import Flask, Request, current_app, g, request, session
from flask.ctx import _AppCtxGlobals
from flask.sessions import SessionMixin

kept_here: Final[Callable[[], _AppCtxGlobals]] = cast(Any, g)._get_current_object
"""Returns what is kept for this request; raises `RuntimeError` outside one."""
asked_here: Final[Callable[[], Request]] = cast(Any, request)._get_current_object
"""Returns the request."""
held_here: Final[Callable[[], SessionMixin]] = cast(Any, session)._get_current_object
"""Returns what the browser's cookie holds."""
app_here: Final[Callable[[], Flask]] = cast(Any, current_app)._get_current_object
"""Returns the application."""
