-- The same value under another key, unless it was written anew meanwhile.
update ${table:name} set ${column:name} = ${reencrypted}
where (${key:name}) = (${row:csv}) and ${column:name} = ${encrypted}
