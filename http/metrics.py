"""What Prometheus is told. Each app has a registry of its own; no label ever holds an id, a caller or a URL."""

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..actors.journal import Commit
from ..actors.system import System
from ..events import job

OTHER: Final = "other"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})


class Metrics:
    """Counts requests and what is committed to the log. `committed` is a listener of the actor system."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "gofer_http_requests",
            "Requests answered, by method, path template and status.",
            ("method", "path", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "gofer_http_request_seconds",
            "Time from a request's headers to its response, by path template.",
            ("path",),
            registry=self._registry,
        )
        self._jobs = Counter(
            "gofer_jobs", "Jobs that came to a status, by that status.", ("status",), registry=self._registry
        )
        self._targets = Counter(
            "gofer_targets", "Targets whose fetch ended, by outcome.", ("outcome",), registry=self._registry
        )
        self._commit_seconds = Histogram(
            "gofer_commit_seconds",
            "Time of one durable commit to the log.",
            buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
            registry=self._registry,
        )

    def answered(self, method: str, rule: str | None, status: int, elapsed_s: float) -> None:
        """Count one response. `rule` is the route's rule, None if there was no route."""
        path = template(rule)
        self._requests.labels(method if method in _METHODS else OTHER, path, status).inc()
        self._seconds.labels(path).observe(elapsed_s)

    def committed(self, commit: Commit) -> None:
        """Count what was just committed. It is a `Listener` of the journal."""
        self._commit_seconds.observe(commit.elapsed_s)
        for each in commit.events:
            match each.event:
                case job.JobSubmitted(status=status):
                    self._jobs.labels(status).inc()
                case job.JobStarted():
                    self._jobs.labels("running").inc()
                case job.JobFinished(status=status):
                    self._jobs.labels(status).inc()
                case job.JobCancelled():
                    self._jobs.labels("cancelled").inc()
                case job.JobInterrupted():
                    self._jobs.labels("failed").inc()
                case job.TargetDone():
                    self._targets.labels("done").inc()
                case job.TargetFailed():
                    self._targets.labels("failed").inc()

    def watch(self, system: System) -> None:
        """Tell at each scrape how `system` stands. Once for each system."""
        self._registry.register(_Standing(system))

    def render(self, accept: str) -> tuple[bytes, str]:
        """The exposition and its content type, in the format that the Accept header asks for."""
        encode, content_type = choose_encoder(accept)
        return encode(self._registry), content_type


class _Standing(Collector):
    """How the system stands, read when it is asked for."""

    def __init__(self, system: System) -> None:
        self._system = system

    def describe(self) -> Iterator[Metric]:
        """Nothing: what it tells need not be known before, so registering it asks the system nothing."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        now = self._system.statistics()
        waiting = GaugeMetricFamily("gofer_queue_depth", "What waits for its turn, by queue.", labels=["queue"])
        waiting.add_metric(["journal"], now.journal.waiting)
        waiting.add_metric(["fetches"], now.runner.fetches_waiting)
        yield waiting
        yield GaugeMetricFamily("gofer_jobs_live", "Jobs queued or running.", now.runner.live)
        yield GaugeMetricFamily("gofer_fetches_running", "Fetches under way.", now.runner.fetches_running)
        yield GaugeMetricFamily("gofer_batch_bytes", "Bytes of all stored results.", now.nbytes)
        yield GaugeMetricFamily("gofer_log_position", "Events on the log.", now.journal.position)
        yield CounterMetricFamily(
            "gofer_lease_touches_dropped", "Lease touches given up under load.", now.runner.touches_dropped
        )


def template(rule: str | None) -> str:
    """The path label of a route. All paths of one job share theirs (the contract names two batch paths)."""
    if rule is None:
        return OTHER
    return "/v1/batch/{id}" if rule.startswith("/v1/batch/") else rule
