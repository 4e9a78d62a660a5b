-- Deletes rows of an account from a table, up to a limit.
delete from ${table:name} where ctid = any(array(
  select ctid from ${table:name} where user_id = ${user_id} limit ${limit}
))
