-- A credit without limit stays NULL, and the row of an account that has no limit at all is not written.
UPDATE credits
SET subscribers = subscribers - (j.value ->> 1), emails = emails - (j.value ->> 2)
FROM jsonb_each(?1) j
WHERE account = j.value ->> 0 AND coalesce(subscribers, emails) IS NOT NULL
