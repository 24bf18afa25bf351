"""Process identity: a copy of a process is known to be one, by whatever means it was made."""

import ctypes
import os
import sys

import pytest

from trutdsl.strategy import spec
from trutdsl.strategy.spec import NUMBER, ProcessIdCall, make_place, number_process

FORKS = [os.fork, ctypes.CDLL(None).fork]


@pytest.mark.parametrize("fork", FORKS, ids=["os", "libc"])
def test_a_copy_does_not_have_the_number_until_it_takes_one(fork):
    number = number_process()
    child = fork()
    if child == 0:
        other = NUMBER[0] != number and number_process() == NUMBER[0] == os.getpid() != number
        os._exit(0 if other else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert NUMBER[0] == number == os.getpid()


@pytest.mark.parametrize("fork", FORKS, ids=["os", "libc"])
def test_where_there_is_no_such_page_the_system_is_asked(fork, monkeypatch):
    monkeypatch.setattr(spec, "WIPE_ON_FORK", 12345)
    place = make_place()
    assert isinstance(place, ProcessIdCall)
    child = fork()
    if child == 0:
        os._exit(0 if place[0] == os.getpid() else 1)
    assert os.waitpid(child, 0)[1] == 0
    monkeypatch.setattr(sys, "platform", "other")
    assert isinstance(make_place(), ProcessIdCall)


def test_linux_is_not_asked():
    assert isinstance(make_place(), ProcessIdCall) == (sys.platform != "linux")
