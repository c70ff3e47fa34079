"""`souk mcp`: a Model Context Protocol server with which language models play.

`open_game.py` is a game that the client plays, `local_game.py` one in this process, and
`table_game.py` one at a table of a server. `tools.py` has the tools, and `server.py` serves them.
"""
