SELECT b.domain, b.roles FROM rows(?1) j JOIN blacklist b ON b.domain = j.value ->> 0
