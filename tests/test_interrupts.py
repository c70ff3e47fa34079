"""The suite can interrupt what it starts, however it is run itself."""

import signal
import subprocess
import sys

WAIT = "import time; print('waiting', flush=True); time.sleep(60)"


def test_a_child_process_can_be_interrupted():
    with subprocess.Popen([sys.executable, "-c", WAIT], stdout=-1, stderr=-1) as child:
        assert child.stdout.readline() == b"waiting\n"
        child.send_signal(signal.SIGINT)
        assert child.wait() == -signal.SIGINT


def test_child_processes_can_be_interrupted_where_the_suite_ignores_it():
    """Shells start `make test &` with SIGINT ignored, and child processes inherit that."""
    test = f"{__file__}::{test_a_child_process_can_be_interrupted.__name__}"
    ignore = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    ignore += "; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    run = subprocess.run([sys.executable, "-c", ignore, *command], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
