-- Removes rows of an account from a table, at most so many.
delete from ${table:name} where ctid = any(array(
  select ctid from ${table:name} where user_id = ${user_id} limit ${limit}
))
