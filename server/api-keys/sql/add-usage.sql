-- Adds calls to the days of their keys; the key's name is kept for the time after the key.
insert into api_usage as known (user_id, key_id, day, name, count, errors)
select given.user_id, given.key_id, given.day, coalesce(key.name, 'deleted key'), given.count, given.errors
from unnest(${user_ids}::integer[], ${key_ids}::text[], ${days}::date[], ${counts}::bigint[], ${errors}::bigint[])
  as given (user_id, key_id, day, count, errors)
left join api_key key on key.user_id = given.user_id and key.id = given.key_id
order by given.user_id, given.key_id, given.day
on conflict (user_id, key_id, day) do update set
  count = known.count + excluded.count,
  errors = known.errors + excluded.errors,
  name = case when excluded.name = 'deleted key' then known.name else excluded.name end
