"""`GET /api/agent/site/posts` and one post."""

from functools import partial
from typing import Any

from flask import Response

from pms.foundation.markdown import to_html
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.site.queries import PublishedPost, published_post, published_posts
from pms.surfaces.agent_api.answers import pagination
from pms.surfaces.agent_api.site.asked import site_answer, site_list_answer
from pms.surfaces.agent_api.site.reader import SiteReader
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.request_scope import today


def list_posts() -> Response:
    """Answer one page of the posts that are out, newest first."""
    return site_list_answer(_list)


def show_post(slug: str) -> Response:
    """Answer one post with its text."""
    return site_answer(partial(_one, slug))


def _list(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    posts, total = published_posts(session, today(), paging)
    return {
        "posts": [_shape(post, reader) for post in posts],
        "pagination": pagination(paging, total),
    }


def _one(
    slug: str, session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    post = published_post(session, slug, today())
    body = post.body.said(reader.locale) or ""
    return {"post": {**_shape(post, reader), "body": body, "bodyHtml": to_html(body)}}


def _shape(post: PublishedPost, reader: SiteReader) -> dict[str, Any]:
    return {
        "slug": post.slug,
        "url": reader.page("posts", post.slug),
        "title": post.title.said(reader.locale),
        "summary": post.summary.said(reader.locale) or "",
        "publishedAt": instant_text(post.published_at),
        "updatedAt": instant_text(post.updated_at),
    }
