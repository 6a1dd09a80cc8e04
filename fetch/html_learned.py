"""Learned by bench/extraction_fit.py from 282 pages (part: tune); not written by hand.

`LEXICON` says how words lean, and `log_odds` that a block is content: a sum of decision trees, each a nest
of conditions on the block's signals `s`, in the order of `html_signals.SIGNALS`.
"""

from .html_signals import Lexicon

# fmt: off
LEXICON = Lexicon(
    class_words={
        "aab": 0.6, "above": -0.9, "absolute": -1.8, "acc": -1.1, "accessibility": -1.2, "accessories": 1.6,
        "accordion": 0.5, "account": -2.0, "action": -1.1, "actions": -2.0, "add": -1.3, "additional": 0.5,
        "address": -0.7, "addtocart": -0.7, "admin": -0.8, "advanced": -1.4, "ajax": -0.7, "alert": -1.2, "align":
        -0.8, "aligncenter": -1.2, "aligned": -1.7, "alignment": -1.1, "all": -1.2, "alt": -1.4, "always": -1.5,
        "analytics": -1.5, "ancestor": -1.5, "anchor": 1.5, "and": 1.0, "animation": -1.2, "announcement": -1.4,
        "application": -0.7, "apply": 0.6, "archive": -1.4, "are": -1.8, "aria": -1.2, "arrow": -2.2, "article":
        1.0, "articles": 0.6, "aside": -2.3, "ask": -0.6, "aspect": -0.8, "asset": -1.4, "atc": -0.9, "attribute":
        -1.0, "attributes": 0.8, "auth": -0.6, "author": -0.6, "authors": -2.0, "availability": -1.1, "available":
        2.6, "avatar": -0.5, "awards": 2.1, "back": -0.8, "badge": -1.5, "badges": -0.7, "bag": -1.0, "banner":
        -1.4, "bar": -1.8, "base": 0.6, "basic": 0.9, "basis": -0.6, "below": -1.6, "benefits": 0.5, "best": 2.1,
        "bio": -1.1, "black": -1.5, "bleed": 0.5, "blog": 1.6, "bold": 0.5, "book": 1.1, "bordered": -1.3,
        "bottom": -0.7, "brand": -0.8, "branding": -1.6, "brands": -1.4, "breadcrumb": -0.9, "breadcrumbs": -0.9,
        "break": 1.7, "browser": -1.6, "btn": -1.5, "bullet": -0.8, "bullets": -1.0, "burger": -1.6, "business":
        1.1, "button": -1.6, "buttons": -1.4, "buy": -2.1, "byline": -0.6, "bypostauthor": -1.9, "byuser": -2.0,
        "cab": -0.5, "canvas": -0.6, "caption": -1.3, "cards": 1.1, "carousel": -0.8, "cart": -2.1, "catalog":
        -1.3, "categories": -2.5, "category": 0.7, "cats": -0.5, "center": -0.5, "checkbox": -2.4, "child": -0.6,
        "children": -1.5, "choice": -1.4, "choose": 0.9, "chrome": -2.2, "classic": -0.5, "click": -2.3,
        "clickable": 1.0, "client": -1.0, "clip": -1.2, "close": -2.3, "closed": 1.1, "cloud": -0.5, "code": 0.6,
        "collapse": -1.3, "collapsible": -1.6, "collection": -1.0, "colophon": -1.4, "cols": 0.6, "command": 1.1,
        "comment": -1.7, "commentform": -0.8, "comments": -1.7, "community": -0.7, "compact": 1.3, "company":
        -1.1, "compare": -0.6, "comparison": 2.0, "con": 0.8, "concealed": 0.9, "connect": -0.8, "cons": 2.1,
        "consent": -1.6, "constrained": 1.7, "cont": 0.9, "contacts": -0.8, "contain": -0.7, "contained": 0.7,
        "contains": -1.2, "contents": 1.0, "context": -0.6, "controls": -0.7, "cookie": -2.1, "copyright": -2.4,
        "count": -0.6, "counter": -0.5, "country": -1.4, "course": -0.8, "crawler": 0.8, "credit": -0.6, "cta":
        -1.3, "ctas": -1.0, "ctn": -0.5, "currency": -1.2, "current": -1.8, "custom": -0.8, "customer": 0.9,
        "darkblue": -1.4, "date": -0.9, "deck": -0.5, "default": 0.6, "delete": -1.5, "demo": -1.1, "depth": -0.8,
        "desc": 1.1, "description": 0.7, "design": -1.3, "desktop": -0.7, "detail": 0.7, "development": 3.1,
        "dialog": -0.8, "directory": -1.1, "disabled": -0.6, "disc": 2.1, "disclaimer": -2.3, "disclosure": -1.5,
        "discount": -0.9, "discovery": -0.5, "div": 0.8, "divider": -1.1, "doc": 1.4, "dom": -0.5, "done": 1.2,
        "download": -1.4, "drawer": -2.2, "dropdown": -2.5, "duration": -0.7, "dyn": -0.5, "dynamic": 0.5,
        "early": -0.6, "editor": 1.0, "elements": -1.0, "ellipsis": -0.5, "email": -1.5, "embed": 0.6, "empty":
        -1.2, "enable": -1.2, "enabled": -1.6, "end": -0.9, "entertainment": -0.5, "entry": 1.3, "environment":
        -0.7, "even": -1.0, "evenly": -0.5, "event": -1.2, "events": 1.1, "excerpt": 1.0, "exit": -0.8, "expand":
        -1.1, "expandable": 0.5, "expanded": -2.1, "experience": -0.5, "experts": -0.5, "explore": -0.9, "extend":
        -0.5, "external": -1.1, "extra": -0.8, "extras": -2.1, "facet": -0.7, "fade": -1.7, "false": -1.9, "faq":
        0.9, "faqs": 0.8, "feature": -1.1, "features": 1.4, "feed": -1.5, "feedback": -2.0, "ffe": 1.4,
        "fieldset": 1.3, "figure": -1.4, "file": 0.6, "fill": -1.3, "filled": -1.5, "filter": -1.1, "filters":
        -1.1, "final": -1.3, "fine": -0.9, "flag": -1.4, "flags": -0.8, "flat": -2.1, "floating": -0.7, "flush":
        -1.2, "flyout": -2.3, "focus": -0.9, "folder": -1.2, "font": 0.6, "foot": -1.3, "footer": -2.0,
        "footnote": -1.6, "form": -0.9, "format": 1.8, "forum": -0.5, "forums": -0.5, "framework": -1.0, "free":
        -1.2, "from": 0.6, "fullwidth": -0.5, "functional": -0.9, "gallery": -0.7, "general": -0.9, "generic":
        -0.7, "get": -1.1, "gfield": -1.0, "gform": -1.0, "ghost": -0.5, "gift": 1.0, "google": -0.7, "gradient":
        -0.5, "grey": -1.3, "groups": -1.2, "guest": -0.8, "guide": 1.7, "half": -0.7, "hamburger": -0.9, "hash":
        -2.1, "head": -1.0, "header": -1.1, "heading": 0.6, "headings": 0.6, "health": 1.4, "help": -1.4,
        "hentry": 1.8, "hfeed": -1.2, "hide": -1.2, "highlight": 0.7, "holder": -1.2, "home": -1.4, "homepage":
        0.5, "horizontal": -1.5, "hot": -1.4, "hover": -0.6, "how": 1.3, "html": 0.9, "icon": -1.1, "iconic":
        -1.0, "icons": -0.7, "ignore": -0.9, "image": -0.7, "images": -1.7, "img": -1.1, "impact": -0.6,
        "inactive": 1.0, "index": -0.7, "info": -1.3, "information": -0.5, "inherit": 2.2, "init": 1.7, "initial":
        2.3, "input": -1.5, "inset": -1.6, "install": -0.6, "instance": -0.9, "intro": -0.5, "inverse": -2.1,
        "invisible": -1.1, "isolate": 1.1, "item": -1.0, "items": -0.6, "job": -0.6, "justification": -1.9,
        "justified": -2.4, "key": -0.8, "label": -0.6, "labels": -0.5, "landing": 1.8, "landscape": -1.6, "lang":
        -0.7, "language": -2.3, "languages": -0.5, "last": 0.5, "latest": 0.6, "layer": -0.7, "lead": 0.6,
        "leading": 1.0, "left": -0.5, "legal": -1.6, "level": -1.3, "light": -0.5, "lightbox": -1.5, "like": -1.5,
        "line": 1.0, "lines": 0.5, "link": -0.5, "links": -2.5, "lists": -1.2, "load": -1.7, "loader": -0.7,
        "loading": -1.6, "local": -0.5, "locale": -0.5, "logged": -0.5, "login": -2.1, "logo": -1.6, "logos": 0.5,
        "loose": 1.6, "lower": -1.6, "ltr": 2.6, "maincontent": 0.9, "mainmenu": -1.7, "manage": -1.1,
        "management": 2.2, "map": -0.7, "marketing": -1.0, "markup": 2.3, "marquee": 0.9, "masthead": -1.8,
        "media": -0.6, "mega": -2.2, "megamenu": -2.3, "member": 1.5, "menu": -2.5, "menuitem": -0.9, "menus":
        -1.9, "meta": -0.5, "metadata": -0.9, "methods": 0.7, "mid": -0.5, "mini": -2.4, "minicart": -0.8,
        "minor": -0.9, "misc": -0.5, "mobile": -0.7, "modal": -3.4, "model": -0.6, "more": -1.0, "motion": -0.6,
        "msg": -0.9, "multi": 1.4, "multilevel": -2.2, "multiple": -0.6, "muted": -0.8, "narrow": 1.2, "nav":
        -2.4, "navbar": -2.1, "navgroup": -0.9, "navigation": -2.3, "navs": -1.2, "nested": -0.8, "network": -1.9,
        "news": 1.0, "newsletter": 0.7, "node": 0.6, "non": -0.6, "normal": 0.6, "noscript": 0.7, "note": 0.6,
        "notes": -0.5, "notice": -1.4, "notify": -1.0, "notranslate": 0.5, "nowrap": -0.6, "numbers": -0.7,
        "object": -2.1, "odd": -2.1, "off": -0.7, "offcanvas": -1.1, "offer": -1.2, "offset": 1.3, "onecol": 0.7,
        "opacity": -0.5, "opposite": -0.9, "opt": -1.7, "optin": -1.3, "option": 0.5, "options": -1.1, "order":
        -0.9, "out": -0.8, "outline": 0.8, "overlay": -0.6, "overview": 1.5, "packages": 0.5, "pages": -2.3,
        "pagination": -0.6, "pane": -1.1, "panel": -0.7, "panels": 1.1, "paragraph": 1.3, "part": -1.2,
        "password": -0.5, "personal": 0.6, "phone": -1.6, "photo": -1.9, "photos": -0.6, "pick": -0.8, "picker":
        -1.5, "pill": -0.5, "pinned": -0.7, "place": -0.6, "placeholder": -0.6, "plain": -1.3, "plan": -1.6,
        "play": -1.3, "plp": -0.5, "plus": -1.5, "pointer": -0.5, "policies": -0.9, "policy": -1.1, "pop": -1.0,
        "popover": -2.1, "popular": -1.7, "popup": -2.6, "portable": 1.6, "position": -1.1, "post": 0.8, "posts":
        -1.5, "pre": 0.7, "preferences": -1.8, "premium": 0.6, "prev": -0.5, "previous": -1.5, "prices": -0.8,
        "pricing": -0.7, "print": -0.9, "privacy": -2.1, "pro": -0.6, "promo": -1.9, "promotion": -1.9, "pros":
        2.2, "prose": 2.3, "pub": 1.6, "publish": 1.2, "pull": -1.4, "purchase": -0.5, "purple": -1.3, "quantity":
        -0.8, "question": -0.5, "questions": -1.5, "quick": 0.5, "quote": 1.3, "radio": -1.3, "radius": 0.5,
        "radix": 1.5, "range": -0.8, "rank": 0.5, "rating": -1.2, "ratings": -0.7, "react": -0.9, "reactions":
        -1.0, "reader": -1.6, "reading": 1.1, "recaptcha": -0.6, "recent": -0.6, "recommended": -1.1, "redesign":
        -2.1, "reduce": -1.3, "ref": -1.0, "register": -0.8, "regular": -0.7, "related": -1.2, "release": -0.9,
        "repeater": 1.1, "replies": -2.2, "report": -1.7, "required": -2.0, "respond": -1.0, "responsive": -0.9,
        "result": -0.7, "results": -1.4, "returns": -0.8, "review": -2.2, "rich": 1.3, "richtext": 2.3, "right":
        -0.7, "ring": 1.2, "rows": -1.1, "rte": 1.4, "rtl": -1.3, "sales": -1.0, "save": -0.9, "scale": -2.0,
        "score": -1.3, "scroll": -0.5, "scrollable": 0.9, "scrollbar": -1.7, "scroller": -1.9, "search": -1.6,
        "searchbar": -1.1, "sec": 0.8, "second": -0.9, "secondary": -1.8, "sections": 0.6, "security": -0.6,
        "select": 1.1, "selected": -0.6, "selection": 0.8, "selector": -1.6, "sell": -1.1, "seller": -1.7, "seo":
        2.2, "serif": 0.5, "services": 0.7, "set": -0.9, "settings": -1.9, "shared": -1.1, "sharing": -0.6,
        "shell": -0.7, "shop": -2.2, "shopify": -0.5, "show": -1.4, "side": -0.8, "sides": -1.7, "sign": -1.0,
        "signature": -1.4, "signed": -1.1, "signin": -1.8, "signup": -2.3, "single": 0.9, "skin": -0.8, "sku":
        0.9, "slide": -0.8, "slides": 0.5, "sliding": -1.0, "slot": 0.7, "smart": 0.5, "snap": -0.8, "social":
        -2.0, "software": 0.9, "solid": -1.0, "sort": -0.8, "source": -1.4, "space": 0.5, "spacer": -0.8,
        "spacing": 0.8, "span": 0.9, "special": -0.5, "specifications": 0.6, "spinner": -0.5, "split": 0.9, "sqs":
        1.5, "stack": -0.6, "standard": 1.5, "star": -0.7, "stat": -0.6, "state": 0.9, "static": -0.9,
        "statistics": -1.1, "stats": -0.7, "status": 1.2, "step": -1.2, "sticky": -1.1, "store": -1.3, "story":
        1.1, "structural": -1.6, "styles": 1.0, "sub": -2.5, "subheader": -0.6, "sublabel": -1.0, "submenu": -2.6,
        "submission": 0.6, "submit": -2.2, "subnav": -1.1, "subscribe": -2.1, "subscription": -1.0, "subtitle":
        -0.6, "success": -1.2, "suggested": -0.9, "suggestions": -0.7, "support": -1.1, "supported": -0.8,
        "surface": -1.4, "swatch": 1.8, "swiper": -1.0, "switch": -1.0, "switcher": -1.6, "table": 0.5, "tablet":
        -0.5, "tabs": -0.5, "tag": 0.7, "tagline": -1.4, "tags": -2.1, "target": 1.1, "tax": 2.1, "taxonomy":
        -2.3, "team": -0.9, "teaser": -0.6, "terms": -0.9, "tertiary": 0.5, "test": -1.7, "textarea": -0.5,
        "textwidget": -1.8, "the": 1.4, "third": -2.1, "this": 0.5, "thread": -1.6, "thumbnail": 1.1, "tight":
        0.8, "tile": -0.7, "tiles": -1.2, "tip": 1.1, "title": -0.8, "toc": 0.7, "toggle": -2.1, "toggleable":
        -2.2, "toggler": -0.6, "toolbar": -1.0, "tools": -1.1, "top": -0.5, "topbar": -1.7, "topic": -0.5,
        "topics": -0.9, "topnav": -1.1, "total": -0.8, "totals": -0.6, "touch": -1.0, "track": 0.5, "transform":
        -1.3, "transition": -0.6, "translate": -1.6, "transparent": -1.1, "trigger": -0.9, "truncate": -0.6,
        "txt": 0.6, "typography": 1.2, "undefined": -1.1, "underline": -0.7, "unstyled": -1.6, "upper": -1.8,
        "uppercase": -1.4, "url": 0.5, "use": 1.6, "user": -0.6, "username": -0.6, "validate": -2.1, "validation":
        -1.9, "valign": -1.2, "variant": 1.2, "variation": -0.5, "variations": -0.7, "version": -1.4, "versions":
        -1.6, "vertical": -1.5, "view": -0.6, "views": -0.7, "visibility": -1.6, "visible": -1.8, "visually":
        -2.2, "web": 0.6, "what": 0.5, "whitespace": 1.8, "wide": -1.1, "widget": -0.5, "widgets": -1.7, "width":
        -0.6, "with": -0.7, "without": -1.9, "word": -0.7, "words": 2.5, "work": 0.5, "xxl": 1.1, "xxs": -0.6,
        "year": 2.3, "yes": -1.7, "yoast": 0.6, "yui": 1.6, "zone": 1.5, "zoom": -0.9,
    },
    heading_words={
        "0": -0.6, "000": 0.9, "1": 0.6, "10": 0.9, "100": 2.5, "12": 1.2, "13": 1.0, "15": 0.6, "16": 0.7, "17":
        0.8, "18": 0.6, "2026": 0.7, "21": 0.6, "22": 0.7, "23": 0.5, "4": 0.7, "5": 0.6, "50": 2.2, "51": 0.6,
        "6": 1.3, "8": 0.7, "9": 1.0, "a": 0.6, "accessories": -0.7, "account": -1.2, "across": 0.6, "add": -0.5,
        "adding": 0.8, "additional": -0.8, "advanced": 1.4, "advertising": -0.7, "ai": 0.6, "air": 0.9, "all":
        -0.5, "always": 0.5, "amazon": 0.5, "american": 0.5, "an": 0.9, "analysis": -0.5, "analytics": 0.9, "and":
        0.6, "answer": -0.6, "answers": -0.8, "any": 1.3, "app": 2.2, "apple": -1.3, "application": 2.5, "apps":
        0.8, "are": 1.1, "articles": -1.6, "as": 0.6, "asked": 0.9, "at": 0.7, "audio": 0.8, "average": 1.4,
        "award": 0.7, "based": 0.8, "basics": 1.0, "battery": 0.7, "be": 0.5, "before": 1.0, "beginner": 0.8,
        "beginners": 0.6, "benefits": 1.2, "best": 0.8, "better": 0.6, "between": 1.3, "black": -0.6, "blog":
        -0.7, "book": 1.3, "brands": -0.7, "bring": 0.6, "browser": -0.6, "budget": 1.1, "building": 1.4, "built":
        0.5, "business": 0.5, "businesses": 0.7, "but": 1.0, "buying": 0.5, "by": 0.9, "c": 1.1, "call": -0.6,
        "cancel": -0.7, "car": 0.6, "career": 1.3, "cart": -2.0, "case": 0.5, "categories": -0.9, "category":
        -1.2, "center": 1.1, "challenges": 0.6, "choose": 1.7, "choosing": 1.0, "cleaning": 0.7, "client": -1.0,
        "clients": -1.1, "cloud": 0.7, "collections": -1.8, "color": -1.2, "comment": -1.8, "comments": -0.9,
        "common": 1.1, "community": -0.6, "companies": 1.4, "company": -0.9, "compare": 1.4, "comparison": -0.7,
        "compatibility": 0.9, "complete": 0.6, "conclusion": 0.5, "configuration": 1.6, "connect": -0.5, "cons":
        2.1, "considerations": 1.2, "consulting": 1.1, "contact": -1.5, "content": 0.5, "control": 0.6, "cookies":
        -0.9, "core": 0.9, "cost": 1.6, "costs": 1.5, "course": 0.6, "crm": 1.2, "customer": -0.8,
        "cybersecurity": 0.7, "d": 0.8, "day": 1.1, "deal": -0.6, "deals": 0.7, "description": 1.5, "design": 0.5,
        "determine": 0.9, "developing": 1.2, "development": 2.3, "device": 1.5, "did": 0.9, "digital": -0.7,
        "discussion": -0.6, "do": 1.1, "does": 0.6, "don": 1.3, "down": 0.5, "download": 0.7, "duo": -0.5,
        "edition": -0.7, "effective": 0.8, "effects": -1.1, "electric": 1.5, "end": 0.5, "energy": 1.0,
        "engineering": 0.9, "enterprise": 0.6, "environment": 1.1, "equipment": 0.6, "essential": 0.8, "events":
        0.6, "every": 0.6, "example": 1.4, "examples": 0.6, "exchange": -1.3, "expert": 0.8, "explore": -0.9,
        "external": 0.8, "extra": -0.7, "factors": 1.3, "faq": 0.5, "faqs": 0.9, "featured": -1.8, "feedback":
        -1.0, "file": 1.4, "files": 1.5, "filter": -1.0, "final": 0.8, "financial": 0.8, "find": -0.6, "first":
        1.6, "focus": 0.7, "follow": -0.7, "food": 1.0, "footer": -1.8, "for": 0.5, "forum": 0.6, "free": -0.9,
        "frequently": 0.9, "fresh": 0.5, "from": 0.6, "full": 0.9, "function": 1.9, "functional": 0.5, "game":
        0.8, "games": -0.5, "get": -1.2, "getting": 1.2, "give": 0.5, "goals": 0.8, "good": 1.1, "great": 1.0,
        "green": -0.6, "group": 0.7, "growth": 1.2, "guide": 0.5, "guides": -1.0, "hand": -0.5, "health": 1.8,
        "healthcare": 0.6, "help": -1.5, "here": 0.5, "high": 1.4, "highlights": 0.6, "hot": -1.0, "house": 0.7,
        "how": 0.9, "i": 1.0, "impact": 1.1, "important": 0.7, "improve": -1.7, "in": 0.6, "industry": 0.6,
        "info": -1.7, "information": -0.7, "installation": 1.0, "insurance": 2.0, "intelligence": 0.8, "internet":
        1.2, "is": 0.7, "it": 0.6, "item": -1.0, "join": -0.9, "key": 0.8, "language": -1.6, "last": -1.0,
        "latest": -1.2, "leave": -1.2, "let": -1.1, "level": 0.7, "like": 0.9, "links": -1.9, "list": 1.3, "live":
        -0.5, "living": 1.5, "local": 1.5, "location": -0.6, "login": -0.8, "long": 0.7, "look": 0.6, "love":
        -1.3, "low": 0.8, "machine": 0.7, "machines": -0.7, "made": 0.8, "main": -0.7, "maintenance": 1.0,
        "manage": -0.5, "management": 0.8, "market": 0.5, "material": 1.0, "may": 1.3, "me": 0.9, "media": 0.7,
        "meet": -0.8, "menu": -1.4, "methods": 1.1, "mobile": 2.1, "model": 0.6, "month": 1.3, "months": 1.6,
        "most": 0.6, "much": 0.6, "music": 1.0, "native": 0.8, "navigation": -1.3, "needs": 1.2, "network": -1.4,
        "newsletter": -1.1, "next": 0.5, "no": -0.5, "now": -1.0, "number": 1.0, "nutrition": 0.6, "of": 1.0,
        "offer": 2.3, "offers": -0.7, "office": 1.3, "online": 1.1, "open": 0.8, "options": 2.4, "or": 1.4,
        "orders": -0.9, "organic": 0.5, "organization": 1.2, "other": 0.6, "our": -0.7, "out": 1.4, "overview":
        1.1, "own": 1.1, "pack": -1.3, "package": 1.3, "partners": -0.5, "payments": -1.4, "performance": 1.8,
        "personalized": -0.7, "photos": -0.7, "pick": 1.2, "picks": 0.7, "plan": 1.2, "planning": 1.7, "platform":
        0.9, "platforms": 0.8, "play": 1.1, "please": -0.9, "plus": -0.7, "point": 0.6, "policies": -1.0, "post":
        -0.9, "power": 0.9, "powered": 0.5, "practices": 1.1, "premium": -0.8, "previous": 0.6, "price": -0.8,
        "privacy": -0.7, "process": 1.6, "product": -0.8, "project": 1.3, "projects": 1.3, "pros": 1.8, "protect":
        1.0, "public": -0.8, "quality": 1.3, "quick": 0.7, "r": -0.9, "range": 0.8, "real": 1.2, "really": -0.6,
        "recommended": -1.1, "reduce": 0.9, "related": -1.5, "reply": -1.6, "requirements": 0.8, "resources":
        -1.4, "return": -0.5, "review": -1.3, "reviews": -1.2, "right": 0.8, "rights": -0.8, "road": 0.7, "run":
        0.8, "safe": 0.9, "sales": 0.5, "salesforce": 1.5, "saving": 0.7, "savings": 1.5, "saying": 0.5, "school":
        0.7, "science": -0.8, "search": -1.0, "secure": 0.8, "see": -0.9, "select": 0.5, "seller": -1.9, "server":
        0.8, "service": -1.3, "services": 0.5, "setting": 1.7, "settings": -0.5, "setup": 1.4, "share": -1.2,
        "shipping": -1.0, "shop": -1.9, "short": 0.6, "should": 1.8, "sign": -1.4, "simple": 0.5, "site": -0.9,
        "slow": 0.7, "small": 0.7, "smart": 0.6, "software": 1.0, "solutions": -0.8, "some": 1.4, "something":
        -1.2, "special": -0.6, "specifications": -0.8, "specifying": 0.7, "specs": 1.0, "speed": 1.1, "stack":
        -0.9, "start": 0.8, "static": 1.4, "step": 1.1, "storage": 1.1, "store": -1.6, "stories": -1.0,
        "strategic": 1.1, "strategies": 0.8, "strategy": 0.7, "subscribe": -1.3, "super": -0.6, "support": -0.8,
        "system": 1.0, "systems": 1.0, "t": 1.1, "table": -0.7, "tags": -1.7, "tailored": 0.8, "take": 0.7,
        "task": 1.1, "teams": 0.6, "tech": 0.6, "test": 0.5, "testing": 1.1, "than": 0.8, "thank": -0.6, "the":
        0.8, "they": 1.0, "thoughts": 0.5, "three": 1.0, "time": 1.2, "tips": 1.0, "to": 0.5, "today": -1.7,
        "tool": 1.1, "top": 1.2, "topic": -0.5, "topics": -1.3, "touch": -0.7, "tracking": 1.6, "training": 1.3,
        "trending": -0.9, "trends": 0.9, "types": 2.2, "understanding": 1.3, "unique": 0.8, "update": -1.2,
        "updates": 0.9, "upgrade": 1.0, "us": -1.2, "usa": 1.1, "usage": 1.0, "using": 1.6, "video": 0.6,
        "videos": 0.7, "virtual": 0.7, "vs": 1.2, "want": -0.6, "water": -0.6, "we": 0.6, "web": 1.7, "website":
        -0.6, "week": 1.0, "weight": 0.5, "welcome": -0.8, "what": 1.1, "when": 0.7, "where": 1.3, "white": -0.9,
        "who": 0.5, "why": 1.3, "winning": 0.6, "wireless": 0.5, "without": 0.5, "work": 0.5, "would": 0.7,
        "written": 0.5, "year": 1.5, "z": 0.5, "zero": -1.0,
    },
    short_words={
        "0": -0.6, "00": -1.1, "01": -0.9, "02": -0.6, "03": -0.8, "05": -0.8, "07": -0.7, "09": -0.5, "119":
        -0.5, "17": -0.7, "19": -0.6, "20": -0.5, "2015": -0.6, "2017": -0.6, "2018": -0.5, "2020": -1.0, "2021":
        -0.9, "2022": -0.6, "2023": -0.5, "2025": -1.1, "2026": -1.1, "24": -0.5, "26": -0.5, "27": -0.9, "29":
        -0.7, "31": -1.1, "399": -0.5, "47": -0.5, "57": -0.5, "59": -0.5, "99": -0.5, "999": -0.5, "a": -0.5,
        "about": -1.0, "accept": -0.7, "accessibility": -1.2, "accessories": -1.2, "account": -1.5, "activity":
        -0.6, "add": -1.6, "address": -0.7, "administration": -0.5, "ads": -0.6, "advanced": -1.1, "advertise":
        -0.7, "advertising": -0.7, "affiliate": -0.7, "ago": -1.5, "all": -1.3, "am": -0.7, "animation": -0.5,
        "answer": -1.0, "api": -1.1, "apple": -1.0, "april": -1.1, "architecture": 0.7, "arrivals": -0.9,
        "article": -0.6, "articles": -1.1, "artificial": 0.6, "ask": -0.6, "at": -0.8, "aug": -0.8, "august":
        -1.1, "average": 0.9, "awards": -0.5, "baby": -0.8, "back": -0.7, "bags": -0.5, "balance": -0.5, "bar":
        -0.5, "battery": 0.9, "become": -0.9, "been": -0.5, "beginner": 1.2, "benefits": 0.5, "bit": 0.6, "blog":
        -1.8, "body": -0.5, "books": -1.1, "brand": -0.9, "brands": -0.5, "browse": -1.3, "bundles": -0.6,
        "business": -0.5, "buy": -0.8, "buyer": -0.6, "by": -1.1, "calculator": -0.8, "camping": -0.5, "can": 0.5,
        "cancel": -0.8, "cards": -0.8, "care": -0.6, "careers": -1.5, "cart": -2.3, "cases": -0.5, "categories":
        -0.5, "chairs": -1.2, "challenge": -0.5, "changes": -0.6, "chat": -0.6, "child": -0.7, "chinese": -0.5,
        "city": -0.6, "clearance": -0.7, "click": -1.0, "close": -1.2, "collections": -0.7, "color": -0.9, "com":
        -1.1, "command": 0.6, "comment": -0.8, "comments": -0.5, "community": -1.2, "company": -0.6, "compare":
        -0.6, "compliance": -0.6, "conditions": -0.7, "config": -0.5, "configure": -0.5, "connect": -0.6, "cons":
        0.8, "construction": -0.5, "contact": -1.3, "content": -1.2, "contents": -0.8, "continue": -0.7,
        "contract": 0.5, "cookie": -0.8, "cookies": -1.1, "copy": -0.7, "copyright": -1.0, "cost": 0.5, "costs":
        0.5, "count": 0.5, "cpu": -0.5, "create": -0.8, "credit": -0.7, "crm": 0.6, "current": -0.7, "custom":
        -0.7, "customer": -0.7, "cyber": -0.5, "cybersecurity": -0.5, "daily": -0.5, "dark": -0.5, "date": -0.5,
        "day": 0.5, "de": -0.6, "deals": -1.0, "dec": -0.9, "december": -1.0, "decor": -0.7, "delivery": -0.6,
        "demo": -0.5, "desk": -0.7, "desks": -0.9, "details": -1.0, "dimensions": 0.5, "dining": -0.6,
        "directory": -0.5, "disclosure": -0.6, "discount": -0.6, "discover": -0.6, "discussion": -0.8, "docs":
        -0.5, "dog": -0.5, "don": 0.8, "donate": -0.6, "driver": -0.5, "dual": 0.6, "easy": 1.3, "edited": -0.8,
        "edition": -0.9, "efficient": 0.5, "electrical": 0.5, "email": -1.1, "embed": -0.6, "en": -1.4, "english":
        -1.4, "enter": -1.0, "equity": -0.6, "ergonomic": -0.5, "ergonomics": -1.2, "errors": -0.6, "español":
        -0.7, "events": -0.9, "exclusive": -0.7, "expand": -1.0, "explore": -1.2, "facebook": -1.4, "faq": -0.6,
        "fast": 0.5, "featured": -0.8, "feb": -1.2, "february": -0.5, "feedback": -0.7, "field": -0.5, "filters":
        -0.5, "financing": -0.5, "find": -1.1, "fitness": -0.6, "flex": 0.7, "follow": -1.0, "following": 0.5,
        "footer": -0.8, "forum": -1.0, "forums": -0.7, "free": -0.9, "function": 0.5, "furniture": -0.7, "g":
        -0.6, "gallery": -1.1, "gb": 0.6, "gear": -0.8, "georgia": 0.7, "get": -1.1, "gift": -1.0, "gifts": -1.0,
        "github": -0.5, "go": -0.5, "gold": -1.1, "good": 0.5, "government": -0.6, "grade": -1.2, "group": 1.1,
        "guide": -0.9, "guidelines": -0.5, "guides": -1.4, "have": -0.5, "healthy": -0.7, "heart": -0.5, "help":
        -1.1, "hidden": -0.5, "hide": -0.5, "history": -0.7, "home": -0.9, "hotel": 0.8, "hours": -0.8, "house":
        0.5, "html": 0.5, "hub": -0.6, "human": -0.7, "humanscale": -0.5, "ii": 0.7, "image": -0.8, "images":
        -0.5, "impact": 1.3, "improve": -0.7, "in": -0.6, "inc": -0.6, "info": -1.2, "information": -1.1, "input":
        -0.5, "ins": 1.1, "instagram": -1.0, "intelligence": 0.7, "investing": -0.6, "iphone": 1.1, "item": -0.8,
        "jan": -0.5, "january": -0.6, "javascript": -0.6, "jewelry": -1.1, "join": -0.9, "joined": -0.9, "jul":
        -0.5, "july": -0.6, "jump": -0.6, "jun": -0.5, "june": -0.6, "kids": -1.1, "label": -1.1, "language":
        -0.7, "languages": -0.5, "last": -1.3, "latest": -0.8, "law": -0.5, "lbs": 1.6, "learn": -0.9, "leave":
        -1.0, "legal": -0.8, "library": -0.5, "life": -0.5, "light": -0.5, "link": -0.8, "linkedin": -0.8,
        "links": -1.4, "list": -0.8, "llc": -0.5, "load": -0.5, "loading": -1.8, "locations": -0.6, "log": -1.0,
        "login": -1.0, "love": -0.5, "machines": -0.9, "magazine": -0.5, "main": -1.6, "makers": -0.8, "manage":
        -1.0, "map": -0.5, "march": -0.6, "math": -0.9, "max": 0.6, "me": -0.7, "media": -1.1, "meet": -0.6,
        "meeting": -0.5, "member": -0.9, "members": -1.0, "menu": -1.5, "message": -0.6, "miles": 0.5, "min": 0.8,
        "mission": -0.5, "modal": -0.8, "mode": -0.6, "modules": -0.5, "monitors": 0.6, "month": -0.5, "more":
        -1.0, "mount": -0.5, "move": -0.5, "moving": -0.5, "my": -0.6, "name": -0.6, "navigation": -0.8, "near":
        -0.7, "need": -0.5, "new": -1.3, "news": -1.3, "newsletter": -1.0, "newsroom": -0.5, "night": 0.8, "non":
        1.1, "notice": -0.7, "notifications": -0.6, "nov": -0.5, "now": -0.9, "o": -0.5, "october": -0.8, "off":
        -0.9, "offers": -0.8, "on": -0.5, "only": -0.5, "open": -0.8, "opens": -1.7, "optional": 1.0, "options":
        -0.5, "order": -0.7, "orders": -0.7, "original": -0.5, "os": 0.5, "other": 0.7, "our": -1.5, "outdoor":
        -0.6, "over": -0.8, "overall": 0.5, "overflow": -0.5, "owner": -1.1, "p": -0.5, "package": -0.7, "packs":
        -0.6, "page": -1.4, "parent": -0.8, "partner": -0.5, "partners": -0.6, "parts": 0.9, "password": -0.7,
        "patterns": -0.6, "pay": -0.6, "pdf": 1.2, "personal": -1.0, "personalized": -0.5, "phone": -0.6, "photo":
        -0.6, "pickup": -0.5, "pinterest": -0.7, "plan": -0.5, "please": -1.0, "plus": -0.8, "pm": -0.5, "points":
        -0.5, "policies": -0.6, "policy": -2.0, "popular": -0.6, "portal": -0.5, "positive": -1.5, "post": -0.8,
        "posts": -1.5, "powered": -0.6, "preference": -0.5, "preferences": -0.9, "press": -0.5, "price": -1.0,
        "pricing": -0.5, "print": -0.7, "privacy": -1.7, "processor": 0.6, "product": -1.6, "products": -1.5,
        "program": -0.8, "programming": -0.5, "programs": -0.8, "project": -0.9, "promise": 0.5, "pros": 1.0,
        "public": -0.9, "published": -0.5, "purchase": -0.6, "quality": 0.7, "questions": -0.5, "quick": -1.2,
        "quote": -1.1, "range": 0.5, "rated": -0.9, "re": -0.8, "react": -0.5, "reactions": -1.0, "read": -0.9,
        "reading": -0.5, "recent": -0.6, "recommendations": 0.5, "region": -0.8, "register": -1.1, "registration":
        -0.9, "registry": -0.5, "regular": -1.0, "related": -0.9, "release": -0.6, "repair": -0.5, "replies":
        -0.7, "reply": -1.8, "report": -0.8, "request": -0.6, "reserved": -1.3, "residential": 0.8, "resources":
        -1.0, "rest": 1.1, "returns": -0.5, "review": -0.5, "reviews": -0.9, "rewards": -0.6, "rights": -1.6,
        "root": 0.5, "rules": -0.5, "run": 1.2, "running": -0.5, "sale": -1.0, "sandals": -0.7, "save": -1.5,
        "school": -0.5, "score": -1.3, "screen": 0.6, "se": 0.6, "search": -1.5, "security": -0.8, "see": -0.7,
        "select": -0.8, "sell": -0.9, "seller": -0.9, "sellers": -1.1, "september": -0.6, "serve": 0.6, "service":
        -0.8, "services": -0.7, "sets": -0.6, "settings": -0.7, "share": -1.3, "ship": -0.5, "shipping": -1.3,
        "shoes": -0.8, "shop": -2.3, "shopping": -0.7, "shops": -0.5, "show": -1.3, "sign": -1.9, "silver": -0.9,
        "single": 0.8, "site": -0.9, "skip": -1.4, "smart": -0.8, "society": -0.6, "sold": -0.5, "solutions":
        -0.8, "something": -0.5, "sort": -0.6, "space": 0.7, "special": -0.8, "speed": 0.7, "stack": -0.7,
        "standing": -0.5, "stands": -0.6, "start": -0.5, "statement": -0.5, "stay": 0.5, "steel": 0.5, "stock":
        -0.7, "store": -1.1, "stories": -0.6, "strategy": -0.6, "styles": 0.6, "styling": -0.5, "submenu": -0.8,
        "submit": -0.7, "subscribe": -1.3, "subscription": -0.6, "supplies": -0.6, "support": -0.8,
        "sustainability": -0.5, "systems": -0.5, "t": 0.7, "tab": -1.2, "table": -0.8, "tables": -0.6, "tags":
        -0.7, "task": 1.0, "technology": -0.8, "terms": -1.6, "text": -0.5, "this": -0.9, "thread": -0.5,
        "tiktok": -0.5, "tips": -0.6, "to": -0.8, "today": -1.0, "toggle": -1.2, "topic": -0.9, "topics": -0.6,
        "touch": -1.0, "track": -0.5, "trade": -0.6, "training": -0.7, "transparency": -0.5, "transportation":
        -0.7, "travel": -0.5, "trending": -0.6, "trial": -0.7, "tv": -0.6, "twitter": -1.2, "type": -0.5, "types":
        0.6, "ui": -0.9, "unit": -0.5, "united": -0.9, "update": -0.5, "updated": -0.7, "updates": -0.5, "us":
        -1.6, "usd": -0.6, "using": -0.6, "v1": -0.7, "verified": -1.2, "very": -1.1, "videos": -0.7, "view":
        -1.3, "viewed": -0.5, "viewing": -0.6, "views": -0.6, "vintage": 0.5, "vision": -0.8, "visit": -0.6,
        "was": -0.7, "watch": -0.7, "web": -1.0, "website": -0.9, "weekly": -0.5, "weeks": -0.5, "window": -0.9,
        "winter": -0.6, "wire": 0.6, "wishlist": -0.6, "within": -0.5, "worker": 0.6, "workshop": -0.5,
        "workshops": -0.5, "written": -0.6, "years": -0.7, "yes": 0.6, "you": -0.6, "your": -0.5, "youtube": -1.0,
    },
)


