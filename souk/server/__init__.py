"""The server: hosts tables of any game for people, bots and computer players.

It knows games, records and players only through their public API. A message passes through:

- `http` and `live.sockets`: HTTP requests and WebSocket messages, checked and rate limited;
- `live`: the live tables of this process, which handle commands one at a time;
- `tables`: what a table is and which commands are valid; no transport, no storage;
- `store`: SQLite or PostgreSQL, which make each entry durable before clients see it.

`serve` starts it all, with `settings`, `logs` and `metrics`; `admin` reads a database; `identities`
knows who sends a request, `rate_limits` how many they may send, and `proof_of_work` what a new
identity costs under load. `bans`, `erasure`, `retention` and `moderation` are for the operator: who
may not come in, and what is deleted.
"""
