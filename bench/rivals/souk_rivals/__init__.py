"""Players to measure ours against. They are not levels.

With the folder of this package on the path they are available like any third-party player:

    PYTHONPATH=bench/rivals souk arena master:seconds=0.1 two-plies --seats 3
"""
