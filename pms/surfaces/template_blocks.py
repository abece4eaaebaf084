"""Renders one block of a page's template, for those who put it into a page that stands.

The head of the template is run first, so that a block finds the macros imported there; the
library for this renders blocks alone and would have every block import its own.
"""

from jinja2 import Template

from pms.surfaces.here import app_here


def render_block(name: str, block: str, **shown: object) -> str:
    """Return a block of a template as the whole page would show it."""
    app = app_here()
    app.update_template_context(shown)
    environment = app.jinja_env
    template: Template = environment.get_template(name)
    context = template.new_context(shown)
    try:
        # Up to its first output: imports and `set`s at the top of the page and of its layout.
        head = template.root_render_func(context)
        next(iter(head), None)
        return environment.concat(template.blocks[block](context))
    except Exception:
        environment.handle_exception()
