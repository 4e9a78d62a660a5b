-- Replaces a value by the one under another key, unless it changed meanwhile.
update ${table:name} set ${column:name} = ${reencrypted}
where (${key:name}) = (${row:csv}) and ${column:name} = ${encrypted}
