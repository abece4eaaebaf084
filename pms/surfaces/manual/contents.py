"""The contents of the manual: its pages by group, in order."""

from flask_babel import lazy_gettext

GROUPS: tuple[tuple[object, tuple[str, ...]], ...] = (
    (
        lazy_gettext("The service"),
        (
            "what-it-does",
            "concepts",
            "moving-in",
            "office-day",
            "notifications",
            "tasks",
            "cleaning",
            "offline",
            "units-and-buildings",
            "availability",
            "calendars",
            "dates",
            "demo",
        ),
    ),
    (
        lazy_gettext("A tenancy and its money"),
        (
            "inbox",
            "mailbox",
            "connecting-channels",
            "enquiries",
            "leads",
            "reservation-links",
            "lists",
            "reservation-screens",
            "check-in-links",
            "life-of-a-tenancy",
            "contracts",
            "ends-of-terms",
            "rent-proposals",
            "money",
            "move-in-invoice",
            "prices",
            "billing",
            "month-to-month",
            "notice",
            "deposit",
            "money-screens",
            "bank-day",
            "contract-people",
            "management-forms",
            "japanese-law",
            "tax-classes",
            "accounting",
            "online-payments",
            "owner-portal",
        ),
    ),
    (
        lazy_gettext("Upkeep"),
        (
            "maintenance",
            "supplier-orders",
            "work",
            "contractor-links",
            "visits",
            "tickets",
            "resident-requests",
        ),
    ),
    (
        lazy_gettext("Portals"),
        ("resident-portal",),
    ),
    (
        lazy_gettext("Using the API"),
        ("getting-started", "keys", "limits", "errors", "polling", "paging", "writing"),
    ),
    (
        lazy_gettext("Listings and residents"),
        ("api/properties", "api/property", "api/residents", "api/resident", "api/showings"),
    ),
    (
        lazy_gettext("A public website"),
        (
            "content",
            "website",
            "api/site-units",
            "api/site-buildings",
            "api/site-posts",
            "api/site-campaigns",
            "api/site-positions",
            "api/site-services",
            "api/site-config",
            "api/site-sitemap",
            "api/site-redirects",
        ),
    ),
    (
        lazy_gettext("Writing"),
        (
            "api/inquiries",
            "api/leads",
            "api/chat",
            "api/purchases",
            "api/check-in-links",
            "api/reservation-links",
            "api/analytics",
        ),
    ),
    (
        lazy_gettext("Operation"),
        (
            "signing-in",
            "integrations",
            "webhooks",
            "importing",
            "leaving",
            "personal-data",
            "assistant",
            "website-visits",
            "audit",
            "running",
            "addresses",
        ),
    ),
)
SLUGS = tuple(slug for _, slugs in GROUPS for slug in slugs)


def neighbours(slug: str) -> tuple[str | None, str | None]:
    """Return the pages before and after, in the order of the manual."""
    place = SLUGS.index(slug)
    before = SLUGS[place - 1] if place > 0 else None
    after = SLUGS[place + 1] if place + 1 < len(SLUGS) else None
    return before, after
