"""Ctrl-C while processes are being started."""

import os
import signal
import threading
import time

import pytest

from souk.engine.processes import shield_sigint


def test_ctrl_c_waits_until_processes_have_been_started_whichever_thread_it_reaches():
    end = threading.Event()
    other = threading.Thread(target=end.wait)  # it does not block Ctrl-C, so it is given it
    other.start()
    started = []
    try:
        with pytest.raises(KeyboardInterrupt):
            start_and_interrupt(started)
    finally:
        end.set()
        other.join()
    assert started
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def start_and_interrupt(started):
    with shield_sigint():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        started.append("all")


def test_without_ctrl_c_nothing_is_raised():
    with shield_sigint():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
