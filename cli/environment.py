"""Which variables of the environment are gofer's. One that is misspelt must not be passed over in silence."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from .failure import UsageFailure
from .wording import suggestion

PREFIX: Final = "GOFER_"
OWN: Final = ("GOFER_CONFIG", "GOFER_URL", "GOFER_TOKEN")  # beside a variable for each key of the settings

# Container platforms put these into every process beside a service called gofer.
_OF_PLATFORMS: Final = re.compile(r"GOFER_(SERVICE_(HOST|PORT(_.+)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)")


def refuse_unknown(environ: Mapping[str, str], known: Iterable[str]) -> None:
    """Raise `UsageFailure` for a variable that begins like ours and is none of `known`."""
    known = sorted(known)
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known and not _OF_PLATFORMS.fullmatch(name):
            hint = f"those of gofer are {', '.join(OWN)} and {PREFIX}<SECTION>_<KEY>, see docs/settings.md"
            raise UsageFailure(
                f"unknown variable {name} in the environment{suggestion(name, known, hint, prefix=PREFIX)}"
            )
