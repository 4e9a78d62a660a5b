-- Adds calls to the days of their keys. Stores the key's name too, since usage outlives its key.
insert into api_usage as known (user_id, key_id, day, name, count, errors)
select given.user_id, given.key_id, given.day, given.name, given.count, given.errors
from unnest(
  ${user_ids}::integer[], ${key_ids}::text[], ${names}::text[], ${days}::date[], ${counts}::bigint[], ${errors}::bigint[]
) as given (user_id, key_id, name, day, count, errors)
order by given.user_id, given.key_id, given.day
on conflict (user_id, key_id, day) do update set
  count = known.count + excluded.count,
  errors = known.errors + excluded.errors,
  name = excluded.name
