"""Builds the addresses of the website's own pages."""


def page_address(base_url: str, locale: str, section: str, slug: str) -> str:
    """Return the absolute address of a page, for instance `…/ja/units/kawasemi-101`."""
    return f"{base_url.rstrip('/')}/{locale}/{section}/{slug}"
