"""While a server starts: it can be stopped, and nobody can connect to it yet."""

import socket
import subprocess
import sys

START = """if True:
    import signal, socket, sys
    from souk.server.http.app import SoukApp
    from souk.server.serve import serve
    from souk.server.settings import Settings

    port = int(sys.argv[2])
    open_all = SoukApp.open

    async def open(self):
        await open_all(self)
        with socket.socket() as client:
            print("refused" if client.connect_ex(("127.0.0.1", port)) else "accepted", flush=True)
        signal.raise_signal(signal.SIGTERM)

    SoukApp.open = open
    sys.exit(serve(Settings(port=port, database=sys.argv[1], log_level="error")))
"""


def test_a_server_that_starts_can_be_stopped_and_takes_no_clients(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", START, str(tmp_path / "souk.db"), str(port)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "refused\n", "")
