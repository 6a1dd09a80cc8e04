"""Pages under 200 that are not what was asked for: bot walls, login forms, empty shells. Pure; it never refuses."""

import re

from .html_prescan import plain_text

BOT_WALL = "this looks like a bot wall, not the page itself"
LOGIN = "this looks like a login form, not the page itself"
NOTHING = "nothing to read was found; the page may need JavaScript to show anything"

THIN_CHARS = 1_000  # of visible text; a page that says more has a form or a captcha on it, but is not one

_TITLES = re.compile(
    r"just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|security check|robot check"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|human verification|pardon our interruption|ddos-guard"
    r"|checking your browser",
    re.I,
)
_MARKS = re.compile(
    r"cf-chl-|cf_chl_|challenges\.cloudflare\.com|/cdn-cgi/challenge-platform|g-recaptcha|hcaptcha\.com|h-captcha"
    r"|px-captcha|captcha-delivery\.com|geo\.captcha|_incapsula_resource|awswafcookiedomainlist|sucuri_cloudproxy",
    re.I,
)
_PASSWORD = re.compile(r"<input\b[^>]{0,500}\btype\s*=\s*[\"']?password", re.I)


def warnings_of(html: str, title: str | None, content: str) -> tuple[str, ...]:
    """What `content`, taken from the page `html` with its `title`, should be mistrusted for."""
    if len(content) > THIN_CHARS or len(plain_text(html)) > THIN_CHARS:
        return ()
    if _TITLES.search(title or "") or _MARKS.search(html):
        return (BOT_WALL,)
    if not content:
        return (NOTHING,)
    return (LOGIN,) if _PASSWORD.search(html) else ()
