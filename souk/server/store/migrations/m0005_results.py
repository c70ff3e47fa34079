"""The results of a person's games, and whether the person has removed a game from their list.

Rows get their result when it is first needed, from the stored view of the table.

From this schema on, the log of a table may have entries of the kind `undone`, which earlier
versions cannot read: they refuse the database because of its number.
"""

SQLITE = """
ALTER TABLE participants ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE participants ADD COLUMN ended INTEGER; -- once the result is stored
ALTER TABLE participants ADD COLUMN game TEXT; -- without its knobs
ALTER TABLE participants ADD COLUMN people INTEGER; -- whether other people played
ALTER TABLE participants ADD COLUMN place INTEGER; -- none without a result
ALTER TABLE participants ADD COLUMN share REAL; -- of the win
ALTER TABLE participants ADD COLUMN score INTEGER; -- none if the game was not played to its end
ALTER TABLE participants ADD COLUMN luck REAL; -- once the game was analysed
CREATE INDEX participants_by_end ON participants (person, ended, table_id);
"""

POSTGRES = """
ALTER TABLE participants
    ADD COLUMN hidden boolean NOT NULL DEFAULT false,
    ADD COLUMN ended bigint,
    ADD COLUMN game text,
    ADD COLUMN people boolean,
    ADD COLUMN place bigint,
    ADD COLUMN share double precision,
    ADD COLUMN score bigint,
    ADD COLUMN luck double precision;
CREATE INDEX participants_by_end ON participants (person, ended, table_id);
"""
