"""Mailboxes and replies: how actors are spoken to. Bounded, and never a hang: who asks a dead actor is told so."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import outcome
import trio

M = TypeVar("M")
T = TypeVar("T")


class ActorDied(Exception):
    """The actor ended before it answered. Whether it acted on the message is for its log to say."""


class MailboxFull(Exception):
    """The actor has as much to do as it may hold; try again later."""


class Reply(Generic[T]):
    """The answer to one question, given once."""

    def __init__(self) -> None:
        self._given = trio.Event()
        self._outcome: outcome.Outcome[T] | None = None

    def give(self, value: T) -> None:
        """Answer with `value`."""
        self.settle(outcome.Value(value))

    def fail(self, error: BaseException) -> None:
        """Answer with `error`, which whoever waits will raise."""
        self.settle(outcome.Error(error))

    def settle(self, result: outcome.Outcome[T]) -> None:
        """Give the answer, or the error it comes to. Only the first counts."""
        if self._outcome is None:
            self._outcome = result
            self._given.set()

    @property
    def given(self) -> bool:
        """Whether there is an answer."""
        return self._outcome is not None

    async def wait(self) -> T:
        """The answer. Raises what the actor failed with, or `ActorDied`. Cancelling it only stops the waiting."""
        await self._given.wait()
        assert self._outcome is not None
        return self._outcome.unwrap()


class Mailbox(Generic[M]):
    """The messages to one actor, at most `capacity` waiting. The actor iterates it, and closes it when it ends."""

    def __init__(self, capacity: int) -> None:
        self._send, self._receive = trio.open_memory_channel[M](capacity)
        self._asked: set[Reply[Any]] = set()

    async def tell(self, message: M) -> None:
        """Hand over a message, waiting for room; cancelled while waiting, it was not. Raises `ActorDied`."""
        try:
            await self._send.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ActorDied("the actor has ended") from None

    def tell_nowait(self, message: M) -> None:
        """Hand over a message at once. Raises `MailboxFull` or `ActorDied`."""
        try:
            self._send.send_nowait(message)
        except trio.WouldBlock:
            raise MailboxFull(f"{self._send.statistics().max_buffer_size} messages are waiting") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ActorDied("the actor has ended") from None

    async def ask(self, question: Callable[[Reply[T]], M]) -> T:
        """Hand over `question(reply)` and wait for the reply.

        Raises `ActorDied` if the actor ends without one. Cancelled, the message may still be acted on.
        """
        reply: Reply[T] = Reply()
        self._asked.add(reply)
        try:
            message = question(reply)
            try:
                self.tell_nowait(message)  # to wait for the reply is to yield; once is enough
            except MailboxFull:
                await self.tell(message)
            return await reply.wait()
        finally:
            self._asked.discard(reply)

    async def receive(self) -> M:
        """The next message. Raises `trio.EndOfChannel` once no more can come and none is left."""
        return await self._receive.receive()

    def receive_waiting(self, limit: int) -> list[M]:
        """Up to `limit` messages that are here already."""
        messages: list[M] = []
        while len(messages) < limit:
            try:
                messages.append(self._receive.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                break
        return messages

    def end(self) -> None:
        """No more messages from here on; those that wait are still received."""
        self._send.close()

    def close(self) -> None:
        """The actor is gone: nothing is received any more, and each open question is answered with `ActorDied`."""
        self._send.close()
        self._receive.close()
        for reply in tuple(self._asked):
            reply.fail(ActorDied("the actor has ended"))

    def __len__(self) -> int:
        """How many messages wait."""
        return self._send.statistics().current_buffer_used
