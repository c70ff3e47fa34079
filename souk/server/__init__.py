"""The referee: hosts tables of any game for people and computer players.

Knows games, records and players through the contract alone. Inside, the way is one too: `entries`
and `table` (what a table is, without any transport), `store` (what is kept), `room` and `hall`
(tables that are alive in this process), `sockets` and `rest` (how clients reach them), `app` (all
together).
"""
