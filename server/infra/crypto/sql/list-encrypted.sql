-- Returns values that a key encrypted (bytes 2 to 5 name it), in the order of their rows. Skips those that did
-- not decrypt before.
select ${key:name}, ${column:name} as encrypted
from ${table:name}
where substr(${column:name}, 2, 4) = ${key_id}
order by ${key:name}
limit ${limit} offset ${skipped}
