"""What was luck and what was skill in a game, step by step.

`values` says what a position is worth, `account` books every step to luck or to a choice, `report`
is what comes out, and `chart` draws it. docs/analysis.md tells what the numbers mean.
"""

from souk.analysis.account import analyse
from souk.analysis.report import Account, Alternative, AnalysedStep, GameAnalysis

__all__ = ["Account", "Alternative", "AnalysedStep", "GameAnalysis", "analyse"]
