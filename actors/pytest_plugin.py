"""A pytest plugin for those who build on gofer's actors: fixtures over `gofer.actors.testing`. Needs pytest-trio."""

from collections.abc import AsyncIterator
from contextlib import suppress

with suppress(ImportError):
    from pytest_trio import trio_fixture  # type: ignore[import-untyped]

    from .testing import Rig, open_system

    @trio_fixture  # type: ignore[untyped-decorator]
    async def gofer_system() -> AsyncIterator[Rig]:
        """A whole system in memory over a fetcher that answers each URL with itself; see `gofer.actors.testing`.

        Ask for `autojump_clock` as well, unless the test is to take the time it takes.
        """
        async with open_system() as rig:
            yield rig
