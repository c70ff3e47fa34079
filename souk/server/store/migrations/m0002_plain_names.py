"""Plain names: settings, participants, and the takeover of a seat in stored views."""

# Protocol 2 calls `taken` of a seat `takeover`; inside a JSON string a quote has a backslash.
SQLITE = """
ALTER TABLE words RENAME TO settings;
ALTER TABLE settings RENAME COLUMN word TO value;
ALTER TABLE sitters RENAME TO participants;
UPDATE tables
SET view = CAST(replace(CAST(view AS TEXT), ',"taken":', ',"takeover":') AS BLOB);
"""

POSTGRES = """
ALTER TABLE words RENAME TO settings;
ALTER TABLE settings RENAME COLUMN word TO value;
ALTER TABLE sitters RENAME TO participants;
UPDATE tables SET view = convert_to(
    replace(convert_from(view, 'UTF8'), ',"taken":', ',"takeover":'), 'UTF8');
"""
