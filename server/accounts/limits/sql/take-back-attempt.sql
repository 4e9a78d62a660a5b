-- Takes back attempts that were counted and then not made. Like counting, it does not wait for the disk.
update failed_attempt set count = greatest(count - 1, 0), blocked_until = null
from set_config('synchronous_commit', 'off', true)
where kind = any(${kinds}) and subject = ${subject} and network in (${network}, ''::bytea)
