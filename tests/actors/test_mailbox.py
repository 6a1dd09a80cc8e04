"""Mailboxes: bounded, and whoever asks a dead actor is told so instead of waiting for ever."""

from functools import partial

import pytest
import trio
from gofer.actors.mailbox import ActorDied, Mailbox, MailboxFull, Reply
from trio.testing import wait_all_tasks_blocked

Question = Reply[int]


def same(reply: Question) -> Question:
    return reply


async def test_a_full_mailbox_refuses_at_once() -> None:
    mailbox = Mailbox[int](2)
    mailbox.tell_nowait(1)
    mailbox.tell_nowait(2)
    with pytest.raises(MailboxFull, match="2 messages are waiting"):
        mailbox.tell_nowait(3)
    assert len(mailbox) == 2
    assert mailbox.receive_waiting(10) == [1, 2]


async def test_tell_waits_for_room(nursery: trio.Nursery) -> None:
    mailbox = Mailbox[int](1)
    mailbox.tell_nowait(1)
    told = trio.Event()

    async def tell() -> None:
        await mailbox.tell(2)
        told.set()

    nursery.start_soon(tell)
    await wait_all_tasks_blocked()
    assert not told.is_set()
    assert await mailbox.receive() == 1
    await told.wait()
    assert await mailbox.receive() == 2


async def test_a_tell_cancelled_while_it_waits_was_not_told() -> None:
    mailbox = Mailbox[int](1)
    mailbox.tell_nowait(1)
    with trio.CancelScope() as scope:
        scope.cancel()
        await mailbox.tell(2)
    assert scope.cancelled_caught
    assert mailbox.receive_waiting(10) == [1]


async def test_no_more_than_the_limit_is_received_at_once() -> None:
    mailbox = Mailbox[int](5)
    for n in range(5):
        mailbox.tell_nowait(n)
    assert mailbox.receive_waiting(3) == [0, 1, 2]
    assert len(mailbox) == 2


async def test_an_answer_and_an_error_reach_the_one_who_asked(nursery: trio.Nursery) -> None:
    mailbox = Mailbox[Question](2)

    async def answer() -> None:
        (await mailbox.receive()).give(42)
        (await mailbox.receive()).fail(KeyError("no"))

    nursery.start_soon(answer)
    assert await mailbox.ask(same) == 42
    with pytest.raises(KeyError, match="no"):
        await mailbox.ask(same)


async def test_only_the_first_answer_counts() -> None:
    reply = Reply[int]()
    reply.give(1)
    reply.give(2)
    reply.fail(ActorDied())
    assert reply.given
    assert await reply.wait() == 1


@pytest.mark.parametrize("taken", [0, 1, 2], ids=["unread", "one in the group", "all in the group"])
async def test_who_asked_an_actor_that_dies_is_told_so(nursery: trio.Nursery, taken: int) -> None:
    mailbox = Mailbox[Question](2)
    died: list[int] = []

    async def ask(n: int) -> None:
        with pytest.raises(ActorDied):
            await mailbox.ask(same)
        died.append(n)

    for n in range(3):  # the third waits for room
        nursery.start_soon(ask, n)
    await wait_all_tasks_blocked()
    assert len(mailbox.receive_waiting(taken)) == taken
    mailbox.close()
    await wait_all_tasks_blocked()
    assert sorted(died) == [0, 1, 2]


async def test_a_dead_actor_is_not_waited_for() -> None:
    mailbox = Mailbox[Question](2)
    mailbox.close()
    with pytest.raises(ActorDied):
        await mailbox.ask(same)
    with pytest.raises(ActorDied):
        await mailbox.tell(Reply())
    with pytest.raises(ActorDied):
        mailbox.tell_nowait(Reply())


async def test_after_the_end_what_waits_is_still_received(nursery: trio.Nursery) -> None:
    mailbox = Mailbox[int](2)
    mailbox.tell_nowait(1)
    mailbox.end()
    with pytest.raises(ActorDied):
        mailbox.tell_nowait(2)
    assert await mailbox.receive() == 1
    with pytest.raises(trio.EndOfChannel):
        await mailbox.receive()
    assert mailbox.receive_waiting(5) == []


async def test_a_question_cancelled_by_its_asker_may_still_be_answered(nursery: trio.Nursery) -> None:
    mailbox = Mailbox[Question](1)
    with trio.CancelScope() as scope:
        nursery.start_soon(partial(_cancel_when_blocked, scope))
        await mailbox.ask(same)
    assert scope.cancelled_caught
    reply = await mailbox.receive()
    reply.give(1)  # nobody listens, and that is nobody's fault
    assert reply.given


async def _cancel_when_blocked(scope: trio.CancelScope) -> None:
    await wait_all_tasks_blocked()
    scope.cancel()