def log_odds(s: list[float]) -> float:
    """The log odds that the block with signals `s` is main content."""
    return (
        + ((-0.691 if s[28] <= -2.95 else -0.585) if s[31] <= -1.6743 else (-0.536 if s[44] <= 0.039048 else
        ((-0.275 if s[9] <= 36.5 else -0.440) if s[44] <= 0.47803 else ((-0.199 if s[60] <= 0.11177 else -0.486)
        if s[80] <= 246 else -0.523)))) + ((-0.173 if s[30] <= -16.15 else (-0.112 if s[53] <= 19.553 else 0.078))
        if s[30] <= -4.45 else ((-0.092 if s[49] <= 8.3515 else (0.138 if s[21] <= 0.14249 else -0.082)) if s[32]
        <= -1e-35 else (0.150 if s[44] <= 0.77987 else 0.267))) + (-0.134 if s[31] <= -1.7634 else ((-0.085 if
        s[28] <= -1.65 else (0.094 if s[13] <= 0.82975 else -0.107)) if s[45] <= 10.348 else ((0.189 if s[14] <=
        0.51973 else (0.081 if s[20] <= 62.643 else -0.141)) if s[40] <= 0.77738 else 0.240))) + ((-0.141 if s[64]
        <= 1e-35 else ((-0.024 if s[58] <= 0.10862 else 0.204) if s[77] <= 322 else -0.103)) if s[28] <= -2.35
        else (-0.048 if s[22] <= 6.4142 else (0.035 if s[58] <= 0.068729 else (0.177 if s[22] <= 54.063 else
        -0.024)))) + (((0.191 if s[25] <= 0.012125 else -0.146) if s[64] <= 1e-35 else (-0.073 if s[38] <= 0.11325
        else 0.237)) if s[30] <= -6.15 else (-0.075 if s[33] <= -1e-35 else ((0.195 if s[33] <= 2.5 else 0.102) if
        s[77] <= 956.5 else -0.113))) + (((-0.036 if s[40] <= 0.28642 else 0.261) if s[51] <= 0.012633 else
        -0.113) if s[30] <= -4.4 else (-0.070 if s[33] <= -1e-35 else ((0.191 if s[21] <= 0.15017 else 0.040) if
        s[9] <= 66.5 else (0.074 if s[74] <= 9.2795 else -0.121)))) + ((-0.107 if s[12] <= 0.35 else (-0.079 if
        s[33] <= -1e-35 else (0.155 if s[14] <= 0.4284 else 0.010))) if s[30] <= -1.85 else (-0.034 if s[33] <=
        1e-35 else ((0.074 if s[54] <= 1.5 else 0.160) if s[77] <= 956.5 else -0.101))) + (-0.106 if s[31] <=
        -2.3376 else ((-0.041 if s[53] <= 20.215 else 0.112) if s[32] <= -1e-35 else ((0.134 if s[9] <= 42.5 else
        -0.004) if s[52] <= 0.51206 else ((0.158 if s[74] <= 9.2795 else -0.073) if s[41] <= 148.5 else -0.194))))
        + (-0.101 if s[31] <= -2.529 else ((((-0.063 if s[28] <= -2.25 else 0.039) if s[59] <= 40.307 else 0.136)
        if s[14] <= 0.8428 else -0.081) if s[48] <= 0.1705 else (0.027 if s[54] <= 1.5 else (0.146 if s[77] <=
        956.5 else -0.044)))) + (-0.083 if s[31] <= -1.7634 else ((((0.125 if s[11] <= 37.5 else -0.025) if s[8]
        <= 0.66252 else ((-0.047 if s[32] <= -1e-35 else 0.113) if s[80] <= 4.5 else -0.087)) if s[66] <= 1e-35
        else -0.212) if s[21] <= 0.16626 else -0.042)) + (-0.090 if s[31] <= -2.6824 else (((0.064 if s[8] <=
        0.76334 else -0.075) if s[39] <= 0.06662 else -0.065) if s[58] <= 0.11782 else (((0.302 if s[76] <=
        0.13489 else 0.022) if s[44] <= 0.084751 else 0.149) if s[80] <= 4.5 else 0.001))) + (((-0.102 if s[9] <=
        -1e-35 else 0.084) if s[9] <= 38.5 else -0.100) if s[28] <= -2.45 else ((0.128 if s[9] <= 70.5 else (0.055
        if s[85] <= 1e-35 else (-0.236 if s[78] <= 49.5 else 0.154))) if s[21] <= 0.11642 else -0.028)) +
        (((-0.092 if s[5] <= 0.64318 else 0.132) if s[82] <= 42.5 else 0.101) if s[33] <= -1e-35 else (-0.101 if
        s[30] <= -16.15 else (((-0.009 if s[58] <= 0.018589 else 0.118) if s[10] <= 0.20053 else -0.002) if s[58]
        <= 0.45324 else 0.126))) + ((-0.098 if s[64] <= 1e-35 else -0.009) if s[33] <= -1e-35 else (-0.083 if
        s[28] <= -4.55 else ((0.122 if s[50] <= 0.99586 else -0.099) if s[9] <= 38.5 else (-0.054 if s[28] <=
        -2.35 else (0.056 if s[77] <= 956.5 else -0.099))))) + (-0.076 if s[31] <= -2.6824 else (((-0.124 if s[9]
        <= -1.5 else (0.116 if s[20] <= 62.643 else -0.083)) if s[9] <= 44.5 else ((-0.029 if s[32] <= 8.5 else
        0.105) if s[52] <= 0.98355 else 0.105)) if s[35] <= 0.13809 else -0.040)) + ((-0.073 if s[5] <= 0.64318
        else 0.112) if s[33] <= -1e-35 else ((((0.114 if s[39] <= 0.06192 else -0.021) if s[9] <= 44.5 else (0.136
        if s[8] <= 0.27009 else -0.024)) if s[22] <= 54.063 else -0.191) if s[42] <= 0.73893 else 0.112)) +
        (-0.063 if s[28] <= -2.95 else (-0.068 if s[12] <= -0.45 else (-0.117 if s[10] <= -1e-35 else (0.086 if
        s[13] <= 0.37039 else ((0.210 if s[76] <= 0.14223 else (-0.068 if s[31] <= -0.75164 else 0.020)) if s[58]
        <= 0.65633 else 0.160))))) + (((-0.102 if s[9] <= -2.5 else ((-0.045 if s[45] <= 3.9085 else 0.082) if
        s[7] <= 0.88629 else -0.059)) if s[11] <= 7.5 else (0.160 if s[79] <= 4.5 else -0.033)) if s[47] <=
        0.44797 else (-0.074 if s[82] <= 33.5 else 0.141)) + (-0.079 if s[28] <= -4.35 else ((-0.081 if s[9] <=
        -1e-35 else (-0.021 if s[45] <= 4.5125 else 0.093)) if s[9] <= 48.5 else ((-0.066 if s[82] <= 20.5 else
        0.079) if s[61] <= 10.5 else (0.062 if s[79] <= 335 else -0.120)))) + ((((-0.008 if s[14] <= 0.4284 else
        -0.086) if s[42] <= 0.339 else 0.126) if s[28] <= -2.55 else (-0.019 if s[58] <= 0.064028 else ((0.103 if
        s[10] <= 0.41897 else 0.022) if s[0] <= 270.5 else -0.127))) if s[66] <= 1e-35 else -0.138) + ((-0.003 if
        s[44] <= 0.13203 else (0.095 if s[79] <= 314 else -0.074)) if s[11] <= 4.5 else (-0.092 if s[61] <= 4.5
        else (0.078 if s[47] <= 0.0027274 else ((0.023 if s[14] <= 0.2587 else -0.073) if s[44] <= 0.79422 else
        0.091)))) + (-0.082 if s[30] <= -16.15 else (((-0.022 if s[45] <= 4.5125 else ((-0.085 if s[10] <= -1e-35
        else 0.118) if s[8] <= 0.31674 else 0.026)) if s[50] <= 0.99586 else (-0.131 if s[32] <= 1e-35 else
        0.101)) if s[8] <= 0.85951 else -0.064)) + (-0.073 if s[30] <= -16.15 else (((((0.018 if s[78] <= 39.5
        else 0.094) if s[24] <= 28.417 else -0.097) if s[8] <= 0.69662 else -0.033) if s[3] <= 12.5 else -0.047)
        if s[58] <= 0.45324 else (0.146 if s[74] <= 8.1115 else 0.001))) + (((0.079 if s[79] <= 20.5 else ((-0.058
        if s[10] <= 1e-35 else (0.096 if s[11] <= 1.5 else 0.015)) if s[17] <= 9.5 else (-0.052 if s[77] <= 440.5
        else 0.060))) if s[69] <= 1e-35 else -0.129) if s[66] <= 1e-35 else -0.132) + (-0.056 if s[6] <= -0.65
        else (((((0.077 if s[20] <= 82.571 else -0.139) if s[43] <= 0.044029 else -0.013) if s[74] <= 8.3021 else
        (-0.137 if s[74] <= 8.4424 else 0.003)) if s[44] <= 0.80985 else 0.094) if s[7] <= 0.8509 else -0.054)) +
        ((-0.046 if s[6] <= -0.55 else (((-0.032 if s[9] <= 1e-35 else 0.092) if s[9] <= 38.5 else (-0.052 if
        s[61] <= 4.5 else 0.025)) if s[20] <= 52.786 else (0.073 if s[78] <= 28 else -0.120))) if s[68] <= 1e-35
        else -0.132) + (((-0.020 if s[33] <= -1e-35 else (0.043 if s[24] <= 23.103 else (-0.118 if s[30] <= -4.4
        else ((0.079 if s[62] <= 3211.5 else -0.212) if s[11] <= 47.5 else -0.227)))) if s[70] <= 1e-35 else
        -0.087) if s[66] <= 1e-35 else -0.124) + ((0.004 if s[13] <= 0.33922 else -0.085) if s[57] <= 3.5 else
        (-0.061 if s[31] <= -6.7488 else ((0.177 if s[31] <= -5.6292 else (-0.029 if s[74] <= 7.2363 else (0.131
        if s[74] <= 7.5435 else 0.005))) if s[44] <= 0.79422 else 0.090))) + (((-0.096 if s[57] <= 1.5 else
        -0.023) if s[53] <= 13.185 else ((0.112 if s[1] <= 0.070256 else -0.083) if s[78] <= 28 else (0.047 if
        s[13] <= 0.37626 else (-0.083 if s[46] <= 0.41137 else 0.065)))) if s[5] <= 0.093074 else 0.055) +
        ((((-0.051 if s[62] <= 3.5 else 0.027) if s[84] <= 1e-35 else (-0.099 if s[59] <= 50.122 else (0.122 if
        s[24] <= 31.988 else -0.105))) if s[85] <= 1e-35 else (0.049 if s[23] <= 0.021065 else -0.116)) if s[5] <=
        0.093074 else 0.051) + (-0.023 if s[12] <= 0.85 else (((0.140 if s[79] <= 19.5 else ((0.091 if s[78] <=
        200 else -0.103) if s[17] <= 12.5 else -0.025)) if s[27] <= 0.55 else (-0.107 if s[79] <= 48.5 else
        0.062)) if s[37] <= 231.5 else -0.142)) + ((((((-0.027 if s[58] <= 0.45324 else 0.110) if s[83] <= 1e-35
        else -0.091) if s[64] <= 1e-35 else 0.001) if s[82] <= 28 else 0.081) if s[40] <= 0.45732 else (0.093 if
        s[82] <= 25 else -0.089)) if s[0] <= 270.5 else -0.156) + (((0.057 if s[11] <= 1.5 else (((-0.019 if s[53]
        <= 13.28 else 0.057) if s[20] <= 52.786 else -0.155) if s[12] <= 2.55 else 0.118)) if s[86] <= 1e-35 else
        (-0.052 if s[12] <= 1.15 else 0.034)) if s[66] <= 1e-35 else -0.109) + ((0.029 if s[13] <= 0.3322 else
        (-0.068 if s[57] <= 3.5 else (((0.054 if s[77] <= 210.5 else (-0.183 if s[77] <= 236.5 else -0.028)) if
        s[75] <= 0.16256 else 0.022) if s[48] <= 0.99769 else 0.110))) if s[69] <= 1e-35 else -0.120) + ((((0.020
        if s[1] <= 0.038218 else (-0.046 if s[82] <= 29.5 else 0.112)) if s[7] <= 0.85885 else (-0.108 if s[61] <=
        8.5 else 0.031)) if s[70] <= 1e-35 else -0.101) if s[12] <= 1.15 else (0.033 if s[19] <= 221.5 else
        -0.183)) + (-0.055 if s[12] <= -0.4 else (((0.012 if s[52] <= 0.086213 else 0.114) if s[51] <= 0.0061484
        else ((-0.090 if s[52] <= 0.98355 else (0.088 if s[62] <= 3297.5 else -0.159)) if s[25] <= 0.026714 else
        0.009)) if s[69] <= 1e-35 else -0.113)) + ((((((0.022 if s[43] <= 0.074087 else -0.032) if s[11] <= 13.5
        else -0.050) if s[32] <= 10.5 else 0.083) if s[61] <= 33.5 else (0.131 if s[54] <= 56.5 else -0.027)) if
        s[53] <= 40.621 else 0.068) if s[5] <= 0.43651 else 0.083) + (((0.056 if s[79] <= 30 else (-0.169 if s[79]
        <= 32.5 else (0.011 if s[24] <= 27.643 else (-0.107 if s[76] <= 0.83115 else 0.114)))) if s[50] <= 0.99586
        else (-0.043 if s[29] <= 5.55 else -0.315)) if s[68] <= 1e-35 else -0.116) + ((((0.011 if s[46] <= 0.94788
        else -0.097) if s[84] <= 1e-35 else -0.080) if s[59] <= 33.05 else ((0.135 if s[17] <= 12.5 else -0.021)
        if s[9] <= 44.5 else (-0.075 if s[31] <= -1.2459 else 0.035))) if s[66] <= 1e-35 else -0.101) + (((0.033
        if s[83] <= 1e-35 else ((0.093 if s[0] <= 1.5 else (-0.109 if s[30] <= 0.9 else 0.116)) if s[64] <= 1e-35
        else (0.071 if s[11] <= 1.5 else -0.026))) if s[85] <= 1e-35 else -0.058) if s[5] <= 0.093074 else 0.029)
        + ((-0.060 if s[57] <= 1.5 else (((0.036 if s[26] <= 16.5 else -0.029) if s[43] <= 0.71629 else -0.048) if
        s[84] <= 1e-35 else (-0.087 if s[26] <= 17.5 else 0.101))) if s[5] <= 0.096006 else (0.010 if s[75] <=
        0.36576 else 0.104)) + (((-0.046 if s[26] <= 6.5 else (0.020 if s[52] <= 0.99896 else 0.130)) if s[86] <=
        1e-35 else (0.241 if s[76] <= 0.13489 else (-0.076 if s[46] <= 0.052832 else (0.023 if s[60] <= 0.07829
        else -0.079)))) if s[66] <= 1e-35 else -0.094) + ((0.115 if s[75] <= 0.034925 else ((((0.100 if s[75] <=
        0.27097 else -0.029) if s[64] <= 1e-35 else 0.058) if s[76] <= 0.58806 else (0.051 if s[8] <= 0.28541 else
        -0.049)) if s[3] <= 9.5 else -0.032)) if s[69] <= 1e-35 else -0.120) + (((-0.070 if s[6] <= -1.95 else
        ((0.138 if s[75] <= 0.034925 else (-0.059 if s[75] <= 0.067212 else 0.018)) if s[41] <= 148.5 else
        -0.068)) if s[79] <= 382.5 else (-0.002 if s[9] <= 160.5 else -0.173)) if s[66] <= 1e-35 else -0.090) +
        (((((0.092 if s[79] <= 21.5 else -0.025) if s[22] <= 16.251 else 0.132) if s[76] <= 0.48876 else 0.078) if
        s[46] <= 0.19709 else (-0.029 if s[61] <= 38.5 else 0.125)) if s[86] <= 1e-35 else (-0.084 if s[61] <= 3.5
        else -0.000)) + (((-0.079 if s[3] <= -1e-35 else (((0.044 if s[24] <= 23.103 else -0.034) if s[86] <=
        1e-35 else -0.014) if s[4] <= 2.5 else 0.106)) if s[3] <= 9.5 else (-0.035 if s[77] <= 536.5 else 0.065))
        if s[66] <= 1e-35 else -0.088) + ((-0.060 if s[9] <= -29.5 else ((0.142 if s[28] <= -3.55 else 0.015) if
        s[11] <= 1.5 else (-0.058 if s[62] <= 3.5 else ((0.101 if s[35] <= 0.21779 else -0.032) if s[76] <=
        0.31874 else -0.013)))) if s[69] <= 1e-35 else -0.108) + (0.080 if s[0] <= 1.5 else (-0.063 if s[9] <=
        1e-35 else ((-0.018 if s[74] <= 7.2363 else 0.078) if s[8] <= 0.27009 else (((0.028 if s[79] <= 30 else
        -0.029) if s[79] <= 175.5 else 0.063) if s[79] <= 382.5 else -0.132)))) + ((((0.014 if s[86] <= 1e-35 else
        -0.023) if s[69] <= 1e-35 else -0.112) if s[46] <= 0.97062 else -0.097) if s[58] <= 0.45324 else (((-0.069
        if s[80] <= 22.5 else 0.155) if s[44] <= 0.19994 else 0.092) if s[59] <= 45.742 else 0.125)) + ((((0.006
        if s[36] <= 0.16921 else 0.132) if s[11] <= 2.5 else (-0.066 if s[61] <= 4.5 else 0.003)) if s[77] <=
        526.5 else (-0.143 if s[32] <= 7.5 else 0.133)) if s[77] <= 536.5 else (0.088 if s[77] <= 764.5 else
        -0.029)) + ((-0.065 if s[6] <= -1.95 else (((0.007 if s[58] <= 0.45324 else 0.112) if s[82] <= 12.5 else
        0.170) if s[79] <= 30 else ((0.105 if s[7] <= 0.33346 else -0.194) if s[79] <= 32.5 else 0.004))) if s[66]
        <= 1e-35 else -0.091) + ((((-0.023 if s[58] <= 0.025789 else 0.136) if s[78] <= 9.5 else ((-0.030 if s[10]
        <= 1e-35 else 0.082) if s[13] <= 0.3322 else -0.002)) if s[2] <= 1e-35 else (-0.007 if s[62] <= 419.5 else
        -0.115)) if s[17] <= 9.5 else -0.022) + ((0.118 if s[16] <= 2.5 else (-0.134 if s[75] <= 0.63104 else
        0.114)) if s[17] <= -1e-35 else ((-0.047 if s[57] <= 1.5 else 0.003) if s[5] <= 0.21825 else ((0.134 if
        s[10] <= 0.37615 else -0.024) if s[31] <= -0.81912 else -0.007))) + (((((0.020 if s[61] <= 12.5 else
        -0.046) if s[61] <= 41.5 else 0.146) if s[40] <= 0.48522 else 0.083) if s[35] <= 0.060791 else (-0.080 if
        s[35] <= 0.99834 else 0.004)) if s[24] <= 27.643 else (-0.149 if s[30] <= -3.25 else 0.000)) + (((0.007 if
        s[21] <= 0.11642 else -0.058) if s[64] <= 1e-35 else ((0.013 if s[36] <= 0.098017 else 0.118) if s[24] <=
        23.103 else (-0.069 if s[25] <= 0.045116 else 0.064))) if s[4] <= 2.5 else (0.090 if s[4] <= 6.5 else
        -0.030)) + (0.073 if s[37] <= 1.6012 else (-0.036 if s[58] <= 0.018589 else (((-0.096 if s[17] <= -1e-35
        else 0.028) if s[85] <= 1e-35 else (0.041 if s[17] <= 12.5 else -0.125)) if s[84] <= 1e-35 else (-0.011 if
        s[60] <= 0.066806 else -0.158)))) + ((0.007 if s[13] <= 0.5907 else (((-0.026 if s[58] <= 0.11782 else
        0.073) if s[59] <= 18.477 else -0.061) if s[32] <= 10.5 else 0.167)) if s[53] <= 40.621 else ((0.101 if
        s[22] <= 30.382 else -0.075) if s[31] <= 1e-35 else 0.120)) + ((((((0.004 if s[46] <= 0.96237 else -0.073)
        if s[57] <= 34.5 else 0.042) if s[32] <= 10.5 else (-0.079 if s[7] <= 0.33346 else 0.176)) if s[26] <=
        21.5 else -0.052) if s[79] <= 382.5 else -0.075) if s[69] <= 1e-35 else -0.119) + (((-0.006 if s[75] <=
        0.15684 else -0.113) if s[75] <= 0.16256 else ((-0.034 if s[5] <= 0.10819 else 0.047) if s[74] <= 7.1876
        else (0.073 if s[75] <= 0.29496 else (0.022 if s[31] <= 3.1802 else -0.163)))) if s[68] <= 1e-35 else
        -0.092) + ((-0.007 if s[24] <= 28.417 else (0.080 if s[77] <= 223.5 else -0.123)) if s[28] <= -1.05 else
        ((0.047 if s[66] <= 1e-35 else -0.125) if s[43] <= 0.22926 else ((-0.182 if s[35] <= 0.99834 else 0.002)
        if s[77] <= 286 else 0.044))) + (((-0.011 if s[26] <= 8.5 else 0.029) if s[26] <= 16.5 else ((0.196 if
        s[74] <= 6.1608 else -0.050) if s[50] <= 0.698 else 0.229)) if s[84] <= 1e-35 else (-0.087 if s[58] <=
        0.23144 else (-0.075 if s[25] <= 0.036756 else 0.094))) + ((-0.009 if s[49] <= 7.0041 else ((0.125 if s[3]
        <= 6.5 else -0.028) if s[28] <= -3.35 else 0.017)) if s[86] <= 1e-35 else (0.189 if s[76] <= 0.13489 else
        ((-0.057 if s[71] <= 1e-35 else 0.103) if s[28] <= -1.15 else 0.012))) + ((((-0.013 if s[44] <= 0.21664
        else 0.029) if s[50] <= 0.99177 else -0.063) if s[12] <= 2.75 else (0.117 if s[31] <= -0.1471 else
        -0.001)) if s[5] <= 0.28992 else ((0.160 if s[14] <= 0.5409 else -0.015) if s[28] <= -2.35 else 0.004)) +
        ((-0.019 if s[74] <= 6.9142 else (0.080 if s[0] <= 167.5 else -0.103)) if s[79] <= 30 else ((-0.072 if
        s[48] <= 0.98604 else 0.134) if s[79] <= 48.5 else ((0.011 if s[10] <= 0.34645 else -0.038) if s[31] <=
        1.5772 else 0.059))) + ((0.061 if s[0] <= 1.5 else (-0.020 if s[12] <= 1.15 else (0.001 if s[58] <=
        0.33649 else (0.122 if s[23] <= 0.16681 else -0.079)))) if s[34] <= 0.069742 else ((-0.010 if s[64] <=
        1e-35 else 0.160) if s[74] <= 7.869 else -0.075)) + ((-0.003 if s[41] <= 148.5 else -0.071) if s[77] <=
        536.5 else (((-0.020 if s[70] <= 1e-35 else 0.232) if s[29] <= 0.65 else (-0.068 if s[75] <= 0.074736 else
        0.149)) if s[79] <= 382.5 else (0.046 if s[10] <= 0.11606 else -0.119))) + (((-0.113 if s[19] <= 1e-35
        else ((0.096 if s[46] <= 0.091043 else (0.080 if s[23] <= 0.02002 else (-0.046 if s[56] <= 8.5 else
        0.127))) if s[79] <= 20.5 else 0.002)) if s[62] <= 3297.5 else -0.119) if s[69] <= 1e-35 else -0.104) +
        (0.053 if s[0] <= 1.5 else (-0.066 if s[9] <= -31.5 else ((-0.006 if s[0] <= 27.5 else 0.045) if s[13] <=
        0.53399 else ((-0.093 if s[57] <= 8.5 else 0.043) if s[61] <= 3.5 else (-0.015 if s[48] <= 0.99769 else
        0.104))))) + ((((-0.121 if s[58] <= 0.40572 else 0.122) if s[3] <= -1e-35 else (0.019 if s[17] <= 9.5 else
        ((0.086 if s[74] <= 6.2845 else -0.035) if s[77] <= 435.5 else 0.043))) if s[68] <= 1e-35 else -0.092) if
        s[0] <= 228.5 else -0.089) + (((-0.077 if s[32] <= 14.5 else 0.175) if s[4] <= 2.5 else 0.063) if s[9] <=
        1e-35 else ((0.015 if s[36] <= 0.04101 else 0.130) if s[10] <= 0.0488 else ((0.142 if s[31] <= -2.0894
        else 0.019) if s[11] <= 1e-35 else -0.010))) + ((0.008 if s[87] <= 1e-35 else ((-0.069 if s[25] <= 0.9494
        else 0.106) if s[28] <= -2.15 else (((-0.053 if s[49] <= 7.6553 else 0.137) if s[74] <= 7.3892 else 0.139)
        if s[28] <= -1.25 else -0.044))) if s[41] <= 148.5 else -0.083) + ((((((0.102 if s[47] <= 0.15421 else
        -0.073) if s[80] <= 10 else -0.028) if s[79] <= 30 else -0.018) if s[75] <= 0.53547 else 0.087) if s[1] <=
        0.069366 else (-0.021 if s[38] <= 0.057438 else -0.115)) if s[4] <= 1.5 else 0.021) + ((((-0.074 if s[30]
        <= -12.05 else (0.073 if s[51] <= 0.022127 else -0.003)) if s[75] <= 0.13253 else -0.057) if s[75] <=
        0.16256 else (0.008 if s[9] <= 362.5 else 0.101)) if s[66] <= 1e-35 else (0.068 if s[34] <= 0.0018894 else
        -0.112)) + (-0.043 if s[77] <= 111.5 else (0.073 if s[79] <= 19.5 else ((((0.169 if s[30] <= -1.25 else
        -0.051) if s[77] <= 129 else -0.015) if s[5] <= 0.32051 else (0.017 if s[47] <= 0.96958 else 0.155)) if
        s[53] <= 40.621 else 0.083))) + ((0.065 if s[34] <= 0.0016568 else -0.112) if s[7] <= 0.064662 else
        (((0.004 if s[38] <= 0.20456 else ((0.093 if s[14] <= 0.16291 else -0.123) if s[26] <= 12.5 else 0.097))
        if s[44] <= 0.79422 else 0.039) if s[7] <= 0.96768 else -0.085)) + ((0.003 if s[37] <= 27.167 else ((0.093
        if s[15] <= 3.5 else -0.137) if s[48] <= 0.052439 else 0.097)) if s[13] <= 0.19473 else (0.141 if s[75] <=
        0.034925 else ((-0.059 if s[28] <= -1.05 else 0.024) if s[75] <= 0.1595 else 0.002))) + ((((-0.004 if
        s[75] <= 0.14292 else -0.087) if s[75] <= 0.16256 else 0.009) if s[81] <= 2 else -0.100) if s[81] <= 4.5
        else (0.154 if s[74] <= 8.318 else (-0.121 if s[74] <= 8.4424 else (0.114 if s[74] <= 8.7606 else
        -0.031)))) + (((-0.023 if s[43] <= 0.047083 else -0.158) if s[58] <= 0.40572 else 0.102) if s[17] <=
        -1e-35 else ((0.008 if s[17] <= 3.5 else 0.084) if s[17] <= 4.5 else ((0.055 if s[3] <= 9.5 else -0.018)
        if s[31] <= -1.2801 else -0.027))) + (-0.019 if s[74] <= 7.2363 else ((0.142 if s[76] <= 0.60695 else
        0.020) if s[79] <= 30 else ((0.078 if s[74] <= 7.3892 else (0.014 if s[14] <= 0.41801 else (0.060 if s[22]
        <= 4.0294 else -0.052))) if s[49] <= 40.03 else 0.075))) + (((((0.017 if s[31] <= 0.58219 else -0.183) if
        s[24] <= 33.136 else -0.158) if s[29] <= 0.55 else (0.086 if s[31] <= 0.31512 else 0.007)) if s[3] <= 6.5
        else -0.014) if s[86] <= 1e-35 else (0.071 if s[53] <= 2.2386 else -0.030)) + (((0.013 if s[86] <= 1e-35
        else (0.085 if s[24] <= 2.1711 else -0.028)) if s[54] <= 12.5 else (-0.062 if s[13] <= 0.99146 else
        0.169)) if s[40] <= 0.48522 else (0.125 if s[39] <= 0.012584 else (0.071 if s[19] <= 10.5 else -0.038))) +
        ((0.085 if s[49] <= 2.8089 else -0.058) if s[57] <= 1.5 else (((0.012 if s[4] <= 2.5 else 0.091) if s[4]
        <= 6.5 else -0.057) if s[2] <= 0.038711 else ((0.068 if s[64] <= 1e-35 else -0.027) if s[59] <= 8.0263
        else -0.066))) + ((-0.051 if s[77] <= 101 else (0.059 if s[79] <= 19.5 else ((-0.025 if s[79] <= 57 else
        0.005) if s[48] <= 0.98604 else ((-0.045 if s[58] <= 0.015369 else 0.109) if s[79] <= 335 else -0.108))))
        if s[58] <= 0.65633 else 0.072) + (-0.083 if s[3] <= -1e-35 else ((0.001 if s[75] <= 0.23724 else (0.083
        if s[86] <= 1e-35 else -0.008)) if s[75] <= 0.3204 else (-0.076 if s[75] <= 0.35353 else (-0.030 if s[64]
        <= 1e-35 else (0.074 if s[30] <= -0.1 else -0.041))))) + (((((-0.002 if s[37] <= 64.5 else 0.036) if s[37]
        <= 287.5 else -0.110) if s[5] <= 0.63068 else (-0.044 if s[75] <= 0.20954 else 0.122)) if s[66] <= 1e-35
        else (0.047 if s[41] <= 2.073 else -0.106)) if s[76] <= 0.93886 else 0.149) + ((0.063 if s[53] <= 2.2523
        else -0.037) if s[57] <= 2.5 else ((0.010 if s[38] <= 0.17612 else 0.094) if s[54] <= 8.5 else (-0.046 if
        s[40] <= 0.76364 else ((0.110 if s[35] <= 0.069366 else -0.043) if s[9] <= 453.5 else -0.080)))) + (-0.036
        if s[6] <= -1.15 else ((0.061 if s[19] <= 1.5 else -0.047) if s[12] <= -0.5 else ((((0.045 if s[43] <=
        0.0036608 else -0.002) if s[77] <= 526.5 else -0.092) if s[77] <= 536.5 else 0.076) if s[77] <= 803.5 else
        -0.047))) + ((0.027 if s[5] <= 0.039939 else 0.276) if s[0] <= 1.5 else (-0.047 if s[10] <= -0.014012 else
        (((-0.036 if s[78] <= 30.5 else 0.069) if s[79] <= 47.5 else (0.078 if s[3] <= 4.5 else -0.020)) if s[9]
        <= 38.5 else -0.009))) + (((((-0.022 if s[77] <= 151 else 0.083) if s[61] <= 8.5 else 0.129) if s[77] <=
        210.5 else (-0.070 if s[77] <= 235 else 0.019)) if s[21] <= 0.14758 else (-0.017 if s[80] <= 35.5 else
        0.085)) if s[2] <= 0.039737 else -0.026) + ((((-0.007 if s[62] <= 48.5 else (0.044 if s[62] <= 1743 else
        -0.091)) if s[17] <= 9.5 else -0.025) if s[77] <= 526.5 else -0.097) if s[77] <= 536.5 else ((0.009 if
        s[29] <= 0.5 else -0.144) if s[29] <= 0.65 else 0.071)) + ((((-0.001 if s[74] <= 8.3289 else 0.048) if
        s[84] <= 1e-35 else (-0.079 if s[31] <= -0.087411 else (0.097 if s[48] <= 0.071754 else -0.027))) if s[5]
        <= 0.86607 else -0.233) if s[5] <= 0.92821 else (0.171 if s[28] <= -1.45 else -0.040)) + ((0.038 if s[0]
        <= 1.5 else ((-0.071 if s[64] <= 1e-35 else (-0.084 if s[75] <= 0.2161 else 0.137)) if s[10] <= -0.0097919
        else (0.015 if s[10] <= 0.28747 else (-0.023 if s[52] <= 0.99769 else 0.061)))) if s[49] <= 88.5 else
        0.118) + ((0.008 if s[2] <= 0.045716 else ((((-0.076 if s[33] <= 2.5 else 0.016) if s[75] <= 0.3204 else
        -0.153) if s[51] <= 0.27931 else (0.066 if s[33] <= 5.5 else -0.067)) if s[77] <= 536.5 else 0.053)) if
        s[7] <= 0.96373 else -0.075) + (-0.108 if s[19] <= 1e-35 else (((0.000 if s[77] <= 517.5 else -0.081) if
        s[77] <= 536.5 else ((0.053 if s[77] <= 767.5 else -0.064) if s[29] <= 0.85 else (0.125 if s[80] <= 587.5
        else -0.064))) if s[79] <= 382.5 else -0.054)) + ((0.081 if s[75] <= 0.034925 else ((((-0.008 if s[76] <=
        0.82153 else 0.073) if s[81] <= 4.5 else 0.115) if s[81] <= 21.5 else -0.094) if s[81] <= 27.5 else
        0.078)) if s[26] <= 22.5 else (0.077 if s[27] <= -3.05 else -0.075)) + ((((0.093 if s[62] <= 3337 else
        -0.109) if s[75] <= 0.138 else -0.061) if s[26] <= 6.5 else 0.014) if s[86] <= 1e-35 else ((-0.057 if
        s[54] <= 1.5 else (0.009 if s[70] <= 1e-35 else -0.104)) if s[15] <= 18.5 else 0.022)) + (((0.063 if s[78]
        <= 12.5 else ((-0.070 if s[81] <= 4.5 else 0.110) if s[78] <= 57.5 else (0.006 if s[24] <= 31.061 else
        -0.101))) if s[55] <= 2.5 else (0.071 if s[74] <= 9.2005 else -0.092)) if s[75] <= 0.1595 else 0.009) +
        ((0.009 if s[7] <= 0.87454 else (-0.102 if s[51] <= 0.039263 else 0.013)) if s[41] <= 51.25 else (((-0.099
        if s[78] <= 49.5 else (-0.063 if s[63] <= 0.013393 else 0.086)) if s[10] <= 0.64046 else 0.080) if s[12]
        <= 2.35 else 0.089)) + (((((((0.010 if s[56] <= 4.5 else 0.124) if s[43] <= 0.71629 else -0.027) if s[5]
        <= 0.64318 else 0.111) if s[80] <= 33 else 0.069) if s[59] <= 10.187 else -0.014) if s[84] <= 1e-35 else
        -0.050) if s[59] <= 45.742 else 0.028) + (-0.013 if s[29] <= 0.75 else (0.109 if s[76] <= 0.15188 else
        (-0.012 if s[59] <= 33.05 else ((((0.120 if s[79] <= 39.5 else -0.013) if s[42] <= 0.57449 else -0.110) if
        s[79] <= 78.5 else 0.113) if s[57] <= 61.5 else -0.051))))
    )
