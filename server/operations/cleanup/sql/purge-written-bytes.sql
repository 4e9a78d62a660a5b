-- Removes counts of days that are over.
delete from written_bytes where ctid = any(array(
  select ctid from written_bytes where day < (now() at time zone 'UTC')::date - 2 limit ${limit} for update skip locked
))
