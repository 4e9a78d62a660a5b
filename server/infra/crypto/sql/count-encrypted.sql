-- Values that another key than this encrypted.
select count(*)::integer as count from ${table:name}
where ${column:name} is not null and substr(${column:name}, 2, 4) <> ${key_id}
