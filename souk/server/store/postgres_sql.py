"""The longer statements on PostgreSQL."""

# The tables are locked in order, so that two processes never wait for each other. Of several
# entries of a table the last summary counts, and the last view that any of them has.
APPEND = """
    WITH given AS (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::text[], $5::bigint[],
                             $6::bigint[], $7::bytea[], $8::text[])
        WITH ORDINALITY
        AS given (table_id, n, entry, status, wake_at, changed, view, participant, place)
    ), held AS (
        SELECT id FROM tables WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
    ), stored AS (
        INSERT INTO entries (table_id, n, entry)
        SELECT table_id, n, entry FROM given JOIN held ON id = table_id
        ON CONFLICT DO NOTHING RETURNING table_id, n
    ), new AS (
        SELECT * FROM given JOIN stored USING (table_id, n)
    ), tables_changed AS (
        UPDATE tables SET status = last.status, changed = last.changed, wake_at = last.wake_at,
                          view = coalesce(last.view, tables.view)
        FROM (
            SELECT DISTINCT ON (table_id) table_id, status, changed, wake_at,
                   first_value(view) OVER (PARTITION BY table_id ORDER BY view IS NULL, place DESC)
                   AS view
            FROM new WHERE status IS NOT NULL ORDER BY table_id, place DESC
        ) AS last
        WHERE id = last.table_id
    ), participants_changed AS (
        INSERT INTO participants (person, table_id)
        SELECT DISTINCT participant, table_id FROM new WHERE participant IS NOT NULL
        ON CONFLICT (person, table_id) DO UPDATE SET hidden = false
    )
    SELECT message, pg_notify($9, message) FROM (
        SELECT json_build_array($10::text, json_agg(json_build_array(table_id, n)))::text AS message
        FROM (SELECT table_id, n, sum(octet_length(table_id) + 30) OVER (ORDER BY place) / 7000
              AS part FROM new) AS parts
        GROUP BY part
    ) AS messages
"""  # PostgreSQL takes messages of less than 8000 bytes

# Presence of processes that died.
DELETE_STALE = """
    DELETE FROM present WHERE (table_id, person, process) IN (
        SELECT table_id, person, process FROM present
        WHERE until < extract(epoch FROM now()) * 1000 FOR UPDATE SKIP LOCKED)
"""

HAS_SCHEMA = (
    "SELECT to_regclass('schema_version') IS NOT NULL AND to_regclass('tables') IS NOT NULL"
)
HAS_TABLES = """
    SELECT count(*) > 0 FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'm')
"""
