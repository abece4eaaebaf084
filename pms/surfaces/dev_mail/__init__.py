"""The mails that went to the folder, to be read in the browser; production has no such page."""

from flask import Blueprint, Flask, Response, abort

from pms.foundation.settings import Settings
from pms.surfaces.dev_mail.folder import newest, one_of
from pms.surfaces.hypermedia import page


def install(app: Flask, settings: Settings) -> None:
    """Give the application the page, unless it is production or mail goes to a server."""
    is_there = not settings.is_production and settings.smtp_url is None
    app.jinja_env.globals["has_mailbox"] = is_there
    if not is_there:
        return
    blueprint = Blueprint("dev_mail", __name__)

    @blueprint.get("/mail")
    def mails() -> Response:
        return _fresh(page("dev_mail/list.html", mails=newest(settings.mail_dir)))

    @blueprint.get("/mail/<mail_id>")
    def mail(mail_id: str) -> Response:
        found = one_of(settings.mail_dir, mail_id)
        if found is None:
            abort(404)
        return _fresh(page("dev_mail/mail.html", mail=found))

    app.register_blueprint(blueprint)


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
