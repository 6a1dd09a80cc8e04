"""What an operator may set of the live system: structs only."""

from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=1)]
Size = Annotated[int, msgspec.Meta(ge=0)]


class BatchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[batch]` section. Seconds end in `_s`, bytes are bytes."""

    enabled: bool = True
    max_targets: Count = 32
    max_live_per_caller: Count = 1
    max_live: Count = 64
    ttl_s: Count = 3600
    max_bytes: Size = 268_435_456
    sweep_every_s: Count = 60
    job_timeout_s: Count = 900
    drain_timeout_s: Size = 5  # how long jobs may go on once the service is told to stop


class AuditSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[audit]` section: what is kept, and where the log's signed checkpoints and tiles go.

    `checkpoints` is a folder, `key` the signing key's file; empty, they lie beside the store as `<store>.checkpoints`
    and `<store>.key`. For evidence against whoever can write to the store, put them on another machine's disk.
    """

    keep_urls: bool = False
    checkpoints: str = ""
    key: str = ""
    checkpoint_every_events: Count = 10_000
    checkpoint_every_s: Count = 300


class ConcurrencySettings(msgspec.Struct, frozen=True):
    """How many fetches may be under way: in all, for one job, and to one host."""

    total: Count = 64
    per_job: Count = 8
    per_host: Count = 4
