-- Numbers the first $1 events that are committed and have no number. The caller holds the lock for numbering until the end of
-- the transaction, so that numbers become visible in their order. The index is read only up to the last of these events,
-- however many events wait.
WITH next AS (
    SELECT added, row_number() OVER (ORDER BY added) AS place
    FROM (SELECT added FROM events WHERE number IS NULL ORDER BY added LIMIT $1) n
),
numbered AS (
    UPDATE events e
    SET number = (SELECT last FROM event_numbers) + n.place
    FROM next n
    WHERE e.added = n.added AND e.number IS NULL AND e.added <= (SELECT max(added) FROM next)
    RETURNING e.number, e.account, e.kind, e.happened
),
counted AS (
    UPDATE event_numbers SET last = greatest(last, (SELECT max(number) FROM numbered))
    WHERE EXISTS (SELECT FROM numbered)
),
by_day AS (
    INSERT INTO event_counts (day, account, kind, events)
    SELECT floor(extract(epoch FROM happened) / 86400), account, kind, count(*) FROM numbered GROUP BY 1, 2, 3
    ON CONFLICT (account, day, kind) DO UPDATE SET events = event_counts.events + excluded.events
),
in_total AS (
    INSERT INTO event_totals (day, kind, events)
    SELECT floor(extract(epoch FROM happened) / 86400), kind, count(*) FROM numbered GROUP BY 1, 2
    ON CONFLICT (day, kind) DO UPDATE SET events = event_totals.events + excluded.events
)
SELECT count(*) FROM numbered
