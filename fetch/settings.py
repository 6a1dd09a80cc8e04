"""The settings of fetching, the `[fetch]` section of the configuration file: one struct, its bounds and defaults."""

from importlib.metadata import version
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
Size = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0)]


class FetchSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How fetches are made. Sizes are bytes, times seconds; each time-out bounds the stage it is named after."""

    concurrency: Size = 64  # targets in flight in all, in one job, and at one host
    per_job: Size = 8
    per_host: Size = 4
    timeout_s: Seconds = 60  # one target in all, with its redirects, retries and conversion
    connect_timeout_s: Seconds = 10  # look-up, TCP and TLS together
    dns_timeout_s: Seconds = 5
    headers_timeout_s: Seconds = 30
    body_timeout_s: Seconds = 20  # the longest pause in a body
    max_header_bytes: Size = 65_536  # all that comes before the body, interim responses included
    max_body_bytes: Size = 33_554_432  # as received, and again as unpacked
    max_content_bytes: Size = 200_000  # what a result shows of it
    images: bool = True  # whether they stay, as links, in the Markdown of a page
    max_cached_bytes: Count = 4_194_304  # of one body, where there is a content cache
    max_redirects: Count = 10
    retries: Count = 2
    retry_base_s: Seconds = 0.5  # before the first retry, about; twice as long before each further one
    max_retry_wait_s: Seconds = 10  # an origin that asks for more is not asked again
    host_interval_s: Annotated[float, Meta(ge=0)] = 0  # between the starts of two requests to one host
    max_idle_connections: Count = 64
    idle_timeout_s: Seconds = 20
    http2: bool = True
    user_agent: Annotated[str, Meta(pattern=r"^[\x20-\x7e]+$")] = f"gofer/{version('gofer')}"  # add a contact URL
    robots: Literal["ignore", "obey"] = "ignore"
    # asked when a target sets recover, by its URL right before the target's; "" asks nobody
    memento_timegate: Annotated[str, Meta(pattern=r"^(https?://[^\s/?#@\\]+/\S*)?$")] = "https://web.archive.org/web/"
