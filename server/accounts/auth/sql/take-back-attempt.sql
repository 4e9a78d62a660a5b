-- Attempts that were counted and then not tried at all. Like the counting, without waiting for the disk.
update failed_attempt set count = greatest(count - 1, 0), blocked_until = null
from set_config('synchronous_commit', 'off', true)
where kind = any(${kinds}) and subject = ${subject} and network in (${network}, ''::bytea)
