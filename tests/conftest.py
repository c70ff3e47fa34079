"""Hypothesis for the whole suite: the same examples on every run, and no clock.

`pytest --hypothesis-profile=explore` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("same")
