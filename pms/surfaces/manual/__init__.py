"""The manual's blueprint and its addresses."""

from flask import Blueprint

from pms.surfaces.manual import views

blueprint = Blueprint("manual", __name__)

blueprint.add_url_rule("/manual/", "front", views.front)
blueprint.add_url_rule("/manual.md", "front_markdown", views.front_markdown)
blueprint.add_url_rule("/manual/index.md", "front_markdown", views.front_markdown)
blueprint.add_url_rule("/manual/search", "search", views.search)
blueprint.add_url_rule("/manual/bank-day/statement.csv", "sample_statement", views.sample_statement)
blueprint.add_url_rule("/manual/pictures/<any(ja, en):language>/<name>", "picture", views.picture)
blueprint.add_url_rule("/manual/<path:slug>", "page", views.page)
blueprint.add_url_rule("/manual/<path:slug>.md", "markdown", views.markdown)
blueprint.add_url_rule("/llms.txt", "llms", views.llms)
blueprint.add_url_rule("/llms-full.txt", "llms_full", views.llms_full)
