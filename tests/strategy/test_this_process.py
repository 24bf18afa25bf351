"""Process identity: a forked process is recognized, whichever function forked it."""

import ctypes
import os
import sys

import pytest

from trutdsl.strategy import spec
from trutdsl.strategy.spec import NUMBER, ProcessIdCall, make_place, number_process

# `PyDLL` keeps the lock of the interpreter: else the child could wait for it without end.
FORKS = [os.fork, ctypes.PyDLL(None).fork]


@pytest.mark.parametrize("fork", FORKS, ids=["os", "libc"])
def test_a_forked_process_gets_its_own_number(fork):
    number = number_process()
    child = fork()
    if child == 0:
        other = NUMBER[0] != number and number_process() == NUMBER[0] == os.getpid() != number
        os._exit(0 if other else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert NUMBER[0] == number == os.getpid()


@pytest.mark.parametrize("fork", FORKS, ids=["os", "libc"])
def test_without_such_a_page_the_number_comes_from_the_system(fork, monkeypatch):
    monkeypatch.setattr(spec, "WIPE_ON_FORK", 12345)
    place = make_place()
    assert isinstance(place, ProcessIdCall)
    child = fork()
    if child == 0:
        os._exit(0 if place[0] == os.getpid() else 1)
    assert os.waitpid(child, 0)[1] == 0
    monkeypatch.setattr(sys, "platform", "other")
    assert isinstance(make_place(), ProcessIdCall)


def test_linux_needs_no_system_call():
    assert isinstance(make_place(), ProcessIdCall) == (sys.platform != "linux")
