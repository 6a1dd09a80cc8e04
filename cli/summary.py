"""A job as the commands see it, whether it came over HTTP or from the embedded service: structs only."""

from typing import Final

import msgspec

from ..events.job import JobStatus, TargetStatus


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One target of a job. `result` is its envelope as JSON, unset where results were not asked for."""

    idx: int
    url: str
    status: TargetStatus
    error: str | None = None
    hint: str | None = None
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET

    @property
    def finished(self) -> bool:
        """Whether it is done or failed."""
        return self.status in ("done", "failed")


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A job with its targets in idx order, read at one moment. `created_at` is RFC 3339 in UTC, over HTTP alone."""

    job_id: str
    status: JobStatus
    targets_total: int
    targets_done: int
    targets: tuple[Row, ...]
    created_at: str = ""
    error: str = ""

    @property
    def finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status not in LIVE

    def count(self, status: str) -> int:
        """How many of its targets are in `status`."""
        return sum(row.status == status for row in self.targets)


LIVE: Final = frozenset({"queued", "running"})
