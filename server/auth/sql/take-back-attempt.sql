-- Attempts that were counted and then not tried at all.
update failed_attempt set count = greatest(count - 1, 0), blocked_until = null
where kind = any(${kinds}) and subject = ${subject} and network in (${network}, ''::bytea)
