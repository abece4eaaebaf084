"""The pieces of a workspace's website, for the walk through all addresses."""

from collections.abc import Mapping

from sqlalchemy import select

from pms.catalogue.models import Campaign
from pms.foundation.database import Database
from pms.site.models import Position, Post, Service
from tests.cast import House


def content_records(database: Database, house: House) -> Mapping[str, str]:
    """Return the id of each kind of content, by the parameter of its address."""
    with database.reading(house.workspace_id) as session:
        return {
            f"{model.__tablename__}_id": session.scalars(select(model.id)).one()
            for model in (Post, Campaign, Position, Service)
        }
