SELECT j.key, f.name, f.value
FROM json_each(?1) j
JOIN subscriber_fields f ON f.account = j.value ->> 0 AND f.subscriber = j.value ->> 1
