"""Links by which an outside contractor works on one project: made, looked at, taken back."""

from flask import Flask

from pms.surfaces.dashboard.routes import MAINTENANCE
from pms.surfaces.dashboard.share_links import of_project, sharing, views

_ONE = "/share-links/<share_link_id>"
_NEW = "/projects/<project_id>/share-links/new"




def install(app: Flask) -> None:
    """Give templates `share_links_of(project_id)`."""
    app.jinja_env.globals["share_links_of"] = of_project.share_links_of
