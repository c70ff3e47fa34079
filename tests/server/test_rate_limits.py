"""Token buckets: of people, of addresses with many people, and of several processes."""

import pytest

from souk.server import rate_limits
from souk.server.rate_limits import Rate, RateLimits

HINTS = rate_limits.HINTS


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Return a clock that the test moves."""
    now = [0.0]
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: now[0])
    return now


def count_allowed(limits, rate, who, address=None, tries=2000):
    return sum(limits.allow(rate, who, address) for _ in range(tries))


def test_more_identities_of_an_address_get_no_more_than_a_few(clock):
    limits = RateLimits()
    people = [f"eve{number}" for number in range(50)]
    allowed = sum(count_allowed(limits, HINTS, eve, "10.0.0.1", 20) for eve in people)
    assert allowed == HINTS.people * HINTS.burst
    assert limits.allow(HINTS, "ada", "10.0.0.2"), "another address is not held up"
    clock[0] += 10
    again = sum(count_allowed(limits, HINTS, f"new {eve}", "10.0.0.1", 20) for eve in people)
    assert again == HINTS.people * HINTS.per_second * 10


def test_a_person_behind_a_busy_address_keeps_their_own_tokens():
    limits = RateLimits()
    for number in range(50):
        count_allowed(limits, HINTS, f"eve{number}", "10.0.0.1", 20)
    assert not limits.allow(HINTS, "ada", "10.0.0.1")
    assert limits.allow(HINTS, "ada", "10.0.0.2")


def test_what_one_process_allows_counts_in_the_others():
    rates = [rate for rate in rate_limits.RATES.values() if rate.per_second <= rate_limits.RARE]
    assert len(rates) >= 6
    for rate in rates:
        processes = [RateLimits(is_shared=True) for _ in range(3)]
        allowed = 0
        for number in range(300):
            one = processes[number % 3]
            allowed += one.allow(rate, "eve", "10.0.0.1")
            spent = one.take_unshared()
            for other in processes:
                if other is not one:
                    other.charge(spent)
        assert allowed == rate.burst, rate


def test_a_fast_rate_is_shared_only_when_it_is_used_up(clock):
    """Or every move of everybody would be told to every process."""
    limits = RateLimits(is_shared=True)
    for _ in range(1000):
        assert limits.allow(rate_limits.COMMANDS, "ada", "10.0.0.1")
        clock[0] += 0.5
    assert limits.take_unshared() == []
    assert count_allowed(limits, rate_limits.COMMANDS, "ada", "10.0.0.1") == 60
    assert limits.take_unshared() == [("commands", "ada", 60)]
    assert limits.take_unshared() == []


def test_a_debt_is_paid_back_and_limited(clock):
    rate, limits = rate_limits.CHAT, RateLimits(is_shared=True)
    limits.charge([("chat", "eve", 10_000), ("chat@", "10.0.0.1", 3), ("unknown", "x", 1)])
    assert not limits.allow(rate, "eve")
    clock[0] += (rate.burst + 1) / rate.per_second
    assert limits.allow(rate, "eve")
    assert count_allowed(limits, rate, "ada", "10.0.0.1", 100) == rate.burst


def test_no_limits_allow_everything():
    assert count_allowed(RateLimits(is_on=False), Rate("", 0, 0), "eve", "10.0.0.1") == 2000
