"""Players that ours are measured against; they are no levels of their own.

With the folder of this package on the path they are there like any other's players:

    PYTHONPATH=bench/rivals souk arena master:seconds=0.1 two-plies --seats 3
"""
