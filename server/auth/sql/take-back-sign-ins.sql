-- Sign-ins that were counted and then not tried at all. Like the counting without waiting for the disk, with one at a time
-- of one subject, and locking in the same order. subjects, networks: 32 bytes after 32.
with held as (
  select known.kind, known.subject, known.network
  from generate_series(0, octet_length(${subjects}::bytea) / 32 - 1) as place
  cross join (values ('login'), ('login-account')) as counted (kind)
  join failed_attempt known on known.kind = counted.kind
    and known.subject = substr(${subjects}::bytea, place * 32 + 1, 32)
    and known.network = case
      when counted.kind = 'login' then substr(${networks}::bytea, place * 32 + 1, 32) else ''::bytea
    end
  order by known.kind, known.subject
  for update of known
)
update failed_attempt set count = greatest(count - 1, 0), blocked_until = null
from held
cross join set_config('synchronous_commit', 'off', true)
where failed_attempt.kind = held.kind and failed_attempt.subject = held.subject
  and failed_attempt.network = held.network
