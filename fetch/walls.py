"""Pages under 200 that are not what was asked for: bot walls and login forms. Pure; it warns, it never refuses."""

import re

BOT_WALL = "this looks like a bot wall, not the page itself"
LOGIN = "this looks like a login form, not the page itself"

THIN_CHARS = 1_500  # a wall says little; a long page that mentions a captcha is an article about captchas

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
    """What `content`, taken from `html` under `title`, should be mistrusted for."""
    if len(content) > THIN_CHARS:
        return ()
    if _TITLES.search(title or "") or _MARKS.search(html):
        return (BOT_WALL,)
    return (LOGIN,) if _PASSWORD.search(html) else ()
