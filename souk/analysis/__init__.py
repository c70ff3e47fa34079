"""Analyse luck and skill in a game, move by move.

`winning_chances` evaluates positions, `luck_and_skill` attributes every change to luck or to a
decision, `game_analysis` has the data types of the result, and `chart` draws it. docs/analysis.md
explains the numbers. `rollouts` estimates the value of positions and actions by playing on.
"""

from souk.analysis.game_analysis import Alternative, AnalysedStep, GameAnalysis, PlayerSummary
from souk.analysis.luck_and_skill import analyse
from souk.analysis.mistakes import Thresholds
from souk.analysis.rollouts import Rollout, rollout

__all__ = [
    "Alternative",
    "AnalysedStep",
    "GameAnalysis",
    "PlayerSummary",
    "Rollout",
    "Thresholds",
    "analyse",
    "rollout",
]
