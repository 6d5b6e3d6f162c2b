"""Work in a separate process: its result, its errors, and the limits of its time and memory."""

import time

import pytest

from kb.errors import KbError
from kb.files.bounded import Limits, TooMuchWorkError, bounded, each_bounded

ENOUGH = Limits(seconds=60, memory=2_000_000_000)


def doubled(number, tell):
    tell(0.5)
    return 2 * number


def refuses(_tell):
    raise KbError("no")


def sleeps(_tell):
    time.sleep(600)


def grows(_tell):
    return len(bytearray(4_000_000_000))


def sends(many, send):
    for number in range(many):
        send(number)
    if many > 2:
        raise KbError("no more")


def test_results_progress_and_errors_are_returned():
    shares = []
    assert bounded(doubled, 21, limits=ENOUGH, tell=shares.append) == 42
    assert shares == [0.5]
    with pytest.raises(KbError, match="no"):
        bounded(refuses, limits=ENOUGH)


def test_work_that_takes_too_long_is_ended():
    with pytest.raises(TooMuchWorkError, match="seconds to read"):
        bounded(sleeps, limits=Limits(0.5, ENOUGH.memory))


@pytest.mark.posix
def test_work_that_takes_too_much_memory_is_ended():
    with pytest.raises(TooMuchWorkError, match="2,000 MB"):
        bounded(grows, limits=ENOUGH)


def test_values_come_one_by_one_until_the_end_or_the_error():
    assert list(each_bounded(sends, 2, limits=ENOUGH)) == [0, 1]
    values = each_bounded(sends, 3, limits=ENOUGH)
    assert [next(values) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KbError, match="no more"):
        next(values)
    with pytest.raises(TooMuchWorkError, match="seconds to read"):
        next(each_bounded(sleeps, limits=Limits(0.5, ENOUGH.memory)))
