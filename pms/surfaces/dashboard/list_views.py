"""The columns a person chose for a list, and the views saved under a name."""

from urllib.parse import parse_qsl, urlencode

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.access import list_views
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.surfaces.dashboard.gate import EVERYBODY, current_member, dashboard, may
from pms.surfaces.dashboard.listing import LISTINGS, PAGE_LENGTHS, address_of
from pms.surfaces.fields import (
    ChoiceField,
    FlagField,
    HiddenField,
    ManyField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page


class ListViewForm(FlaskForm):
    """The list and its query arguments; a list the person may not open is refused."""

    listing = HiddenField(validators=[Optional()])
    back = HiddenField(validators=[Optional()])

    @property
    def name(self) -> str:
        """The list; raises `Refused` for one that this person may not open."""
        name = self.listing.data or ""
        if name not in LISTINGS or not may(name):
            raise Refused("listing: '{name}' is not a list you can open.", name=name[:60])
        return name

    @property
    def list_query(self) -> list[tuple[str, str]]:
        """The query arguments of the list."""
        return parse_qsl(self.back.data or "", keep_blank_values=True)

    def address(self, *left_out: str) -> str:
        """Return the address of the list without some of its query arguments."""
        if (self.listing.data or "") not in LISTINGS:
            return url_for("dashboard.today")
        kept = [pair for pair in self.list_query if pair[0] not in left_out]
        return address_of(LISTINGS[self.listing.data or ""], urlencode(kept))


class ColumnsForm(ListViewForm):
    """The columns that are shown, and the number of rows per page."""

    columns = ManyField(lazy_gettext("Columns"), [Optional()])
    rows = ChoiceField(lazy_gettext("Rows a page"), [Optional()])

    def offer(self) -> None:
        """Fill the lists of columns and page lengths."""
        found = LISTINGS.get(self.listing.data or "")
        self.columns.choices = (
            [(column.key, str(column.label)) for column in found.columns] if found else []
        )
        self.rows.choices = [(str(length), str(length)) for length in PAGE_LENGTHS]

    @property
    def query(self) -> str:
        """The query string that is stored."""
        given = {"columns": ",".join(self.columns.data or ()), "rows": self.rows.data}
        return urlencode({name: text for name, text in given.items() if text})


class ViewForm(ListViewForm):
    """The name of a view, which stores the query arguments."""

    title = TextField(lazy_gettext("Name of the view"), [Required()])
    shared = FlagField(lazy_gettext("Share with all colleagues"))


@dashboard.post("/list-columns", roles=EVERYBODY)
def keep_columns() -> Response:
    """Save the columns of a list for this person."""
    form = ColumnsForm()
    form.offer()
    return submitted(
        form,
        act=lambda work: list_views.keep_columns(
            work, person_id=current_member().person_id, listing=form.name, query=form.query
        ),
        then=lambda _none: go(form.address("columns", "rows"), message=_("Columns saved.")),
        again=lambda: _render_list_view(form),
    )


@dashboard.post("/list-views", roles=EVERYBODY)
def save_view() -> Response:
    """Save a view of a list under a name."""
    form = ViewForm()

    def act(work: Work) -> None:
        list_views.save_view(
            work,
            person_id=current_member().person_id,
            listing=form.name,
            name=form.title.data or "",
            query=urlencode(form.list_query),
            is_shared=bool(form.shared.data),
        )

    return submitted(
        form,
        act=act,
        then=lambda _none: go(form.address(), message=_("View saved.")),
        again=lambda: _render_list_view(form),
    )


@dashboard.post("/list-views/<view_id>/removal", roles=EVERYBODY)
def remove_view(view_id: str) -> Response:
    """Delete one of the person's own views."""
    form = ListViewForm()
    return submitted(
        form,
        act=lambda work: list_views.remove_view(
            work, person_id=current_member().person_id, view_id=view_id
        ),
        then=lambda _none: go(form.address("sort", "columns"), message=_("View deleted.")),
        again=lambda: _render_list_view(form),
    )


def _render_list_view(form: Form) -> Response:
    return page("dashboard/list_view.html", form=form)
