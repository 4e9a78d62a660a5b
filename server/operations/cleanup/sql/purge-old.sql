-- Removes a batch of rows of ${table} whose ${column} is older than ${age}. Skips locked rows.
delete from ${table:name} where ctid = any(array(
  select ctid from ${table:name} where ${column:name} < now() - ${age}::interval limit ${limit} for update skip locked
))
