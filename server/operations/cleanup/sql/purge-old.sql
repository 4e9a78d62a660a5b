-- Removes rows of ${table} whose time in ${column} is longer ago than ${age}, some at a time, leaving rows that somebody holds.
delete from ${table:name} where ctid = any(array(
  select ctid from ${table:name} where ${column:name} < now() - ${age}::interval limit 5000 for update skip locked
))
