-- Whether another report, or the mail server itself, says the same about delivery $1 as a report of kind $2.
SELECT EXISTS (SELECT 1 FROM reports WHERE delivery = $1 AND kind = $2 AND undone IS NULL)
    OR $2 = 'failed' AND EXISTS (SELECT 1 FROM deliveries WHERE id = $1 AND state = 'bounced')
