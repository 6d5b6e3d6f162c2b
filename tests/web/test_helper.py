"""The helper process that answers questions: kb ends slow questions, reports errors, and answers the next question."""

import asyncio
import json
import os
import time

import pytest

from kb.web import work as helpers
from kb.web.work import BusyError, Helper
from tests.web.loop import run

DONE = (200, b'{"done":true}')


def slow(_session, seconds):
    time.sleep(seconds)
    return {"done": True}


def dying(_session):
    os._exit(3)


def failing(_session):
    raise ZeroDivisionError("by a test")


def searching(session):
    return session.search("mulligan", limit=1)


def silent(_pipe):
    time.sleep(60)


def test_a_process_that_is_not_ready_in_time_is_ended(monkeypatch):
    """Otherwise the helper's message that it is ready could be taken for an answer."""

    async def go():
        helper = Helper(0.5)
        monkeypatch.setattr(helpers, "_serve", silent)
        monkeypatch.setattr(helpers, "STARTING", 0.1)
        with pytest.raises(BusyError, match="has not started yet"):
            await helper.ask(searching)
        assert helper._process is None

    run(go())


@pytest.mark.extended
def test_the_helper_ends_slow_questions_and_answers_the_next(real):
    async def go():
        helper = Helper(20)
        try:
            status, told = await helper.ask(searching)
            assert (status, json.loads(told)["hits"][0]["title"]) == (200, "Mulligan")
            status, told = await helper.ask(failing)
            assert (status, "bug in kb" in json.loads(told)["error"]) == (500, True)
            helper.seconds = 0.2
            began = time.monotonic()
            with pytest.raises(BusyError, match=r"longer than the limit of 0\.2 seconds"):
                await helper.ask(slow, seconds=60)
            assert time.monotonic() - began < 30
            helper.seconds = 20
            with pytest.raises(BusyError, match="has ended"):
                await helper.ask(dying)
            assert await helper.ask(slow, seconds=0) == DONE
            helper.seconds = 1
            queue = await asyncio.gather(*(helper.ask(slow, seconds=0.7) for _ in range(4)), return_exceptions=True)
            assert queue[0] == DONE
            assert all(isinstance(each, BusyError) for each in queue[1:])  # the limit includes the time in the queue
            assert "Other requests took" in str(queue[3])
            helper.seconds = 20
            helper.waiting = 2
            many = await asyncio.gather(*(helper.ask(slow, seconds=0.1) for _ in range(5)), return_exceptions=True)
            assert [isinstance(each, BusyError) for each in many] == [False, False, True, True, True]
        finally:
            helper.close()

    run(go())
