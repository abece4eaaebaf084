"""Links by which an outside contractor works on one project: made, looked at, taken back."""

from flask import Flask

from pms.surfaces.dashboard.reach import MAINTENANCE, Address
from pms.surfaces.dashboard.share_links import of_project, sharing, views

_ONE = "/share-links/<share_link_id>"
_NEW = "/projects/<project_id>/share-links/new"

ADDRESSES: tuple[Address, ...] = (
    Address(_NEW, "new_share_link", sharing.show, MAINTENANCE),
    Address(_NEW, "share_project", sharing.share, MAINTENANCE, "POST"),
    Address(_ONE, "share_link", views.show, MAINTENANCE),
    Address(f"{_ONE}/revocation", "share_link_revocation", views.confirm, MAINTENANCE),
    Address(f"{_ONE}/revocation", "revoke_share_link", views.revoke, MAINTENANCE, "POST"),
)


def install(app: Flask) -> None:
    """Give templates `share_links_of(project_id)`."""
    app.jinja_env.globals["share_links_of"] = of_project.share_links_of
