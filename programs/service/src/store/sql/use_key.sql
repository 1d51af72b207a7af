UPDATE keys SET used = now() WHERE hash = ?1
