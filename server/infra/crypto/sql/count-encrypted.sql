-- Returns the number of values that this key did not encrypt.
select count(*)::integer as count from ${table:name}
where ${column:name} is not null and substr(${column:name}, 2, 4) <> ${key_id}
