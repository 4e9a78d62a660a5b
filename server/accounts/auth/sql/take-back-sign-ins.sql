-- Sign-ins that were counted and then not tried at all, several of one subject too. Like the counting without waiting for the
-- disk, and locking in the same order. From a known network only the network was counted. subjects, networks: 32 bytes after 32.
with taken_back as (
  select counted.kind, substr(${subjects}::bytea, place * 32 + 1, 32) as subject,
    case when counted.kind = 'login' then substr(${networks}::bytea, place * 32 + 1, 32) else ''::bytea end as network,
    count(*) as times
  -- As an array, which is taken for short: for a thousand of them, all attempts of everybody were read.
  from unnest(array(select generate_series(0, octet_length(${subjects}::bytea) / 32 - 1))) as place
  cross join (values ('login'), ('login-account')) as counted (kind)
  where counted.kind = 'login' or not (${known_networks}::boolean[])[place + 1]
  group by 1, 2, 3
), held as (
  select known.kind, known.subject, known.network, taken_back.times
  from taken_back
  join failed_attempt known on known.kind = taken_back.kind and known.subject = taken_back.subject
    and known.network = taken_back.network
  order by known.kind, known.subject, known.network
  for update of known
)
update failed_attempt set count = greatest(count - held.times, 0), blocked_until = null
from held
cross join set_config('synchronous_commit', 'off', true)
where failed_attempt.kind = held.kind and failed_attempt.subject = held.subject
  and failed_attempt.network = held.network
