SELECT domain, roles FROM blacklist WHERE domain = ANY($1::text[])
