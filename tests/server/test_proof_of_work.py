"""New identities cost a proof of work under load, and only then."""

import json

import httpx
import pytest

from souk.bot import PROOF_NEEDED, solve
from souk.bot import Server as BotServer
from souk.server import rate_limits
from souk.server.proof_of_work import BITS, LIFETIME_MS, Challenges, zero_bits
from souk.server.rate_limits import RateLimits
from tests.server.server_process import Server
from tests.server.test_load_and_limits import forwarded_header

ADDRESS, NOW = "10.0.0.1", 1_700_000_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("proofs") / "souk.db") as server:
        yield server
        log = server.stop()
        assert server.code == 0
        assert {json.loads(line)["level"] for line in log.splitlines()} <= {"info", "warning"}, log


@pytest.fixture
def challenges():
    return Challenges(lambda text: f"signed-{sum(text.encode())}", RateLimits())


def solved(challenge):
    return solve(challenge, BITS)["solution"]


def test_a_solution_counts_once_in_time_and_for_its_address(challenges):
    challenge = challenges.new(ADDRESS, NOW)
    solution = solved(challenge)
    assert zero_bits(challenge, solution) >= BITS
    assert not challenges.is_solved(challenge, solution, "10.0.0.9", NOW)
    assert not challenges.is_solved(challenge, solution, ADDRESS, NOW + LIFETIME_MS + 1)
    assert challenges.is_solved(challenge, solution, ADDRESS, NOW + 5)
    assert not challenges.is_solved(challenge, solution, ADDRESS, NOW + 5), "used"


@pytest.mark.parametrize(
    "challenge", ["", ".", "x", "9999999999999-x.signed-1", "9" * 190, "-.signed", "é.ü"]
)
def test_challenges_of_others_are_refused(challenges, challenge):
    assert not challenges.is_solved(challenge, "0", ADDRESS, NOW)


def test_a_wrong_solution_is_refused(challenges):
    challenge = challenges.new(ADDRESS, NOW)
    wrong = next(text for text in map(str, range(99)) if zero_bits(challenge, text) < BITS)
    assert not challenges.is_solved(challenge, wrong, ADDRESS, NOW)


def new_identities(server, address, number):
    """Create identities without proofs; return the answers."""
    with httpx.Client(base_url=server.url, headers=forwarded_header(address)) as http:
        answers = []
        for _ in range(number):
            http.cookies.clear()
            answers.append(http.post("/api/me", json={"name": "Eve"}))
        return answers


def test_many_identities_of_one_address_cost_work(server):
    free = int(rate_limits.FREE_PEOPLE.burst)
    answers = new_identities(server, 1, free + 5)
    assert {one.status_code for one in answers[:free]} == {200}, "the first ones are free"
    last = answers[-1]
    assert last.status_code == PROOF_NEEDED and last.json()["code"] == "proof-needed"
    assert new_identities(server, 2, 1)[0].status_code == 200, "other addresses pay nothing"
    headers = forwarded_header(1)
    with httpx.Client(base_url=server.url, headers=headers) as http:
        proof = solve(**last.json()["proof"])
        for path, good in (("/api/bots", 201), ("/api/me", PROOF_NEEDED)):  # once for both
            answer = http.post(path, json={"name": "Eve", "proof": proof})
            assert answer.status_code == good, answer.text
        again = solve(**answer.json()["proof"])
        assert http.post("/api/me", json={"name": "Eve", "proof": again}).status_code == 200
        renamed = http.post("/api/me", json={"name": "Eva"})
        assert renamed.status_code == 200 and renamed.json()["name"] == "Eva", "a name is free"


def test_a_bot_does_the_work(server):
    free = int(rate_limits.FREE_PEOPLE.burst)
    with httpx.Client(base_url=server.url) as http:
        answers = [http.post("/api/bots", json={"name": "B"}) for _ in range(free + 1)]
    assert answers[-1].status_code == PROOF_NEEDED
    link = BotServer(f"{server.url}/t/{'x' * 22}")
    link.check_token(link.create_bot("Deep Rug"))


def test_without_limits_identities_are_free(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        free = int(rate_limits.FREE_PEOPLE.burst)
        assert {one.status_code for one in new_identities(server, 1, 2 * free)} == {200}
