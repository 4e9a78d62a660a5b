-- Returns messages of a state, the oldest first. Without their content, which is encrypted.
select id, channel, template, status, user_id as account, attempts, created_at, expires_at, last_error as error
from outbox_message
where status = any(${states})
order by created_at
limit ${limit}
