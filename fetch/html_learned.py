"""Learned by bench/extraction_fit.py from 600 pages; not written by hand.

`PART` names the pages of the bench it was learned from: it is not to be judged on those.
`LEXICON` says how words lean, and `log_odds` that a block is content: a sum of decision trees, each a nest
of conditions on the block's signals `s`, in the order of `html_signals.SIGNALS`.
"""

from .html_signals import Lexicon

PART = "all"

# fmt: off
LEXICON = Lexicon(
    class_words={
        "aab": 0.6, "abc": 0.6, "above": 1.7, "absolute": -1.9, "aca": 0.8, "acc": -1.9, "accept": -0.6,
        "accessibility": -1.6, "accessories": 0.6, "account": -2.3, "accounts": -0.5, "acf": 1.6, "action": -0.9,
        "actions": -1.3, "active": -0.7, "add": -1.4, "addon": -1.2, "addons": -0.7, "address": -1.1, "addtocart":
        -0.8, "adhesion": -1.2, "admin": -1.0, "admonition": 0.8, "ads": 1.4, "advanced": -1.4, "advice": -0.9,
        "affiliate": -0.8, "agency": -0.7, "ajax": -0.5, "alert": -1.2, "align": -0.7, "aligncenter": -1.6,
        "aligned": -1.8, "alignfull": 1.0, "alignment": 1.1, "alignnone": 0.8, "all": -1.0, "allow": 1.1, "alt":
        -1.4, "alternative": -0.6, "always": -1.5, "analysis": 1.8, "ancestor": -1.5, "anchor": 1.1, "and": 1.0,
        "animation": -0.7, "announcement": -1.8, "another": -1.6, "answercell": 0.6, "anywhere": 1.7, "api": -0.7,
        "appearance": -0.8, "apple": 0.6, "application": -0.5, "apps": 0.5, "archive": 0.5, "are": -1.7, "area":
        0.5, "aria": -0.9, "arrow": -1.6, "arrows": -1.8, "art": -0.7, "article": 1.1, "aside": -2.2, "ask": -1.0,
        "aspect": -0.8, "asset": -1.1, "assets": 2.0, "assistant": 1.0, "ast": -0.5, "atc": -0.8, "attachment":
        -1.0, "attribute": -0.7, "attributes": 0.5, "attribution": 0.5, "audience": -0.7, "audio": 0.5, "auth":
        -1.0, "authentication": -0.6, "author": -0.8, "authorbox": -0.6, "authors": -1.8, "availability": -1.2,
        "available": 2.6, "avatar": -1.5, "award": 2.2, "awards": 1.9, "back": -0.8, "backdrop": -1.9, "badge":
        -1.3, "badges": -0.9, "bag": -1.3, "banner": -1.5, "bar": -1.3, "base": 0.6, "based": 1.1, "baseline":
        -0.5, "basic": 0.7, "basics": 1.4, "battery": 1.0, "bbb": -1.7, "bbc": 0.9, "bcb": -0.5, "bda": 1.7,
        "bde": -0.9, "bdf": 0.9, "bef": -1.2, "before": 1.0, "beginner": 1.1, "beginners": 0.9, "behavior": 0.5,
        "below": -1.8, "benefits": 1.4, "best": 2.0, "bfb": 2.0, "bfc": -0.8, "big": -0.6, "bin": -1.1, "bio":
        -1.5, "biography": -0.8, "bjie": -1.6, "black": -0.9, "bleed": 0.5, "blockquote": 2.1, "blog": 1.4,
        "blogs": -1.1, "blue": -0.8, "blur": -0.8, "bmf": 0.5, "body": 0.5, "bodywrapper": 1.8, "book": -1.2,
        "books": 1.6, "bottom": -0.7, "box": -0.5, "boxed": 0.5, "branch": -1.1, "brand": -0.8, "branding": -2.5,
        "brands": -1.8, "breadcrumb": -0.9, "breadcrumbs": -0.9, "break": 1.2, "breakdown": -0.9, "browse": -0.7,
        "browser": -0.9, "brush": 0.5, "btn": -1.0, "btns": 1.6, "budget": 1.3, "build": 0.5, "building": 1.8,
        "bullet": -0.7, "bundle": -2.4, "burger": -1.6, "business": 0.9, "button": -1.4, "buttons": -1.8, "buy":
        -1.8, "bvnecd": -1.5, "byline": -1.3, "bypostauthor": -2.1, "byuser": -2.1, "cab": -0.5, "calc": -0.8,
        "cali": -1.2, "california": -0.7, "callout": 0.6, "cameras": 1.8, "cancel": -0.5, "canvas": -0.6, "cap":
        1.1, "capitalize": -1.2, "captcha": -0.6, "caption": -1.5, "captioned": -1.0, "cards": 0.9, "care": 0.6,
        "career": -1.4, "cart": -1.1, "case": 0.6, "cases": 1.3, "catalog": -1.4, "categories": -2.8, "category":
        0.5, "catlinks": -0.6, "cats": -0.9, "cbe": -0.6, "ccc": -2.1, "cdb": 2.3, "cdc": 1.0, "cde": -0.9, "cds":
        -1.6, "ceb": -0.9, "cec": 1.1, "cells": -0.9, "cfb": 1.5, "cfc": -1.0, "cfe": 2.2, "chakra": -0.5,
        "change": -0.8, "chapter": -2.1, "chart": 0.7, "checkbox": -3.2, "child": -0.5, "children": -1.7,
        "choice": -1.5, "choose": 0.9, "choosing": 0.5, "chrome": -2.3, "chydhc": -0.7, "circle": 1.6, "citation":
        -1.1, "city": -0.7, "classic": -0.5, "cli": -1.8, "click": -1.1, "clickable": 0.7, "client": -1.1, "clip":
        -1.1, "close": -2.3, "closed": -0.7, "cloud": 1.2, "cmplz": -2.1, "cms": 1.5, "code": 1.0, "codeblock":
        1.7, "coffee": -1.2, "collapse": -1.3, "collapsed": -0.5, "collapsible": -1.7, "collection": -0.5,
        "collections": -1.9, "colophon": -2.3, "command": 1.1, "comment": -1.7, "commentform": -1.1, "comments":
        -1.6, "commercial": -0.8, "communities": -0.5, "community": -1.7, "compact": 0.6, "company": -1.5,
        "compare": -0.5, "comparison": 1.1, "complete": 1.3, "components": -0.7, "con": 0.8, "concealed": 1.0,
        "condensed": 2.7, "config": -2.5, "configure": -1.2, "confirmation": -0.7, "connect": -0.7, "cons": 2.8,
        "consent": -3.1, "considerations": 0.5, "console": 1.0, "constrained": 1.2, "contact": -0.7, "contacts":
        -0.9, "contain": -0.8, "contained": 0.6, "contains": -1.6, "contents": 0.9, "context": -1.7, "contrast":
        -1.0, "control": -1.1, "controls": -0.7, "conversion": -1.5, "cookie": -2.8, "cookiebanner": -2.1,
        "cookies": -0.6, "copyright": -3.0, "core": 0.5, "corral": -1.0, "cost": 1.0, "count": -0.6, "country":
        -2.5, "cover": 0.6, "crawler": 1.3, "create": -0.6, "credit": -0.6, "csqw": -0.7, "css": 0.6, "cta": -1.4,
        "ctas": -1.2, "ctn": -0.7, "currency": -2.1, "current": -1.5, "cursor": -0.5, "custom": -0.7, "customer":
        0.8, "cyan": -0.5, "darkblue": -1.9, "darker": -1.3, "dbc": 0.6, "dca": -1.8, "dec": -1.0, "decimal": 2.0,
        "deck": -0.5, "decoration": 0.6, "ded": -0.7, "delete": -1.5, "delivery": -0.8, "demo": -1.3, "depth":
        -1.2, "design": -0.8, "designer": -0.5, "desktop": -0.7, "detail": 0.7, "dev": 1.3, "developers": -0.6,
        "development": 2.9, "dfe": 1.1, "dialog": -0.8, "dib": 0.9, "digital": 2.3, "dir": -1.1, "directory":
        -1.6, "disable": -1.0, "disabled": -2.3, "disc": 2.4, "disclaimer": -2.6, "disclaimers": -1.0,
        "disclosure": -2.1, "discount": -1.0, "discover": 1.0, "discovery": -0.6, "div": 0.6, "divided": -1.6,
        "divider": -1.2, "dnd": 0.5, "dno": -2.5, "doc": 0.7, "docs": 0.7, "document": 1.9, "documentwrapper":
        1.8, "done": 1.2, "dot": 1.2, "download": -1.1, "drawer": -0.9, "drilldown": -2.0, "drop": -0.7,
        "dropdown": -2.4, "duration": -1.2, "dynamic": -1.0, "eae": 0.6, "early": -0.5, "ecc": -0.8, "eco": 1.0,
        "edb": 0.8, "edge": -1.0, "editable": 1.2, "editor": 1.2, "education": 0.6, "eea": 1.0, "eec": -0.5,
        "eed": -0.6, "elements": -1.4, "elevation": -1.3, "ellipsis": -1.0, "email": -1.8, "embedded": -0.7,
        "enable": -1.2, "end": -1.0, "energy": -0.7, "engine": 1.3, "enhanced": -1.3, "enterprise": -1.0,
        "entertainment": 0.9, "entity": -0.7, "entries": -0.5, "entry": 1.3, "env": -0.6, "environment": -0.9,
        "equal": -0.9, "error": -1.3, "even": -1.2, "events": 0.9, "example": 0.5, "examples": 0.8, "excerpt":
        0.8, "exit": -0.8, "expand": -1.4, "expanded": -1.7, "experience": -0.5, "experiencefragment": -1.7,
        "experts": -0.7, "explore": -1.3, "extend": -0.5, "extended": -1.7, "extensions": 0.6, "external": 0.7,
        "extra": -0.6, "extras": -2.2, "eyebrow": -0.5, "facebook": -0.7, "facet": -1.7, "facets": -1.5, "fade":
        -1.5, "faf": -1.5, "fail": -0.5, "fake": -0.6, "fallback": -0.9, "false": -0.9, "fancy": -0.8, "faq": 0.8,
        "faqs": 1.5, "favorites": -1.1, "fbc": 1.7, "fbf": 0.9, "fea": -0.6, "features": 0.8, "fec": -1.0, "feed":
        -0.6, "ffe": 1.1, "fields": -0.6, "fieldset": 1.2, "figcaption": -1.6, "figure": -1.1, "file": 0.5,
        "files": 0.5, "fill": -0.8, "filled": -1.6, "filter": -1.9, "filters": -0.7, "final": -0.5, "financing":
        -0.7, "fine": -1.5, "fit": -1.0, "fitness": 2.1, "fix": -0.7, "fixed": -0.6, "fixer": -1.1, "flag": -1.6,
        "flags": -0.9, "flair": -1.6, "flash": -1.4, "flat": -0.8, "flexible": 1.0, "float": -0.5, "floating":
        -0.8, "flush": -1.4, "flyout": -2.7, "focus": -0.6, "fold": 0.7, "folder": -1.2, "foot": -1.4, "footer":
        -2.3, "footercontent": -1.9, "footnote": -2.3, "footnotes": -2.7, "form": -1.2, "format": 1.3,
        "formatted": 0.5, "forms": 0.8, "forum": -0.9, "forums": -1.7, "four": -0.7, "fourth": -0.8, "fragment":
        -1.3, "framework": -1.6, "free": -0.5, "freemium": -0.7, "friendly": 1.1, "front": -1.1, "function": -0.5,
        "functional": -1.0, "gallery": -0.9, "game": -0.7, "gdpr": -2.2, "gecko": -1.2, "gen": -1.1, "general":
        0.7, "generic": -0.7, "get": -0.6, "getting": 2.7, "gfield": -1.6, "gform": -1.6, "ghost": -1.2, "gift":
        0.8, "ginput": -0.5, "globalheader": -2.1, "globalnav": -2.0, "gnav": -1.5, "google": 0.6, "government":
        1.1, "gps": -1.3, "gradient": -0.8, "graph": -1.5, "graphic": -1.0, "gravity": -1.6, "grayscale": -1.0,
        "grey": -0.8, "groups": -2.1, "growth": -0.5, "gsx": 1.0, "gsy": -1.7, "gtm": -0.9, "guest": -2.0,
        "guide": 1.9, "guides": 1.7, "gutter": 0.5, "half": 0.9, "hamburger": -1.8, "handle": 1.5, "handler":
        -1.4, "hardware": 0.9, "hash": -2.2, "head": -1.6, "header": -1.3, "heading": 0.6, "headings": 1.9,
        "health": 1.7, "healthcare": 1.4, "healthy": 1.8, "help": -1.8, "helper": -0.5, "helpful": -0.7, "hentry":
        1.4, "hidden": -0.5, "hide": -1.4, "highlight": 0.7, "hint": -0.6, "history": -0.6, "hnf": -2.3, "holder":
        -0.9, "home": 0.5, "honeypot": -0.5, "horizontal": -0.7, "hot": -1.9, "hover": -1.1, "how": 1.5, "html":
        0.5, "hub": 1.2, "huge": 1.4, "ibxc": -1.5, "icon": -0.8, "iconic": -1.4, "icons": -1.1, "identity": -0.7,
        "ignore": -1.3, "iis": -0.7, "images": -1.2, "img": -0.7, "impact": -0.6, "individual": 0.6, "industries":
        -0.7, "industry": 0.7, "info": -0.8, "infobox": 0.5, "ingredients": 0.6, "inherit": 0.9, "init": 1.6,
        "initial": 1.6, "initialized": -1.3, "inline": -0.5, "input": -1.9, "inset": -2.1, "insights": 1.1,
        "install": -0.8, "intelligence": 0.9, "interest": -1.2, "internal": -1.3, "intro": 0.5, "introduction":
        1.4, "inverse": -1.3, "invert": 1.4, "inverted": 0.6, "investing": 0.8, "invisible": -1.6, "ipad": -0.9,
        "isolate": 0.9, "italic": -0.9, "item": -0.9, "items": -0.6, "ixi": -0.5, "javascript": 1.8, "jax": -2.4,
        "job": -1.5, "jobs": -1.3, "just": 0.5, "justification": -0.8, "justified": -2.5, "key": -0.7, "kit":
        -1.2, "know": -0.5, "kzda": -1.6, "kzvh": -0.8, "label": -1.1, "landing": 0.8, "landmark": -1.6,
        "landscape": 0.5, "lang": -1.4, "language": -0.5, "languages": 1.1, "law": -0.5, "leading": 0.7, "left":
        -0.7, "leftnav": -1.3, "legacy": 1.5, "legal": -1.5, "length": -0.8, "letter": 0.8, "level": -1.3,
        "lifestyle": 0.7, "lighter": 0.6, "like": -1.6, "limited": -0.6, "line": 0.6, "link": -0.8, "linked":
        -1.0, "linklist": -1.2, "links": -1.5, "list": -0.5, "listbox": -0.5, "listicle": 1.5, "live": -0.7,
        "living": 0.8, "loader": -0.9, "loading": -1.6, "local": -0.8, "locale": -0.9, "localization": -2.1,
        "logged": -0.8, "login": -2.4, "logo": -2.0, "logos": 0.5, "long": 0.8, "look": 1.0, "loop": -0.7,
        "loose": 1.6, "lower": -1.6, "lstyle": -0.6, "ltr": 2.1, "mac": -0.9, "maincontent": 0.7, "mainmenu":
        -1.8, "manage": -1.2, "management": 2.1, "map": 0.9, "markdown": 3.1, "markup": 2.3, "master": 0.7,
        "masthead": -1.7, "material": 0.5, "matter": -1.2, "mdn": -1.4, "media": -1.0, "medium": 0.5, "mega":
        -2.3, "megamenu": -2.8, "member": 1.3, "men": -1.4, "menu": -2.5, "menuitem": -0.9, "menus": -2.2, "meta":
        -0.9, "metadata": -1.2, "methodology": 0.8, "methods": 0.7, "mfp": -1.2, "mid": -0.5, "min": 0.5, "mini":
        -1.2, "minicart": -0.9, "minor": -1.0, "minus": 0.6, "misc": -0.6, "mnu": -1.6, "mobile": -0.9,
        "mobilemenu": -0.7, "modal": -2.8, "mode": -0.6, "model": -0.6, "mono": -1.1, "more": -0.5, "most": 0.6,
        "motion": -1.1, "mozilla": -0.9, "msg": -1.6, "mui": -1.4, "multi": 0.8, "multilevel": -2.3, "multiple":
        -0.8, "muted": -0.6, "narrow": 1.1, "natural": -0.5, "nav": -2.1, "navbar": -2.4, "navgroup": -1.4,
        "navigation": -2.4, "navs": -1.5, "navy": -1.0, "near": 0.9, "necessary": -0.5, "need": -1.4, "nest": 0.8,
        "network": -2.3, "news": 1.0, "newsletter": 0.6, "nextjs": -1.6, "nextnav": -0.7, "nine": 1.2,
        "nocontent": -1.7, "node": 0.9, "non": -0.5, "normal": 0.6, "noscript": 0.7, "notecard": 1.0, "notes":
        -0.9, "notice": -1.7, "notices": -0.8, "notifications": -1.5, "notify": -1.2, "notranslate": 0.9,
        "nowrap": -0.7, "nudge": -0.8, "object": -2.1, "odd": -1.6, "off": -0.7, "offcanvas": -1.8, "offer": -1.5,
        "offers": -0.6, "offset": 0.6, "offtopic": -0.6, "onecol": 0.8, "onetrust": -2.9, "online": 0.9,
        "opacity": -0.6, "opposite": -1.0, "opt": -2.4, "optin": -1.8, "option": -0.5, "options": -1.5, "opts":
        -1.1, "orange": -0.8, "other": -0.5, "out": -1.5, "outlet": 1.0, "output": 2.1, "outside": -1.1,
        "overlay": -0.8, "overview": 0.8, "owner": -0.5, "owners": -0.5, "oxagfj": -0.9, "package": -0.8,
        "packages": 0.5, "padded": 1.8, "pages": -1.3, "pagination": -0.8, "pairs": -2.4, "pane": -0.7, "panes":
        1.7, "para": 1.3, "paragraph": 0.6, "paragraphs": -1.4, "parser": 2.2, "part": -2.1, "partner": -0.5,
        "parts": -1.0, "password": -0.6, "path": -0.7, "pause": 0.5, "payment": -0.6, "paywall": 1.9, "pencil":
        -0.6, "pencraft": 1.7, "phone": -0.8, "photo": -0.5, "photos": -0.7, "pick": 0.8, "picker": -1.5, "picks":
        1.3, "picture": -0.8, "pill": -1.1, "pills": -1.3, "pinned": -1.0, "place": -0.7, "placeholder": -0.6,
        "plain": -1.3, "plan": -0.9, "plans": -1.5, "play": -1.3, "player": -0.7, "plp": -0.6, "plus": -1.0,
        "podcast": 0.8, "pointer": -0.7, "points": -1.1, "policies": -1.2, "policy": -1.4, "pop": -1.6, "popmake":
        -0.9, "popover": -2.3, "popular": -1.2, "popup": -2.7, "portable": 1.3, "portlet": -2.0, "pos": -1.7,
        "position": -0.8, "positive": -0.6, "post": 0.7, "postalcode": -0.7, "posts": -1.4, "power": -0.5,
        "powered": 1.0, "pre": 0.6, "pref": -0.6, "preferences": -2.0, "prefix": -1.0, "prerendered": 0.9,
        "press": 0.8, "preview": -1.4, "previous": 0.7, "price": -0.7, "prices": -1.6, "pricing": 0.7, "print":
        -1.2, "priority": -0.5, "privacy": -2.2, "process": 1.5, "prod": -0.8, "profile": -0.7, "program": 2.2,
        "programs": -0.5, "progressive": -0.6, "project": 1.5, "promoted": 1.6, "promotion": -2.0, "prompt": -0.8,
        "properties": -0.5, "property": 2.9, "pros": 2.9, "prose": 2.1, "provider": 1.2, "proxy": -0.7, "pub":
        1.4, "public": -1.5, "publication": 1.4, "publish": 1.1, "published": -0.5, "pull": -1.2, "pum": -0.9,
        "purchase": -1.1, "purple": -0.8, "python": 0.8, "quantity": -0.9, "query": -2.3, "questions": -1.9,
        "quick": 0.5, "quicklinks": -0.6, "quiet": -0.6, "quote": 1.2, "radio": -1.0, "radix": 1.3, "rail": 0.6,
        "range": -0.8, "rank": 1.2, "ranking": 1.7, "rating": -1.5, "ratings": -1.0, "raw": 0.8, "react": -0.7,
        "reactions": -1.4, "read": -1.1, "reader": -1.8, "reading": 1.1, "real": 1.5, "recaptcha": -0.7, "recent":
        -1.4, "recipe": 0.7, "recirc": 0.5, "recommend": -0.5, "recommended": -1.5, "red": -0.5, "redesign": -2.0,
        "reduce": -1.8, "reduced": -0.8, "refinement": -1.4, "refinements": -1.4, "register": -1.3, "rel": -1.0,
        "related": -1.5, "relaxed": 2.6, "release": -0.9, "relocation": -0.5, "replies": -1.0, "report": -1.8,
        "req": 1.3, "request": 0.9, "required": -2.0, "research": 0.9, "resized": -0.8, "resources": -1.2,
        "respond": -1.0, "responsive": -0.8, "results": -0.6, "return": 0.8, "returns": -0.7, "reveal": -0.5,
        "reverse": 0.8, "review": -0.5, "revisions": -0.8, "rewards": -0.5, "rgba": -1.5, "rich": 1.6, "richtext":
        2.3, "ring": 0.9, "rnrveo": -0.9, "robots": -0.7, "round": 1.4, "rounded": -0.5, "rows": -0.8, "rte": 1.0,
        "rtl": -1.2, "run": -0.6, "running": 1.7, "rxivnw": -1.5, "rzmkn": -0.9, "safe": 0.8, "safety": -0.5,
        "sales": 0.5, "same": -0.8, "saving": -0.6, "scale": -1.8, "scheduling": -0.7, "science": 1.7, "score":
        -0.6, "scroll": -0.7, "scrollbar": -1.9, "scroller": -1.4, "sdk": -2.9, "search": -1.0, "searchbar": -1.2,
        "searches": -0.5, "sec": 0.9, "second": -1.9, "secondary": -1.4, "sect": 2.0, "security": 1.1, "segment":
        1.0, "selected": -1.5, "selector": -2.0, "sell": -1.2, "sellers": -0.8, "seo": 0.7, "separator": -1.0,
        "services": 0.8, "session": -0.5, "set": -0.7, "setting": -0.8, "settings": -2.3, "share": -0.8, "shared":
        -1.0, "sharedaddy": -0.8, "sharing": -1.1, "shell": -0.6, "ship": -0.8, "shop": -2.2, "shopify": -0.7,
        "shopping": -0.6, "short": -0.5, "shortcode": -1.6, "should": 1.1, "show": -1.3, "showing": -0.7, "shown":
        -0.8, "side": -0.9, "sidebarwidget": -1.0, "sidecar": 1.5, "sidenav": -1.3, "sidepanel": -2.0, "sides":
        -1.7, "sign": -0.5, "signal": -0.6, "signature": -2.0, "signed": -3.3, "signin": -1.9, "signup": -2.7,
        "simple": -0.6, "single": 1.2, "sitemap": -2.0, "six": 0.9, "skeleton": -1.3, "skin": -0.6, "skip": -0.6,
        "slick": -1.3, "slide": -0.9, "slideout": -0.9, "slides": 0.7, "sliding": -1.0, "slogan": -1.0, "slot":
        0.5, "smaller": -0.5, "snap": -0.7, "snug": -0.6, "social": -2.4, "soft": -1.2, "software": 1.3, "solid":
        -1.4, "solution": 0.5, "sort": -1.6, "sorting": -0.5, "source": -1.4, "spacer": -1.0, "spacing": 0.5,
        "span": 0.9, "specifications": 0.8, "specs": -0.6, "spinner": -0.5, "split": 1.0, "sqs": 1.6, "staff":
        -1.1, "standalone": 1.4, "standard": 1.1, "star": -1.0, "stars": -2.2, "started": -0.8, "state": 0.9,
        "statement": 0.7, "static": -0.8, "statistics": -1.2, "status": 1.1, "sticky": -0.9, "story": 1.3,
        "strategy": 0.5, "stretch": -0.5, "strike": -1.3, "string": -1.3, "striped": 1.2, "strong": -2.1,
        "struct": -1.8, "structural": -1.0, "structured": 0.6, "studio": 0.6, "study": -0.6, "styled": -0.8,
        "styles": 0.8, "sub": -2.4, "subcategories": 1.3, "subcategory": -0.6, "subheader": -0.9, "subject": 1.2,
        "sublabel": -1.6, "submenu": -2.8, "submission": 0.6, "submit": -2.4, "subnav": -1.2, "subscribe": -2.3,
        "subscriber": -0.7, "subscription": -1.1, "subtext": -1.5, "subtitle": -1.5, "subtle": -0.6, "success":
        -1.6, "suggested": -0.5, "suggestions": -1.1, "super": -0.7, "supernav": -0.7, "support": 0.5,
        "supported": -0.8, "surface": -2.2, "swatch": 1.4, "swatches": 1.1, "swiper": -0.9, "switch": -1.3,
        "switcher": -1.9, "system": 0.8, "tab": -0.6, "table": 0.5, "tablet": -0.5, "tablist": -0.5, "tabpanel":
        1.0, "tabs": -0.6, "tag": 0.8, "tagline": -1.5, "target": 0.7, "task": 1.2, "tax": 1.9, "taxonomy": -2.2,
        "tbody": -1.4, "team": -0.6, "teams": -0.6, "teaser": -0.5, "tech": -0.6, "temp": 1.0, "ten": 1.4, "term":
        0.7, "terms": -1.4, "tertiary": -0.7, "test": -0.8, "tested": 1.9, "testimonial": -0.7, "testing": 1.3,
        "tex": -2.4, "textarea": -0.6, "textfield": -0.5, "texts": 2.4, "textwidget": -0.9, "that": 0.5, "the":
        2.0, "thread": -1.0, "threads": -2.0, "three": -0.5, "thumbnail": 1.1, "ticker": -1.3, "time": -0.7,
        "tiny": -1.4, "tip": 1.0, "title": -0.8, "titlebar": -1.7, "toggle": -0.9, "toggleable": -2.3, "toggler":
        -0.6, "tool": -0.7, "toolbar": -1.4, "topbar": -1.8, "topnav": -1.1, "total": -0.5, "totals": -0.7,
        "touch": -1.4, "track": -0.5, "tracking": -0.5, "trade": -0.6, "traditional": -0.8, "trail": 1.3,
        "transform": -1.9, "transition": -1.0, "translate": -2.3, "transparent": -0.7, "travel": 1.6, "tree":
        -1.2, "trending": -2.1, "trial": -1.2, "trigger": -0.9, "true": -1.6, "truncate": -0.5, "try": -0.5,
        "twitter": -0.5, "types": 1.4, "typography": 0.8, "uid": -1.9, "undefined": -0.7, "under": 0.5,
        "underline": -0.6, "unit": -1.0, "universal": -0.8, "unpinned": -1.2, "unstyled": -1.4, "update": -0.9,
        "upper": -1.9, "uppercase": -1.2, "url": -0.6, "use": 1.1, "user": -0.7, "using": 0.5, "utilities": 0.6,
        "validate": -2.1, "validation": -2.0, "valign": -1.3, "value": -0.6, "values": -0.9, "variant": 0.7,
        "variants": -1.0, "variation": -0.5, "variations": -0.9, "various": -0.9, "vcard": -0.8, "vector": 1.3,
        "vendors": -2.1, "version": -1.5, "versions": -1.3, "vert": 0.7, "vertically": -1.8, "view": -0.6,
        "views": -0.7, "visible": -0.5, "vision": -0.9, "visitor": -1.7, "visual": 1.6, "visually": -2.3, "vjz":
        -0.6, "voc": -2.3, "votes": -0.9, "website": 0.7, "weight": 0.5, "welcome": -0.6, "what": 1.2,
        "whitespace": 1.5, "who": 0.7, "why": 0.5, "wider": -1.6, "widgets": -1.8, "widgettitle": -0.8,
        "wishlist": -0.8, "with": -0.7, "without": -2.1, "wmn": 1.0, "wmx": 1.0, "words": 2.2, "work": 1.0,
        "working": 2.4, "works": 0.5, "wpb": 0.8, "wpcf": -0.7, "wrapped": 1.8, "writing": 1.3, "wysiwyg": 2.1,
        "xsmall": -0.6, "xxl": 0.9, "xxs": -1.0, "year": 2.3, "yellow": 0.5, "yes": -2.5, "yoast": 0.6, "your":
        2.0, "yui": 1.6, "zip": -0.6, "zone": 1.2, "zoom": -1.2,
    },
    heading_words={
        "0": -0.9, "000": 0.8, "1": 0.5, "10": 0.5, "100": 1.9, "12": 1.3, "13": 0.9, "15": 0.8, "16": 0.7, "17":
        0.7, "18": 1.0, "19": 0.5, "20": 0.5, "2026": 0.8, "22": 0.8, "23": 0.6, "26": -1.1, "29": -1.2, "3": 0.7,
        "30": -0.5, "35": -0.6, "45": 1.0, "48": 0.6, "5": 0.8, "500": 0.8, "55": -1.2, "6": 1.2, "9": 1.1, "a":
        0.6, "accessories": -1.2, "account": -0.9, "accounting": 1.1, "across": 0.8, "actions": 0.7, "active":
        0.5, "activity": 1.0, "adding": 0.9, "ads": -0.5, "advanced": 1.8, "advertising": -1.4, "affect": 1.0,
        "affordable": 0.8, "after": 0.7, "against": 2.8, "age": 0.7, "agency": 0.7, "agentic": 1.1, "agents": 1.4,
        "ai": 0.6, "air": 0.8, "all": -0.6, "also": -0.5, "amazon": 1.0, "an": 0.7, "analysis": 0.9, "analytics":
        1.0, "and": 0.7, "another": 0.5, "answer": -0.6, "answers": -0.5, "any": 1.0, "api": 1.1, "app": 1.6,
        "apple": -0.8, "application": 2.3, "apply": 0.6, "apps": 2.1, "architecture": 0.6, "are": 1.0, "areas":
        1.2, "articles": -1.5, "artificial": 1.1, "as": 0.8, "asked": 0.8, "assembly": 0.8, "assessment": 1.4,
        "at": 1.0, "audio": 0.9, "automated": 0.7, "automation": 0.7, "average": 0.8, "avoid": 1.3, "award": 0.6,
        "awards": 1.8, "azure": 1.0, "background": 1.1, "balance": 0.8, "bar": 0.7, "base": 0.5, "based": 1.1,
        "basic": 0.8, "battery": 0.8, "before": 1.2, "beginner": 0.7, "beginners": 0.5, "beige": -1.0,
        "benchmarks": 1.5, "benefits": 1.0, "best": 0.9, "better": 0.5, "between": 1.6, "beyond": 0.7, "bike":
        1.0, "bits": 1.0, "blog": -0.6, "body": -1.0, "book": 1.2, "booking": 1.3, "brands": -0.8, "bring": 0.7,
        "brooks": 0.6, "brown": -0.8, "browse": -0.7, "browser": -0.9, "budget": 1.2, "building": 1.4, "built":
        0.6, "businesses": -0.5, "but": 1.5, "buying": -0.7, "c": 1.1, "cable": 0.9, "calculator": 0.8,
        "california": 1.4, "call": -0.5, "calls": 0.5, "cameras": 0.6, "cancel": -1.3, "capabilities": 0.9, "car":
        0.7, "card": -0.6, "cards": -2.6, "cart": -2.1, "cases": 0.6, "categories": -1.2, "category": -1.5,
        "center": 0.7, "certificate": 1.1, "certifications": 0.7, "certified": 1.8, "chain": 1.0, "challenge":
        1.3, "challenges": 0.8, "change": 0.8, "changes": 1.7, "channels": -0.5, "charging": 1.0, "chart": 0.5,
        "cheap": 0.8, "check": 1.1, "checklist": 1.1, "children": -1.8, "choices": 0.9, "choose": 1.5, "choosing":
        1.1, "city": 0.5, "class": 0.9, "classes": 1.3, "classic": 0.7, "cleaning": 0.5, "clear": 0.5, "click":
        0.6, "client": -0.8, "clients": -0.9, "climate": 0.6, "cloud": 0.9, "club": 0.7, "code": 1.1, "coding":
        0.9, "collections": -1.8, "colors": 0.9, "comfort": 0.7, "comment": -2.0, "comments": -1.2, "commerce":
        1.4, "commit": 1.4, "common": 1.7, "communities": -2.2, "community": -1.2, "companies": 1.0, "company":
        -0.7, "compare": 0.8, "comparing": 1.5, "compatibility": 1.1, "competition": 0.8, "competitive": 0.5,
        "complete": 0.6, "components": 1.0, "computer": -0.5, "con": 1.2, "conclusion": 0.9, "conclusions": 0.6,
        "conference": 1.3, "configuration": 1.6, "congress": 0.7, "connect": -1.3, "connection": 1.9, "cons": 2.0,
        "consider": 1.8, "considerations": 1.5, "console": 0.5, "consultation": -0.5, "consulting": 0.8,
        "consumer": 0.5, "contact": -1.5, "containers": 0.7, "content": -0.9, "continue": -0.5, "contributors":
        -0.6, "control": 0.7, "controls": 0.5, "cookies": -1.4, "core": 1.0, "corporate": 0.5, "cost": 2.0,
        "costs": 1.3, "country": -1.0, "course": 0.7, "coverage": 1.0, "craft": 0.5, "create": 0.5, "creating":
        0.6, "criteria": 1.3, "crm": 1.6, "cup": 1.4, "custom": 0.6, "customer": -0.9, "cut": 0.5, "cutting":
        -0.5, "dark": -1.0, "database": 1.0, "day": 0.6, "de": 0.6, "dead": -1.1, "deal": -0.5, "deals": 0.5,
        "default": 1.5, "defining": 1.3, "definition": 0.7, "delivery": 0.5, "deluxe": -0.6, "demand": 0.9,
        "deploy": 1.2, "description": 1.7, "design": 1.0, "designing": -0.8, "detailed": 0.9, "determine": 1.2,
        "developer": 0.8, "developing": 1.2, "development": 1.8, "device": 1.0, "did": 1.0, "difference": 1.4,
        "differences": 0.5, "different": 0.7, "direct": 0.9, "discover": -0.6, "discovery": 1.2, "discussion":
        -0.6, "do": 1.0, "does": 0.7, "doesn": 0.8, "don": 1.7, "down": 0.6, "downloads": -0.5, "dream": 0.5,
        "driven": 0.6, "driving": 0.8, "drop": 0.7, "during": 1.1, "dynamic": 0.9, "each": 1.6, "east": 1.1,
        "eat": 0.7, "eating": 0.8, "eco": 0.6, "edge": 0.5, "editor": -0.9, "effect": 0.7, "effective": 1.2,
        "efficiency": 0.6, "efficient": 1.7, "electric": 0.9, "electrical": 1.7, "electronics": 0.8, "elite":
        -2.6, "empower": -0.5, "end": 1.2, "energy": 1.2, "engagement": 1.0, "engine": 0.7, "engineer": -1.3,
        "engineering": 0.9, "enjoy": -0.5, "enterprise": 0.7, "enterprises": 1.3, "entertainment": -0.5,
        "environment": 1.2, "equipment": 1.1, "ergonomic": 0.5, "error": 1.7, "espresso": 0.5, "essential": 0.9,
        "events": 0.5, "ever": 0.9, "every": 0.7, "example": 1.9, "exchange": -1.9, "exclusive": -1.0, "exercise":
        1.1, "expect": 1.1, "expectations": 0.8, "experts": 0.5, "explained": 0.7, "explore": -0.5, "exploring":
        -0.6, "extra": -0.5, "f": -1.3, "facebook": 0.9, "factors": 2.1, "faculty": -1.2, "faq": 0.8, "faqs": 1.0,
        "faster": 0.8, "favorites": 0.6, "featured": -1.9, "features": 0.6, "february": -0.5, "feed": 1.7, "feel":
        0.6, "fees": 0.6, "fiber": 0.7, "field": 1.3, "file": 1.6, "files": 1.3, "filter": -1.8, "filters": -1.2,
        "final": 0.7, "finally": 0.6, "finance": 0.9, "financial": 1.2, "find": -0.6, "finding": -0.6, "firm":
        1.2, "first": 1.1, "fit": 1.1, "fitness": 1.1, "fixing": 0.5, "flexibility": 0.7, "flexible": 0.9, "flow":
        0.8, "focus": 0.7, "follow": -1.5, "food": 0.7, "footer": -2.4, "form": 0.7, "framework": 0.6,
        "franchise": -1.0, "free": -0.6, "frequently": 0.8, "friendly": 0.7, "full": 0.7, "fun": 0.6, "function":
        1.3, "furniture": 0.9, "further": 0.9, "gain": 0.5, "game": 0.5, "garden": -0.6, "gear": 0.5, "gen": 0.6,
        "generative": 0.5, "get": -1.1, "getting": 1.1, "github": 0.9, "glance": 1.6, "glass": 0.7, "goals": 1.0,
        "good": 1.2, "google": 0.7, "got": -1.4, "governance": 0.8, "gps": -1.4, "graphics": -2.6, "gray": -1.0,
        "great": 1.0, "group": 0.9, "growth": 1.6, "guarantee": -1.2, "guaranteed": -2.4, "guide": 0.5, "guides":
        -1.1, "gym": 0.5, "h": -1.4, "half": 1.8, "hand": -0.5, "happy": -0.7, "hard": 1.3, "hardware": 0.7,
        "head": -0.5, "health": 1.1, "healthy": 0.6, "help": -2.0, "helpful": -0.7, "high": 1.2, "hire": 0.5,
        "hiring": 0.7, "history": 0.8, "hooks": 1.5, "hot": -1.0, "hotel": 0.9, "house": 0.8, "how": 0.9, "hr":
        1.0, "html": 0.8, "hybrid": 1.0, "i": 1.0, "ibm": 0.8, "identify": 0.7, "if": 0.7, "ii": 0.6, "ikea":
        -1.9, "image": 0.5, "images": 0.7, "impact": 1.3, "implement": 1.5, "implementation": 0.5, "importance":
        0.8, "important": 1.0, "improve": -2.3, "inbox": -1.4, "include": 3.2, "included": 1.0, "indoor": 1.1,
        "info": -1.3, "instagram": 0.7, "install": 1.3, "installation": 1.2, "insurance": 1.7, "integrated": 1.1,
        "integration": 0.9, "intelligence": 1.2, "interest": -1.6, "interface": 1.3, "interior": 0.9, "internal":
        1.0, "international": 0.7, "internet": 1.2, "into": 0.5, "introducing": 0.8, "introduction": 0.8,
        "invest": 0.9, "involved": -0.8, "ipad": -0.5, "iran": 0.7, "is": 0.8, "it": 0.6, "jack": 0.8, "japan":
        1.5, "job": -1.4, "jobs": -1.1, "joe": -0.7, "join": -1.0, "k": 0.7, "keep": 0.6, "key": 1.6, "keyboard":
        -0.6, "keyword": 1.0, "kind": 1.0, "king": 0.7, "l": -1.1, "la": 1.0, "lake": 0.5, "language": -0.9,
        "laptop": 0.6, "last": -1.2, "latest": -0.5, "lean": 0.9, "learned": 1.3, "learning": 0.5, "leave": -1.7,
        "legal": -1.1, "less": 0.6, "let": -1.5, "level": 0.6, "lifetime": -1.1, "light": 1.4, "like": 0.8,
        "limited": -0.6, "line": 1.0, "link": 0.6, "linked": -0.8, "links": -1.5, "list": 1.7, "listen": 0.7,
        "lists": 1.4, "living": 1.5, "ll": 0.5, "load": 0.6, "loading": -0.8, "local": 0.8, "location": -1.5,
        "lock": 0.9, "log": -1.2, "login": -0.8, "long": 1.2, "look": 1.0, "loss": 2.0, "love": -2.0, "low": 1.4,
        "lower": 0.9, "mac": -1.0, "machine": 1.1, "made": 0.7, "main": -0.7, "maintenance": 1.0, "management":
        0.7, "manager": 1.5, "managing": 0.5, "manual": 1.2, "manufacturer": -1.5, "many": 0.5, "mapping": 1.0,
        "march": 2.5, "marketing": 0.7, "mat": 1.1, "match": 0.8, "material": 0.7, "materials": 0.8, "matters":
        0.5, "may": 1.3, "mdn": -2.5, "me": 0.8, "meal": 0.9, "media": 0.5, "medical": 0.8, "meditation": 1.0,
        "medium": -0.5, "meet": -0.9, "meets": 1.1, "members": -1.3, "mental": 1.1, "menu": -2.2, "message": 1.1,
        "meta": 0.5, "methodology": 1.2, "methods": 1.2, "middle": 1.0, "might": -0.7, "military": 2.6, "min":
        0.6, "mind": 0.6, "mini": 1.0, "miss": -1.3, "mistakes": 1.4, "mobile": 2.0, "model": 0.8, "modern": 0.7,
        "moment": 1.1, "monitor": 0.7, "month": 0.6, "months": 1.9, "most": 0.8, "move": 0.7, "moving": 0.9,
        "much": 0.8, "multi": 0.7, "multiple": 1.1, "my": 0.8, "national": 0.6, "native": 1.0, "navigation": -1.6,
        "need": 0.5, "needs": 1.5, "nest": 0.8, "netflix": 0.6, "network": -1.0, "networking": 1.2, "networks":
        -0.7, "never": -0.6, "newsletter": -1.5, "night": 1.0, "not": 0.5, "nothing": 1.0, "number": 0.9,
        "nutrition": 0.5, "o": 0.7, "object": 0.5, "of": 0.7, "office": 1.2, "ok": 0.9, "old": 0.9, "oled": 1.1,
        "ons": 0.5, "open": 0.6, "openai": 0.9, "opportunities": 0.5, "optimization": 0.5, "optimizing": 1.5,
        "options": 1.3, "or": 1.0, "orders": -0.9, "organic": 0.5, "organization": 1.2, "other": 0.9, "our": -0.7,
        "over": 0.5, "overview": 0.7, "pack": -1.3, "package": 1.2, "pages": -0.8, "paid": 0.8, "panel": 1.1,
        "park": 0.8, "partners": -1.3, "path": 0.5, "patterns": 0.5, "payments": -1.3, "peace": 0.5, "people":
        0.7, "perfect": -0.5, "performance": 1.1, "phone": 0.6, "photography": 0.5, "physical": 1.5, "pick": 0.8,
        "picks": 0.5, "plan": 1.2, "planning": 1.8, "plans": 0.7, "plant": 0.8, "plants": 1.1, "platform": 1.1,
        "platforms": 1.0, "play": 1.4, "please": -1.2, "plumbing": 0.5, "podcast": 1.4, "point": 0.8, "policy":
        0.9, "port": 0.9, "posts": -1.1, "powered": 1.0, "powerful": -1.1, "practical": 0.5, "practice": 1.0,
        "practices": 1.1, "press": 0.9, "previous": 0.5, "pricing": 1.0, "privacy": -1.2, "private": 1.1, "pro":
        0.5, "problems": 1.3, "process": 1.5, "processing": 1.5, "product": -0.5, "production": 2.8, "project":
        1.1, "promise": 1.6, "proof": 0.7, "property": 1.4, "pros": 2.2, "protect": 0.9, "protection": 1.5,
        "proven": 0.5, "provider": 0.7, "public": -1.3, "pull": 0.6, "quality": 0.7, "question": -0.6, "quick":
        0.5, "r": -0.6, "range": 1.1, "rankings": -0.5, "rated": -2.1, "rating": 1.6, "ratings": -1.1, "re": -0.6,
        "reading": -0.5, "real": 0.5, "realistic": 0.7, "really": -0.6, "reason": 1.2, "receive": 0.6, "recent":
        -1.0, "recently": -0.5, "recommend": 0.5, "recommended": -1.5, "record": 0.7, "red": -1.0, "reduce": 0.9,
        "references": -0.7, "register": -1.0, "related": -1.6, "remote": -0.6, "remove": 0.6, "rentals": 0.5,
        "repair": 0.8, "replacement": 0.5, "reply": -1.2, "request": -0.6, "required": 0.6, "requirements": 1.1,
        "research": 0.5, "residential": 1.3, "resistance": 0.8, "resource": 1.2, "resources": -1.5, "return":
        -0.5, "reviews": -1.0, "rights": -0.8, "ring": 1.5, "risk": 0.9, "road": 1.0, "roi": 2.1, "role": 1.2,
        "room": 1.1, "routine": 0.9, "rss": -0.6, "rules": 0.6, "run": 0.5, "runner": 0.5, "runners": 0.6, "safe":
        1.0, "sale": 2.0, "salesforce": 1.5, "san": 0.9, "saving": 1.0, "savings": 1.4, "say": 0.7, "saying": 0.6,
        "scalability": 0.7, "schedule": 1.1, "school": 0.6, "science": -0.5, "search": -0.5, "secure": 1.2,
        "security": 0.7, "see": -1.0, "selection": 0.7, "self": 0.6, "sellers": 0.7, "send": 0.8, "seo": 0.5,
        "separate": 0.9, "series": 0.5, "server": 0.8, "service": -0.8, "session": 0.9, "sessions": 0.8, "sets":
        -0.7, "setting": 1.8, "settings": -0.5, "setup": 1.4, "share": -0.5, "ship": -0.6, "shipping": -1.4,
        "shoes": 1.3, "shop": -1.4, "short": 0.5, "should": 1.1, "show": 0.8, "sigma": 0.5, "sign": -1.7,
        "signup": -0.5, "similar": -2.0, "simple": 0.6, "site": -1.0, "six": 0.8, "size": 0.7, "sleep": 0.6,
        "slow": 0.7, "smooth": 0.5, "sofa": -0.7, "software": 0.8, "solution": -0.9, "solve": 1.0, "some": 0.9,
        "something": -0.6, "sound": 1.0, "source": 0.6, "south": 0.5, "spaces": 0.9, "specialty": 0.8, "specific":
        1.3, "specifications": -0.9, "specifics": -0.9, "specifying": 0.7, "specs": 1.8, "speed": 1.2, "stack":
        -0.8, "stand": 1.2, "standard": 0.6, "start": 0.5, "starting": 1.0, "state": 0.8, "statement": 0.7,
        "static": 1.3, "step": 1.4, "still": -0.5, "stop": 0.6, "storage": 1.0, "store": -1.7, "stores": -0.6,
        "stories": -1.2, "story": 0.6, "strategic": 1.1, "strategies": 1.0, "strategy": 1.0, "strength": 1.3,
        "strong": 0.5, "structure": 1.0, "studio": 1.0, "study": -0.5, "subscribe": -1.5, "subscription": 0.5,
        "success": 1.2, "summary": 0.8, "summer": 0.6, "supply": 0.7, "support": -0.6, "sustainability": 0.5,
        "sync": 0.6, "systems": 1.1, "t": 1.0, "table": -0.8, "tackle": 0.6, "tags": -1.6, "tailored": 0.9,
        "take": 1.2, "takes": -0.9, "talk": -1.1, "task": 1.5, "tasks": 1.4, "tax": 0.6, "teacher": 0.7, "teams":
        0.7, "tech": 0.6, "techniques": 0.7, "technologies": 0.9, "term": 1.0, "tested": 1.5, "testing": 1.0,
        "tests": 0.8, "than": 1.1, "thank": -2.0, "that": 0.6, "the": 0.8, "there": 0.6, "they": 1.1, "thing":
        1.3, "things": 1.1, "thread": -0.6, "threads": -1.8, "three": 0.8, "through": 0.5, "time": 0.6, "times":
        0.5, "tiny": 0.7, "tip": 0.7, "tips": 0.7, "today": -1.2, "together": 0.5, "tool": 1.2, "topic": -0.7,
        "topics": -1.2, "touch": -1.1, "track": 0.8, "tracking": 1.7, "trade": -0.6, "traditional": 0.8, "trail":
        1.6, "train": 1.0, "training": 1.3, "transform": -0.5, "transition": 0.5, "tree": -0.7, "trending": -1.6,
        "trends": 0.5, "true": 0.5, "tutoring": 1.6, "types": 2.2, "uk": 0.7, "ultra": 1.3, "understand": 0.7,
        "understanding": -0.7, "unique": 0.8, "university": -0.6, "unlock": -1.5, "updated": 0.6, "updates": 0.7,
        "updating": 1.3, "upgrade": 0.9, "us": -1.1, "usa": 1.2, "usage": 1.2, "used": 0.5, "useful": -0.5,
        "user": 0.6, "using": 1.7, "version": 0.9, "vertical": 0.6, "video": -1.5, "videos": 0.7, "view": 0.6,
        "viewed": -0.7, "virtual": 1.4, "visual": 0.7, "vs": 1.4, "wallet": -0.8, "want": -0.8, "watch": -1.3,
        "watches": -1.7, "wave": 1.0, "way": 0.8, "we": 0.6, "web": 1.8, "website": -0.5, "wedding": 1.0,
        "weight": 1.8, "welcome": -0.8, "wellness": 0.7, "what": 1.1, "when": 1.3, "where": 1.5, "which": 0.6,
        "white": -0.7, "who": 0.7, "whole": 0.5, "why": 1.1, "wide": 1.1, "wild": 0.7, "window": 0.6, "winning":
        0.6, "wireless": 0.5, "within": 1.6, "without": 0.5, "work": 0.6, "workflow": 0.8, "working": 1.2,
        "worth": 0.7, "would": 0.5, "writing": 0.7, "wrong": -0.9, "x": 0.5, "year": 0.9, "years": -0.5, "yoga":
        0.6, "york": 0.7, "yourself": -0.6, "z": -0.5, "zero": -0.5,
    },
    short_words={
        "0": -0.6, "00": -0.8, "01": -0.8, "02": -0.8, "03": -1.1, "04": -0.6, "05": -1.0, "06": -0.5, "07": -0.9,
        "09": -0.8, "1080p": 0.6, "11": -0.6, "119": -0.5, "14": -0.6, "165": -0.9, "17": -0.8, "18": -0.5, "19":
        -0.6, "20": -0.5, "2006": -0.9, "2008": -1.2, "2010": -0.9, "2011": -0.8, "2012": -0.5, "2013": -0.5,
        "2015": -0.6, "2016": -1.0, "2017": -1.0, "2018": -0.7, "2019": -0.5, "2020": -1.2, "2021": -1.0, "2022":
        -0.5, "2023": -1.1, "2025": -1.5, "2026": -1.1, "21": -0.5, "22": -0.7, "23": -0.6, "24": -0.7, "25":
        -0.5, "27": -0.8, "28": -0.6, "29": -0.5, "31": -1.0, "33": -0.6, "349": -0.5, "365": -0.8, "37": -0.5,
        "38": -0.6, "399": -0.5, "47": -0.5, "49": -0.5, "52": -0.5, "57": -0.5, "59": -0.7, "800": -0.8, "855":
        -0.6, "888": -0.7, "89": -0.5, "90": -0.6, "95": -0.5, "99": -0.6, "a": -0.5, "about": -1.1, "accept":
        -0.8, "accessibility": -1.5, "accessories": -1.4, "account": -1.5, "accounts": -0.8, "act": -0.6,
        "active": -0.6, "activity": -0.5, "ad": -0.5, "add": -1.8, "address": -1.1, "administration": -0.9,
        "admission": -0.5, "admissions": -0.7, "ads": -0.9, "advanced": -1.1, "advertise": -1.2, "advertisement":
        -0.7, "advertising": -0.7, "advice": -1.0, "advisory": -0.6, "affiliate": -1.2, "again": -1.7, "against":
        0.5, "agent": -0.5, "agile": 0.6, "ago": -1.5, "aid": -0.5, "airpods": -0.7, "al": -0.5, "all": -1.5,
        "alumni": -0.8, "always": -0.6, "am": -0.5, "america": -0.6, "analyst": -0.5, "android": -0.5,
        "animation": -0.7, "annually": 0.6, "answer": -1.3, "answered": -0.7, "answers": -0.8, "api": -1.1,
        "apis": -0.6, "apple": -1.2, "application": -0.5, "apply": -0.6, "april": -1.0, "architecture": 0.7,
        "archive": -0.6, "arm": 0.5, "around": 0.5, "arrival": -0.5, "arrivals": -1.2, "article": -1.0,
        "articles": -2.1, "arts": -0.8, "ask": -0.8, "assistance": -0.5, "at": -0.8, "audio": -0.5, "aug": -1.0,
        "august": -1.2, "australia": -0.5, "author": -0.9, "auto": -0.6, "automotive": -0.5, "average": 1.3,
        "awards": -0.8, "azure": -0.5, "baby": -0.8, "back": -0.7, "backpacks": -0.5, "badges": -1.6, "bag": -0.5,
        "bags": -0.8, "banking": -0.7, "bar": -0.7, "basic": 0.6, "battery": 1.0, "bay": -0.8, "bbc": -0.5,
        "become": -1.4, "been": -0.8, "beginner": 1.0, "behavioral": -0.5, "below": -0.6, "belt": 0.5, "beta":
        -0.5, "bill": -0.5, "blank": -0.6, "block": 0.5, "blog": -1.7, "blogs": -0.5, "board": -0.8, "boards":
        -0.5, "book": -1.4, "books": -0.7, "boots": -0.5, "border": -1.4, "bottles": -0.5, "box": -0.9, "brand":
        -1.0, "brands": -1.1, "brazil": -0.5, "bronze": -1.5, "browse": -1.4, "budget": 0.5, "build": -0.5,
        "bundle": -0.5, "bundles": -0.9, "bureau": 0.6, "business": -0.9, "buy": -0.7, "buyer": -0.5, "buying":
        -0.5, "by": -0.9, "c": 0.6, "calculator": -1.2, "calendar": -0.9, "call": -0.7, "camera": 0.7, "campbell":
        -0.8, "camping": -0.5, "campus": -0.6, "cancel": -1.0, "capacity": 0.5, "caption": -0.6, "card": -0.9,
        "cardio": 1.4, "cards": -1.2, "care": -0.6, "career": -0.7, "careers": -2.1, "carrier": -0.5, "cars":
        -0.5, "cart": -2.7, "cases": -0.5, "cash": -0.6, "casual": -0.5, "catalog": -0.8, "categories": -0.8,
        "center": -0.9, "centers": -0.5, "certificate": 1.0, "chairs": -1.0, "challenge": -0.6, "chance": -1.0,
        "changes": -0.5, "charts": -0.5, "chat": -0.9, "checkout": -0.6, "chicken": 0.8, "child": -1.0, "chinese":
        -0.6, "choices": -0.7, "choosing": 0.5, "city": -0.7, "classes": -0.5, "cleaning": -0.5, "clear": -0.9,
        "clearance": -0.8, "clients": -0.5, "close": -1.6, "clothing": -0.7, "cluster": -0.7, "coach": -0.7,
        "collapse": -0.6, "collections": -0.9, "college": -1.1, "color": -1.1, "colors": -0.5, "column": -0.8,
        "com": -0.6, "command": 0.5, "comment": -1.2, "comments": -0.9, "communities": -0.6, "community": -1.4,
        "company": -0.7, "compare": -1.4, "comparison": -0.6, "compliance": -0.6, "compose": -0.6, "conclusion":
        0.6, "conditions": -0.9, "conduct": -0.6, "config": -0.6, "configure": -0.5, "connect": -0.8,
        "connection": 0.5, "cons": 1.1, "consent": -0.7, "consider": 0.5, "considerations": 0.5, "construction":
        -0.6, "consumer": -0.5, "contact": -1.7, "container": -0.7, "content": -1.4, "contents": -1.1, "continue":
        -1.0, "contract": 0.5, "contribute": -0.6, "cookie": -1.5, "cookies": -1.6, "cooking": -0.7, "copyright":
        -1.7, "cost": 0.5, "country": -0.5, "course": -0.8, "courses": -0.6, "create": -0.7, "credit": -0.6,
        "culture": -0.7, "cup": 0.6, "current": -1.0, "curve": 0.5, "custom": -0.6, "customer": -0.6, "cyber":
        -0.5, "cybersecurity": -0.7, "dark": -0.8, "deals": -1.3, "dec": -1.3, "december": -1.5, "decor": -0.7,
        "default": 0.5, "delivery": -0.6, "deluxe": -0.5, "demo": -0.9, "department": -0.5, "departments": -0.6,
        "deprecated": -0.9, "desk": -0.7, "desks": -0.9, "desktop": -0.5, "details": -0.8, "deutsch": -0.5, "dev":
        -1.1, "developer": -0.7, "developers": -0.8, "development": -0.5, "devices": -0.6, "dining": -0.7,
        "director": -0.6, "directory": -0.7, "disclosure": -0.7, "discord": -0.9, "discount": -0.8, "discourse":
        -0.5, "discover": -0.8, "discussion": -1.0, "discussions": -0.8, "diversity": -0.7, "docker": -1.1,
        "docs": -0.9, "documentation": -0.6, "does": 0.6, "dog": -0.7, "dom": -0.6, "don": 0.8, "donate": -0.7,
        "download": -0.8, "driver": -0.8, "dual": 0.6, "each": 0.6, "ease": 0.8, "easy": 0.9, "edited": -1.1,
        "editorial": -0.7, "edu": -0.5, "education": -0.6, "edward": 0.5, "efficient": 0.5, "electrical": 0.5,
        "eligible": 1.3, "email": -1.5, "employees": 0.5, "en": -1.5, "enabled": -0.7, "engine": -0.5, "english":
        -1.2, "enter": -1.1, "entertainment": -0.7, "equity": -1.3, "ergonomics": -1.1, "error": -1.3, "errors":
        -0.5, "esg": -0.5, "español": -1.0, "estate": -0.5, "etc": 0.6, "eu": -0.5, "eur": -0.8, "europe": -0.7,
        "events": -1.4, "example": 0.7, "excel": -0.7, "excellent": 0.5, "exchange": -0.6, "exclusive": -0.8,
        "expand": -1.2, "experimental": -1.4, "experts": -0.5, "explore": -1.6, "expression": -0.5, "facebook":
        -1.8, "factors": 0.5, "faculty": -0.8, "false": 0.5, "family": -0.7, "faq": -1.0, "faqs": -0.6,
        "featured": -1.3, "feb": -1.1, "february": -0.8, "feedback": -0.5, "field": -0.5, "filter": -1.3,
        "filters": -0.8, "final": 0.8, "finance": -0.5, "financial": -0.5, "financing": -0.6, "find": -1.6,
        "finish": 0.6, "first": -0.6, "fix": -0.6, "flag": -1.0, "flex": 0.9, "follow": -1.6, "following": 0.9,
        "font": -1.0, "food": -0.6, "footer": -1.1, "fora": -0.5, "ford": -0.6, "forgot": -0.5, "forum": -1.4,
        "forums": -1.4, "foundation": -0.5, "foundry": -0.5, "français": -0.5, "free": -1.0, "friend": -0.6,
        "friends": -0.5, "from": -0.6, "ft": 0.6, "furniture": -0.6, "gadgets": -0.6, "gallery": -1.1, "garden":
        -0.7, "garmin": -1.1, "gb": 0.9, "gbp": -0.6, "gear": -0.9, "geforce": -1.0, "generator": -0.8, "georgia":
        0.6, "get": -1.2, "getting": -0.8, "gift": -1.5, "gifts": -1.2, "git": -0.6, "github": -0.5, "give": -0.5,
        "glossary": -0.5, "go": -0.6, "gold": -1.1, "good": 0.5, "government": -0.9, "gps": -1.0, "grade": -1.0,
        "graduate": -0.6, "grant": -0.5, "graph": -0.6, "gray": -0.6, "grid": -0.8, "grip": 0.5, "guidance": -0.5,
        "guide": -1.3, "guided": -1.0, "guidelines": -0.9, "guides": -1.9, "have": -0.5, "hdmi": -0.6, "head":
        -0.8, "health": -0.6, "healthcare": -0.5, "healthy": -0.5, "heart": -0.5, "help": -1.2, "helper": -0.5,
        "helpful": -0.5, "hidden": -0.8, "hide": -0.7, "hiking": -1.1, "hire": -0.5, "history": -0.8, "holiday":
        -0.7, "home": -1.0, "hong": -0.5, "horizon": -0.7, "hotel": 0.8, "hours": -0.5, "hr": -1.2, "hrs": -0.5,
        "hub": -0.8, "human": -0.8, "humanscale": -0.5, "if": 0.5, "ikea": -1.4, "image": -1.0, "images": -0.5,
        "impact": 1.1, "imprint": -0.5, "improve": -1.0, "in": -0.6, "inbox": -0.5, "inch": 0.9, "include": 0.6,
        "inclusion": -0.7, "index": -0.5, "industry": -0.5, "info": -1.7, "information": -1.1, "init": 0.5,
        "inline": -0.7, "input": -0.5, "ins": 1.1, "inside": -0.5, "insights": -0.7, "inspect": 0.6,
        "inspiration": -0.7, "instagram": -1.2, "instant": -0.7, "interest": -0.7, "intermediate": -0.9,
        "internal": -0.5, "interview": -1.1, "interviews": -0.7, "introduction": -0.6, "invalid": -0.8,
        "investing": -0.8, "involved": -0.5, "iot": -0.5, "ipad": -0.7, "iphone": 0.7, "iso": 0.6, "italiano":
        -0.5, "item": -0.7, "items": -0.6, "jackets": -0.7, "jan": -0.8, "january": -0.9, "javascript": -0.8,
        "jewelry": -1.2, "job": -0.9, "jobs": -1.2, "join": -1.3, "joined": -1.4, "journal": -0.6, "july": -0.9,
        "jump": -0.7, "jun": -0.9, "keyboards": -0.5, "keys": -0.5, "kids": -1.1, "kim": -0.6, "kingdom": -0.5,
        "knives": -0.5, "know": -0.6, "kubernetes": -0.9, "lab": -0.6, "label": -1.2, "labor": 0.6, "landing":
        -0.7, "laptop": -0.5, "last": -1.5, "latest": -1.2, "law": -0.6, "lb": 0.5, "lbs": 1.6, "lean": 0.5,
        "learn": -0.7, "leave": -1.0, "legal": -1.1, "length": -0.5, "lens": -0.5, "letter": -0.5, "library":
        -0.7, "licensing": -0.5, "likes": -0.9, "link": -1.0, "linkedin": -1.4, "links": -1.5, "list": -0.6,
        "listing": -0.5, "live": -0.8, "load": -0.5, "loading": -2.1, "loan": -1.0, "loans": -1.0, "locations":
        -0.6, "locks": -0.5, "log": -1.5, "logging": -0.6, "login": -1.5, "logo": -0.5, "looking": -0.5, "lost":
        -0.5, "love": -0.8, "lower": 0.7, "mac": -0.8, "machines": -0.8, "magazine": -0.9, "mail": -0.6, "main":
        -1.3, "makers": -0.9, "manage": -1.5, "managed": -0.6, "map": -1.0, "marathon": -0.5, "march": -0.9,
        "marketplace": -0.8, "mask": -0.8, "master": -0.8, "materials": 0.5, "math": -0.6, "mats": -0.5,
        "mattresses": -0.5, "max": 0.5, "mba": -0.8, "mdn": -1.1, "me": -1.0, "media": -1.0, "medical": -0.7,
        "medicine": -0.5, "meet": -1.0, "member": -1.3, "members": -1.2, "membership": -0.6, "menu": -1.3,
        "merch": -0.5, "message": -0.6, "methodology": 0.8, "microsoft": -0.9, "migration": -0.7, "miles": 0.5,
        "million": 0.6, "mins": -0.8, "mint": 0.5, "mirrorless": 0.7, "mission": -0.7, "mm": -0.9, "modal": -0.8,
        "mode": -0.8, "modeling": -1.2, "module": -0.6, "modules": -0.7, "monitoring": 0.8, "monitors": 0.7,
        "more": -1.0, "mortgage": -0.6, "mount": -0.6, "moving": 0.9, "music": -0.5, "my": -1.0, "name": -0.8,
        "nation": -0.6, "navigation": -1.3, "near": -0.7, "network": -0.5, "networking": -0.5, "new": -1.0,
        "newest": -0.5, "news": -1.8, "newsletter": -1.6, "newsletters": -0.6, "newsroom": -0.8, "night": 0.8,
        "node": -0.6, "none": 0.7, "normal": -1.0, "notes": -0.8, "notice": -1.1, "nov": -1.0, "november": -0.6,
        "now": -1.1, "nutrition": -0.5, "oct": -0.7, "october": -1.1, "off": -0.8, "official": -0.9, "oled": 0.5,
        "on": -0.5, "oops": -0.5, "open": -0.7, "opens": -1.7, "operations": -0.5, "option": -0.7, "options":
        -0.8, "order": -0.7, "orders": -1.4, "original": -0.5, "others": -0.5, "our": -1.5, "outdoor": -0.8,
        "over": -0.9, "overall": 1.0, "overflow": -0.6, "overview": -0.9, "owner": -1.1, "pack": -0.5, "package":
        -0.5, "packs": -0.8, "page": -1.6, "pants": -0.6, "parent": -0.5, "partner": -1.2, "partners": -0.9,
        "partnerships": -0.5, "parts": 0.8, "password": -0.6, "patient": -0.5, "patterns": -0.5, "pay": -0.9,
        "payment": -0.7, "pdf": 0.9, "people": 1.0, "permalink": -0.6, "personal": -1.1, "phone": -0.5, "photo":
        -1.1, "pickup": -0.7, "pinterest": -0.9, "plans": -0.5, "play": -0.6, "player": -0.9, "please": -1.4,
        "plus": -0.6, "pm": -0.5, "pod": -0.8, "podcasts": -0.5, "points": -0.6, "policies": -0.9, "policy": -2.3,
        "politics": -0.8, "popular": -0.9, "portability": 0.5, "portal": -0.7, "portuguese": -0.6, "português":
        -0.6, "position": -0.6, "positive": -1.3, "post": -0.9, "posted": -1.1, "posts": -2.0, "pot": -0.5,
        "potential": 0.5, "powered": -0.9, "practices": -0.6, "preference": -0.5, "preferences": -1.2, "prep":
        -0.6, "press": -0.6, "price": -0.8, "print": -0.8, "privacy": -2.3, "private": -0.5, "processor": 0.9,
        "processors": -0.8, "product": -1.3, "products": -1.7, "profiles": -0.7, "program": -0.9, "programming":
        1.2, "programs": -0.8, "project": -0.5, "projects": -0.5, "promise": 0.5, "proof": 0.5, "pros": 0.9,
        "pub": 0.7, "public": -0.5, "published": -0.8, "purchase": -0.6, "quantum": -0.8, "question": -1.0,
        "questions": -0.8, "quick": -1.4, "quiz": -0.5, "quote": -2.1, "quotes": -0.5, "rankings": -0.7, "rate":
        -0.9, "rated": -0.9, "rates": -0.6, "ratings": 0.9, "re": -1.0, "react": -0.7, "reaction": -0.7,
        "reactions": -1.5, "read": -1.4, "reading": -0.8, "received": -0.5, "recent": -0.9, "recently": -0.5,
        "recipe": -0.6, "record": 0.7, "refine": -1.4, "refresh": -1.6, "refurbished": -0.6, "region": -0.7,
        "register": -1.4, "registered": -0.8, "registration": -0.8, "registry": -0.9, "regular": -1.5, "related":
        -1.2, "release": -0.5, "repair": -0.7, "replies": -1.3, "reply": -2.5, "report": -1.0, "reputation": -0.7,
        "request": -1.1, "requests": -0.5, "requires": 0.6, "research": -0.7, "reserved": -1.9, "residential":
        0.7, "resources": -1.3, "rest": 1.0, "result": 0.6, "results": -0.5, "resume": -0.6, "review": -1.1,
        "reviewed": -0.8, "reviews": -1.0, "rewards": -0.9, "rights": -2.2, "robert": 0.7, "roi": 0.5, "rose":
        -0.5, "rss": -0.6, "run": 1.0, "running": -1.1, "runtime": 0.7, "safe": 0.6, "safety": -0.8, "sale": -0.9,
        "sales": -0.7, "sandals": -0.8, "save": -1.0, "saving": -1.2, "says": -0.8, "school": -1.1, "schools":
        -0.7, "sciences": -0.5, "screen": 0.6, "scripting": -0.5, "scroll": -1.1, "search": -1.7, "section": -0.5,
        "security": -0.8, "see": -1.0, "select": -0.8, "selected": -1.5, "selector": -0.5, "sell": -1.3, "seller":
        -0.7, "sellers": -1.2, "senior": -0.8, "sensor": 0.6, "september": -0.8, "serious": -0.5, "served": 0.5,
        "server": -0.6, "service": -1.0, "services": -0.8, "sets": -0.5, "settings": -1.1, "shape": -0.6, "share":
        -1.7, "sheets": -0.5, "ship": -0.7, "shipping": -1.6, "shirts": -0.6, "shooting": 0.6, "shop": -2.1,
        "shopping": -0.9, "shops": -0.6, "shorts": -0.5, "should": 0.8, "show": -1.6, "showcase": -0.5, "showing":
        -0.5, "sidebar": -0.6, "sign": -2.4, "signup": -0.6, "site": -1.2, "sitemap": -0.8, "six": 0.7, "skip":
        -2.0, "sku": -1.0, "sleeping": -0.5, "slide": -0.8, "smart": -0.7, "so": 0.5, "society": -0.6, "sofa":
        -0.7, "solar": -0.6, "sold": -0.6, "solid": 0.5, "solution": -0.6, "solutions": -0.9, "something": -0.5,
        "soon": -0.7, "sort": -0.9, "source": -1.1, "south": -0.6, "space": 0.6, "spain": -0.5, "special": -0.7,
        "specialist": -0.7, "speech": -0.6, "sponsor": -0.5, "sponsored": -0.5, "sports": -0.7, "ssh": 0.5,
        "stack": -0.9, "staff": -0.5, "standard": -0.7, "stands": -0.6, "stars": 0.5, "start": -0.7, "started":
        -0.8, "starter": -0.7, "statement": -1.0, "states": -0.8, "static": 0.7, "status": -0.5, "steam": -0.5,
        "step": 0.5, "stock": -0.8, "store": -1.4, "stores": -0.9, "stories": -1.1, "story": -0.8, "strategy":
        -0.5, "stream": -0.6, "string": 1.6, "strong": 0.5, "student": -0.9, "students": -0.7, "study": -0.6,
        "style": -0.8, "styles": 0.5, "styling": -0.9, "subjects": 0.9, "submenu": -1.3, "submission": -0.5,
        "submit": -1.1, "submitting": -0.5, "subscribe": -1.7, "subscribed": -0.5, "subscription": -0.5,
        "subscriptions": -0.7, "success": -0.6, "sunglasses": -1.0, "supplies": -0.6, "support": -0.8, "tab":
        -1.4, "table": -0.9, "tables": -0.6, "tags": -1.0, "task": 0.9, "tasks": 0.6, "technical": -0.5,
        "technology": -0.6, "teen": -0.5, "terms": -2.0, "test": -0.9, "tested": 0.6, "tests": -0.8, "text": -0.6,
        "thank": -0.6, "theme": -0.6, "this": -1.1, "thread": -0.6, "threads": -0.6, "thursday": 0.5, "tiktok":
        -0.6, "times": -0.5, "tips": -0.8, "to": -0.9, "today": -0.8, "toggle": -1.8, "toolkit": -0.5, "tools":
        -0.6, "topic": -1.1, "topics": -1.1, "touch": -0.9, "track": -0.7, "tracker": -0.5, "trade": -0.9,
        "traditional": -0.5, "training": -0.8, "transparency": -0.7, "transportation": -0.6, "travel": -0.9,
        "treadmill": 0.6, "trending": -0.9, "trends": -0.5, "trial": -1.0, "true": 0.7, "try": -1.4, "tutorials":
        -0.8, "tutoring": 0.5, "tv": -1.0, "twitter": -1.7, "two": 0.5, "types": 0.5, "typescript": -0.9, "ui":
        -0.7, "uk": -0.6, "unit": -0.6, "united": -1.0, "universities": -0.5, "university": -0.6, "unlimited":
        0.5, "up": -0.7, "updated": -1.0, "updates": -0.9, "us": -1.9, "usd": -1.0, "ux": -0.8, "v1": -0.9,
        "valid": -0.5, "valuation": -0.7, "vendors": -0.6, "verification": -0.6, "verified": -1.0, "very": -1.1,
        "veterans": -0.5, "videos": -0.9, "view": -1.7, "viewed": -0.9, "viewing": -0.8, "views": -0.7, "vintage":
        0.5, "vip": 0.7, "vision": -1.0, "visit": -0.9, "vpn": 0.6, "vs": -0.8, "walmart": -0.6, "want": -1.3,
        "warehouse": -0.7, "warning": 0.5, "warranty": -0.6, "watch": -1.2, "watches": -0.9, "web": -1.0,
        "webinars": -0.8, "website": -1.0, "websites": -0.5, "week": -0.5, "weekly": -0.6, "weeks": -0.6, "went":
        -0.6, "while": -0.8, "whole": -0.5, "wide": 0.6, "width": -0.5, "william": 0.5, "window": -0.7, "winner":
        1.6, "winter": -0.7, "wire": 0.6, "wish": -0.5, "wishlist": -1.3, "women": -0.6, "woodworking": -0.7,
        "worker": 0.6, "workplace": -0.5, "workshop": -0.5, "workshops": -0.7, "world": -0.6, "write": -0.6,
        "writer": -0.6, "writing": -0.7, "written": -0.9, "wrong": -0.6, "x": -0.5, "xenforo": -0.6, "year": -0.6,
        "years": -1.1, "yoga": -1.1, "you": -0.5, "your": -0.7, "youtube": -1.2, "z": -0.6, "中文": -0.7, "日本":
        -0.6, "語": -0.6,
    },
)


