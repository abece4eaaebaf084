"""The first page: whether this is the right booking, and how far the check-in is."""

from flask import Response, abort

from pms.surfaces.guest_checkin.holder import holder, shown


def show() -> Response:
    """Show the stay."""
    return shown("stay", stay=holder().link, terms=holder().terms, holder=holder())


def nothing(_rest: str) -> Response:
    """There is nothing else."""
    abort(404)
