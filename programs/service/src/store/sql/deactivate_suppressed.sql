UPDATE subscribers SET inactive = true
WHERE account = ?1 AND match_key IN (SELECT j.value ->> 0 FROM rows(?2) j) AND NOT inactive