def log_odds(s: list[float]) -> float:
    """The log odds that the block with signals `s` is main content."""
    return (
        + ((-0.577 if s[31] <= -4.7144 else -0.475) if s[31] <= -1.1363 else (((-0.465 if s[28] <= -2.25 else
        (-0.538 if s[9] <= -1e-35 else -0.264)) if s[14] <= 0.91918 else -0.507) if s[44] <= 0.051649 else (-0.236
        if s[48] <= 0.78227 else -0.128))) + ((-0.153 if s[30] <= -8.05 else (-0.102 if s[49] <= 7.6517 else
        0.036)) if s[30] <= -2.55 else ((0.076 if s[21] <= 0.11134 else -0.074) if s[32] <= -1e-35 else (-0.033 if
        s[27] <= -0.6 else (0.129 if s[50] <= 0.26894 else 0.228)))) + ((-0.162 if s[31] <= -4.7144 else -0.081)
        if s[31] <= -1.4938 else ((-0.050 if s[30] <= -1.3 else (0.102 if s[13] <= 0.76556 else -0.029)) if s[40]
        <= 0.059256 else ((-0.087 if s[20] <= 8.9286 else 0.129) if s[61] <= 4.5 else 0.200))) + ((-0.138 if s[64]
        <= 1e-35 else ((-0.015 if s[58] <= 0.11751 else 0.188) if s[77] <= 309.5 else -0.072)) if s[28] <= -1.95
        else ((0.047 if s[43] <= 0.2309 else -0.099) if s[58] <= 0.11751 else (0.161 if s[47] <= 0.81842 else
        -0.060))) + ((-0.139 if s[64] <= 1e-35 else -0.051) if s[33] <= -1e-35 else ((-0.129 if s[30] <= -13.65
        else -0.002) if s[28] <= -2.45 else (-0.073 if s[27] <= -0.95 else (0.085 if s[48] <= 0.46506 else (0.181
        if s[77] <= 1034.5 else -0.089))))) + ((-0.135 if s[29] <= 0.1 else -0.049) if s[33] <= -1e-35 else
        (-0.084 if s[30] <= -8.45 else ((0.048 if s[54] <= 1.5 else ((0.172 if s[70] <= 1e-35 else -0.072) if
        s[74] <= 9.2129 else -0.094)) if s[66] <= 1e-35 else -0.205))) + ((-0.123 if s[64] <= 1e-35 else -0.033)
        if s[33] <= -1e-35 else ((-0.075 if s[12] <= 0.3 else (0.069 if s[41] <= 77.637 else -0.151)) if s[30] <=
        -2.55 else (-0.033 if s[27] <= -0.3 else (0.120 if s[62] <= 3232 else -0.234)))) + (-0.096 if s[31] <=
        -2.16 else ((-0.090 if s[62] <= 3.5 else (0.082 if s[9] <= 44.5 else -0.011)) if s[52] <= 0.47145 else
        (((0.142 if s[39] <= 0.15424 else 0.006) if s[74] <= 9.0682 else -0.076) if s[0] <= 253.5 else -0.136))) +
        ((-0.120 if s[31] <= -4.7865 else -0.046) if s[31] <= -1.4938 else ((0.054 if s[13] <= 0.48973 else
        -0.042) if s[48] <= 0.34079 else ((0.089 if s[13] <= 0.48973 else -0.148) if s[57] <= 3.5 else (0.132 if
        s[77] <= 1034.5 else -0.078)))) + ((-0.097 if s[12] <= 0.5 else (-0.103 if s[53] <= 4.2986 else 0.044)) if
        s[28] <= -2.45 else (((-0.130 if s[11] <= -1e-35 else 0.045) if s[8] <= 0.72402 else -0.100) if s[32] <=
        -1e-35 else (0.089 if s[66] <= 1e-35 else -0.202))) + ((-0.118 if s[31] <= -6.7083 else -0.049) if s[31]
        <= -2.16 else (((-0.122 if s[10] <= -0.0057061 else (-0.003 if s[58] <= 0.03683 else 0.098)) if s[10] <=
        0.29414 else (-0.044 if s[58] <= 0.69885 else 0.183)) if s[44] <= 0.78194 else 0.118)) + ((-0.086 if s[5]
        <= 0.1381 else 0.000) if s[33] <= -1e-35 else ((((-0.099 if s[10] <= -0.0057061 else (0.133 if s[9] <=
        44.5 else 0.022)) if s[11] <= 4.5 else -0.014) if s[44] <= 0.88311 else 0.123) if s[66] <= 1e-35 else
        -0.168)) + ((-0.088 if s[64] <= 1e-35 else -0.011) if s[33] <= -1e-35 else ((0.207 if s[77] <= 128.5 else
        -0.051) if s[30] <= -6.75 else ((-0.015 if s[58] <= 0.038922 else (0.093 if s[22] <= 51.618 else -0.042))
        if s[82] <= 48.5 else -0.091))) + ((-0.091 if s[29] <= 0.1 else -0.015) if s[33] <= -1e-35 else ((-0.011
        if s[41] <= 10.261 else 0.108) if s[9] <= 58.5 else ((0.106 if s[75] <= 0.098364 else -0.073) if s[28] <=
        -1.55 else (-0.011 if s[12] <= 0.85 else 0.094)))) + (-0.072 if s[31] <= -3.0842 else ((-0.092 if s[9] <=
        1e-35 else (-0.045 if s[6] <= -1.1 else 0.088)) if s[9] <= 68.5 else (-0.093 if s[57] <= 5.5 else ((0.045
        if s[87] <= 1e-35 else -0.074) if s[74] <= 8.9275 else -0.109)))) + (-0.086 if s[31] <= -4.7144 else
        ((-0.093 if s[9] <= -1.5 else (((-0.051 if s[77] <= 122.5 else 0.077) if s[54] <= 1.5 else 0.129) if s[9]
        <= 38.5 else (-0.056 if s[57] <= 7.5 else 0.028))) if s[7] <= 0.89455 else -0.095)) + (((((-0.054 if s[58]
        <= 0.51014 else 0.110) if s[83] <= 1e-35 else -0.117) if s[64] <= 1e-35 else (-0.129 if s[31] <= -6.8177
        else 0.018)) if s[12] <= 0.25 else 0.019) if s[40] <= 0.70275 else (0.125 if s[82] <= 25.5 else -0.080)) +
        (-0.072 if s[6] <= -0.9 else ((-0.060 if s[9] <= -1.5 else (0.111 if s[9] <= 44.5 else 0.019)) if s[11] <=
        5.5 else (((0.026 if s[13] <= 0.34806 else -0.056) if s[52] <= 0.98307 else 0.095) if s[50] <= 0.98717
        else -0.149))) + (-0.084 if s[30] <= -17.45 else (((-0.069 if s[9] <= -1e-35 else (0.081 if s[0] <= 1602
        else -0.423)) if s[9] <= 66.5 else (-0.056 if s[64] <= 1e-35 else (-0.157 if s[74] <= 7.0694 else 0.056)))
        if s[3] <= 9.5 else -0.043)) + ((((-0.073 if s[10] <= -1e-35 else 0.027) if s[14] <= 0.76556 else (0.064
        if s[76] <= 0.15491 else -0.074)) if s[58] <= 0.32541 else (-0.130 if s[31] <= -6.0857 else (0.171 if
        s[77] <= 87.5 else 0.050))) if s[66] <= 1e-35 else -0.137) + ((-0.019 if s[11] <= 3.5 else -0.104) if
        s[62] <= 3.5 else ((0.061 if s[67] <= 1e-35 else -0.079) if s[14] <= 0.5313 else (-0.039 if s[58] <=
        0.32541 else ((0.127 if s[57] <= 56.5 else -0.007) if s[37] <= 131.5 else -0.117)))) + (-0.063 if s[6] <=
        -1.1 else ((-0.051 if s[10] <= -1e-35 else ((0.051 if s[24] <= 19.271 else -0.068) if s[54] <= 1.5 else
        0.099)) if s[10] <= 0.23273 else ((0.005 if s[59] <= 12.951 else -0.099) if s[28] <= -2.55 else 0.006))) +
        (-0.040 if s[58] <= 0.039691 else ((-0.007 if s[48] <= 0.041693 else ((0.091 if s[27] <= 0.65 else -0.084)
        if s[74] <= 9.0682 else -0.120)) if s[11] <= 6.5 else (0.072 if s[78] <= 9.5 else (-0.092 if s[78] <= 39.5
        else 0.007)))) + ((((-0.048 if s[6] <= -1.25 else ((0.072 if s[13] <= 0.19483 else (0.011 if s[75] <=
        0.12415 else -0.091)) if s[75] <= 0.16256 else 0.044)) if s[68] <= 1e-35 else -0.132) if s[69] <= 1e-35
        else -0.120) if s[66] <= 1e-35 else -0.132) + ((-0.071 if s[30] <= -17.45 else (((-0.013 if s[30] <= 10.85
        else -0.245) if s[62] <= 3.5 else (0.075 if s[14] <= 0.77188 else 0.005)) if s[74] <= 8.9275 else -0.095))
        if s[3] <= 9.5 else (0.065 if s[78] <= 3.5 else -0.067)) + (((-0.052 if s[9] <= 1e-35 else 0.030) if s[14]
        <= 0.52313 else ((-0.072 if s[61] <= 3.5 else (-0.000 if s[74] <= 8.9275 else -0.128)) if s[40] <= 0.27936
        else -0.154)) if s[40] <= 0.48522 else (0.088 if s[82] <= 25.5 else -0.081)) + (((-0.059 if s[28] <= -5.05
        else (((0.021 if s[11] <= 3.5 else -0.101) if s[62] <= 3.5 else (0.056 if s[70] <= 1e-35 else -0.082)) if
        s[62] <= 1683.5 else -0.135)) if s[3] <= 9.5 else -0.026) if s[66] <= 1e-35 else -0.123) + (((-0.023 if
        s[0] <= 36.5 else 0.105) if s[13] <= 0.18271 else -0.056) if s[61] <= 4.5 else (((0.067 if s[87] <= 1e-35
        else (0.104 if s[74] <= 7.4088 else -0.069)) if s[74] <= 8.3046 else -0.033) if s[21] <= 0.68801 else
        -0.037)) + ((((-0.041 if s[0] <= 37.5 else 0.052) if s[13] <= 0.35424 else -0.074) if s[57] <= 8.5 else
        (((-0.023 if s[12] <= 1.75 else 0.055) if s[46] <= 0.54766 else 0.061) if s[0] <= 1602 else -0.305)) if
        s[5] <= 0.12311 else 0.050) + ((((-0.012 if s[13] <= 0.35424 else -0.064) if s[29] <= 1.45 else (0.111 if
        s[51] <= 1e-35 else -0.005)) if s[58] <= 0.32541 else (-0.062 if s[62] <= 11.5 else (0.009 if s[75] <=
        0.16256 else 0.104))) if s[5] <= 0.087121 else 0.040) + (-0.064 if s[12] <= -0.95 else (((((0.067 if s[41]
        <= 135.67 else -0.112) if s[27] <= 0.5 else (-0.009 if s[63] <= 0.25137 else -0.318)) if s[17] <= 9.5 else
        -0.006) if s[60] <= 0.076656 else -0.024) if s[74] <= 8.9275 else -0.077)) + ((-0.108 if s[3] <= -1e-35
        else (((-0.044 if s[28] <= -5.05 else 0.032) if s[0] <= 1602 else -0.288) if s[68] <= 1e-35 else -0.122))
        if s[3] <= 9.5 else (0.053 if s[78] <= 3.5 else (-0.031 if s[40] <= 0.12052 else -0.129))) + (((((0.047 if
        s[39] <= 0.028861 else (-0.308 if s[51] <= 0.034123 else -0.021)) if s[58] <= 0.32541 else 0.200) if s[11]
        <= 2.5 else -0.057) if s[61] <= 4.5 else (0.027 if s[74] <= 9.2129 else -0.116)) if s[66] <= 1e-35 else
        -0.116) + (((-0.001 if s[58] <= 0.32541 else ((-0.203 if s[17] <= -1e-35 else 0.112) if s[77] <= 390.5
        else -0.047)) if s[11] <= 5.5 else (-0.067 if s[75] <= 0.13364 else (-0.063 if s[57] <= 5.5 else 0.017)))
        if s[75] <= 0.86908 else 0.205) + ((((-0.003 if s[75] <= 0.15936 else 0.055) if s[10] <= 0.2409 else
        (0.123 if s[79] <= 1e-35 else (-0.088 if s[12] <= -0.2 else -0.010))) if s[1] <= 0.089087 else -0.038) if
        s[75] <= 0.71562 else (0.013 if s[12] <= 0.2 else 0.186)) + (((-0.040 if s[30] <= 9.55 else -0.211) if
        s[62] <= 3.5 else ((0.094 if s[75] <= 0.10497 else (-0.109 if s[75] <= 0.16256 else (-0.043 if s[12] <=
        1.75 else 0.074))) if s[29] <= 0.55 else 0.015)) if s[5] <= 0.11943 else 0.040) + (((((-0.017 if s[42] <=
        0.3751 else (-0.006 if s[22] <= 20.121 else -0.223)) if s[42] <= 0.49359 else 0.035) if s[37] <= 287.5
        else -0.136) if s[58] <= 0.77019 else 0.100) if s[5] <= 0.087121 else (0.429 if s[0] <= 1.5 else 0.031)) +
        ((-0.068 if s[6] <= -2.35 else ((0.039 if s[51] <= 0.69781 else -0.027) if s[76] <= 0.59598 else (0.043 if
        s[8] <= 0.26952 else (-0.127 if s[76] <= 0.62398 else (0.112 if s[76] <= 0.65231 else -0.027))))) if s[69]
        <= 1e-35 else -0.108) + (((((-0.089 if s[17] <= -1e-35 else 0.004) if s[48] <= 0.98563 else (0.093 if
        s[74] <= 9.3049 else -0.149)) if s[75] <= 0.75101 else (-0.067 if s[11] <= -1e-35 else 0.184)) if s[50] <=
        0.98717 else -0.061) if s[66] <= 1e-35 else -0.104) + ((-0.046 if s[9] <= 1e-35 else ((0.073 if s[8] <=
        0.66662 else -0.001) if s[11] <= 1.5 else (-0.062 if s[62] <= 3.5 else ((0.070 if s[60] <= 0.076656 else
        -0.038) if s[9] <= 38.5 else -0.010)))) if s[68] <= 1e-35 else -0.108) + (((0.021 if s[43] <= 0.060599
        else -0.050) if s[7] <= 0.85952 else -0.113) if s[57] <= 3.5 else ((0.120 if s[78] <= 21.5 else (-0.099 if
        s[78] <= 39.5 else (0.117 if s[77] <= 210.5 else -0.018))) if s[75] <= 0.16256 else 0.024)) + (((0.080 if
        s[79] <= 1e-35 else ((-0.020 if s[79] <= 56.5 else 0.014) if s[75] <= 0.71562 else ((-0.011 if s[58] <=
        0.032172 else 0.191) if s[52] <= 0.99896 else -0.110))) if s[70] <= 1e-35 else -0.068) if s[66] <= 1e-35
        else -0.099) + ((-0.068 if s[12] <= -1.25 else ((0.144 if s[75] <= 0.11546 else 0.010) if s[76] <= 0.58806
        else ((-0.030 if s[40] <= 0.27936 else -0.176) if s[75] <= 0.16256 else 0.040))) if s[40] <= 0.45871 else
        (-0.020 if s[12] <= 0.2 else 0.093)) + (((-0.036 if s[6] <= -1.25 else (((0.009 if s[75] <= 0.86908 else
        0.173) if s[40] <= 0.97079 else 0.093) if s[68] <= 1e-35 else -0.090)) if s[66] <= 1e-35 else -0.095) if
        s[0] <= 142.5 else (0.117 if s[78] <= 12.5 else -0.139)) + (((-0.045 if s[32] <= 14.5 else 0.254) if s[9]
        <= 1e-35 else 0.031) if s[13] <= 0.35424 else (((-0.052 if s[61] <= 12.5 else 0.221) if s[76] <= 0.033982
        else (0.008 if s[9] <= 48.5 else -0.041)) if s[55] <= 1.5 else 0.033)) + (((-0.082 if s[3] <= -1e-35 else
        ((0.009 if s[5] <= 0.087121 else 0.058) if s[17] <= 9.5 else (0.019 if s[30] <= -5.45 else (-0.035 if
        s[77] <= 1344 else 0.267)))) if s[68] <= 1e-35 else -0.098) if s[66] <= 1e-35 else -0.089) + (((((-0.036
        if s[49] <= 5.4292 else 0.062) if s[35] <= 0.071599 else -0.030) if s[78] <= 26.5 else (-0.024 if s[32] <=
        3.5 else (-0.032 if s[28] <= -0.95 else -0.187))) if s[78] <= 39.5 else 0.023) if s[74] <= 9.2795 else
        -0.118) + (0.075 if s[0] <= 1.5 else (-0.057 if s[9] <= 1e-35 else ((0.081 if s[74] <= 6.2363 else ((0.049
        if s[10] <= 0.15586 else -0.002) if s[3] <= 9.5 else (-0.036 if s[53] <= 34.382 else 0.110))) if s[66] <=
        1e-35 else -0.104))) + ((((((0.004 if s[52] <= 0.621 else 0.162) if s[52] <= 0.66353 else (0.050 if s[13]
        <= 0.14149 else -0.067)) if s[52] <= 0.98346 else 0.051) if s[50] <= 0.98717 else -0.068) if s[58] <=
        0.77019 else 0.102) if s[69] <= 1e-35 else -0.104) + ((-0.036 if s[61] <= 10.5 else 0.093) if s[57] <= 3.5
        else (((0.060 if s[24] <= 34.866 else -0.042) if s[63] <= 0.032298 else 0.004) if s[11] <= 11.5 else
        ((-0.025 if s[45] <= 4.4189 else 0.048) if s[24] <= 13.049 else -0.057))) + (((-0.124 if s[58] <= 0.40743
        else 0.167) if s[3] <= -1e-35 else (((0.028 if s[86] <= 1e-35 else -0.010) if s[3] <= 9.5 else (-0.028 if
        s[26] <= 19.5 else 0.073)) if s[66] <= 1e-35 else -0.081)) if s[82] <= 113.5 else 0.249) + (((((0.069 if
        s[75] <= 0.075339 else (-0.053 if s[75] <= 0.15936 else (-0.010 if s[49] <= 19.596 else 0.070))) if s[46]
        <= 0.81047 else 0.066) if s[46] <= 0.94662 else -0.072) if s[58] <= 0.77019 else 0.099) if s[5] <= 0.3101
        else 0.049) + ((-0.116 if s[58] <= 0.40743 else 0.136) if s[3] <= -1e-35 else (0.010 if s[27] <= 0.45 else
        (-0.190 if s[77] <= 122.5 else ((0.031 if s[36] <= 0.20116 else -0.144) if s[58] <= 0.26229 else (0.139 if
        s[77] <= 185.5 else -0.132))))) + (-0.017 if s[29] <= 0.55 else (((0.032 if s[30] <= 6.75 else -0.106) if
        s[29] <= 3.35 else 0.134) if s[86] <= 1e-35 else ((0.195 if s[76] <= 0.12236 else -0.063) if s[31] <=
        0.4802 else (-0.067 if s[61] <= 3.5 else 0.052)))) + ((0.064 if s[37] <= 1.6012 else (0.050 if s[74] <=
        6.2363 else ((0.048 if s[51] <= 0.021005 else (-0.224 if s[51] <= 0.03585 else -0.053)) if s[74] <= 7.0148
        else -0.002))) if s[75] <= 0.71562 else (0.080 if s[55] <= 30.5 else -0.301)) + ((((((0.008 if s[58] <=
        0.67118 else -0.120) if s[58] <= 0.71507 else 0.127) if s[61] <= 18.5 else -0.036) if s[61] <= 34.5 else
        0.070) if s[74] <= 9.2795 else (0.142 if s[13] <= 0.16027 else -0.143)) if s[69] <= 1e-35 else -0.093) +
        ((0.066 if s[0] <= 1.5 else -0.010) if s[58] <= 0.32541 else (-0.112 if s[31] <= -5.7575 else ((0.020 if
        s[59] <= 40.477 else (-0.046 if s[23] <= 0.0029077 else (0.167 if s[28] <= -0.95 else 0.050))) if s[74] <=
        8.9275 else -0.053))) + ((-0.084 if s[7] <= 0.044991 else ((((0.007 if s[40] <= 0.34702 else -0.124) if
        s[40] <= 0.45871 else (0.074 if s[7] <= 0.84024 else -0.068)) if s[20] <= 73.643 else -0.071) if s[70] <=
        1e-35 else -0.060)) if s[69] <= 1e-35 else -0.090) + (((-0.040 if s[53] <= 40.564 else 0.092) if s[57] <=
        3.5 else (-0.002 if s[26] <= 20.5 else (-0.063 if s[22] <= 4.4853 else ((0.040 if s[57] <= 8.5 else 0.214)
        if s[74] <= 8.9275 else -0.078)))) if s[5] <= 0.3101 else 0.045) + (-0.051 if s[6] <= -2.05 else ((-0.016
        if s[49] <= 4.4175 else 0.060) if s[78] <= 9.5 else ((0.031 if s[74] <= 6.7358 else (-0.062 if s[54] <=
        1.5 else (0.057 if s[61] <= 9.5 else -0.055))) if s[78] <= 39.5 else 0.013))) + (((0.004 if s[3] <= 2.5
        else 0.048) if s[62] <= 1683.5 else -0.084) if s[3] <= 9.5 else ((-0.056 if s[71] <= 1e-35 else 0.203) if
        s[26] <= 10.5 else ((0.087 if s[74] <= 6.3604 else -0.029) if s[31] <= 0.25851 else 0.073))) + ((((0.009
        if s[34] <= 0.02918 else (0.093 if s[80] <= 16.5 else -0.124)) if s[4] <= 10.5 else -0.137) if s[11] <=
        4.5 else (-0.052 if s[61] <= 4.5 else (0.018 if s[50] <= 0.98717 else -0.088))) if s[79] <= 375 else
        -0.060) + ((((-0.070 if s[17] <= -1e-35 else 0.005) if s[76] <= 0.86394 else (-0.210 if s[30] <= 10.05
        else 0.082)) if s[76] <= 0.87023 else 0.086) if s[20] <= 53.071 else (-0.142 if s[25] <= 0.0089942 else
        (-0.069 if s[31] <= 0.28087 else 0.050))) + (((0.034 if s[5] <= 1e-35 else 0.327) if s[0] <= 1.5 else
        (-0.087 if s[7] <= 0.068535 else ((0.008 if s[79] <= 388.5 else -0.097) if s[7] <= 0.88668 else (-0.077 if
        s[29] <= 1.45 else 0.035)))) if s[82] <= 113.5 else 0.195) + ((0.014 if s[35] <= 0.060738 else (-0.002 if
        s[44] <= 0.067119 else -0.072)) if s[7] <= 0.84024 else ((-0.190 if s[51] <= 0.040307 else -0.035) if
        s[74] <= 7.0922 else (0.125 if s[27] <= -1.35 else (-0.072 if s[64] <= 1e-35 else 0.044)))) + ((0.028 if
        s[13] <= 0.19483 else ((0.129 if s[87] <= 1e-35 else -0.082) if s[76] <= 0.59598 else (-0.141 if s[76] <=
        0.62824 else -0.031))) if s[75] <= 0.16256 else (-0.052 if s[9] <= -30.5 else (-0.005 if s[58] <= 0.062983
        else 0.033))) + (-0.067 if s[17] <= -1e-35 else (((0.021 if s[7] <= 0.96376 else -0.087) if s[68] <= 1e-35
        else -0.097) if s[17] <= 4.5 else (-0.017 if s[56] <= 5.5 else ((-0.039 if s[17] <= 12.5 else 0.115) if
        s[79] <= 411 else -0.134)))) + ((((-0.002 if s[61] <= 38.5 else 0.075) if s[9] <= 340.5 else (0.102 if
        s[42] <= 0.20572 else -0.046)) if s[74] <= 9.2795 else (0.121 if s[10] <= 0.15181 else -0.138)) if s[66]
        <= 1e-35 else (0.081 if s[0] <= 2.5 else -0.120)) + (((((0.061 if s[75] <= 0.099203 else (-0.058 if s[75]
        <= 0.70572 else 0.078)) if s[4] <= 1.5 else 0.040) if s[29] <= 0.05 else 0.014) if s[27] <= 0.2 else
        (-0.115 if s[74] <= 7.0148 else 0.001)) if s[75] <= 0.86908 else 0.135) + ((((-0.026 if s[79] <= 54.5 else
        0.019) if s[78] <= 34.5 else (0.100 if s[29] <= 0.55 else -0.129)) if s[78] <= 39.5 else (0.025 if s[24]
        <= 28.444 else (0.059 if s[79] <= 65.5 else -0.109))) if s[69] <= 1e-35 else -0.087) + (((-0.033 if s[82]
        <= 33.5 else (0.090 if s[29] <= 0.85 else -0.095)) if s[29] <= 1.85 else (0.183 if s[78] <= 5.5 else
        (0.067 if s[25] <= 0.12926 else (0.051 if s[59] <= 19.908 else -0.156)))) if s[12] <= 0.25 else 0.014) +
        (((-0.053 if s[4] <= 2.5 else 0.085) if s[10] <= 1e-35 else ((-0.007 if s[79] <= 109.5 else (0.042 if
        s[82] <= 49.5 else -0.036)) if s[75] <= 0.86908 else 0.166)) if s[70] <= 1e-35 else (-0.086 if s[50] <=
        0.54724 else 0.111)) + ((((-0.016 if s[62] <= 14.5 else 0.026) if s[9] <= 44.5 else (-0.010 if s[34] <=
        0.050441 else (-0.162 if s[26] <= 10.5 else 0.007))) if s[12] <= 3.75 else (-0.055 if s[33] <= -1e-35 else
        0.090)) if s[82] <= 113.5 else 0.188) + ((-0.075 if s[30] <= -17.45 else 0.064) if s[74] <= 6.3604 else
        ((0.026 if s[31] <= -2.306 else (-0.006 if s[74] <= 6.8107 else -0.103)) if s[74] <= 7.0148 else ((0.256
        if s[76] <= 0.2534 else 0.033) if s[79] <= 30 else -0.006))) + ((0.014 if s[50] <= 0.18294 else ((-0.092
        if s[30] <= -13.35 else (0.002 if s[60] <= 0.076656 else -0.042)) if s[26] <= 12.5 else ((0.154 if s[31]
        <= -3.6308 else -0.048) if s[38] <= 0.028914 else 0.075))) if s[70] <= 1e-35 else -0.055) + (((-0.002 if
        s[29] <= 1.45 else ((0.105 if s[32] <= 1.5 else 0.017) if s[86] <= 1e-35 else -0.002)) if s[2] <= 0.038711
        else (0.008 if s[28] <= -2.25 else (0.098 if s[22] <= 2.5314 else -0.060))) if s[69] <= 1e-35 else -0.089)
        + ((0.009 if s[35] <= 0.060738 else (((-0.033 if s[55] <= 8.5 else 0.131) if s[4] <= 1.5 else 0.040) if
        s[44] <= 0.067119 else (-0.099 if s[59] <= 47.828 else 0.053))) if s[75] <= 0.71562 else (0.072 if s[55]
        <= 30.5 else -0.260)) + (((0.006 if s[59] <= 45.573 else (-0.061 if s[23] <= 1e-35 else 0.085)) if s[14]
        <= 0.5313 else (0.002 if s[40] <= 0.11571 else (0.009 if s[77] <= 185.5 else (-0.082 if s[32] <= 8.5 else
        0.158)))) if s[65] <= 1e-35 else -0.044) + (((-0.005 if s[59] <= 40.028 else -0.117) if s[59] <= 40.959
        else (-0.059 if s[23] <= 0.0071492 else (-0.041 if s[28] <= -2.95 else (0.082 if s[81] <= 4.5 else
        -0.081)))) if s[5] <= 0.60769 else (0.156 if s[22] <= 5.4142 else 0.017)) + (((0.009 if s[66] <= 1e-35
        else -0.099) if s[8] <= 0.75693 else (((-0.018 if s[77] <= 435.5 else 0.117) if s[76] <= 0.15491 else
        -0.043) if s[81] <= 2 else (0.088 if s[11] <= 99.5 else -0.170))) if s[0] <= 1077.5 else -0.152) +
        ((((-0.002 if s[59] <= 40.477 else (-0.036 if s[31] <= -2.0277 else (0.095 if s[81] <= 1e-35 else
        -0.055))) if s[8] <= 0.68405 else -0.018) if s[40] <= 0.97079 else 0.073) if s[20] <= 69.786 else (0.025
        if s[50] <= 0.62035 else -0.104)) + (((0.009 if s[24] <= 9.2227 else -0.064) if s[62] <= 3.5 else ((0.059
        if s[22] <= 20.121 else ((0.002 if s[34] <= 0.050441 else -0.128) if s[58] <= 0.46754 else 0.078)) if
        s[69] <= 1e-35 else -0.116)) if s[63] <= 0.0069933 else -0.009) + ((0.028 if s[5] <= 1e-35 else 0.286) if
        s[0] <= 1.5 else ((((0.021 if s[79] <= 214.5 else -0.068) if s[29] <= 0.55 else (0.010 if s[43] <= 0.15907
        else 0.100)) if s[76] <= 0.30158 else -0.008) if s[65] <= 1e-35 else -0.052)) + (-0.041 if s[6] <= -1.85
        else ((0.008 if s[29] <= 3.35 else 0.103) if s[86] <= 1e-35 else ((0.099 if s[0] <= 1.5 else -0.066) if
        s[32] <= -1e-35 else (0.140 if s[79] <= 4.5 else (-0.014 if s[31] <= 1.9815 else 0.069))))) + (-0.048 if
        s[6] <= -2.35 else (((((-0.002 if s[75] <= 0.43952 else -0.065) if s[64] <= 1e-35 else 0.017) if s[12] <=
        0.25 else 0.023) if s[2] <= 0.037269 else -0.022) if s[5] <= 0.64318 else (0.184 if s[31] <= -2.8318 else
        0.026))) + ((0.005 if s[75] <= 0.12116 else -0.042) if s[75] <= 0.16256 else (0.000 if s[53] <= 17.892
        else ((0.107 if s[79] <= 2.5 else -0.289) if s[79] <= 3.5 else ((0.123 if s[77] <= 1054.5 else -0.135) if
        s[86] <= 1e-35 else 0.001)))) + ((((0.014 if s[32] <= 5.5 else -0.033) if s[62] <= 265.5 else -0.052) if
        s[31] <= 2.6895 else ((-0.253 if s[43] <= 0.69256 else 0.015) if s[22] <= 10.414 else 0.021)) if s[78] <=
        39.5 else (-0.004 if s[12] <= 0.95 else 0.041)) + ((0.046 if s[77] <= 87.5 else (((-0.168 if s[49] <=
        13.185 else -0.028) if s[1] <= 0.98905 else 0.071) if s[77] <= 113 else 0.002)) if s[27] <= 1.35 else
        ((0.008 if s[59] <= 16.423 else -0.162) if s[49] <= 15.623 else 0.070)) + (((-0.002 if s[59] <= 45.573
        else ((-0.100 if s[32] <= 5.5 else 0.162) if s[25] <= 0.0081004 else 0.057)) if s[20] <= 53.071 else
        (0.083 if s[52] <= 0.27637 else -0.076)) if s[46] <= 0.99978 else (0.015 if s[60] <= 0.047279 else
        -0.166)) + ((-0.040 if s[43] <= 0.6624 else (0.106 if s[45] <= 5.4361 else -0.087)) if s[57] <= 1.5 else
        (((-0.002 if s[44] <= 0.44081 else 0.092) if s[48] <= 0.76569 else (-0.013 if s[45] <= 30.041 else
        -0.155)) if s[48] <= 0.92281 else 0.038)) + (((-0.008 if s[37] <= 135.17 else -0.125) if s[41] <= 67.167
        else (-0.108 if s[31] <= -3.3401 else (0.126 if s[14] <= 0.44122 else 0.012))) if s[5] <= 0.21825 else
        (0.069 if s[31] <= -1.4633 else (-0.130 if s[27] <= -0.65 else 0.018))) + ((((0.006 if s[82] <= 113.5 else
        0.206) if s[8] <= 0.75693 else ((-0.031 if s[8] <= 0.96036 else 0.065) if s[32] <= 8.5 else 0.071)) if
        s[54] <= 202.5 else -0.126) if s[36] <= 0.3446 else (-0.045 if s[26] <= 5.5 else 0.123)) + ((-0.013 if
        s[7] <= 0.43592 else ((-0.010 if s[33] <= -1e-35 else (0.041 if s[77] <= 736.5 else -0.072)) if s[74] <=
        8.9275 else (-0.099 if s[51] <= 0.28049 else 0.113))) if s[27] <= 0.25 else (-0.156 if s[77] <= 122.5 else
        -0.012)) + (((((0.007 if s[60] <= 0.002803 else 0.065) if s[1] <= 0.087129 else -0.013) if s[4] <= 6.5
        else -0.091) if s[9] <= 82.5 else (0.008 if s[59] <= 21.392 else -0.044)) if s[49] <= 65.283 else (0.117
        if s[57] <= 19.5 else -0.014)) + (0.016 if s[11] <= 1.5 else (((-0.015 if s[79] <= 30 else -0.086) if
        s[79] <= 57.5 else (0.100 if s[78] <= 3.5 else -0.009)) if s[78] <= 39.5 else ((0.010 if s[11] <= 35.5
        else -0.069) if s[12] <= 0.95 else 0.051))) + ((0.008 if s[86] <= 1e-35 else (0.123 if s[76] <= 0.12236
        else (-0.054 if s[32] <= -1e-35 else ((-0.114 if s[22] <= 4.6569 else 0.061) if s[11] <= 2.5 else (-0.037
        if s[71] <= 1e-35 else 0.111))))) if s[19] <= 107.5 else -0.094) + (-0.075 if s[3] <= -1e-35 else
        (((((0.027 if s[76] <= 0.20793 else 0.093) if s[80] <= 6 else -0.038) if s[54] <= 3.5 else -0.027) if
        s[76] <= 0.30158 else (-0.081 if s[76] <= 0.34189 else 0.003)) if s[70] <= 1e-35 else -0.056)) + ((0.013
        if s[50] <= 0.11043 else ((((-0.066 if s[75] <= 0.24678 else 0.116) if s[79] <= 47.5 else 0.083) if s[51]
        <= 0.032732 else -0.040) if s[7] <= 0.84024 else -0.097)) if s[57] <= 8.5 else (0.005 if s[26] <= 25.5
        else 0.181)) + (((((0.020 if s[74] <= 7.9075 else -0.029) if s[84] <= 1e-35 else -0.070) if s[29] <= 1.45
        else 0.033) if s[63] <= 0.067526 else (-0.001 if s[29] <= 2.65 else -0.067)) if s[66] <= 1e-35 else (0.106
        if s[59] <= 1.8745 else -0.095)) + ((0.004 if s[3] <= 2.5 else 0.041) if s[3] <= 9.5 else (0.143 if s[75]
        <= 0.034866 else (((-0.030 if s[31] <= 0.43255 else 0.030) if s[31] <= 3.3587 else -0.165) if s[9] <=
        340.5 else (0.005 if s[79] <= 247.5 else 0.341))))
    )
